import type { ReactNode } from "react";

/** One column of a table: its header, and what its cells show of a row. */
export interface Column<R, K extends string = string> {
  header: string;
  /** What stands in the header in place of its text. */
  headerContent?: ReactNode;
  /** The header is read by screen readers alone: above buttons and checkboxes. */
  isHeaderUnseen?: boolean;
  headerTitle?: string;
  cell: (row: R, at: number) => ReactNode;
  /** The cell names its row. */
  isRowHeader?: boolean;
  /** Numbers stand at the end, with digits of one width. */
  align?: "end";
  className?: string | ((row: R) => string);
  cellTitle?: (row: R) => string;
  width?: number | string;
  /** What the rows are sorted by when the header is pressed. */
  sortKey?: K;
  isHiddenOnPhone?: boolean;
  isShown?: boolean;
  /** Under this name the column can be put away; without one it is always shown. */
  choice?: string;
}

/** What the rows of a table are sorted by, and what happens when another header is pressed. */
export interface Sort<K extends string = string> {
  key: K;
  isDescending: boolean;
  onChange: (key: K, isDescending: boolean) => void;
}

/** What every table is made of, whether all of its rows exist or only those in sight. */
export interface TableOptions<R, K extends string = string> {
  /** The accessible name of the table and of the box in which it scrolls. */
  label: string;
  columns: readonly Column<R, K>[];
  rows: readonly R[];
  rowKey: (row: R, at: number) => string | number;
  rowClass?: ((row: R) => string) | undefined;
  /** A row flashes when this value of it changes. */
  flash?: (row: R) => unknown;
  sort?: Sort<K>;
  /** Rows hold a link with `data-row`: `j` and `k` walk them, `x` selects the row in focus. */
  hasRowLinks?: boolean;
  bodyEvents?: { onPointerEnter: () => void; onPointerLeave: () => void };
}

export const isColumnShown = <R, K extends string>({ isShown = true }: Column<R, K>): boolean => isShown;

export function classOfHeader<R, K extends string>({ align, isHiddenOnPhone }: Column<R, K>): string {
  return [align ? "num" : "", isHiddenOnPhone ? "not-on-phone" : ""].filter(Boolean).join(" ");
}

export function classOfCell<R, K extends string>(column: Column<R, K>, row: R): string {
  const own = typeof column.className === "function" ? column.className(row) : (column.className ?? "");
  return [classOfHeader(column), own].filter(Boolean).join(" ");
}
