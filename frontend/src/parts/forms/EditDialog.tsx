import { Button, Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { newKey } from "../../api/client";
import type { Change, Tag } from "../../api/operations";
import { ApiError } from "../../api/problem";
import { announce } from "../../state/announcements";
import { Conflict, conflictOf, type Difference } from "./Conflict";
import type { Draft } from "./draft";
import { EditRehearsal } from "./EditRehearsal";
import { Form } from "./Form";
import { MomentInput } from "./MomentInput";
import { wrongMoment } from "./moment";
import { isBlank, required, type Rules, useForm } from "./useForm";
import { Shape } from "../Shape";
import { ProblemPanel } from "../states";
import { worded, type Phrase } from "../../words/server";
import { Dialog } from "./Dialog";
import { t } from "../../words/text";

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
  /** What the change does, where no dry run says it. */
  text?: string;
  /** It takes something away. */
  danger?: boolean;
  fields: readonly Field[];
  start: Draft;
  /** The revision or tag that was shown; a change made meanwhile by somebody else is refused. */
  seen?: Tag;
  button?: string;
  /** The change that a draft asks for; `seen` is what it is decided on, empty for a thing that is new. */
  change: (draft: Draft, seen: Tag) => Change;
  refresh: readonly QueryKey[];
}

function Input({
  field,
  form,
  first,
  onPut,
}: {
  field: Field;
  form: UseFormReturnType<Draft>;
  first: boolean;
  onPut: () => void;
}) {
  const value = form.values[field.name] ?? "";
  const put = (next: Draft[string]): void => {
    form.setFieldValue(field.name, next);
    onPut();
  };
  const { error, onBlur } = form.getInputProps(field.name);
  const shared = {
    label: field.label,
    required: field.required ?? false,
    error,
    onBlur,
    "data-path": field.name,
    ...(field.description ? { description: field.description } : {}),
    ...(field.placeholder ? { placeholder: field.placeholder } : {}),
    ...(first ? { "data-autofocus": true } : {}),
  };
  switch (field.kind) {
    case "check":
      return (
        <Checkbox
          label={field.label}
          error={error}
          data-path={field.name}
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
    case "moment":
      return <MomentInput {...shared} kind={field.kind} value={String(value)} onPut={put} />;
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

/** What is wrong with the value of a field; null where nothing is. */
function wrongWith({ kind, required: isRequired }: Field, value: Draft[string] | undefined): string | null {
  if (isRequired && isBlank(value)) return required(value);
  return kind === "day" || kind === "moment" ? wrongMoment(kind, value) : null;
}

/** Each field is judged while it is shown. */
function rulesOf(fields: readonly Field[]): Rules<Draft> {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      (value: Draft[string], draft: Draft) => ((field.when?.(draft) ?? true) ? wrongWith(field, value) : null),
    ]),
  );
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
  const form = useForm<Draft>(of.start, rulesOf(of.fields));
  const draft = form.values;
  const [changed, setChanged] = useState("");
  const [seen, setSeen] = useState(of.seen ?? "");
  const [key, setKey] = useState(newKey);
  const shown = of.fields.filter((field) => field.when?.(draft) ?? true);
  // The effect stands below the field that was changed last, and below all of them before that.
  const under = shown.some((field) => field.name === changed) ? changed : shown.at(-1)?.name;
  const complete = shown.every((field) => !field.required || !isBlank(draft[field.name]));
  const isSound = shown.every((field) => wrongWith(field, draft[field.name]) === null);
  const save = useMutation({
    mutationFn: (values: Draft) => of.change(values, seen).send(key),
    onSuccess: () => {
      for (const each of of.refresh) void cache.invalidateQueries({ queryKey: each });
      announce(t`Done: ${of.title}.`);
      onClose();
    },
    onError: (error) => {
      setKey(newKey());
      const current = error instanceof ApiError ? error.problem.current : undefined;
      if (current) setSeen((current["tag"] ?? current["rev"]) as Tag);
    },
  });
  const stale = conflictOf(save.error);
  // What was wrong with other values is not wrong with these; a conflict is answered first.
  const refused = save.isError && JSON.stringify(save.variables) === JSON.stringify(draft);
  const theirs = (stale?.current ?? null) as Draft | null;
  return (
    <Dialog opened onClose={onClose} title={of.title} size="lg">
      <Form
        of={form}
        onSend={(values) => save.mutate(values)}
        error={refused ? save.error : null}
        shown={shown.map((field) => field.name)}
        className="stack dialog"
      >
        {of.text ? <p>{of.text}</p> : null}
        {shown.flatMap((field, at) => [
          <Input key={field.name} field={field} form={form} first={at === 0} onPut={() => setChanged(field.name)} />,
          field.name === under && !refused ? (
            <EditRehearsal key="effect" of={of} form={form} seen={seen} isComplete={isSound} />
          ) : null,
        ])}
        {stale ? (
          <Conflict
            of={stale}
            differences={differences(theirs, draft, shown)}
            onMine={() => save.reset()}
            onTheirs={() => {
              form.setValues(Object.fromEntries(Object.entries(theirs ?? {}).filter(([name]) => name in draft)));
              save.reset();
            }}
          />
        ) : refused ? (
          <ProblemPanel error={save.error} />
        ) : null}
        <div className="row end">
          <Button {...(shown.length ? {} : { "data-autofocus": true })} onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            variant="filled"
            {...(of.danger ? { color: "red" } : {})}
            disabled={!complete || stale !== null}
            loading={save.isPending}
          >
            {of.button ?? t`Save`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export interface Removing {
  title: string;
  text: ReactNode;
  /** The thing as it was shown, with the revision or tag that it had. */
  was: object;
  seen: Tag;
  button: string;
  /** Its removal, while it still is what was shown. */
  change: (seen: Tag) => Change;
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
  const { send, rehearse } = of.change(seen);
  const refresh = (): void => {
    for (const each of of.refresh) void cache.invalidateQueries({ queryKey: each });
  };
  const dry = useQuery({
    queryKey: ["rehearse", of.title, seen],
    queryFn: async () => (await rehearse?.()) ?? null,
    structuralSharing: false,
    retry: false,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => send(newKey()),
    onSuccess: () => {
      refresh();
      announce(t`Done: ${of.title}.`);
      onClose();
    },
  });
  const stale = conflictOf(remove.error) ?? conflictOf(dry.error);
  const goOn = (): void => {
    remove.reset();
    setSeen((stale?.current?.["tag"] ?? stale?.current?.["rev"]) as Tag);
  };
  return (
    <Dialog opened onClose={onClose} title={of.title}>
      <div className="stack dialog">
        <div>{of.text}</div>
        {dry.data}
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
    </Dialog>
  );
}

/** What a change means for upgrades under way, as its dry run says. */
interface WithWarnings {
  warnings: readonly string[];
  warning_phrases?: readonly (readonly Phrase[])[];
}

/** The warnings of a dry run; nothing where there are none. */
export function WarningList({ of: { warnings, warning_phrases: phrases } }: { of: WithWarnings }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="plain-list">
      {warnings.map((each, at) => (
        <li key={each}>
          <Shape tone="wait" size={13} /> {worded(each, phrases?.[at])}
        </li>
      ))}
    </ul>
  );
}

/** The warnings of a dry run, or that there are none. */
export function Warnings({ of }: { of: WithWarnings }) {
  return of.warnings.length ? <WarningList of={of} /> : <p>{t`Running upgrades are not affected.`}</p>;
}
