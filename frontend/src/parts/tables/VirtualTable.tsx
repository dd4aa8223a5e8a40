import { Table } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { Scroll } from "../Scroll";
import { isColumnShown, type TableOptions } from "./columns";
import { TableBody, TableRow } from "./TableBody";
import { TableHead } from "./TableHead";

/** So many rows before the last, more rows are loaded. */
const AHEAD = 20;

export interface VirtualTableOptions<R, K extends string = string> extends TableOptions<R, K> {
  rowHeight: number;
  /** Rows may be higher than `rowHeight`: they are measured. */
  isMeasured?: boolean;
  /** How many rows there are, where not all of them are loaded. */
  rowCount?: number;
  more?: { isThere: boolean; onLoad: () => unknown };
  boxClass?: string;
}

/** The height of rows that do not exist, above or below those in sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <Table.Tr aria-hidden="true" style={{ height }}>
      <Table.Td colSpan={columns} />
    </Table.Tr>
  );
}

/** A long table of the console: only the rows in sight exist, so ten thousand scroll like ten. */
export function VirtualTable<R, K extends string = string>({
  label,
  columns,
  rows,
  rowKey,
  rowClass,
  flash,
  sort,
  hasRowLinks,
  bodyEvents,
  rowHeight,
  isMeasured = false,
  rowCount = rows.length,
  more,
  boxClass = "",
}: VirtualTableOptions<R, K>) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
    ...(isMeasured
      ? { measureElement: (row: HTMLTableRowElement) => row.getBoundingClientRect().height || rowHeight }
      : {}),
  });
  const items = virtual.getVirtualItems();
  const count = columns.filter(isColumnShown).length;
  const last = items.at(-1)?.index ?? 0;
  const { isThere = false, onLoad } = more ?? {};
  useEffect(() => {
    if (isThere && last >= rows.length - AHEAD) onLoad?.();
  }, [isThere, last, rows.length, onLoad]);
  return (
    <Scroll box={box} label={label} className={`virtual ${boxClass}`}>
      <Table unstyled className="table" aria-label={label} aria-rowcount={rowCount + 1}>
        <TableHead columns={columns} sort={sort} rowIndex={1} />
        <TableBody hasRowLinks={hasRowLinks} {...(bodyEvents ? { bodyEvents } : {})}>
          <Gap height={items[0]?.start ?? 0} columns={count} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <TableRow
                key={rowKey(row, index)}
                columns={columns}
                row={row}
                at={index}
                rowClass={rowClass}
                {...(flash ? { flash } : {})}
                measured={isMeasured ? virtual.measureElement : undefined}
                attributes={{
                  "aria-rowindex": index + 2,
                  ...(isMeasured ? { "data-index": index } : { style: { height: rowHeight } }),
                }}
              />
            );
          })}
          <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={count} />
        </TableBody>
      </Table>
    </Scroll>
  );
}
