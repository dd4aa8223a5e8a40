import { Button } from "@mantine/core";
import { t } from "../../words/text";

/** Dry runs and sign-ins are hidden unless the address says otherwise, or one request or outcome is asked for. */
export function isQuiet({ quiet, request_id: request, outcome }: Record<"quiet" | "request_id" | "outcome", string>) {
  return quiet ? quiet === "true" : !request && !outcome;
}

/** Which entries the list does not have, and the way to all of them. */
export function Noise({ isHidden, onChange }: { isHidden: boolean; onChange: (quiet: string) => void }) {
  return (
    <p className="row wrap small muted">
      {isHidden ? t`Dry runs and successful sign-ins are hidden.` : t`Dry runs and successful sign-ins are shown.`}
      <Button size="compact-xs" onClick={() => onChange(isHidden ? "false" : "true")}>
        {isHidden ? t`Show everything` : t`Hide them`}
      </Button>
    </p>
  );
}
