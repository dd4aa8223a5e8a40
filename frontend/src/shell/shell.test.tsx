import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newBuild } from "../api/build";
import { live } from "../live/stream";
import { bindings } from "./bindings";
import { letterKeys } from "../parts/keyboard/keys";
import { serve, show } from "../test/show";
import { regionZone, tick, zone } from "../time/clock";
import { alert, announce } from "../state/announcements";
import { Announcer } from "./Announcer";
import { Bell } from "./Bell";
import { KeyboardHelp } from "./KeyboardHelp";
import { LivePill } from "./LivePill";
import { Navigation } from "./Navigation";
import { NewVersion, typedInto } from "./NewVersion";
import { browserNotes, fresh, notified, toggleBrowserNotes } from "./notify";
import { ScopePill } from "./ScopePill";
import { TopBar } from "./TopBar";

const session = (part: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  account: { name: "ann", email: "", roles: [], permissions: [], reach: [], zone: "", bounds: {}, ...part },
  csrf_token: "",
  server_time: "",
  environment: "",
  version: "",
  ...more,
});
const need = (id: string, sentence: string): Record<string, unknown> => ({ id, sentence, link: `/approvals/${id}` });
const overview = (needs: unknown[], now: Record<string, number> = {}): Record<string, unknown> => ({
  needs_you: needs,
  followed: [],
  now: { running: 0, waiting_mine: 0, ...now },
});

describe("the announcer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Another test may have announced something: wait until the next may be read out.
    vi.setSystemTime(Date.now() + 60_000);
  });
  afterEach(() => vi.useRealTimers());
  const spoken = (role: "status" | "alert"): string | null => screen.getByRole(role).textContent;

  it("reads the newest sentence out, one in five seconds", () => {
    show(<Announcer />);
    act(() => announce("first"));
    act(() => void vi.advanceTimersByTime(0));
    expect(spoken("status")).toBe("first");
    act(() => announce("second"));
    act(() => announce("third"));
    act(() => void vi.advanceTimersByTime(4999));
    expect(spoken("status")).toBe("first");
    act(() => void vi.advanceTimersByTime(1));
    expect(spoken("status")).toBe("third");
  });

  it("is not silenced by a clock that was set back", () => {
    show(<Announcer />);
    act(() => announce("before"));
    act(() => void vi.advanceTimersByTime(0));
    vi.setSystemTime(Date.now() - 3_600_000);
    act(() => announce("after"));
    act(() => void vi.advanceTimersByTime(5000));
    expect(spoken("status")).toBe("after");
  });

  it("reads what is urgent out at once", () => {
    show(<Announcer />);
    act(() => alert("A vote is asked of you."));
    expect(spoken("alert")).toBe("A vote is asked of you.");
  });
});

describe("what a person is told of", () => {
  it("is what was not there at the last look, and nothing at the first", () => {
    const needs = [need("a", "A"), need("b", "B")] as never[];
    expect(fresh(null, needs)).toEqual([]);
    expect(fresh(new Set(["a"]), needs).map((each: { id: string }) => each.id)).toEqual(["b"]);
  });

  it("is what waits for them, and every change of what they follow", () => {
    const followed = [{ key: "u1 READY", sentence: "iam @ eu-1 is ready.", link: "/upgrades/u1" }];
    expect(
      notified({ needs_you: [need("a1", "Vote.")], followed } as never).map((each) => [each.id, each.title]),
    ).toEqual([
      ["a1", "Pending task"],
      ["u1 READY", "Followed deployment"],
    ]);
  });

  it("comes from the browser too where it is asked for and allowed", async () => {
    const ask = vi.fn().mockResolvedValueOnce("denied").mockResolvedValueOnce("granted");
    vi.stubGlobal("Notification", { requestPermission: ask });
    await toggleBrowserNotes();
    expect(browserNotes.get()).toBe(false);
    await toggleBrowserNotes();
    expect(browserNotes.get()).toBe(true);
    await toggleBrowserNotes();
    expect(browserNotes.get()).toBe(false);
    expect(ask).toHaveBeenCalledTimes(2);
    vi.unstubAllGlobals();
  });
});

