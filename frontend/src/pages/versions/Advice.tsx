import { Scroll } from "../../parts/Scroll";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";

type ChangeAdvice = components["schemas"]["ChangeAdvice"];

const wayWords: Record<ChangeAdvice["ways"][number]["way"], string> = {
  "in-place": t`In place`,
  "new-version": t`A new version`,
};

function Sentences({ of }: { of: readonly string[] }) {
  return of.map((each) => (
    <div key={each} className="small">
      {each}
    </div>
  ));
}

/** The change as a whole: what it takes in place, what as a new version, and which is recommended. */
export function Advice({ of }: { of: ChangeAdvice }) {
  return (
    <>
      <p>{of.sentence}</p>
      <Scroll label={t`In place or a new version`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Way`}</th>
              <th scope="col">{t`Cost`}</th>
              <th scope="col">{t`Deployments`}</th>
              <th scope="col">{t`Data tasks`}</th>
              <th scope="col">{t`For it`}</th>
              <th scope="col">{t`Against it`}</th>
            </tr>
          </thead>
          <tbody>
            {of.ways.map((each) => (
              <tr key={each.way}>
                <th scope="row">
                  {wayWords[each.way]}
                  {each.way === of.recommended ? <div className="small muted">{t`recommended`}</div> : null}
                </th>
                <td>{each.possible ? each.cost : t`not possible`}</td>
                <td className="nowrap">
                  {rich`${each.server_deployments} of servers${(<br />)}${each.client_deployments} of clients`}
                </td>
                <td>{each.data_tasks}</td>
                <td>
                  <Sentences of={each.pros} />
                </td>
                <td>
                  <Sentences of={each.cons} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="small muted">
        {t`Cost: a server deployment is 1, one of clients 10, a data task or a new version 5, a line of an edge 1.`}
      </p>
    </>
  );
}
