import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { createStore, useStore } from "../state/store";
import { t } from "../words/text";

const NARROW = 260;
const STEP = 24;

/** How wide people want what stands on the right, page by page; remembered in this browser. */
export const inspectorWidths = createStore<Record<string, number>>({}, "switchyard.inspector-widths");

/** The page and, right of it, what is known of one thing; the line between them can be drawn or moved by arrows. */
export function WithInspector({
  page,
  label,
  initial = 340,
  broadest = 640,
  within = false,
  children,
  side,
}: {
  /** Whose width it is. */
  page: string;
  label: string;
  initial?: number;
  broadest?: number;
  /** It stands inside a card: a group, no landmark of the page. */
  within?: boolean;
  children: ReactNode;
  /** Null while nothing is chosen: the page has all the room, and its parts stay as they are. */
  side: ReactNode;
}) {
  const width = useStore(inspectorWidths)[page] ?? initial;
  const widen = (to: number): void =>
    inspectorWidths.set((before) => ({ ...before, [page]: Math.round(Math.min(broadest, Math.max(NARROW, to))) }));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: broadest, End: NARROW, Enter: initial }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    widen(to);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const panel = event.currentTarget.nextElementSibling;
    if (event.buttons === 1 && panel) widen(panel.getBoundingClientRect().right - event.clientX);
  };
  const Side = within ? "div" : "aside";
  return (
    <div
      className={`with-inspector ${within ? "within" : ""} ${side === null ? "alone" : ""}`}
      style={{ "--inspector": `${width}px` } as React.CSSProperties}
    >
      <div className="stack">{children}</div>
      {/* A separator that can be moved takes the focus: https://www.w3.org/TR/wai-aria-1.2/#separator */}
      {/* eslint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      {side === null ? null : (
        <div
          className="divider"
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={t`Width of ${label}`}
          aria-valuenow={width}
          aria-valuemin={NARROW}
          aria-valuemax={broadest}
          onKeyDown={onKeyDown}
          onDoubleClick={() => widen(initial)}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
        />
      )}
      {/* eslint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      {side === null ? null : (
        <Side className="stack beside" {...(within ? { role: "group" } : {})} aria-label={label}>
          {side}
        </Side>
      )}
    </div>
  );
}
