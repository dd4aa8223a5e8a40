import { Button, Checkbox, Popover, Radio } from "@mantine/core";
import { useStore } from "../../state/store";
import { t } from "../../words/text";
import { density, hiddenColumns } from "./choices";
import type { Column } from "./columns";

const DENSITIES = [
  { value: "comfortable", label: t`Comfortable` },
  { value: "compact", label: t`Compact` },
] as const;

/** Which columns of a table are shown; those without a choice always are. */
function Columns<R, K extends string>({ table, columns }: { table: string; columns: readonly Column<R, K>[] }) {
  const all = useStore(hiddenColumns);
  const hidden = all[table] ?? [];
  return (
    <fieldset className="table-choices">
      <legend>{t`Columns`}</legend>
      {columns.flatMap(({ header, choice }) =>
        choice === undefined ? (
          []
        ) : (
          <Checkbox
            key={choice}
            size="xs"
            label={header}
            checked={!hidden.includes(choice)}
            onChange={(event) => {
              const others = hidden.filter((each) => each !== choice);
              hiddenColumns.set({ ...all, [table]: event.currentTarget.checked ? others : [...others, choice] });
            }}
          />
        ),
      )}
    </fieldset>
  );
}

/** How a table is shown in this browser: the height of rows, and where it has columns to choose, which of them. */
export function TableChoices<R, K extends string>({
  table,
  columns = [],
}: {
  table?: string;
  columns?: readonly Column<R, K>[];
}) {
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button size="xs">{t`Display`}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Radio.Group
          label={t`Row height`}
          size="xs"
          value={useStore(density)}
          onChange={(value) => density.set(value === "compact" ? "compact" : "comfortable")}
        >
          {DENSITIES.map((each) => (
            <Radio key={each.value} size="xs" mt={6} value={each.value} label={each.label} />
          ))}
        </Radio.Group>
        {table ? <Columns table={table} columns={columns} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}
