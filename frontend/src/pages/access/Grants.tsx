import type { components } from "../../wire/schema";
import { t } from "../../words/text";
import { scopeText } from "../windows/WindowsPage";
import { conditionText } from "./conditions";

type Grant = components["schemas"]["Grant"];

/** `group core` is the only way by which a role comes that is not of the account itself. */
function throughText(through: string): string {
  return through.startsWith("group ") ? t`through the group ${through.slice("group ".length)}` : through;
}

/** Roles with where and when they count. */
export function Grants({ of }: { of: readonly Grant[] }) {
  if (!of.length) return null;
  return (
    <ul className="plain-list small">
      {of.map((grant) => {
        const more = [throughText(grant.through), conditionText(grant.conditions)].filter(Boolean).join(", ");
        return (
          <li key={JSON.stringify(grant)}>
            <b>{grant.role}</b> {scopeText(grant)}
            {more ? <span className="muted"> · {more}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
