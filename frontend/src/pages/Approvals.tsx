import { Checkbox, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { send } from "../api/client";
import { items, More, usePages } from "../parts/More";
import { Card, Page } from "../parts/Page";
import { useRows } from "../parts/rows";
import { useFilters } from "../parts/search";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Status } from "../parts/Status";
import { approvalWords } from "../parts/status";
import { useFlash } from "../parts/useFlash";
import { useSteady } from "../parts/useSteady";
import { useKeys } from "../shell/keys";
import { Age } from "../time/Time";
import type { Approval } from "../wire/model";
import { DutyBar } from "./approval/DutyBar";
import { riskWords } from "./approval/Stakes";
import { Together } from "./approval/Together";
import type { Deed } from "./approval/reach";
import { aboutTheData, votesText } from "./approval/words";

const tabs = [
  { value: "mine", title: "Needs me", none: "Nothing waits for you." },
  { value: "asked", title: "Asked by me", none: "You have not asked for an approval." },
  { value: "open", title: "All open", none: "No request is open." },
  { value: "decided", title: "Decided", none: "Nothing was decided yet." },
] as const;

function useWhole(of: Approval): Approval | undefined {
  return useQuery({ queryKey: ["approval", of.id], queryFn: ({ signal }) => send<Approval>(`/approvals/${of.id}`, { signal }), enabled: of.state === "OPEN" || of.state === "CHANGES", staleTime: 30_000 }).data;
}

/** One request; its risk and its checks are read once, as the decision page reads them. */
function Row({ of, marked, onMark }: { of: Approval; marked: boolean; onMark: ((whole: Approval, on: boolean) => void) | null }) {
  const whole = useWhole(of);
  const row = useFlash<HTMLTableRowElement>(`${of.state} ${votesText(of)}`);
  const bad = aboutTheData(whole?.evidence_now ?? []).filter((check) => check.verdict === "fail" || check.verdict === "unknown").length;
  return (
    <tr ref={row} className={marked ? "chosen" : ""}>
      {onMark ? <td className="top"><Checkbox size="xs" aria-label={`Select: ${of.what}`} disabled={!whole} checked={marked} onChange={(event) => { if (whole) onMark(whole, event.currentTarget.checked); }} /></td> : null}
      <td className="top nowrap">{of.deadline ? <Age at={of.deadline} /> : "–"}</td>
      <th scope="row"><Link data-row to={`/approvals/${of.id}`}>{of.what}</Link></th>
      <td className="top nowrap">{whole ? <Status of={riskWords[whole.stakes.risk.level]} /> : <span className="muted">–</span>}</td>
      <td className="top">{of.asked_by}</td>
      <td className="top">{votesText(of)}</td>
      <td className="top nowrap">{of.state !== "OPEN" && of.state !== "CHANGES" ? <Status of={approvalWords[of.state]} /> : whole ? <Status of={bad ? { tone: "wait", word: `${bad} ${bad === 1 ? "does" : "do"} not hold` } : { tone: "ok", word: "all hold" }} /> : <span className="muted">–</span>}</td>
      <td className="top nowrap"><Age at={of.created_at} /></td>
    </tr>
  );
}

function Rows({ approvals: told, bulk }: { approvals: Approval[]; bulk: boolean }) {
  const body = useRows();
  const { rows: approvals, over } = useSteady(told, (each) => each.id, "");
  const navigate = useNavigate();
  const [marked, mark] = useState<ReadonlyMap<string, Approval>>(new Map());
  const open = (deed: Deed): void => {
    const link = document.activeElement?.closest("tr")?.querySelector<HTMLAnchorElement>("[data-row]");
    if (link) void navigate(link.pathname, { state: { deed } });
  };
  useKeys({ a: () => open("approve"), r: () => open("reject") });
  const set = (whole: Approval, on: boolean): void => mark((before) => {
    const after = new Map(before);
    if (on) after.set(whole.id, whole);
    else after.delete(whole.id);
    return after;
  });
  return (
    <>
      <Scroll label="Approvals"><table className="table">
        <thead><tr>{bulk ? <th scope="col"><span className="unseen">Select</span></th> : null}<th scope="col">Deadline</th><th scope="col">What</th><th scope="col">Risk</th><th scope="col">Asked by</th><th scope="col">Votes</th><th scope="col">{bulk ? "Checks" : "State"}</th><th scope="col">Age</th></tr></thead>
        <tbody ref={body} {...over}>{approvals.map((approval) => <Row key={approval.id} of={approval} marked={marked.has(approval.id)} onMark={bulk ? set : null} />)}</tbody>
      </table></Scroll>
      <Together requests={[...marked.values()].filter((each) => approvals.some((one) => one.id === each.id))} onClear={() => mark(new Map())} />
    </>
  );
}

function List({ tab, none }: { tab: string; none: string }) {
  const approvals = usePages<Approval>("approvals", "/approvals", { tab });
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
    <Page title="Approvals">
      <DutyBar />
      <Tabs value={tab} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <Tabs.List>{tabs.map((each) => <Tabs.Tab key={each.value} value={each.value}>{each.title}</Tabs.Tab>)}</Tabs.List>
        {tabs.map((each) => <Tabs.Panel key={each.value} value={each.value} pt="md"><List tab={each.value} none={each.none} /></Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
