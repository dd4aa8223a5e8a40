import { Button, Select } from "@mantine/core";
import { type ReactNode } from "react";
import { Filters } from "../../parts/tables/Filters";
import { FilterInput } from "../../parts/tables/FilterInput";
import { isMoment, momentOf } from "../../parts/moments";
import { items, More, usePages } from "../../parts/tables/More";
import { Card } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import type { Page } from "../../wire/model";
import { t } from "../../words/text";

/** A log of a deployment: its filters by the name of their parameter, and what its entries are called. */
export interface LogForm<T> {
  key: string;
  readPage: (
    place: { service: string; region: string },
    filters: Readonly<Record<string, string>>,
    page: { cursor: string | null; signal: AbortSignal },
  ) => Promise<Page<T>>;
  label: string;
  noMatch: string;
  none: string;
  filters: Record<string, string>;
  choice: {
    name: string;
    label: string;
    placeholder: string;
    options: { value: string; label: string }[];
  };
}

/** The filters that every log has, shown after its own. */
const SHARED = ["request_id", "since", "until"] as const;

/** The entries of a log page by page, with its filters above them. */
export function LogEntries<T>({
  form,
  service,
  region,
  rows,
}: {
  form: LogForm<T>;
  service: string;
  region: string;
  rows: (entries: T[]) => ReactNode;
}) {
  const own = Object.entries(form.filters);
  const { choice } = form;
  const { filters, set, clear, any } = useFilters([...own.map(([name]) => name), choice.name, ...SHARED]);
  const entries = usePages([form.key, service, region, filters], (page) =>
    form.readPage({ service, region }, filters, page),
  );
  return (
    <>
      <Filters of={entries} active={Object.values(filters).filter(Boolean).length}>
        {own.map(([name, label], index) => (
          <FilterInput
            key={name}
            first={index === 0}
            label={label}
            value={filters[name] ?? ""}
            onCommit={(value) => set(name, value)}
          />
        ))}
        <FilterInput
          label={t`Request id`}
          value={filters.request_id ?? ""}
          onCommit={(value) => set("request_id", value)}
        />
        <FilterInput
          label={t`From, such as 2026-03-01`}
          value={filters.since ?? ""}
          isWhole={isMoment}
          onCommit={(value) => set("since", momentOf(value))}
        />
        <FilterInput
          label={t`Before`}
          value={filters.until ?? ""}
          isWhole={isMoment}
          onCommit={(value) => set("until", momentOf(value))}
        />
        <Select
          aria-label={choice.label}
          placeholder={choice.placeholder}
          clearable
          clearButtonProps={{ "aria-label": t`Clear ${choice.label.toLowerCase()}` }}
          data={choice.options}
          value={filters[choice.name] || null}
          onChange={(value) => set(choice.name, value ?? "")}
        />
      </Filters>
      <Loaded of={entries}>
        {(data) => {
          const all = items(data);
          return all.length === 0 ? (
            <Card>
              {any ? (
                <Empty title={form.noMatch}>
                  <Button onClick={clear}>{t`Clear filters`}</Button>
                </Empty>
              ) : (
                <Empty title={form.none} />
              )}
            </Card>
          ) : (
            <Card className="flush">
              {rows(all)}
              <More of={entries} />
            </Card>
          );
        }}
      </Loaded>
    </>
  );
}
