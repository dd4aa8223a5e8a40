import { Button, Checkbox, Modal, MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { newKey, send } from "../api/client";
import { ApiError, problemFrom } from "../api/problem";
import { Conflict, conflictOf, type Difference } from "./Conflict";
import { Shape } from "./Shape";
import { ProblemPanel } from "./states";
import { t } from "../words/text";

export type Draft = Record<string, string | number | boolean | string[] | null>;

export interface Field {
  name: string;
  label: string;
  kind: "text" | "area" | "number" | "select" | "many" | "check" | "moment" | "day";
  data?: { value: string; label: string }[];
  description?: string;
  placeholder?: string;
  required?: boolean;
  /** Shown only while this holds of the draft. */
  when?: (draft: Draft) => boolean;
  /** What names the thing cannot be changed afterwards. */
  fixed?: boolean;
}

export interface Editing {
  title: string;
  fields: readonly Field[];
  start: Draft;
  path: string;
  method: "POST" | "PUT" | "PATCH";
  /** The revision or tag that was shown; a change made meanwhile by somebody else is refused. */
  seen?: string | number;
  button?: string;
  /** Words about the dry run's answer; without it nothing is rehearsed. */
  tell?: (answer: Record<string, unknown>) => ReactNode;
  body?: (draft: Draft) => unknown;
  refresh: readonly QueryKey[];
}

function Input({
  field,
  draft,
  put,
  first,
}: {
  field: Field;
  draft: Draft;
  put: (value: Draft[string]) => void;
  first: boolean;
}) {
  const value = draft[field.name] ?? "";
  const shared = {
    label: field.label,
    required: field.required ?? false,
    ...(field.description ? { description: field.description } : {}),
    ...(field.placeholder ? { placeholder: field.placeholder } : {}),
    ...(first ? { "data-autofocus": true } : {}),
  };
  switch (field.kind) {
    case "check":
      return (
        <Checkbox
          label={field.label}
          {...(field.description ? { description: field.description } : {})}
          checked={Boolean(value)}
          onChange={(event) => put(event.currentTarget.checked)}
        />
      );
    case "select":
      return (
        <Select
          {...shared}
          data={field.data ?? []}
          value={String(value)}
          onChange={(chosen) => put(chosen ?? "")}
          allowDeselect={false}
          searchable={(field.data?.length ?? 0) > 8}
        />
      );
    case "many":
      return (
        <MultiSelect
          {...shared}
          data={field.data ?? []}
          value={Array.isArray(value) ? value : []}
          onChange={put}
          hidePickedOptions
          clearButtonProps={{ "aria-label": t`Clear: ${field.label}` }}
        />
      );
    case "number":
      return <NumberInput {...shared} value={Number(value)} min={0} onChange={(typed) => put(Number(typed) || 0)} />;
    case "area":
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          value={String(value)}
          onChange={(event) => put(event.currentTarget.value)}
        />
      );
    case "day":
      return (
        <TextInput {...shared} type="date" value={String(value)} onChange={(event) => put(event.currentTarget.value)} />
      );
    case "moment":
      return (
        <TextInput
          {...shared}
          type="datetime-local"
          value={String(value).slice(0, 16)}
          onChange={(event) => put(event.currentTarget.value ? `${event.currentTarget.value}:00` : "")}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          value={String(value)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => put(event.currentTarget.value)}
        />
      );
  }
}

/** What the server says the change would do, a moment after the last key. */
function Rehearsal({ of, draft, complete }: { of: Editing; draft: Draft; complete: boolean }) {
  const [settled] = useDebouncedValue(draft, 500);
  const body = of.body ? of.body(settled) : settled;
  const dry = useQuery({
    queryKey: ["rehearse", of.path, of.method, body],
    queryFn: () =>
      send<Record<string, unknown>>(of.path, {
        method: of.method,
        body,
        query: { dry_run: true },
        ...(of.seen === undefined ? {} : { ifMatch: of.seen }),
      }),
    enabled: complete && of.tell !== undefined,
    retry: false,
    gcTime: 0,
  });
  if (!of.tell || !complete) return null;
  if (dry.isError) {
    const problem = problemFrom(dry.error);
    return problem.status === 412 ? null : (
      <div className="notice soft-bad" role="status">
        <Shape tone="bad" />
        <span>
          {problem.errors?.map((each) => `${each.path}: ${each.message}`).join(" ") || problem.detail || problem.title}{" "}
          {problem.remedy}
        </span>
      </div>
    );
  }
  return dry.data ? (
    <div className="rehearsal">
      <h3>{t`Effect`}</h3>
      {of.tell(dry.data)}
    </div>
  ) : null;
}

/** The fields in which somebody else's values differ from ours. */
function differences(theirs: Draft | null, draft: Draft, fields: readonly Field[]): Difference[] {
  const differing = theirs
    ? fields.filter(
        (field) => field.name in theirs && String(theirs[field.name] ?? "") !== String(draft[field.name] ?? ""),
      )
    : [];
  return differing.map((field) => ({
    field: field.label,
    theirs: String(theirs?.[field.name] ?? ""),
    yours: String(draft[field.name] ?? ""),
  }));
}

