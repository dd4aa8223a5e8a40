import { Button, Popover } from "@mantine/core";
import { useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import { useAccount } from "../api/queries";
import type { Action } from "../wire/model";
import { PermissionRequest, rightOf } from "./PermissionRequest";
import { onDutyOf, OnDuty, useDuty } from "./duty";
import { Shape } from "./Shape";
import { worded } from "../words/server";
import { t } from "../words/text";

export const MAY_PLAN = t`Planning requires permission to plan upgrades.`;

/**
 * The answer stands at the end of the document: Tab goes from its button into it and from its end on after the
 * button, as if it stood there. It closes once the focus is elsewhere.
 */
function useTabOrder(isOpen: boolean, close: () => void) {
  const target = useRef<HTMLButtonElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  const stops = (): HTMLElement[] => [
    ...(answer.current?.querySelectorAll<HTMLElement>("a[href], button:not(:disabled), textarea") ?? []),
  ];
  const onBlur = ({ relatedTarget: next }: FocusEvent): void => {
    // Without a next one the window was left, or a button waits for the server.
    if (next && !target.current?.contains(next) && !answer.current?.contains(next)) close();
  };
  const moveIn = (event: KeyboardEvent): void => {
    const first = stops()[0];
    if (!isOpen || event.key !== "Tab" || event.shiftKey || !first) return;
    event.preventDefault();
    first.focus();
  };
  const moveOut = (event: KeyboardEvent): void => {
    const edge = event.shiftKey ? stops()[0] : stops().at(-1);
    if (event.key !== "Tab" || event.target !== edge) return;
    if (event.shiftKey) event.preventDefault();
    // Forwards, the browser goes on from here to what follows the button.
    target.current?.focus();
  };
  return { button: { ref: target, onBlur, onKeyDown: moveIn }, panel: { ref: answer, onBlur, onKeyDown: moveOut } };
}

/** A thing to do; when the server says no, the button stays and answers "Why not?". */
export function ActionButton({
  of,
  children,
  onAct,
  primary,
  danger,
  quiet,
  full,
  small,
  busy,
  ask,
}: {
  of: Action;
  children: ReactNode;
  onAct: () => void;
  primary?: boolean;
  danger?: boolean;
  /** Red words on a plain button: dangerous, and seldom the thing to do. */
  quiet?: boolean;
  full?: boolean;
  small?: boolean;
  busy?: boolean;
  /** The upgrade it is about: then what one asks of those who may stands in its timeline as well. */
  ask?: string;
}) {
  const [open, setOpen] = useState(false);
  const [what, setWhat] = useState(of.action);
  const tabOrder = useTabOrder(open, () => setOpen(false));
  const duty = useDuty(open && of.who_can.length > 0);
  const there = onDutyOf(duty.data?.items ?? [], of.who_can);
  if (of.allowed) {
    return (
      <Button
        onClick={onAct}
        fullWidth={full ?? false}
        loading={busy ?? false}
        {...(small ? { size: "compact-xs" } : {})}
        {...(primary
          ? { variant: "filled" }
          : danger
            ? { variant: "filled", color: "red" }
            : quiet
              ? { className: "quiet-danger" }
              : {})}
      >
        {children}
      </Button>
    );
  }
  return (
    <Popover opened={open} onChange={setOpen} width={320} withArrow trapFocus={false} shadow="sm" withinPortal>
      <Popover.Target>
        <Button
          {...tabOrder.button}
          className="denied"
          {...(small ? { size: "compact-xs" } : {})}
          aria-disabled="true"
          fullWidth={full ?? false}
          aria-expanded={open}
          onClick={(event) => {
            const label = (event.currentTarget.textContent ?? "").replace(t`why not?`, "").replace(/…?\s*$/, "");
            setWhat(label || of.action);
            setOpen(!open);
          }}
        >
          {children}
          <span className="denied-why">{t`why not?`}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown {...tabOrder.panel}>
        <div className="row">
          <Shape tone="blocked" />
          <b>{t`Not now`}</b>
        </div>
        <p className="why">{worded(of.reason, of.phrases) || t`The server does not allow it in this state.`}</p>
        {of.who_can.length ? (
          <p className="why small">
            <span className="muted">{t`Allowed for:`}</span> {of.who_can.join(", ")}
          </p>
        ) : null}
        {there.length ? (
          <p className="why small">
            <span className="muted">{t`On duty now:`}</span> <OnDuty people={there} />
          </p>
        ) : null}
        {of.who_can.length && (ask || rightOf(of.action)) ? (
          <PermissionRequest {...(ask ? { upgrade: ask } : {})} action={of.action} what={what} />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}

/** An action that hangs on a permission alone, in the form in which the server tells of others. */
export function permitted(
  permissions: readonly string[],
  permission: string,
  reason: string,
  whoCan: string[] = ["operator", "admin"],
): Action {
  const allowed = permissions.includes(permission);
  return { action: permission, allowed, reason: allowed ? "" : reason, who_can: allowed ? [] : whoCan };
}

/** What those who may plan can press; before others it stays, and answers "Why not?". */
export function ForPlanners({ label, children }: { label: string; children: ReactNode }) {
  const permissions = useAccount()?.permissions;
  if (!permissions || permissions.includes("upgrade.plan")) return children;
  return (
    <ActionButton of={permitted(permissions, "upgrade.plan", MAY_PLAN)} onAct={() => undefined}>
      {label}
    </ActionButton>
  );
}

export function findAction(actions: Action[], name: string): Action | null {
  const bare = (text: string): string => text.replace(/^upgrade\./, "").replaceAll("_", "-");
  return actions.find((each) => bare(each.action) === name) ?? null;
}
