import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { serve, show } from "../../test/show";
import type { Rollout } from "../../wire/rollouts";
import { RolloutsPage } from "./RolloutsPage";
import { Waves } from "./Waves";
import { move, place, reasonsOf, wavesFrom, wavesText } from "./waves";

const name = (service: string, region = "eu"): string => `services/${service}/deployments/${region}`;
const [A, B, C] = [name("a"), name("b"), name("c")];

describe("the order of waves", () => {
  it.each<[string, 1 | -1, string[][]]>([
    [A, 1, [[B, A], [C]]],
    [B, -1, [[A, B], [C]]],
    [C, 1, [[A], [B], [C]]],
    [A, -1, [[A], [B], [C]]],
    ["services/x/deployments/eu", 1, [[A], [B], [C]]],
  ])("changes by moving %s by %d", (moved, by, waves) => expect(move([[A], [B], [C]], moved, by)).toEqual(waves));

  it("gets a wave more before the first and after the last", () => {
    expect(move([[A, B]], A, -1)).toEqual([[A], [B]]);
    expect(move([[A, B]], A, 1)).toEqual([[B], [A]]);
  });

  it("changes by putting one where it is dropped, and leaves no wave empty", () => {
    expect(place([[A], [B]], A, 1)).toEqual([[B, A]]);
    expect(place([[A, B]], A, 1)).toEqual([[B], [A]]);
    expect(place([[A], [B]], "text of another page", 1)).toEqual([[A], [B]]);
  });

  it("stands in an address and is read from it", () => {
    expect(wavesText([[A], [B, C]])).toBe(`${A};${B},${C}`);
    expect(wavesFrom(`${A};;${B},,${C};`)).toEqual([[A], [B, C]]);
    expect(wavesFrom("")).toEqual([]);
  });

  it("names each reason why a version cannot be reached once", () => {
    const unreachable = [
      { deployment: A, reason: "no route" },
      { deployment: B, reason: "too old" },
      { deployment: C, reason: "no route" },
    ];
    expect(reasonsOf({ unreachable })).toEqual(["a @ eu, c @ eu: no route", "b @ eu: too old"]);
  });
});

describe("waves on the page", () => {
  const change = vi.fn();
  const open = (waves: string[][]): void => {
    change.mockReset();
    show(<Waves waves={waves} onChange={change} />);
  };
  const press = (label: string): HTMLButtonElement => {
    const button = screen.getByRole<HTMLButtonElement>("button", { name: label });
    fireEvent.click(button);
    return button;
  };
  const drop = (onto: HTMLElement, text: string): void => {
    fireEvent.dragOver(onto);
    fireEvent.drop(onto, { dataTransfer: { getData: () => text } });
  };

  it("are changed by arrows, and a wave that becomes empty goes", () => {
    open([[A], [B, C]]);
    press("b @ eu: a wave earlier");
    press("c @ eu: a wave later");
    press("Remove a @ eu");
    expect(change.mock.calls.map(([waves]) => waves as string[][])).toEqual([[[A, B], [C]], [[A], [B], [C]], [[B, C]]]);
  });

  it("offer no arrow that would change nothing", () => {
    open([[A], [B]]);
    expect(press("a @ eu: a wave earlier").disabled).toBe(true);
    expect(press("b @ eu: a wave later").disabled).toBe(true);
    expect(change).not.toHaveBeenCalled();
  });

  it("take what is dropped on them, and a new one takes what is dropped beside them", () => {
    open([[A], [B]]);
    drop(screen.getByRole("listitem", { name: "Wave 2" }), A);
    drop(screen.getByText(/to create a new wave/), A);
    expect(change.mock.calls.map(([waves]) => waves as string[][])).toEqual([[[B, A]], [[B], [A]]]);
  });

  it("carry the name of what is dragged", () => {
    open([[A]]);
    const set = vi.fn();
    fireEvent.dragStart(screen.getByText("a @ eu").closest("li") as HTMLElement, { dataTransfer: { setData: set } });
    expect(set).toHaveBeenCalledWith("text/plain", A);
  });
});

describe("the rollouts", () => {
  const rollout = (id: string, part: Partial<Rollout> = {}): Rollout =>
    ({
      id,
      title: "",
      state: "RUNNING",
      sentence: "Wave 1 of 2.",
      created_by: "olga",
      created_at: "2026-03-01T14:00:00Z",
      ...part,
    }) as Rollout;
  const open = (items: Rollout[]): void => {
    serve({ "GET /rollouts": { items, has_more: false, next_cursor: null } });
    show(<RolloutsPage />);
  };

  it("are named by their title, or else by their number", async () => {
    open([rollout("r1", { title: "All to v1" }), rollout("r2", { state: "STOPPED" })]);
    expect((await screen.findByRole("link", { name: "All to v1" })).getAttribute("href")).toBe("/rollouts/r1");
    expect(screen.getByRole("link", { name: "r2" }).closest("li")?.textContent).toContain("Stopped");
  });

  it("are explained where there are none", async () => {
    open([]);
    expect(await screen.findByText("No rollouts yet.")).toBeTruthy();
  });
});
