import { Button } from "@mantine/core";
import { t } from "../../words/text";

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
