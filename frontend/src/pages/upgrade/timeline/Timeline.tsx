import { Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { memo, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { Copy } from "../../../parts/Copy";
import { NewRows, useNewRows } from "../../../parts/tables/NewRows";
import { Card } from "../../../parts/Page";
import { Shape, type Tone } from "../../../parts/Shape";
import { Empty, Loaded } from "../../../parts/states";
import { Time } from "../../../time/Time";
import type { UpgradeEvent } from "../../../wire/model";
import { useUpgradeEvents } from "../queries";
import { CommentBox } from "./CommentBox";
import { choiceOf } from "../../../parts/search";
import { DENSITIES, entries, linkedIn, type Density, type Entry } from "./timeline";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

function toneOf(event: UpgradeEvent): Tone {
  const kind = event.kind.toLowerCase();
  if (/halt|fail|error|reject|unknown/.test(kind)) return "bad";
  if (kind === "comment") return "plain";
  if (/changes|answer|delegated|pause|stall|slow|approval|request|regress/.test(kind)) return "wait";
  if (/flip|level|complete|approve|revers|ready/.test(kind)) return "ok";
  if (/start|sync|switch|freeze|revert/.test(kind)) return "run";
  return "plain";
}

function Lines({ of, full, follow, linked }: { of: Entry[]; full: boolean; follow: boolean; linked: number | null }) {
  const { fresh, shown, show } = useNewRows(of.map((event) => ({ ...event, id: event.seq })));
  useEffect(() => {
    if (linked === null) return;
    const line = document.getElementById(`event-${linked}`);
    line?.scrollIntoView({ block: "center" });
    line?.focus({ preventScroll: true });
  }, [linked]);
  return (
    <>
      {follow ? null : <NewRows count={fresh.length} what={[t`event`, t`events`]} onShow={show} />}
      <ol className="timeline" aria-label={t`Events`}>
        {(follow ? of : shown).map((event) => (
          <li
            key={event.seq}
            id={`event-${event.seq}`}
            className={[event.kind === "comment" ? "said" : "", event.seq === linked ? "linked" : ""].join(" ").trim()}
            {...(event.seq === linked ? { tabIndex: -1, "aria-current": "true" as const } : {})}
          >
            <span className="small mono muted">
              <Time at={event.at} age={false} />
            </span>
            <Shape tone={toneOf(event)} size={14} />
            <div>
              {worded(event.text, event.phrases)}
              {event.who ? <span className="muted"> · {event.who}</span> : null}
              {event.more > 0 ? <span className="muted"> {rich`· and ${event.more} more`}</span> : null}
              {full && event.details && Object.keys(event.details).length ? (
                <pre className="details">{JSON.stringify(event.details, null, 2)}</pre>
              ) : null}
            </div>
            <Copy value={`${location.origin}${location.pathname}#event-${event.seq}`} what={t`a link to this event`} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The lines that a density and a filter leave; thousands of them are drawn anew only where one of these changes. */
const Story = memo(function Story({
  lines,
  density,
  filter,
  follow,
  linked,
}: {
  lines: UpgradeEvent[];
  density: Density;
  filter: string;
  follow: boolean;
  linked: number | null;
}) {
  const shown = entries(lines, density, filter, linked);
  if (shown.length === 0) return <Empty title={filter ? t`No event matches the filter.` : t`No activity yet.`} />;
  return (
    <Lines
      key={`${density} ${filter} ${follow}`}
      of={shown}
      full={density === "full"}
      follow={follow}
      linked={linked}
    />
  );
});

export function Timeline({ id }: { id: string }) {
  const linked = linkedIn(useLocation().hash);
  const [follow, setFollow] = useState(true);
  const events = useUpgradeEvents(id);
  const [search, setSearch] = useSearchParams();
  const density = choiceOf(search.get("events"), DENSITIES, "compact");
  const filter = search.get("find") ?? "";
  const change = (key: string, value: string): void =>
    setSearch(
      (before) => {
        if (value) before.set(key, value);
        else before.delete(key);
        return before;
      },
      { replace: true },
    );
  return (
    <Card
      title={t`Timeline`}
      aside={
        <>
          <Checkbox
            size="xs"
            label={t`Follow`}
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />
          <TextInput
            size="xs"
            type="search"
            placeholder={t`Filter`}
            aria-label={t`Filter the timeline`}
            value={filter}
            onChange={(event) => change("find", event.currentTarget.value)}
          />
          <SegmentedControl
            size="xs"
            aria-label={t`Density`}
            value={density}
            onChange={(value) => change("events", value)}
            data={[
              { value: "compact", label: t`Compact` },
              { value: "grouped", label: t`Grouped` },
              { value: "full", label: t`Full` },
            ]}
          />
        </>
      }
    >
      <Loaded of={events} lines={3}>
        {(data) => <Story lines={data.lines} density={density} filter={filter} follow={follow} linked={linked} />}
      </Loaded>
      <CommentBox upgrade={id} />
    </Card>
  );
}