describe("the bell", () => {
  it("counts what waits, and leads to it", async () => {
    serve({ "GET /overview": overview([need("a1", "Vote on iam."), need("a2", "Vote on secrets.")]) });
    show(<Bell />);
    fireEvent.click(await screen.findByRole("button", { name: "2 pending tasks" }));
    const items = await screen.findAllByRole("menuitem", { name: /^Vote on/ });
    expect(items.map((item) => [item.textContent, item.getAttribute("href")])).toEqual([
      ["Vote on iam.", "/approvals/a1"],
      ["Vote on secrets.", "/approvals/a2"],
    ]);
  });

  it("says that nothing waits", async () => {
    serve({ "GET /overview": overview([]) });
    show(<Bell />);
    fireEvent.click(await screen.findByRole("button", { name: "No pending tasks" }));
    expect((await screen.findByRole("menuitem", { name: /All open requests/ })).getAttribute("href")).toBe(
      "/approvals?tab=open",
    );
  });
});

describe("notifications of the browser", () => {
  it("are a choice of the menu that says whether they are on", async () => {
    vi.stubGlobal("Notification", { requestPermission: vi.fn().mockResolvedValue("granted") });
    serve({ "GET /overview": overview([]) });
    show(<Bell />);
    fireEvent.click(await screen.findByRole("button", { name: "No pending tasks" }));
    const choice = await screen.findByRole("menuitemcheckbox", { name: "Notifications of this browser" });
    expect(choice.getAttribute("aria-checked")).toBe("false");
    fireEvent.click(choice);
    await waitFor(() => expect(choice.getAttribute("aria-checked")).toBe("true"));
    fireEvent.click(choice);
    await waitFor(() => expect(choice.getAttribute("aria-checked")).toBe("false"));
    vi.unstubAllGlobals();
  });
});

describe("the navigation", () => {
  const links = (): string[] => screen.getAllByRole("link").map((link) => link.getAttribute("href") ?? "");

  it("has the pages that the account may read, and those that all may", async () => {
    serve({ "GET /session": session({ permissions: ["fleet.read", "audit.read"] }) });
    show(<Navigation onNavigate={vi.fn()} />);
    await waitFor(() => expect(links()).toContain("/fleet"));
    expect(links()).toEqual(["/", "/fleet", "/activity", "/settings/access", "/health", "/developer"]);
  });

  it("counts what runs, and what waits for this person", async () => {
    serve({
      "GET /session": session({ permissions: ["upgrade.read", "approval.read"] }),
      "GET /overview": overview([], { running: 3, waiting_mine: 1 }),
    });
    const navigate = vi.fn();
    show(<Navigation onNavigate={navigate} />);
    await screen.findByText("3");
    const upgrades = screen.getByText("Upgrades", { selector: "a" });
    expect(upgrades.textContent).toBe("Upgrades3 waiting");
    expect(screen.getByText("Approvals", { selector: "a" }).textContent).toBe("Approvals1 waiting");
    expect(screen.getByRole("link", { name: "Rollouts" })).toBeTruthy();
    fireEvent.click(upgrades);
    expect(navigate).toHaveBeenCalledTimes(1);
  });
});

describe("the pill of the stream", () => {
  afterEach(() => live.pause(false));

  it("holds changes and says how many, and releases them", () => {
    show(<LivePill />);
    fireEvent.click(screen.getByRole("button", { name: /Connecting/ }));
    expect(live.paused.get()).toBe(true);
    expect(screen.getByRole("button").textContent).toBe("❙❙ Paused");
    act(() => live.held.set(1));
    expect(screen.getByRole("button").textContent).toBe("❙❙ Paused: 1 change held");
    act(() => live.held.set(12));
    expect(screen.getByRole("button").textContent).toBe("❙❙ Paused: 12 changes held");
    fireEvent.click(screen.getByRole("button"));
    expect([live.paused.get(), live.held.get()]).toEqual([false, 0]);
  });
});

describe("the help for the keyboard", () => {
  it("lists every key under its place", () => {
    show(<KeyboardHelp opened onClose={vi.fn()} />);
    const dialog = screen.getByRole("dialog", { name: "Keyboard" });
    const places = within(dialog)
      .getAllByRole("heading", { level: 3 })
      .map((heading) => heading.textContent);
    expect(places).toEqual([...new Set(bindings.map((binding) => binding.where))]);
    expect(within(dialog).getAllByRole("definition")).toHaveLength(bindings.length);
    expect(within(dialog).getByText("Next or previous row").previousElementSibling?.textContent).toBe("j or k");
  });

  it("turns single letters off for who speaks to the computer", () => {
    show(<KeyboardHelp opened onClose={vi.fn()} />);
    fireEvent.click(screen.getByRole("switch", { name: "Single-letter keys" }));
    expect(letterKeys.get()).toBe(false);
    expect(localStorage.getItem("switchyard.letter-keys")).toBe("false");
  });
});

