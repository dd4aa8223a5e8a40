import { Button, Menu } from "@mantine/core";
import type { Action } from "../../../wire/model";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";
import { labelOf, labels } from "./actionTexts";

/** With an ellipsis where a dialog comes first, as for each action that this page has no words of its own for. */
function nameOf(action: string): string {
  return action in labels ? labelOf(action) : `${labelOf(action)}…`;
}

/** What could be done instead: a menu, in which an action that is not offered now says why. */
export function OtherActions({
  actions,
  isBusy,
  onAct,
}: {
  actions: readonly Action[];
  isBusy: boolean;
  onAct: (action: string) => void;
}) {
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-start" withinPortal width={320}>
      <Menu.Target>
        <Button variant="default" loading={isBusy}>
          {t`Other actions`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.action}
            closeMenuOnClick={action.allowed}
            {...(action.allowed ? {} : { "aria-disabled": true })}
            onClick={() => {
              if (action.allowed) onAct(action.action);
            }}
          >
            {nameOf(action.action)}
            {action.allowed ? null : (
              <div className="small muted">
                {worded(action.reason, action.phrases)}
                {action.who_can.length ? <> {rich`Allowed for: ${action.who_can.join(", ")}.`}</> : null}
              </div>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
