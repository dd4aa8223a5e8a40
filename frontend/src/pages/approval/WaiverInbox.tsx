import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { unchecked } from "../../api/operations";
import { Card } from "../../parts/Page";
import { ProblemPanel } from "../../parts/states";
import { shortService } from "../../parts/status";
import { Version, Versions } from "../../parts/Status";
import { DataTable } from "../../parts/tables/DataTable";
import { Age } from "../../time/Time";
import { t } from "../../words/text";
import { ruleText } from "../versions/report/report";
import { type Waiver, WaiverControl } from "../versions/Waivers";

/** What the two kinds of loss that a person accepts are called. */
const lossWords: Record<string, string> = {
  "loss-hidden": t`hidden from the other version`,
  "loss-no": t`value not preserved`,
};
/** A change from something to nothing, or from nothing: the rule says that already. */
const HALF = /^\s*→|→\s*$/;

/** The page that shows what a waiver is of: the report of two versions, or the changes of one definition. */
export function waiverAddress({ service, before, after }: Pick<Waiver, "service" | "before" | "after">): string {
  return before === after ? `/versions/${service}/changes` : `/compat/${service}/${before}..${after}`;
}

/** Waivers of all services that await a decision, or were decided, beside the requests for approval. */
export function WaiverInbox({ tab }: { tab: string }) {
  const result = useQuery({
    queryKey: ["approvals", "waivers", tab],
    queryFn: ({ signal }) => read("/waivers", { query: { tab: unchecked(tab) }, signal }),
  });
  if (result.isError) return <ProblemPanel error={result.error} />;
  const waivers = result.data?.items ?? [];
  if (waivers.length === 0) return null;
  return (
    <Card title={t`Waivers`} className="flush">
      <DataTable
        label={t`Waivers`}
        rows={waivers}
        rowKey={(of) => of.id}
        flash={(of) => of.state}
        columns={[
          {
            header: t`Place`,
            isRowHeader: true,
            className: "top place",
            cell: (of) => (
              <>
                <Link to={waiverAddress(of)} className="mono break">
                  {of.path}
                </Link>
                <div className="small muted">{lossWords[of.rule] ?? ruleText(of.rule)}</div>
                {HALF.test(of.change) ? null : <div className="small muted">{of.change}</div>}
              </>
            ),
          },
          {
            header: t`Service`,
            className: "top",
            cell: (of) => (
              <>
                {shortService(of.service)}{" "}
                {of.before === of.after ? <Version of={of.after} /> : <Versions from={of.before} to={of.after} />}
              </>
            ),
          },
          { header: t`Requested by`, className: "top", cell: (of) => of.asked_by },
          { header: t`Age`, className: "top nowrap", cell: (of) => <Age at={of.asked_at} /> },
          {
            header: t`Decision`,
            cell: (of) => <WaiverControl service={of.service} waiver={of} form={null} />,
          },
        ]}
      />
    </Card>
  );
}
