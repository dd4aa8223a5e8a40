import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { send } from "../api/client";
import { items, More, usePages } from "../parts/More";
import { Card, Page } from "../parts/Page";
import { useRows } from "../parts/rows";
import { useFilters } from "../parts/search";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import { Status, Versions } from "../parts/Status";
import { approvalWords } from "../parts/status";
import { useKeys } from "../shell/keys";
import { Age, Time } from "../time/Time";
import type { Approval } from "../wire/model";
import { aboutTheData, votesText } from "./approval/words";

const tabs = [
  { value: "mine", title: "Needs me", none: "Nothing waits for you." },
  { value: "asked", title: "Asked by me", none: "You have not asked for an approval." },
  { value: "open", title: "All open", none: "No request is open." },
  { value: "decided", title: "Decided", none: "Nothing was decided yet." },
] as const;

/** What does not hold now: read once for each open row, as the decision page reads it. */
function ChecksNow({ of }: { of: Approval }) {
  const shown = useQuery({ queryKey: ["approval", of.id], queryFn: ({ signal }) => send<Approval>(`/approvals/${of.id}`, { signal }), enabled: of.state === "OPEN" || of.state === "CHANGES", staleTime: 30_000 });
  const bad = aboutTheData(shown.data?.evidence_now ?? []).filter((check) => check.verdict === "fail" || check.verdict === "unknown").length;
  if (!shown.data) return <span className="muted">–</span>;
  return <Status of={bad ? { tone: "wait", word: `${bad} ${bad === 1 ? "does" : "do"} not hold` } : { tone: "ok", word: "all hold" }} />;
}

function Rows({ approvals }: { approvals: Approval[] }) {
  const body = useRows();
  const navigate = useNavigate();
  const open = (): void => {
    const link = document.activeElement?.closest("tr")?.querySelector<HTMLAnchorElement>("[data-row]");
    if (link) void navigate(link.pathname);
  };
  useKeys({ a: open, r: open });
  return (
    <table className="table">
      <thead><tr><th scope="col">What</th><th scope="col">Versions</th><th scope="col">Asked by</th><th scope="col">Votes</th><th scope="col">State</th><th scope="col">Checks</th><th scope="col">Until</th><th scope="col">Age</th></tr></thead>
      <tbody ref={body}>
        {approvals.map((approval) => (
          <tr key={approval.id}>
            <th scope="row"><Link data-row to={`/approvals/${approval.id}`}>{approval.what}</Link></th>
            <td className="top"><Versions from={approval.from_version} to={approval.to_version} /></td>
            <td className="top">{approval.asked_by}</td>
            <td className="top">{votesText(approval)}</td>
            <td className="top"><Status of={approvalWords[approval.state]} /></td>
            <td className="top nowrap"><ChecksNow of={approval} /></td>
            <td className="top"><Time at={approval.deadline} /></td>
            <td className="top"><Age at={approval.created_at} /></td>
          </tr>
        ))}
      </tbody>
    </table>
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
            {all.length ? <Scroll label="Approvals"><Rows approvals={all} /></Scroll> : <Empty title={none} />}
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
      <Tabs value={tab} onChange={(value) => set("tab", value ?? "")} keepMounted={false}>
        <Tabs.List>{tabs.map((each) => <Tabs.Tab key={each.value} value={each.value}>{each.title}</Tabs.Tab>)}</Tabs.List>
        {tabs.map((each) => <Tabs.Panel key={each.value} value={each.value} pt="md"><List tab={each.value} none={each.none} /></Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
