import { Button, useComputedColorScheme } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import type uPlot from "uplot";
import { clockText, type Zone, zone } from "../../time/clock";
import { alone, momentTexts, placeMarks, withGaps } from "./curves";
import { printing } from "../../state/printing";
import { useStore } from "../../state/store";
import type { Column } from "../tables/columns";
import { DataTable } from "../tables/DataTable";
import { t } from "../../words/text";

export interface Line {
  name: string;
  colour: string;
  values: (number | null)[];
}

export interface ChartData {
  title: string;
  /** What stands behind a value; a counted noun has a form for each count. */
  unit: string | ((count: number) => string);
  at: string[];
  lines: Line[];
  decimals?: number;
  /** Vertical lines with a word: an approval, the switch. */
  marks?: { at: string; word: string }[];
}

const HEIGHT = 150;

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

/** A value of the axis with its unit, short from a thousand on. */
export function tickText(tick: number, unit: ChartData["unit"]): string {
  return `${tick >= 1000 ? `${+(tick / 1000).toFixed(1)}k` : String(tick)}${unitText(unit, tick)}`;
}

function unitText(unit: ChartData["unit"], value: number): string {
  return typeof unit === "string" ? unit : unit(value);
}

/** Whether only a part of the time is shown. */
function isZoomed(chart: uPlot): boolean {
  const [first, last] = [chart.data[0][0], chart.data[0].at(-1)];
  const { min, max } = chart.scales["x"] ?? {};
  return (
    first !== undefined &&
    last !== undefined &&
    typeof min === "number" &&
    typeof max === "number" &&
    (min > first || max < last)
  );
}

interface Watch {
  onHover: (at: number | null) => void;
  onZoom: (isZoomed: boolean) => void;
}

function options(data: ChartData, width: number, which: Zone, { onHover, onZoom }: Watch): uPlot.Options {
  const axis = {
    stroke: css("--ink-3"),
    grid: { stroke: css("--line"), width: 1 },
    ticks: { show: false },
    font: "11px Inter Variable",
  };
  return {
    width,
    height: HEIGHT,
    cursor: { y: false, points: { size: 6 } },
    legend: { show: false },
    scales: { y: { range: (_chart, _low, high) => [0, Math.max(high * 1.15, 1)] } },
    axes: [
      {
        ...axis,
        size: 26,
        space: 80,
        values: (_chart, ticks) =>
          momentTexts(
            ticks.map((tick) => tick * 1000),
            which,
          ),
      },
      {
        ...axis,
        size: 40 + 7 * unitText(data.unit, 2).length,
        values: (_chart, ticks) => ticks.map((tick) => tickText(tick, data.unit)),
      },
    ],
    series: [
      {},
      ...data.lines.map((line) => ({
        label: line.name,
        stroke: css(line.colour),
        width: 2,
        points: {
          show: true,
          size: 5,
          fill: css(line.colour),
          filter: (chart: uPlot, series: number) => alone([...(chart.data[series] ?? [])]),
        },
      })),
    ],
    hooks: {
      draw: [(chart) => drawMarks(chart, data.marks ?? [])],
      setCursor: [(chart) => onHover(chart.cursor.idx ?? null)],
      setScale: [(chart, scale) => (scale === "x" ? onZoom(isZoomed(chart)) : undefined)],
    },
  };
}

/** Draw vertical lines with their words, none of which lies on a value of the axis. */
export function drawMarks(
  chart: Pick<uPlot, "ctx" | "bbox" | "valToPos">,
  marks: { at: string; word: string }[],
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = css("--accent");
  ctx.fillStyle = css("--ink-2");
  const dense = devicePixelRatio || 1;
  ctx.font = `${11 * dense}px Inter Variable`;
  // The axes are drawn before this and leave their words set to the right.
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.setLineDash([4, 4]);
  const right = bbox.left + bbox.width;
  const seen = marks
    .map((mark) => ({ x: chart.valToPos(Date.parse(mark.at) / 1000, "x", true), word: mark.word }))
    .filter(({ x }) => x >= bbox.left && x <= right);
  const placed = placeMarks(seen, (word) => ctx.measureText(word).width, right);
  for (const mark of placed) {
    ctx.beginPath();
    ctx.moveTo(mark.x, bbox.top);
    ctx.lineTo(mark.x, bbox.top + bbox.height);
    ctx.stroke();
  }
  // The words come last, each on a ground of its own: lines of later marks would run through them.
  for (const mark of placed) {
    const baseline = bbox.top + (12 + mark.row * 14) * dense;
    ctx.fillStyle = css("--surface");
    ctx.fillRect(mark.left - dense, baseline - 10 * dense, ctx.measureText(mark.word).width + 2 * dense, 13 * dense);
    ctx.fillStyle = css("--ink-2");
    ctx.fillText(mark.word, mark.left, baseline);
  }
  ctx.restore();
}

