import { Button, Checkbox, Tabs } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { read } from "../api/client";
import { unchecked } from "../api/operations";
import { items, More, usePages } from "../parts/tables/More";
import { Card, Page } from "../parts/Page";
import { choiceOf, useFilters } from "../parts/search";
import { Empty, Loaded } from "../parts/states";
import { Status } from "../parts/Status";
import { approvalWords, type Word } from "../parts/status";
import type { Column } from "../parts/tables/columns";
import { DataTable } from "../parts/tables/DataTable";
import { useSteady } from "../parts/tables/useSteady";
import { useKeys } from "../parts/keyboard/keys";
import { TabList } from "../parts/tabs/TabList";
import { Age } from "../time/Time";
import type { ApprovalSummary } from "../wire/model";
import { DutyBar } from "./approval/DutyBar";
import { riskWords } from "./approval/Impact";
import { BulkApproval } from "./approval/BulkApproval";
import { Peek } from "./approval/Peek";
import type { Decision } from "./approval/shortcut";
import { WaiverInbox } from "./approval/WaiverInbox";
import { isPending, requestAddress, votesText } from "./approval/words";
import { worded } from "../words/server";
import { plural, t } from "../words/text";

const tabs = [
  { value: "mine", title: t`Awaiting me`, none: t`No upgrade awaits your approval.` },
  { value: "asked", title: t`Requested by me`, none: t`You have not requested an approval.` },
  { value: "open", title: t`All open`, none: t`No open requests.` },
  { value: "decided", title: t`Decided`, none: t`No decisions yet.` },
] as const;

/** How its checks came out while it waits for somebody; after that, what became of it. */
function checksOf({ state, impact_summary: checkSummary }: ApprovalSummary): Word {
  if (!checkSummary || (state !== "OPEN" && state !== "CHANGES")) return approvalWords[state];
  const { failing, unknown } = checkSummary;
  if (!failing && !unknown) return { tone: "ok", word: t`all pass` };
  const words = [failing ? plural(failing, "# fails", "# fail") : "", unknown ? t`${unknown} unknown` : ""];
  return { tone: failing ? "wait" : "unknown", word: words.filter(Boolean).join(", ") };
}

interface Marking {
  marked: ReadonlyMap<string, ApprovalSummary>;
  /** Null where requests are not decided together. */
  onMark: ((of: ApprovalSummary, on: boolean) => void) | null;
}

/** What names a request, and shows its summary below. */
function Change({ of, peeked, onPeek }: { of: ApprovalSummary; peeked: boolean; onPeek: () => void }) {
  return (
    <>
      <Link data-row to={requestAddress(of)}>
        {worded(of.what, of.what_phrases)}
      </Link>
      <Button
        data-peek
        size="compact-xs"
        variant="subtle"
        aria-expanded={peeked}
        aria-label={t`Summary: ${worded(of.what, of.what_phrases)}`}
        onClick={onPeek}
      >
        {peeked ? t`Hide summary` : t`Summary`}
      </Button>
    </>
  );
}

function columnsOf(
  { marked, onMark }: Marking,
  peeked: string,
  peek: (id: string) => void,
  decided: boolean,
): readonly Column<ApprovalSummary>[] {
  return [
    {
      header: t`Select`,
      isHeaderUnseen: true,
      isShown: onMark !== null,
      className: "top",
      cell: (of) => (
        <Checkbox
          size="xs"
          aria-label={t`Select: ${worded(of.what, of.what_phrases)}`}
          checked={marked.has(of.id)}
          onChange={(event) => onMark?.(of, event.currentTarget.checked)}
        />
      ),
    },
    {
      header: t`Deadline`,
      className: "top nowrap",
      cell: (of) => (of.deadline && isPending(of) ? <Age at={of.deadline} /> : "–"),
    },
    {
      header: t`Change`,
      isRowHeader: true,
      cell: (of) => <Change of={of} peeked={peeked === of.id} onPeek={() => peek(peeked === of.id ? "" : of.id)} />,
    },
    {
      header: t`Risk`,
      className: "top nowrap",
      cell: ({ impact_summary: summary }) =>
        summary ? <Status of={riskWords[summary.risk]} /> : <span className="muted">–</span>,
    },
    { header: t`Requested by`, className: "top", cell: (of) => of.asked_by },
    { header: t`Votes`, className: "top", cell: votesText },
    { header: decided ? t`State` : t`Checks`, className: "top nowrap", cell: (of) => <Status of={checksOf(of)} /> },
    { header: t`Age`, className: "top nowrap", cell: (of) => <Age at={of.created_at} /> },
  ];
}