/** A form over one thing: rehearsed while it is filled in, kept once, refused when somebody else was faster. */
export function EditDialog({ of, onClose }: { of: Editing; onClose: () => void }) {
  const cache = useQueryClient();
  const [draft, setDraft] = useState(of.start);
  const [seen, setSeen] = useState(of.seen);
  const [key, setKey] = useState(newKey);
  const shown = of.fields.filter((field) => field.when?.(draft) ?? true);
  const complete = shown.every((field) => !field.required || String(draft[field.name] ?? "").trim() !== "");
  const save = useMutation({
    mutationFn: () =>
      send(of.path, {
        method: of.method,
        body: of.body ? of.body(draft) : draft,
        idempotencyKey: key,
        ...(seen === undefined ? {} : { ifMatch: seen }),
      }),
    onSuccess: () => {
      for (const each of of.refresh) void cache.invalidateQueries({ queryKey: each });
      onClose();
    },
    onError: (error) => {
      setKey(newKey());
      const current = error instanceof ApiError ? error.problem.current : undefined;
      if (current) setSeen((current["tag"] ?? current["rev"]) as string | number);
    },
  });
  const stale = conflictOf(save.error);
  const theirs = (stale?.current ?? null) as Draft | null;
  return (
    <Modal opened onClose={onClose} title={of.title} size="lg" closeButtonProps={{ "aria-label": t`Close` }}>
      <form
        className="stack dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (complete) save.mutate();
        }}
      >
        {shown.map((field, at) => (
          <Input
            key={field.name}
            field={field}
            draft={draft}
            first={at === 0}
            put={(value) => setDraft({ ...draft, [field.name]: value })}
          />
        ))}
        <Rehearsal of={{ ...of, ...(seen === undefined ? {} : { seen }) }} draft={draft} complete={complete} />
        {stale ? (
          <Conflict
            of={stale}
            differences={differences(theirs, draft, shown)}
            onMine={() => save.reset()}
            onTheirs={() => {
              setDraft({
                ...draft,
                ...Object.fromEntries(Object.entries(theirs ?? {}).filter(([name]) => name in draft)),
              });
              save.reset();
            }}
          />
        ) : save.isError ? (
          <ProblemPanel error={save.error} />
        ) : null}
        <div className="row end">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="filled" disabled={!complete || stale !== null} loading={save.isPending}>
            {of.button ?? t`Save`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

export interface Removing {
  title: string;
  text: ReactNode;
  path: string;
  /** The thing as it was shown, with the revision or tag that it had. */
  was: object;
  seen?: string | number;
  button: string;
  refresh: readonly QueryKey[];
}

const unsaid = new Set(["rev", "tag", "next", "updated_by", "updated_at", "changed_by", "changed_at"]);

/** What is said of a thing, by its own names: plain values only. */
function plain(of: object): Record<string, string> {
  const said = Object.entries(of).filter(
    ([name, value]) => !unsaid.has(name) && (typeof value !== "object" || Array.isArray(value)),
  );
  return Object.fromEntries(
    said.map(([name, value]) => [name.replaceAll("_", " "), typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** In what a thing that was to be removed is another one than was shown. */
function since(now: object | undefined, was: object): Difference[] {
  const [theirs, shown] = [plain(now ?? was), plain(was)];
  return Object.keys(shown)
    .filter((name) => name in theirs && theirs[name] !== shown[name])
    .map((field) => ({ field, theirs: theirs[field], yours: shown[field] }));
}

/** Taking something away: what that would mean is said first, and Cancel is where the focus starts. */
export function RemoveDialog({ of, onClose }: { of: Removing; onClose: () => void }) {
  const cache = useQueryClient();
  const [seen, setSeen] = useState(of.seen);
  const ifMatch = seen === undefined ? {} : { ifMatch: seen };
  const refresh = (): void => {
    for (const each of of.refresh) void cache.invalidateQueries({ queryKey: each });
  };
  const dry = useQuery({
    queryKey: ["rehearse", of.path, "DELETE", seen],
    queryFn: async () =>
      (await send<{ warnings?: string[] } | undefined>(of.path, {
        method: "DELETE",
        query: { dry_run: true },
        ...ifMatch,
      })) ?? {},
    retry: false,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => send(of.path, { method: "DELETE", ...ifMatch }),
    onSuccess: () => {
      refresh();
      onClose();
    },
  });
  const stale = conflictOf(remove.error) ?? conflictOf(dry.error);
  const goOn = (): void => {
    remove.reset();
    setSeen((stale?.current?.["tag"] ?? stale?.current?.["rev"]) as string | number);
  };
  return (
    <Modal opened onClose={onClose} title={of.title} closeButtonProps={{ "aria-label": t`Close` }}>
      <div className="stack dialog">
        <div>{of.text}</div>
        {dry.data?.warnings?.length ? (
          <ul className="plain-list">
            {dry.data.warnings.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        ) : null}
        {stale ? (
          <Conflict
            of={stale}
            mine={t`you saw`}
            differences={since(stale.current, of.was)}
            onTheirs={() => {
              refresh();
              onClose();
            }}
            onMine={goOn}
          />
        ) : dry.isError ? (
          <ProblemPanel error={dry.error} />
        ) : remove.isError ? (
          <ProblemPanel error={remove.error} />
        ) : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            variant="filled"
            color="red"
            disabled={!dry.isSuccess || stale !== null}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {of.button}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The warnings of a dry run, or that there are none. */
export function Warnings({ of }: { of: Record<string, unknown> }) {
  const warnings = (of["warnings"] ?? []) as string[];
  return warnings.length ? (
    <ul className="plain-list">
      {warnings.map((each) => (
        <li key={each}>
          <Shape tone="wait" size={13} /> {each}
        </li>
      ))}
    </ul>
  ) : (
    <p>{t`Running upgrades are not affected.`}</p>
  );
}