function Canvas({ data, onHover, onZoom, whole }: Watch & { data: ChartData; whole: number }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(data);
  const which = useStore(zone);
  // Drawn with the colours of its time: it is drawn once more when the scheme changes, and for paper.
  const scheme = useComputedColorScheme("light");
  const shape = `${data.lines.map((line) => line.name).join()} ${which} ${scheme} ${useStore(printing)}`;
  const columns = (from: ChartData): uPlot.AlignedData => [
    from.at.map((at) => Date.parse(at) / 1000),
    ...from.lines.map((line) => line.values),
  ];
  useEffect(() => {
    latest.current = data;
    // A part that is looked at closer stays in view while newer values arrive.
    if (!chart.current) return;
    const isPart = isZoomed(chart.current);
    chart.current.setData(columns(data), !isPart);
    if (isPart) chart.current.redraw();
  }, [data]);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let gone = false;
    const resize = new ResizeObserver(() => chart.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    void Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([loaded]) => {
      if (gone) return;
      chart.current = new loaded.default(
        options(latest.current, element.clientWidth, which, { onHover, onZoom }),
        columns(latest.current),
        element,
      );
      resize.observe(element);
    });
    return () => {
      gone = true;
      resize.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [shape, which, onHover, onZoom]);
  useEffect(() => {
    if (whole > 0) chart.current?.setData(columns(latest.current), true);
  }, [whole]);
  return <div ref={host} className="chart" aria-hidden="true" />;
}

/** A chart with its newest values in words and a table that says the same. */
export function Chart({ data: votes }: { data: ChartData }) {
  const [table, setTable] = useState(false);
  const which = useStore(zone);
  const [hovered, setHovered] = useState<number | null>(null);
  const [zoomed, setZoomed] = useState(false);
  const [whole, showWhole] = useState(0);
  const data = useMemo(() => {
    const { at, values } = withGaps({ at: votes.at, values: votes.lines.map((line) => line.values) });
    return { ...votes, at, lines: votes.lines.map((line, index) => ({ ...line, values: values[index] ?? [] })) };
  }, [votes]);
  const at = hovered === null ? undefined : data.at[hovered];
  return (
    <section className="chart-box">
      <div className="row between">
        <h3>{data.title}</h3>
        <span className="row tight">
          {zoomed && !table ? (
            <Button size="compact-sm" aria-label={t`Whole time of ${data.title}`} onClick={() => showWhole(whole + 1)}>
              {t`Whole time`}
            </Button>
          ) : null}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={table}
            aria-label={t`${table ? t`Chart` : t`Data`} of ${data.title}`}
            title={table ? "" : t`Drag across the chart to look closer.`}
            onClick={() => setTable(!table)}
          >
            {table ? t`Chart` : t`Data`}
          </Button>
        </span>
      </div>
      <div className="small muted number">
        {at ? <>{clockText(Date.parse(at), which)} · </> : null}
        {data.lines.map((line) => {
          const value = at && hovered !== null ? line.values[hovered] : line.values.findLast((each) => each !== null);
          return (
            <span key={line.name} className="readout">
              <i className="key" style={{ background: `var(${line.colour})` }} />
              {line.name}{" "}
              <b>
                {value === undefined || value === null
                  ? "–"
                  : `${value.toFixed(data.decimals ?? 0)}${unitText(data.unit, value)}`}
              </b>
            </span>
          );
        })}
      </div>
      {table ? (
        <DataTable
          label={t`${data.title}, data`}
          boxClass="twin"
          onPhone="scroll"
          rows={votes.at.map((moment, row) => ({ moment, row })).reverse()}
          rowKey={({ moment }) => moment}
          columns={[
            { header: t`Time`, className: "mono", cell: ({ moment }) => clockText(Date.parse(moment), which) },
            ...votes.lines.map((line): Column<{ row: number }> => ({
              header: `${line.name}${typeof data.unit === "string" ? data.unit : ""}`,
              align: "end",
              cell: ({ row }) => line.values[row]?.toFixed(data.decimals ?? 0) ?? "–",
            })),
          ]}
        />
      ) : data.at.length < 2 ? (
        <p className="small muted">{t`The chart starts with the second report.`}</p>
      ) : (
        <Canvas data={data} onHover={setHovered} onZoom={setZoomed} whole={whole} />
      )}
    </section>
  );
}
