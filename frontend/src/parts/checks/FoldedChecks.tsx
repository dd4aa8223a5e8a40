import { Age } from "../../time/Time";
import type { Check } from "../../wire/model";
import { Checks } from "./Checks";
import { passes } from "../status";
import { plural, rich } from "../../words/text";

/** What does not hold is shown; what passed, or was not needed, is one line that can be opened. */
export function FoldedChecks({ checks }: { checks: readonly Check[] }) {
  const passed = checks.filter(passes);
  const held = passed.filter((check) => check.verdict === "pass").length;
  const open = checks.filter((check) => !passes(check));
  const oldest = passed
    .map((check) => check.at ?? "")
    .filter(Boolean)
    .sort()[0];
  return (
    <>
      {open.length ? <Checks checks={open} /> : null}
      {passed.length ? (
        <details className="passed-checks">
          <summary className="small">
            {rich`${plural(held, "# check", "# checks")} passed`}
            {passed.length > held ? rich` · ${passed.length - held} not needed` : null}
            {oldest ? (
              <>
                {" · "}
                <Age at={oldest} />
              </>
            ) : null}
          </summary>
          <Checks checks={passed} />
        </details>
      ) : null}
    </>
  );
}
