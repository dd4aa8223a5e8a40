import { Button, Checkbox, Tabs } from "@mantine/core";
import { Fragment, useState } from "react";
import { Link, useNavigate } from "react-router";
import { items, More, usePages } from "../parts/More";
import { Card, Page } from "../parts/Page";
import { useRows } from "../parts/rows";
import { useFilters } from "../parts/search";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Status } from "../parts/Status";
import { approvalWords, type Word } from "../parts/status";
import { useFlash } from "../parts/useFlash";
import { useSteady } from "../parts/useSteady";
import { useKeys } from "../parts/keys";
import { Age } from "../time/Time";
import type { ApprovalSummary } from "../wire/model";
import { DutyBar } from "./approval/DutyBar";
import { riskWords } from "./approval/Impact";
import { BulkApproval } from "./approval/BulkApproval";
import { Peek } from "./approval/Peek";
import type { Decision } from "./approval/shortcut";
import { votesText } from "./approval/words";
import { plural, t } from "../words/text";

const tabs = [
  { value: "mine", title: t`Awaiting me`, none: t`No pending approvals.` },
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

function Row({
  of,
  marked,
  onMark,
  peeked,
  onPeek,
}: {
  of: ApprovalSummary;
  peeked: boolean;
  onPeek: () => void;
  marked: boolean;
  onMark: ((of: ApprovalSummary, on: boolean) => void) | null;
}) {
  const row = useFlash<HTMLTableRowElement>(`${of.state} ${votesText(of)}`);
  return (
    <tr ref={row} className={marked ? "chosen" : ""}>
      {onMark ? (
        <td className="top">
          <Checkbox
            size="xs"
            aria-label={t`Select: ${of.what}`}
            checked={marked}
            onChange={(event) => onMark(of, event.currentTarget.checked)}
          />
        </td>
      ) : null}
      <td data-label={t`Deadline`} className="top nowrap">
        {of.deadline ? <Age at={of.deadline} /> : "–"}
      </td>
      <th scope="row">
        <Link data-row to={`/approvals/${of.id}`}>
          {of.what}
        </Link>
        <Button
          data-peek
          size="compact-xs"
          variant="subtle"
          aria-expanded={peeked}
          aria-label={t`Summary: ${of.what}`}
          onClick={onPeek}
        >
          {peeked ? t`Hide summary` : t`Summary`}
        </Button>
      </th>
      <td data-label={t`Risk`} className="top nowrap">
        {of.impact_summary ? <Status of={riskWords[of.impact_summary.risk]} /> : <span className="muted">–</span>}
      </td>
      <td data-label={t`Requested by`} className="top">
        {of.asked_by}
      </td>
      <td data-label={t`Votes`} className="top">
        {votesText(of)}
      </td>
      <td data-label={t`Checks`} className="top nowrap">
        <Status of={checksOf(of)} />
      </td>
      <td data-label={t`Age`} className="top nowrap">
        <Age at={of.created_at} />
      </td>
    </tr>
  );
}

function Rows({ approvals: announced, bulk }: { approvals: ApprovalSummary[]; bulk: boolean }) {
  const body = useRows();
  const { rows: approvals, over } = useSteady(announced, (each) => each.id, "");
  const navigate = useNavigate();
  const [marked, mark] = useState<ReadonlyMap<string, ApprovalSummary>>(new Map());
  const open = (decision: Decision): void => {
    const link = document.activeElement?.closest("tr")?.querySelector<HTMLAnchorElement>("[data-row]");
    if (link) void navigate(link.pathname, { state: { decision } });
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
      <Scroll label={t`Approvals`}>
        <table className="table cards-on-phone">
          <thead>
            <tr>
              {bulk ? (
                <th scope="col">
                  <span className="unseen">{t`Select`}</span>
                </th>
              ) : null}
              <th scope="col">{t`Deadline`}</th>
              <th scope="col">{t`Change`}</th>
              <th scope="col">{t`Risk`}</th>
              <th scope="col">{t`Requested by`}</th>
              <th scope="col">{t`Votes`}</th>
              <th scope="col">{bulk ? t`Checks` : t`State`}</th>
              <th scope="col">{t`Age`}</th>
            </tr>
          </thead>
          <tbody ref={body} {...over}>
            {approvals.map((approval) => (
              <Fragment key={approval.id}>
                <Row
                  of={approval}
                  marked={marked.has(approval.id)}
                  onMark={bulk ? set : null}
                  peeked={peeked === approval.id}
                  onPeek={() => peek(peeked === approval.id ? "" : approval.id)}
                />
                {peeked === approval.id ? <Peek id={approval.id} columns={bulk ? 8 : 7} /> : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      </Scroll>
      <BulkApproval
        requests={[...marked.values()].filter((each) => approvals.some((one) => one.id === each.id))}
        onClear={() => mark(new Map())}
      />
    </>
  );
}

function List({ tab, none }: { tab: string; none: string }) {
  const approvals = usePages<ApprovalSummary>("approvals", "/approvals", { tab });
  return (
    <Loaded of={approvals}>
      {(data) => {
        const all = items(data);
        return (
          <Card className={all.length ? "flush" : ""}>
            {all.length ? <Rows approvals={all} bulk={tab === "mine"} /> : <Empty title={none} />}
            <More of={approvals} />
          </Card>
        );
      }}
    </Loaded>
  );
}

export function ApprovalsPage() {
  const { filters, set } = useFilters(["tab"]);
  const tab = filters.tab || "mine";
  return (
    <Page title={t`Approvals`}>
      <DutyBar />
      <Tabs value={tab} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <Tabs.List>
          {tabs.map((each) => (
            <Tabs.Tab key={each.value} value={each.value}>
              {each.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((each) => (
          <Tabs.Panel key={each.value} value={each.value} pt="md">
            <List tab={each.value} none={each.none} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