describe("a new version of the console", () => {
  it("is not spoken of while there is none", () => {
    show(<NewVersion />);
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("names what was typed and not sent before it is thrown away", () => {
    newBuild.set("b2");
    show(
      <>
        <NewVersion />
        <textarea aria-label="Reason" />
        <input aria-label="Password" type="password" />
        <input aria-label="Filter" />
      </>,
    );
    fireEvent.input(screen.getByLabelText("Password"), { target: { value: "secret" } });
    fireEvent.input(screen.getByLabelText("Reason"), { target: { value: "because of the portal" } });
    fireEvent.input(screen.getByLabelText("Filter"), { target: { value: "iam" } });
    fireEvent.click(screen.getByRole("button", { name: "Reload" }));
    expect(screen.getByRole("status").textContent).toContain("Unsent input: “because of the portal” and 1 more.");
    fireEvent.click(screen.getByRole("button", { name: "Not now" }));
    expect(screen.getByRole("status").textContent).toContain("A new version of the console is available.");
  });

  it("counts only what still stands there with something in it", () => {
    const [kept, empty, gone] = [1, 2, 3].map(() => document.createElement("input"));
    if (!kept || !empty || !gone) throw new Error("no fields");
    document.body.append(kept, empty);
    kept.value = gone.value = "text";
    empty.value = "  ";
    expect(typedInto([kept, empty, gone])).toEqual([kept]);
    kept.remove();
    empty.remove();
  });
});

describe("what is shown of all", () => {
  it("is said on every page to who is shown only a part", async () => {
    serve({ "GET /session": session({ reach: ["iam.* @ *", "* @ eu-1"] }) });
    show(<ScopePill />);
    const pill = await screen.findByRole("link", { name: "Shown: iam.* @ *, * @ eu-1" });
    expect(pill.getAttribute("title")).toContain("Lists, counts and streams show nothing else.");
  });
});

describe("the bar at the top", () => {
  function At() {
    return <p>{useLocation().pathname}</p>;
  }
  beforeEach(() => tick.set(Date.parse("2026-03-01T14:02:11Z")));
  afterEach(() => {
    zone.set("utc");
    regionZone.set("");
  });

  it("shows the clock in a zone, and goes on to the next when it is pressed", async () => {
    const sent = serve({ "GET /session": session(), "PUT /session/zone": {}, "GET /overview": overview([]) });
    show(<TopBar onMenu={vi.fn()} menuOpen={false} onHelp={vi.fn()} />);
    const clock = screen.getByTitle("Change the time zone (t)");
    expect(clock.textContent).toBe("14:02:11 UTC");
    act(() => regionZone.set("Asia/Kolkata"));
    fireEvent.click(clock);
    fireEvent.click(clock);
    expect(clock.textContent).toBe("19:32:11 Asia/Kolkata");
    await waitFor(() =>
      expect(sent.filter((one) => one.method === "PUT").map((one) => one.body)).toEqual([
        { zone: "mine" },
        { zone: "region" },
      ]),
    );
  });

  it("names the installation, and its colour says whether people are served", async () => {
    serve({ "GET /session": session({}, { environment: "production" }), "GET /overview": overview([]) });
    const { container } = show(<TopBar onMenu={vi.fn()} menuOpen={false} onHelp={vi.fn()} />);
    expect(await screen.findByText("production")).toBeTruthy();
    expect(container.querySelector("header")?.className).toContain("band-bad");
  });

  it("has the account's own things behind its name", async () => {
    const help = vi.fn();
    serve({
      "GET /session": session({ email: "ann@example.com", roles: ["operator", "approver"] }),
      "GET /overview": overview([]),
    });
    show(
      <>
        <TopBar onMenu={vi.fn()} menuOpen={false} onHelp={help} />
        <At />
      </>,
    );
    fireEvent.click(await screen.findByRole("button", { name: "ann" }));
    expect(await screen.findByText("ann@example.com · operator, approver")).toBeTruthy();
    fireEvent.click(screen.getByRole("menuitem", { name: "Turn letter keys off" }));
    expect(letterKeys.get()).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "ann" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Keyboard help" }));
    expect(help).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole("button", { name: "ann" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Your account" }));
    expect(await screen.findByText("/account")).toBeTruthy();
  });
});
