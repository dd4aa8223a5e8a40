import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import { Blockages, Paced } from "./Evidence";
import { QuarantinedResources } from "./Quarantine";
import { RollbackPage } from "./RollbackPage";
import { Timeline } from "./timeline/Timeline";

const event = (seq: number) => ({
  seq,
  at: "2026-03-01T14:00:00Z",
  kind: "comment",
  who: "olga",
  text: `Word ${seq}`,
  details: {},
});
const page = (...items: unknown[]) => ({ items, next_cursor: null, has_more: false });

async function say(): Promise<void> {
  await userEvent.type(await screen.findByRole("textbox", { name: /Comment for all followers/ }), "And so on.");
  await userEvent.click(screen.getByRole("button", { name: "Comment" }));
}

/** What is read next has one event more. */
async function grows(follow: boolean): Promise<void> {
  const answers: Record<string, unknown> = {
    "GET /upgrades/u1/events": page(event(1)),
    "POST /upgrades/u1/events": event(2),
    "GET /session": {
      account: { name: "olga", email: "", roles: ["operator"], permissions: ["upgrade.comment"] },
      csrf_token: "",
      server_time: "",
      environment: "",
      version: "",
    },
  };
  serve(answers);
  show(<Timeline id="u1" />);
  await screen.findByText("Word 1");
  if (!follow) await userEvent.click(screen.getByRole("checkbox", { name: "Follow" }));
  answers["GET /upgrades/u1/events"] = page(event(1), event(2));
  await say();
}

it("follows the end of the story", async () => {
  await grows(true);
  expect(await screen.findByText("Word 2")).toBeTruthy();
});

it("holds what is new back while it does not follow, and shows it when asked", async () => {
  await grows(false);
  const held = await screen.findByRole("button", { name: "1 new event: show" });
  expect(screen.queryByText("Word 2")).toBeNull();
  await userEvent.click(held);
  expect(screen.getByText("Word 2")).toBeTruthy();
});

it("names what holds an upgrade up, with its age and what helps, and leads to what to do", () => {
  const cause = {
    kind: "no-worker" as const,
    sentence: "No worker of the queue sync was heard from.",
    since: "2026-03-01T14:00:00Z",
    remedy: "Start a worker.",
    needs_person: true,
  };
  show(
    <Blockages
      upgrade={upgrade({
        stall: { sentence: "No reports.", since: "2026-03-01T14:00:00Z", shards: [3], causes: [cause.sentence] },
        blockages: [cause],
      })}
    />,
  );
  expect(screen.getByText(/No worker of the queue sync/).textContent).toContain("Start a worker.");
  const to = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect([to("Open system health"), to("System health"), to("Remedy")]).toEqual(["/health", "/health", "/runbooks"]);
});

it("mends from its place what can be mended: stopped work of this upgrade alone, and failed shards", async () => {
  const cause = (kind: "quarantined" | "shard-failed") => ({
    kind,
    sentence: `${kind}.`,
    since: null,
    remedy: "Mend the cause, then retry it.",
    needs_person: true,
  });
  const key = (name: string) => ({ controller: "sync", key: name, reason: "", remedy: "", since: "" });
  const sent = serve({
    "GET /session": { account: { name: "otto", roles: [], permissions: ["work.retry", "upgrade.repair"] } },
    "GET /health/quarantined-work": { items: [key("u1/forward/1"), key("u12/forward/1")], has_more: false },
    "POST /health/quarantined-work": {},
    "POST /upgrades/u1/retry-shard": {},
  });
  show(<Blockages upgrade={upgrade({ blockages: [cause("quarantined"), cause("shard-failed")] })} />);
  await userEvent.click(await screen.findByRole("button", { name: "Retry shard 0" }));
  await userEvent.click(screen.getByRole("button", { name: "Retry the stopped work" }));
  const posted = () => sent.filter((each) => each.method === "POST").map((each) => [each.path, each.body]);
  await waitFor(() =>
    expect(posted()).toEqual([
      ["/upgrades/u1/retry-shard", { shard: 0 }],
      ["/health/quarantined-work", { controller: "sync", key: "u1/forward/1" }],
    ]),
  );
});

it("says that a cause is not known rather than guess one, and nothing where nothing holds it up", () => {
  show(
    <Blockages
      upgrade={upgrade({
        stall: { sentence: "No reports.", since: "2026-03-01T14:00:00Z", shards: [], causes: [] },
        blockages: [],
      })}
    />,
  );
  expect(screen.getByText("The cause is unknown.")).toBeTruthy();
  cleanup();
  show(<Blockages upgrade={upgrade({ stall: null, blockages: [] })} />);
  expect(screen.queryByText("Blocked by")).toBeNull();
});

it("lists what is quarantined before one rolls back, and says that it would not come along", async () => {
  const quarantined = {
    type: "Secret",
    name: "secrets/one",
    shard: 3,
    error: "labels[0] is not a string",
    attempts: 4,
    changes_behind: 2,
    next_try_at: null,
    state: "retrying",
  };
  serve({
    "GET /upgrades/u1": upgrade({ state: "REVERSIBLE", quarantined_count: 1 }),
    "GET /upgrades/u1/quarantine": page(quarantined),
    "GET /upgrades": page(),
  });
  show(
    <Routes>
      <Route path="/upgrades/:id/rollback" element={<RollbackPage />} />
    </Routes>,
    "/upgrades/u1/rollback",
  );
  expect(await screen.findByRole("rowheader", { name: /secrets\/one.*2 changes behind/ })).toBeTruthy();
  expect(screen.getByRole("link", { name: "secrets/one" }).getAttribute("href")).toBe(
    "/resources/one?service=secrets.example.com&region=us-west2&name=secrets%2Fone&version=v1",
  );
  expect(screen.getByText("1 resource is quarantined: their writes under v1 would be lost.")).toBeTruthy();
});

it("calls a try that is due no try of the past", async () => {
  const quarantined = {
    type: "Secret",
    name: "secrets/one",
    shard: 3,
    error: "labels[0] is not a string",
    attempts: 4,
    changes_behind: 0,
    retry_at: "2020-03-01T14:00:00Z",
    state: "retrying",
  };
  serve({ "GET /upgrades/u1/quarantine": page(quarantined) });
  show(<QuarantinedResources upgrade={upgrade({ quarantined_count: 1 })} />);
  expect(await screen.findByRole("cell", { name: "any moment" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "secrets/one" }).getAttribute("href")).toContain("version=v1alpha2");
});

it("says that copying is slowed for the sake of writes, only as long as it is", () => {
  const sentence = "It copies and compares more slowly since 14:00:00 UTC.";
  show(<Paced paced={{ sentence, since: "2026-03-01T14:00:00Z", reported_at: "2026-03-01T14:00:05Z" }} />);
  expect(screen.getByRole("status", { name: "Slowed for writes" }).textContent).toContain(sentence);
  cleanup();
  show(<Paced paced={null} />);
  expect(screen.queryByRole("status", { name: "Slowed for writes" })).toBeNull();
});
