import type { Tone } from "../../../parts/Shape";
import { Empty } from "../../../parts/states";
import { Status, Version } from "../../../parts/Status";
import { DataTable } from "../../../parts/tables/DataTable";
import type { components } from "../../../wire/schema";
import { changeWaiverForm, WaiverControl } from "../Waivers";
import { changeText, ruleText, whereWords } from "../report/report";
import { WordedLines } from "../WordedLines";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

export type Decision = components["schemas"]["ChangeDecision"];
type Client = components["schemas"]["SeenClient"];

export const verdictWords: Record<Decision["verdict"], { tone: Tone; word: string }> = {
  allowed: { tone: "ok", word: t`allowed` },
  "needs-steps": { tone: "wait", word: t`needs steps` },
  "needs-data-task": { tone: "blocked", word: t`needs a data task` },
  refused: { tone: "bad", word: t`refused` },
};
export const countWords: Record<Decision["stored"][number]["kind"], string> = {
  holding: t`hold it`,
  lacking: t`lack it`,
  misfit: t`hold a value that is none of the new type`,
  symbol: t`hold a value that is removed`,
};

/** How many stored resources a change concerns, in one sentence. */
export function storedText(of: Decision["stored"][number]): string {
  const what = countWords[of.kind];
  if (of.by === "count") return t`${of.resources} of ${of.of} stored resources ${what}`;
  const known = of.resources ? t`about ${of.resources}` : t`at most ${of.at_most} (95 % confidence)`;
  return t`${known} of ${of.of} stored resources ${what}; a sample of ${of.looked_at} was read`;
}

/** What changes, part by part: the same in requests and in responses is said once. */
export function changedTexts({ rule, change, sides }: Pick<Decision, "rule" | "change" | "sides">): string[] {
  if (!sides) return [change];
  const places = new Map<string, string[]>();
  for (const side of sides) {
    const text = changeText({ ...side, rule });
    if (text) places.set(text, [...(places.get(text) ?? []), whereWords[side.where] ?? side.where]);
  }
  const changes = [...places].map(([text, where]) => {
    const named = [...new Set(where)].filter(Boolean).join(", ");
    return named ? t`${text} (${named})` : text;
  });
  const reasons = sides.flatMap((side) => side.reasons.map((each, at) => worded(each, side.reason_phrases?.[at])));
  return [...new Set([...changes, ...reasons])];
}

/** What changes of a place, below its name. */
export function ChangedSides({ of }: { of: Pick<Decision, "rule" | "change" | "sides"> }) {
  return (
    <>
      <div className="small muted">{ruleText(of.rule)}</div>
      {changedTexts(of).map((text) => (
        <div key={text} className="small muted">
          {text}
        </div>
      ))}
    </>
  );
}

function Clients({ title, of }: { title: string; of: readonly Client[] }) {
  if (of.length === 0) return null;
  return (
    <div className="small">
      {title}:{" "}
      {of
        .map(
          (each) =>
            t`${each.client}${each.release ? ` (${each.release})` : ""} ${each.messages} times, last ${each.last_seen_on}`,
        )
        .join("; ")}
    </div>
  );
}

function Evidence({ of }: { of: Decision }) {
  const reasons = new Set(of.reasons.map((each, at) => worded(each, of.reason_phrases?.[at]).replace(/\.$/, "")));
  return (
    <>
      {of.stored.map((each) =>
        reasons.has(storedText(each)) ? null : (
          <div key={each.kind} className="small">
            {storedText(each)}
          </div>
        ),
      )}
      <Clients title={t`Sent by`} of={of.senders} />
      <Clients title={t`Returned to`} of={of.receivers} />
      <Clients title={t`Resources read by`} of={of.readers} />
      <div className="small muted">
        {of.newest_evidence ? t`Newest use: ${of.newest_evidence}` : t`No use was counted.`}
        {of.evidence_is_old ? t` This evidence is too old: nothing is proved by it.` : ""}
      </div>
    </>
  );
}

/** The phases over servers and clients with what each waits for; else the steps of each message. */
function Steps({ of }: { of: Decision }) {
  const phases = of.phases ?? [];
  const steps = phases.length
    ? phases.map((each) => worded(each.action, each.action_phrases))
    : of.steps.map((each) => worded(each));
  if (steps.length === 0) return null;
  return (
    <ol className="small">
      {steps.map((step, at) => (
        <li key={step}>
          {step}
          {phases[at]?.wait ? <div className="muted">{rich`Wait ${worded(phases[at].wait)}.`}</div> : null}
          <WordedLines of={phases[at]?.lacking} phrases={phases[at]?.lacking_phrases} className="muted" />
        </li>
      ))}
    </ol>
  );
}

/** Each thing in which a definition differs from the served one: what is decided, why, and by what evidence. */
export function Decisions({
  service,
  of,
  files,
}: {
  service: string;
  of: readonly Decision[];
  /** The folder that was checked; without it waivers are shown, not requested. */
  files?: Record<string, string>;
}) {
  if (of.length === 0) return <Empty title={t`Nothing differs from the served definition.`} />;
  return (
    <DataTable
      label={t`Decisions`}
      rows={of}
      rowKey={(each) => `${each.version} ${each.rule} ${each.path}`}
      columns={[
        { header: t`Decision`, className: "nowrap", cell: (each) => <Status of={verdictWords[each.verdict]} /> },
        {
          header: t`Place`,
          isRowHeader: true,
          className: "place",
          cell: (each) => (
            <>
              <span className="mono break">{each.path}</span> <Version of={each.version} />
              <ChangedSides of={each} />
            </>
          ),
        },
        {
          header: t`Reasons`,
          cell: (each) => <WordedLines of={each.reasons} phrases={each.reason_phrases} />,
        },
        { header: t`Evidence`, cell: (each) => <Evidence of={each} /> },
        {
          header: t`What to do`,
          cell: (each) => (
            <>
              {worded(each.advice)}
              <Steps of={each} />
              {each.verdict === "allowed" ? null : (
                <WaiverControl service={service} waiver={each.waiver} form={formOf(service, each, files)} />
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function formOf(service: string, of: Decision, files: Record<string, string> | undefined) {
  if (!files) return null;
  const { version, rule, path } = of;
  return changeWaiverForm(service, { files, version, rule, path });
}
