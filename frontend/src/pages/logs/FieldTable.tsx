import type { FieldChange } from "./fields";
import { t } from "../../words/text";

/** Fields with what they were and what they are. */
export function FieldTable({ of, heads = [t`Before`, t`After`] }: { of: FieldChange[]; heads?: [string, string] }) {
  if (of.length === 0) return <p className="muted small">{t`No field differs.`}</p>;
  return (
    <table className="table small">
      <thead>
        <tr>
          <th scope="col">{t`Field`}</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((change) => (
          <tr key={change.field}>
            <th scope="row" className="mono">
              {change.field}
            </th>
            <td className="mono break">{change.before || "–"}</td>
            <td className="mono break">{change.after || "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
