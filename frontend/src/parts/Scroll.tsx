import type { ReactNode } from "react";

/** A box that scrolls by itself must be reachable by keyboard, with a name. */
export function Scroll({
  label,
  className = "",
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
