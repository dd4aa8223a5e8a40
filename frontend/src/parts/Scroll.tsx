import type { ReactNode, Ref } from "react";

/** A box that scrolls by itself must be reachable by keyboard, with a name. */
export function Scroll({
  label,
  className = "",
  box,
  children,
}: {
  label: string;
  className?: string;
  box?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  return (
    <div ref={box} className={`scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
