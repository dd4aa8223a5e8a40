import { Button } from "@mantine/core";
import { Link } from "react-router";
import { ActionButton, findAction } from "../../../parts/ActionButton";
import type { Action, Upgrade } from "../../../wire/model";
import type { useAct } from "../queries";
import { nextPlanAddress } from "../sheet/Facts";
import { t } from "../../../words/text";
import { further, headline, labelOf } from "./actionTexts";
import { OtherActions } from "./OtherActions";

const DONE = new Set(["COMPLETED", "ABORTED", "REVERTED", "HANDED_OVER"]);

/** The action that a state is there for, as a button; the others of it stand in the menu. */
function mainOf({ state, paused }: Upgrade): string {
  if (state === "PLANNED") return "start";
  if (state === "HALTED") return "settle";
  return paused ? "resume" : "";
}

/** The one primary button of the present step, and a menu of what could be done instead. */
export function PresentActions({
  upgrade,
  isVoting,
  act,
  onAct,
}: {
  upgrade: Upgrade;
  /** The vote is what is asked of this person: no other button is primary. */
  isVoting: boolean;
  act: ReturnType<typeof useAct>;
  onAct: (action: string) => void;
}) {
  const main = mainOf(upgrade);
  const first = main ? findAction(upgrade.actions, main) : null;
  const others: Action[] = headline(upgrade)
    .filter((name) => name !== main)
    .flatMap((name) => findAction(upgrade.actions, name) ?? []);
  const busy = (name: string): boolean => act.isPending && act.variables.action === name;
  return (
    <div className="row wrap present-actions">
      {upgrade.state === "REVERSIBLE" ? (
        <Button component={Link} to={`/upgrades/${upgrade.id}/rollback`} variant={isVoting ? "default" : "filled"}>
          {t`Preview the rollback`}
        </Button>
      ) : null}
      {first ? (
        <ActionButton of={first} ask={upgrade.id} busy={busy(main)} primary={!isVoting} onAct={() => onAct(main)}>
          {labelOf(main)}
        </ActionButton>
      ) : null}
      {upgrade.handed_over_to ? (
        <Button component="a" href={upgrade.handed_over_to} variant="filled">
          {t`Open where it continues`}
        </Button>
      ) : null}
      {DONE.has(upgrade.state) ? (
        <Button component={Link} to={nextPlanAddress(upgrade)}>
          {upgrade.state === "COMPLETED" ? t`Plan next upgrade` : t`Clone plan`}
        </Button>
      ) : null}
      <OtherActions actions={[...others, ...further(upgrade)]} isBusy={act.isPending && !busy(main)} onAct={onAct} />
    </div>
  );
}
