import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "../../words/text";

/** A dialog that fades keeps the focus until it is gone. */
const FADED_MS = 300;

/** Where the focus was last: an item of a menu that has closed before the dialog opens has it no longer. */
let lastFocused: Element | null = null;
document.addEventListener("focusin", (event) => {
  lastFocused = event.target instanceof Element ? event.target : null;
});

/**
 * The focus goes back to what opened a dialog; where that is gone, to the heading of the page. Once something else had
 * it after the dialog was closed, it stays where that put it.
 */
function giveFocusBack(opener: Element | null, focusedAtEnd: Element | null): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  // Of this very dialog: another one that was closed since has an opener of its own.
  const dialog = focusedAtEnd?.closest("[role=dialog]");
  if (lastFocused !== focusedAtEnd && lastFocused !== opener && !dialog?.contains(lastFocused)) return;
  const to = opener?.isConnected && opener !== document.body ? opener : document.querySelector("main h1");
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
}

/** What opens a dialog: of an item of a menu, which closes, the button of that menu. */
function openerNow(): Element | null {
  const active = document.activeElement;
  const focused = active === document.body ? lastFocused : active;
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (menu ? document.getElementById(menu) : null) ?? focused;
}

function FocusKeeper() {
  const [opener] = useState(openerNow);
  useEffect(
    () => () => {
      // What replaces the dialog, as a second one, takes the focus first.
      const focused = lastFocused;
      for (const delay of [0, FADED_MS]) setTimeout(() => giveFocusBack(opener, focused), delay);
    },
    [opener],
  );
  return null;
}

/**
 * A button that waits for the server is disabled, and browsers take the focus from it: it has it again once it can be
 * pressed. Where the answer takes its place, the first button of that has it. The next key goes into the dialog.
 */
function keepFocusInside(dialog: HTMLElement | null): (() => void) | undefined {
  if (!dialog) return undefined;
  let last: HTMLElement | null = null;
  const note = (event: FocusEvent): void => {
    last = event.target instanceof HTMLElement ? event.target : null;
  };
  const restore = new MutationObserver(() => {
    if (!last || (document.activeElement && document.activeElement !== document.body)) return;
    const to = last.isConnected ? last : dialog.querySelector<HTMLElement>("[data-autofocus], button");
    to?.focus({ preventScroll: true });
  });
  dialog.addEventListener("focusin", note);
  restore.observe(dialog, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return () => {
    dialog.removeEventListener("focusin", note);
    restore.disconnect();
  };
}

/** A dialog over the page; also one that is taken away while it is open leaves the focus where it was. */
export function Dialog({ children, ...props }: ModalProps) {
  return (
    <>
      {props.opened ? <FocusKeeper /> : null}
      <Modal closeButtonProps={{ "aria-label": t`Close` }} {...props}>
        <div ref={keepFocusInside}>{children}</div>
      </Modal>
    </>
  );
}
