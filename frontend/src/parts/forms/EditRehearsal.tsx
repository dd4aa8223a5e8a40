import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Tag } from "../../api/operations";
import { detailOf, problemFrom } from "../../api/problem";
import type { Problem } from "../../wire/model";
import { worded } from "../../words/server";
import { t } from "../../words/text";
import { Shape } from "../Shape";
import { Sentence } from "../states";
import type { Draft } from "./draft";
import type { Editing } from "./EditDialog";
import { fieldAt, fieldErrors, violationText } from "./problem";

/** What of a refused dry run stands at no field; nothing where all of it does and there is no remedy. */
function unplacedText(problem: Problem, names: readonly string[]): string {
  const { errors = [], remedy } = problem;
  const unplaced = errors.filter(({ path }) => !fieldAt(path, names));
  const texts = errors.length
    ? unplaced.map((each) => `${each.path}: ${violationText(each)}`)
    : [detailOf(problem) || worded(problem.title)];
  const isMended = !remedy || errors.some((each) => each.remedy === remedy);
  return [...texts, isMended ? "" : worded(remedy, problem.remedy_phrases)].filter(Boolean).join(" ");
}

/** What the server says the change would do, a moment after the last key. What it refuses stands at its field. */
export function EditRehearsal({
  of,
  form,
  seen,
  isComplete,
}: {
  of: Editing;
  form: UseFormReturnType<Draft>;
  seen: Tag;
  isComplete: boolean;
}) {
  const draft = form.values;
  const [settled] = useDebouncedValue(draft, 500);
  const { rehearse } = of.change(settled, seen);
  const dry = useQuery({
    queryKey: ["rehearse", of.title, settled, seen],
    queryFn: async () => (await rehearse?.()) ?? null,
    // What was there a moment ago need not have been complete.
    enabled: isComplete && settled === draft && rehearse !== undefined,
    structuralSharing: false,
    retry: false,
    gcTime: 0,
  });
  const names = of.fields.filter((field) => field.when?.(draft) ?? true).map((field) => field.name);
  const isAnswered = isComplete && settled === draft && !dry.isFetching && (dry.isSuccess || dry.isError);
  useEffect(() => {
    if (isAnswered) form.setErrors(fieldErrors(dry.error, names));
    // Only an answer to these values says anything of them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isAnswered, dry.error]);
  if (!rehearse || !isComplete) return null;
  const problem = dry.isError ? problemFrom(dry.error) : null;
  if (problem?.status === 412 || (dry.isSuccess && !dry.data)) return null;
  const text = problem ? unplacedText(problem, names) : "";
  if (problem && !text) return null;
  return (
    <div className="rehearsal" role="status">
      <h3>{t`Effect`}</h3>
      {problem ? (
        <p className="ink-bad">
          <Shape tone="bad" size={14} /> <Sentence text={text} />
        </p>
      ) : (
        (dry.data ?? <p className="muted">{t`The server checks what the change would do…`}</p>)
      )}
    </div>
  );
}
