import { Table } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { useRows } from "../tables/rows";
import { useFlash } from "../tables/useFlash";
import { classOfCell, type Column, isColumnShown, type TableOptions } from "./columns";

type BodyOptions = Pick<TableOptions<unknown>, "bodyEvents"> & { children: ReactNode };

function LinkedBody({ bodyEvents, children }: BodyOptions) {
  return (
    <Table.Tbody ref={useRows()} {...bodyEvents}>
      {children}
    </Table.Tbody>
  );
}

/** The rows of a table; those with links are walked by keyboard. */
export function TableBody({ hasRowLinks = false, ...body }: BodyOptions & { hasRowLinks: boolean | undefined }) {
  return hasRowLinks ? <LinkedBody {...body} /> : <Table.Tbody {...body.bodyEvents}>{body.children}</Table.Tbody>;
}

function RowCell<R, K extends string>({
  column,
  row,
  at,
  isLabelled,
}: {
  column: Column<R, K>;
  row: R;
  at: number;
  isLabelled: boolean;
}) {
  const shared = {
    className: classOfCell(column, row),
    ...(column.cellTitle ? { title: column.cellTitle(row) } : {}),
  };
  if (column.isRowHeader)
    return (
      <Table.Th scope="row" {...shared}>
        {column.cell(row, at)}
      </Table.Th>
    );
  return (
    <Table.Td {...shared} {...(isLabelled && !column.isHeaderUnseen ? { "data-label": column.header } : {})}>
      {column.cell(row, at)}
    </Table.Td>
  );
}

interface RowOptions<R, K extends string> extends Pick<TableOptions<R, K>, "columns" | "flash" | "rowClass"> {
  row: R;
  at: number;
  /** Each cell carries its header: the row is read without the headers above it. */
  isLabelled?: boolean;
  /** What stands in place of all cells but the header of the row. */
  spanned?: ReactNode;
  measured?: Ref<HTMLTableRowElement> | undefined;
  attributes?: Record<string, unknown>;
}

export function TableRow<R, K extends string>({
  columns,
  row,
  at,
  flash,
  rowClass,
  isLabelled = false,
  spanned = null,
  measured,
  attributes = {},
}: RowOptions<R, K>) {
  const element = useFlash<HTMLTableRowElement>(flash?.(row));
  const shown = columns.filter(isColumnShown);
  const rest = shown.filter((column) => !column.isRowHeader).length;
  return (
    <Table.Tr ref={measured ?? element} className={rowClass?.(row) ?? ""} {...attributes}>
      {columns.map((column, number) =>
        isColumnShown(column) && (spanned === null || column.isRowHeader) ? (
          <RowCell key={number} column={column} row={row} at={at} isLabelled={isLabelled} />
        ) : null,
      )}
      {spanned === null ? null : <Table.Td colSpan={rest}>{spanned}</Table.Td>}
    </Table.Tr>
  );
}
