import { act, fireEvent, screen, within } from "@testing-library/react";
import { useLocation, useNavigate } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { upgrade } from "../../../test/samples";
import { serve, show } from "../../../test/show";
import type { History } from "./replay";
import { ReplayedSheet } from "./ReplayedSheet";
import { REST_MS } from "./useReplay";

afterEach(() => void vi.useRealTimers());

const history: History = {
  as_of: "2026-03-01T15:00:00Z",
  transitions: [
    { at: "2026-03-01T14:00:00Z", state: "PLANNED", who: "olga" },
    { at: "2026-03-01T14:01:00Z", state: "SYNCING", who: "olga" },
  ],
  shards: { shard: [0], at: ["2026-03-01T14:20:00Z"], state: ["syncing"], complete: true },
  compared: { shard: [], at: [] },
  callers: { seen_from: "2026-02-22T14:00:00Z", switched_at: null, versions: [] },
  requests: [],
  votes: [],
  switch_steps: [],
};

const NO_SAMPLES = { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] };

let go: (address: string) => void = () => undefined;
const addresses: string[] = [];

function Here() {
  const { search } = useLocation();
  go = useNavigate();
  if (addresses.at(-1) !== search) addresses.push(search);
  return null;
}

const moment = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 14, minute)).toISOString();

it("shows each moment at once, and names the one where the slider rests in the address", async () => {
  serve({
    "GET /upgrades/u1/history": history,
    "GET /upgrades/u1/samples": NO_SAMPLES,
  });
  addresses.length = 0;
  show(
    <>
      <Here />
      <ReplayedSheet upgrade={upgrade()} moving={false}>
        <p>the present</p>
      </ReplayedSheet>
    </>,
  );
  const slider = await screen.findByRole("slider", { name: /As of/ });
  const shown = (): string | null => slider.getAttribute("aria-valuetext");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const minute of [10, 20, 30]) {
    fireEvent.change(slider, { target: { value: String(Date.parse(moment(minute))) } });
    expect(shown()).toContain(`14:${minute}`);
    act(() => void vi.advanceTimersByTime(REST_MS - 1));
  }
  expect(addresses).toEqual([""]);
  expect(screen.queryByText("the present")).toBeNull();
  expect(screen.getByRole("status", { name: "As recorded" }).textContent).toContain("1 copying");
  act(() => void vi.advanceTimersByTime(1));
  expect(addresses).toHaveLength(2);
  expect(new URLSearchParams(addresses[1]).get("at")?.slice(0, 16)).toBe(moment(30).slice(0, 16));
  // A link to another moment, or the button Back, counts from then on.
  act(() => go(`/?at=${moment(5)}`));
  expect(shown()).toContain("14:05");
  act(() => go("/"));
  expect(screen.getByText("the present")).toBeTruthy();
});

it("opens steps of a past moment to what was recorded until then, and says what is of now", async () => {
  const switched = {
    ...history,
    transitions: [
      ...history.transitions,
      { at: "2026-03-01T14:30:00Z", state: "READY", who: "switchyard" },
      { at: "2026-03-01T14:40:00Z", state: "SWITCHING", who: "olga" },
      { at: "2026-03-01T14:41:00Z", state: "HALTED", who: "switchyard" },
      { at: "2026-03-01T14:50:00Z", state: "SWITCHING", who: "olga" },
      { at: "2026-03-01T14:51:00Z", state: "REVERSIBLE", who: "switchyard" },
    ],
    votes: [{ at: "2026-03-01T14:35:00Z", who: "ann", verdict: "approve", purpose: "switch", void: "", evidence: [] }],
    switch_steps: [
      { step: "freeze", at: "2026-03-01T14:50:01Z", took_seconds: 0.01, state: "done" },
      { step: "publish", at: "2026-03-01T14:55:00Z", took_seconds: 0.02, state: "done" },
    ],
  };
  serve({ "GET /upgrades/u1/history": switched, "GET /upgrades/u1/samples": NO_SAMPLES });
  const steps = switched.switch_steps.map(({ step, state, took_seconds }) => ({ step, state, took_seconds, text: "" }));
  show(
    <ReplayedSheet upgrade={upgrade({ state: "REVERSIBLE", switch_steps: steps })} moving={false}>
      <p>the present</p>
    </ReplayedSheet>,
    "/?at=2026-03-01T14:52:00Z",
  );
  const moment = await screen.findByRole("status", { name: "As recorded" });
  expect(moment.textContent).toContain("ann approved");
  const opened = screen.getByRole("table", { name: "Steps of the switch" });
  expect(
    within(opened)
      .getAllByRole("row")
      .map((row) => row.firstElementChild?.textContent),
  ).toEqual(["Step", "freeze"]);
  expect(screen.getByText("The plan as it is now; the timeline lists its changes.")).toBeTruthy();
  expect(screen.getByText("Resources copied until now")).toBeTruthy();
});

it("says how many shards were compared whole, and who called which version before the switch and since", async () => {
  const callers = {
    seen_from: "2026-02-22T14:00:00Z",
    switched_at: "2026-03-01T14:30:00Z",
    versions: [
      { version: "v1alpha2", before_switch: 3, since_switch: 1 },
      { version: "v1", before_switch: 0, since_switch: 2 },
    ],
  };
  serve({
    "GET /upgrades/u1/history": { ...history, callers, compared: { shard: [0], at: ["2026-03-01T14:25:00Z"] } },
  });
  show(
    <ReplayedSheet upgrade={upgrade()} moving={false}>
      <p>the present</p>
    </ReplayedSheet>,
  );
  expect(await screen.findByText("1 compared whole", { exact: false })).toBeTruthy();
  expect(document.querySelectorAll("rect.compared")).toHaveLength(1);
  expect(document.body.textContent).toContain("v1alpha2 3 clients before the switch, 1 since");
  expect(document.body.textContent).toContain("v1 0 clients before the switch, 2 since");
});

it("draws what a process of an earlier release tells", async () => {
  const { compared, callers, ...earlier } = history;
  expect([compared.shard, callers.versions]).toEqual([[], []]);
  serve({ "GET /upgrades/u1/history": earlier });
  show(
    <ReplayedSheet upgrade={upgrade()} moving={false}>
      <p>the present</p>
    </ReplayedSheet>,
  );
  expect(await screen.findByRole("slider", { name: /As of/ })).toBeTruthy();
  expect(screen.queryByText("Callers")).toBeNull();
});
