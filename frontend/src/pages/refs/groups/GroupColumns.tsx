import { Button } from "@mantine/core";
import { useState } from "react";
import { useSteady } from "../../../parts/tables/useSteady";
import { lastPart, kindWords } from "../graph/graph";
import {
  countText,
  curve,
  FOCUS_Y,
  isBlocking,
  isHiddenGroup,
  keyOf,
  columnOf,
  placeOf,
  type ReferenceGroup,
  type ReferenceGroups,
  SHOWN_GROUPS,
  thickness,
} from "./groups";
import { rich, t } from "../../../words/text";

const WIDTH = 56;
type Direction = ReferenceGroup["direction"];
const titles: Record<Direction, string> = { in: t`Incoming references`, out: t`Outgoing references` };

function Group({ of, isChosen, onChoose }: { of: ReferenceGroup; isChosen: boolean; onChoose: (key: string) => void }) {
  return (
    <button
      type="button"
      className={`ref-group ${isBlocking(of) ? "blocking" : ""}`}
      aria-pressed={isChosen}
      onClick={() => onChoose(isChosen ? "" : keyOf(of))}
    >
      <span className="row between tight">
        <span className="clip">{isHiddenGroup(of) ? t`No read permission` : of.type}</span>{" "}
        <b className="num">{countText(of.count, of.is_exact)}</b>
      </span>{" "}
      <span className="row between tight small muted">
        <code className="clip">{of.field}</code> <span className="nowrap">{kindWords[of.kind]}</span>
      </span>
      <span className="unseen"> {placeOf(of)}</span>
    </button>
  );
}

/** One side of the drawing: its groups in order, and the curves between them and the resource. */
function Side({
  groups,
  direction,
  chosen,
  onChoose,
}: {
  groups: readonly ReferenceGroup[];
  direction: Direction;
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const [isWhole, showWhole] = useState(false);
  const { rows: side, over } = useSteady(
    groups.filter((group) => group.direction === direction),
    keyOf,
    direction,
  );
  const column = columnOf(side, isWhole ? Infinity : SHOWN_GROUPS);
  const height = Math.max(column.height, FOCUS_Y + 12);
  const ends = (y: number): [number, number] => (direction === "in" ? [y, FOCUS_Y] : [FOCUS_Y, y]);
  const drawn = column.rows.flatMap((row) => ("group" in row ? [row] : []));
  return (
    <>
      <svg className={`ref-curves ${direction}`} width={WIDTH} height={height} aria-hidden="true">
        {drawn.map(({ group, y }) => (
          <path
            key={keyOf(group)}
            d={curve(...ends(y), WIDTH - 7)}
            className={`${isBlocking(group) ? "blocking" : ""} ${keyOf(group) === chosen ? "chosen" : ""}`}
            strokeWidth={thickness(group.count)}
          />
        ))}
        {(direction === "in" ? drawn.slice(0, 1).map(() => FOCUS_Y) : drawn.map((row) => row.y)).map((y) => (
          <polygon key={y} points={`${WIDTH - 9},${y - 5} ${WIDTH},${y} ${WIDTH - 9},${y + 5}`} />
        ))}
      </svg>
      <section className={`ref-column ${direction}`} aria-label={titles[direction]} {...over}>
        {side.length === 0 ? <p className="small muted ref-none">{t`None.`}</p> : null}
        <ul>
          {column.rows.map((row) =>
            "head" in row ? (
              <li key={row.head} className="ref-place small clip" title={row.head}>
                {row.head}
              </li>
            ) : (
              <li key={keyOf(row.group)}>
                <Group of={row.group} isChosen={keyOf(row.group) === chosen} onChoose={onChoose} />
              </li>
            ),
          )}
        </ul>
        {column.left > 0 ? (
          <Button size="xs" onClick={() => showWhole(true)}>
            {rich`Show ${column.left} more groups`}
          </Button>
        ) : null}
      </section>
    </>
  );
}

/** The resource in the middle, left who refers to it, right what it refers to: one row for each field and rule. */
export function GroupColumns({
  of,
  chosen,
  onChoose,
}: {
  of: ReferenceGroups;
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const { focus } = of;
  return (
    <div className="ref-columns">
      <Side groups={of.groups} direction="in" chosen={chosen} onChoose={onChoose} />
      <div className="ref-focus">
        <b className="clip">
          {focus.type} {lastPart(focus.name)}
        </b>
        <span className="small muted clip">
          {focus.service} @ {focus.region}
        </span>
        <span className="small muted">
          {focus.version}
          {focus.state === "ACTIVE" ? "" : ` · ${focus.state.toLowerCase().replaceAll("_", " ")}`}
        </span>
      </div>
      <Side groups={of.groups} direction="out" chosen={chosen} onChoose={onChoose} />
    </div>
  );
}
