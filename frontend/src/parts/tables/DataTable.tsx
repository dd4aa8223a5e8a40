import { Table } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { Scroll } from "../Scroll";
import { Loaded } from "../states";
import { isColumnShown, type TableOptions } from "./columns";
import { TableBody, TableRow } from "./TableBody";
import { TableHead } from "./TableHead";

export interface DataTableOptions<R, K extends string = string> extends TableOptions<R, K> {
  /** Shown in place of a table without rows. */
  empty?: ReactNode;
  /** The table scrolls in a box of its own, which takes the focus; otherwise by what is around it. */
  isBoxed?: boolean;
  boxClass?: string;
  isDense?: boolean;
  /** No wider than its content. */
  isFit?: boolean;
  /** Lines of code side by side, under headers for screen readers alone. */
  isLines?: boolean;
  /** On a phone each row becomes a card; a table whose columns are compared scrolls. */
  onPhone?: "cards" | "scroll";
  rowId?: (row: R) => string;
  /** What is shown below a row that is open; null for the others. */
  detail?: (row: R) => ReactNode;
  /** What stands in place of all cells but the header of a row; null where the row has its cells. */
  spanning?: (row: R, at: number) => ReactNode;
}

/** A table of the console; columns are values, and all rows exist. */
export function DataTable<R, K extends string = string>({
  label,
  columns,
  rows,
  rowKey,
  rowClass,
  rowId,
  flash,
  sort,
  hasRowLinks,
  bodyEvents,
  empty,
  isBoxed = true,
  boxClass = "",
  isDense = false,
  isFit = false,
  isLines = false,
  onPhone = "cards",
  detail,
  spanning,
}: DataTableOptions<R, K>) {
  if (rows.length === 0 && empty !== undefined) return empty;
  const count = columns.filter(isColumnShown).length;
  const hasCards = onPhone === "cards" && !isFit && !isLines;
  const classes = [isDense ? "small" : "", isFit ? "fit" : "", hasCards ? "cards-on-phone" : ""];
  const className = isLines ? "schema-lines" : ["table", ...classes].filter(Boolean).join(" ");
  const table = (
    <Table unstyled className={className} aria-label={label}>
      <TableHead columns={columns} sort={sort} isUnseen={isLines} />
      <TableBody hasRowLinks={hasRowLinks} {...(bodyEvents ? { bodyEvents } : {})}>
        {rows.map((row, at) => {
          const below = detail?.(row) ?? null;
          return (
            <Fragment key={rowKey(row, at)}>
              <TableRow
                columns={columns}
                row={row}
                at={at}
                rowClass={rowClass}
                isLabelled={hasCards}
                spanned={spanning?.(row, at) ?? null}
                {...(flash ? { flash } : {})}
                {...(rowId ? { attributes: { id: rowId(row) } } : {})}
              />
              {below === null ? null : (
                <Table.Tr className="detail">
                  <Table.Td colSpan={count}>{below}</Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
      </TableBody>
    </Table>
  );
  if (!isBoxed) return table;
  return (
    <Scroll label={label} className={boxClass}>
      {table}
    </Scroll>
  );
}

/** A table of a query's rows in all its states: waiting, refused, old but readable, empty, and there. */
export function LoadedTable<A, R, K extends string = string>({
  of,
  rowsOf,
  lines,
  ...table
}: Omit<DataTableOptions<R, K>, "rows"> & {
  of: UseQueryResult<A>;
  rowsOf: (answer: A) => readonly R[];
  lines?: number;
}) {
  return (
    <Loaded of={of} {...(lines ? { lines } : {})}>
      {(answer) => <DataTable {...table} rows={rowsOf(answer)} />}
    </Loaded>
  );
}
