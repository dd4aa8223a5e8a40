import { Table, UnstyledButton } from "@mantine/core";
import { type Column, classOfHeader, isColumnShown, type Sort } from "./columns";

interface Head<R, K extends string> {
  columns: readonly Column<R, K>[];
  sort: Sort<K> | undefined;
}

/** A header that can be pressed says by what and in which direction the rows are sorted. */
function SortButton<K extends string>({ header, sortKey, sort }: { header: string; sortKey: K; sort: Sort<K> }) {
  const isSorted = sort.key === sortKey;
  return (
    <UnstyledButton className="sort" onClick={() => sort.onChange(sortKey, isSorted && !sort.isDescending)}>
      {header}
      {isSorted ? <span aria-hidden="true">{sort.isDescending ? " ↓" : " ↑"}</span> : null}
    </UnstyledButton>
  );
}

function HeaderCell<R, K extends string>({ column, sort }: { column: Column<R, K>; sort: Sort<K> | undefined }) {
  const { header, headerContent, headerTitle, isHeaderUnseen, sortKey, width } = column;
  const direction = sort?.isDescending ? "descending" : "ascending";
  return (
    <Table.Th
      scope="col"
      className={classOfHeader(column)}
      {...(headerTitle ? { title: headerTitle } : {})}
      {...(width === undefined ? {} : { w: width })}
      {...(sort && sortKey ? { "aria-sort": sort.key === sortKey ? direction : "none" } : {})}
    >
      {sort && sortKey ? (
        <SortButton header={header} sortKey={sortKey} sort={sort} />
      ) : isHeaderUnseen ? (
        <span className="unseen">{header}</span>
      ) : (
        (headerContent ?? header)
      )}
    </Table.Th>
  );
}

/** The headers of a table; where not all rows exist, the place of this row among all. */
export function TableHead<R, K extends string>({
  columns,
  sort,
  isUnseen = false,
  rowIndex,
}: Head<R, K> & { isUnseen?: boolean; rowIndex?: number }) {
  return (
    <Table.Thead className={isUnseen ? "unseen" : ""}>
      <Table.Tr {...(rowIndex === undefined ? {} : { "aria-rowindex": rowIndex })}>
        {columns.map((column, at) =>
          isColumnShown(column) ? <HeaderCell key={at} column={column} sort={sort} /> : null,
        )}
      </Table.Tr>
    </Table.Thead>
  );
}
