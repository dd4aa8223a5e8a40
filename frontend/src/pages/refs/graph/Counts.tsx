import { Card } from "../../../parts/Page";
import { Scroll } from "../../../parts/Scroll";
import { shortService } from "../../../parts/status";
import type { References } from "../../../wire/references";
import { counts } from "./graph";
import { t } from "../../../words/text";

/** Who refers to whom, in numbers. */
export function Counts({ graph }: { graph: References }) {
  const { services, at } = counts(graph);
  return (
    <Card title={t`References between services`} aside={t`rows: referrers · columns: targets`}>
      <Scroll label={t`References between services`}>
        <table className="table fit">
          <thead>
            <tr>
              <th scope="col">{t`From`}</th>
              {services.map((to) => (
                <th key={to} scope="col" title={to}>
                  {shortService(to)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {services.map((from) => (
              <tr key={from}>
                <th scope="row" title={from}>
                  {shortService(from)}
                </th>
                {services.map((to) => (
                  <td key={to} className="num">
                    {at(from, to) || <span className="muted">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}