function Rows({ approvals: announced, tab, none }: { approvals: ApprovalSummary[]; tab: string; none: string }) {
  const { rows: approvals, over } = useSteady(announced, (each) => each.id, "");
  const navigate = useNavigate();
  const [marked, mark] = useState<ReadonlyMap<string, ApprovalSummary>>(new Map());
  const open = (decision: Decision): void => {
    const link = document.activeElement?.closest("tr")?.querySelector<HTMLAnchorElement>("[data-row]");
    if (link) void navigate(`${link.pathname}${link.search}${link.hash}`, { state: { decision } });
  };
  const [peeked, peek] = useState("");
  const peekAtFocus = (): void =>
    document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-peek]")?.click();
  useKeys({ a: () => open("approve"), r: () => open("reject"), v: peekAtFocus });
  const set = (of: ApprovalSummary, on: boolean): void =>
    mark((before) => {
      const after = new Map(before);
      if (on) after.set(of.id, of);
      else after.delete(of.id);
      return after;
    });
  return (
    <>
      {approvals.length ? (
        <DataTable
          label={t`Approvals`}
          hasRowLinks
          bodyEvents={over}
          columns={columnsOf({ marked, onMark: tab === "mine" ? set : null }, peeked, peek, tab === "decided")}
          rows={approvals}
          rowKey={(of) => of.id}
          rowClass={(of) => (marked.has(of.id) ? "chosen" : "")}
          flash={(of) => `${of.state} ${votesText(of)}`}
          detail={(of) => (peeked === of.id ? <Peek id={of.id} /> : null)}
        />
      ) : (
        <Empty title={none}>
          {tab === "decided"
            ? null
            : t`An approval is requested on the page of an upgrade, once its evidence is complete.`}
        </Empty>
      )}
      <BulkApproval
        requests={[...marked.values()].filter((each) => approvals.some((one) => one.id === each.id))}
        onClear={() => mark(new Map())}
      />
    </>
  );
}

function List({ tab, none }: { tab: string; none: string }) {
  const approvals = usePages(["approvals", tab], ({ cursor, signal }) =>
    read("/approvals", { query: { tab: unchecked(tab), cursor }, signal }),
  );
  return (
    <Loaded of={approvals}>
      {(data) => {
        const all = items(data);
        return (
          <Card className={all.length ? "flush" : ""}>
            <Rows approvals={all} tab={tab} none={none} />
            <More of={approvals} />
          </Card>
        );
      }}
    </Loaded>
  );
}

export function ApprovalsPage() {
  const { filters, set } = useFilters(["tab"]);
  const tab = choiceOf(
    filters.tab,
    tabs.map((each) => each.value),
    "mine",
  );
  return (
    <Page title={t`Approvals`}>
      <DutyBar />
      <Tabs value={tab} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <TabList chosen={tab}>
          {tabs.map((each) => (
            <Tabs.Tab key={each.value} value={each.value}>
              {each.title}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map((each) => (
          <Tabs.Panel key={each.value} value={each.value} pt="md">
            <div className="stack">
              <WaiverInbox tab={each.value} />
              <List tab={each.value} none={each.none} />
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
