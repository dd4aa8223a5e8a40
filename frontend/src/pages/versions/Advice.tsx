import { Scroll } from "../../parts/Scroll";
import type { components } from "../../wire/schema";

type ChangeAdvice = components["schemas"]["ChangeAdvice"];

const wayWords: Record<ChangeAdvice["ways"][number]["way"], string> = {
  "in-place": "In place",
  "new-version": "A new version",
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
      <Scroll label="In place or a new version">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Way</th>
              <th scope="col">Cost</th>
              <th scope="col">Deployments</th>
              <th scope="col">Data tasks</th>
              <th scope="col">For it</th>
              <th scope="col">Against it</th>
            </tr>
          </thead>
          <tbody>
            {of.ways.map((each) => (
              <tr key={each.way}>
                <th scope="row">
                  {wayWords[each.way]}
                  {each.way === of.recommended ? <div className="small muted">recommended</div> : null}
                </th>
                <td>{each.possible ? each.cost : "not possible"}</td>
                <td className="nowrap">
                  {each.server_deployments} of servers
                  <br />
                  {each.client_deployments} of clients
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
        Cost: a server deployment is 1, one of clients 10, a data task or a new version 5, a line of an edge 1.
      </p>
    </>
  );
}
