import type { components } from "../../wire/schema";
import { worded } from "../../words/server";
import { rich } from "../../words/text";

type Permission = components["schemas"]["SwitchPermission"];

/** The rules that cover a deployment, and which of them is effective. */
export function ConsideredRules({ of }: { of: Permission }) {
  return (
    <ul className="plain-list small">
      {of.considered.map((each, at) => {
        const text = worded(each, of.considered_phrases?.[at]);
        const isEffective = of.winner !== "" && each.startsWith(`${of.winner} (`);
        return <li key={each}>{isEffective ? <b>{rich`${text} (effective)`}</b> : text}</li>;
      })}
    </ul>
  );
}
