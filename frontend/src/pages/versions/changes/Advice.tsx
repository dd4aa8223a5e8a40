import type { components } from "../../../wire/schema";
import { DataTable } from "../../../parts/tables/DataTable";
import { worded } from "../../../words/server";
import { WordedLines } from "../WordedLines";
import { rich, t } from "../../../words/text";

type ChangeAdvice = components["schemas"]["ChangeAdvice"];

const wayWords: Record<ChangeAdvice["ways"][number]["way"], string> = {
  "in-place": t`In place`,
  "new-version": t`A new version`,
};

/** The change as a whole: what it takes in place, what as a new version, and which is recommended. */
export function Advice({ of }: { of: ChangeAdvice }) {
  return (
    <>
      <p>{worded(of.sentence, of.phrases)}</p>
      <DataTable
        label={t`In place or a new version`}
        rows={of.ways}
        rowKey={(each) => each.way}
        columns={[
          {
            header: t`Way`,
            isRowHeader: true,
            cell: (each) => (
              <>
                {wayWords[each.way]}
                {each.way === of.recommended ? <div className="small muted">{t`recommended`}</div> : null}
              </>
            ),
          },
          { header: t`Cost`, cell: (each) => (each.possible ? each.cost : t`not possible`) },
          {
            header: t`Deployments`,
            className: "nowrap",
            cell: (each) => rich`${each.server_deployments} of servers${(<br />)}${each.client_deployments} of clients`,
          },
          { header: t`Data tasks`, cell: (each) => each.data_tasks },
          { header: t`For it`, cell: (each) => <WordedLines of={each.pros} phrases={each.pro_phrases} /> },
          { header: t`Against it`, cell: (each) => <WordedLines of={each.cons} phrases={each.con_phrases} /> },
        ]}
      />
      <p className="small muted">
        {t`Cost: a server deployment is 1, one of clients 10, a data task or a new version 5, a line of an edge 1.`}
      </p>
    </>
  );
}
