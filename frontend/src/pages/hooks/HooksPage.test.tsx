import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { fresh } from "../../shell/notify";
import { serve, show } from "../../test/show";
import type { Delivery, Hook } from "../../wire/hooks";
import { hookWord, HooksPage } from "./HooksPage";

const hook: Hook = {
  id: "w1",
  name: "pager",
  rev: 1,
  format: "signed",
  address: "https://pager.example.com/…4f2a",
  events: ["upgrade.*"],
  service: "*",
  region: "eu-*",
  active: true,
  former_until: null,
  created_by: "otto",
  created_at: "2026-03-01T14:00:00Z",
  waiting: 0,
  retrying: 0,
  failed: 1,
};
const delivery: Delivery = {
  id: 7,
  seq: 4711,
  event: "upgrade.caught-up",
  body: { event: "upgrade.caught-up" },
  state: "failed",
  attempts: 7,
  next_at: null,
  status: "5xx",
  took_ms: 12,
  error: "The receiver answered 5xx.",
  created_at: "2026-03-01T14:00:00Z",
  delivered_at: null,
};
const account = { name: "otto", email: "", roles: ["admin"], permissions: ["access.manage", "access.read"] };
const session = { account, csrf_token: "t", server_time: "2026-03-01T14:00:00Z", environment: "test", version: "1" };

it("shows who is told of what, what became of it, and sends again when asked", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /hooks": { items: [hook], next_cursor: null, has_more: false },
    "GET /hooks/w1/deliveries": { items: [delivery], next_cursor: null, has_more: false },
    "POST /hooks/w1/deliveries/7/replay": { ...delivery, state: "pending" },
  });
  show(<HooksPage />);
  expect(await screen.findByText("The receiver answered 5xx.")).toBeTruthy();
  expect(screen.getByText("1 failed")).toBeTruthy();
  await userEvent.click(await screen.findByLabelText("Send 7 again"));
  expect(sent.some((each) => each.method === "POST" && each.path === "/hooks/w1/deliveries/7/replay")).toBe(true);
});

it("says how a webhook stands in a word, and tells only what is new", () => {
  expect(hookWord({ ...hook, active: false }).word).toBe("disabled");
  expect(hookWord({ ...hook, failed: 0, waiting: 2 }).word).toBe("2 pending");
  expect(hookWord({ ...hook, failed: 0, waiting: 2, retrying: 1 })).toEqual({ tone: "bad", word: "1 being retried" });
  const [one, two] = [
    { id: "a", sentence: "A", link: "/" },
    { id: "b", sentence: "B", link: "/" },
  ];
  expect(fresh(null, [one])).toEqual([]);
  expect(fresh(new Set(["a"]), [one, two])).toEqual([two]);
});

it("shows how a message reads before the channel is made", async () => {
  const page = { items: [], next_cursor: null, has_more: false };
  serve({
    "GET /session": session,
    "GET /hooks": page,
    "POST /hooks/preview": {
      event: "upgrade.caught-up",
      example: true,
      message: { event: "upgrade.caught-up", text: "All 16 shards are caught up." },
    },
  });
  show(<HooksPage />);
  await userEvent.click(await screen.findByRole("button", { name: "New channel…" }));
  await userEvent.click(await screen.findByText("Preview: upgrade.caught-up, an example"));
  expect(screen.getByText(/All 16 shards are caught up/)).toBeTruthy();
});

it("shows a message arrive without being asked to look again, and calls refused what was refused", async () => {
  const answers: Record<string, unknown> = {
    "GET /session": session,
    "GET /hooks": { items: [{ ...hook, waiting: 1, failed: 0 }], next_cursor: null, has_more: false },
    "GET /hooks/w1/deliveries": {
      items: [{ ...delivery, state: "pending", attempts: 1 }],
      next_cursor: null,
      has_more: false,
    },
  };
  serve(answers);
  show(<HooksPage />);
  expect(await screen.findByText("failed, will be retried")).toBeTruthy();
  answers["GET /hooks/w1/deliveries"] = {
    items: [{ ...delivery, state: "delivered", error: "", status: "2xx" }],
    next_cursor: null,
    has_more: false,
  };
  expect(await screen.findByText("delivered", undefined, { timeout: 45_000 })).toBeTruthy();
});

it("changes a channel without showing or sending its address again", async () => {
  const sent = serve({
    "GET /session": session,
    "GET /hooks": { items: [hook], next_cursor: null, has_more: false },
    "GET /hooks/w1/deliveries": { items: [], next_cursor: null, has_more: false },
    "POST /hooks/preview": { event: "upgrade.caught-up", example: true, message: {} },
    "PUT /hooks/w1": { ...hook, rev: 2 },
  });
  show(<HooksPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Change pager" }));
  expect(await screen.findByText("Now https://pager.example.com/…4f2a. Empty: unchanged.")).toBeTruthy();
  expect((screen.getByLabelText(/^Address/) as HTMLInputElement).value).toBe("");
  await userEvent.type(screen.getByLabelText(/^Name/), "2");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const put = sent.find((each) => each.method === "PUT");
  expect(put?.body).toEqual({
    format: "signed",
    name: "pager2",
    url: "",
    events: ["upgrade.*"],
    service: "*",
    region: "eu-*",
    active: true,
  });
});

it("says of a disabled channel that its messages wait, and names no next try", async () => {
  const row = { ...delivery, state: "pending", attempts: 1, error: "No answer.", next_at: "2026-03-01T15:30:00Z" };
  serve({
    "GET /session": session,
    "GET /hooks": { items: [{ ...hook, active: false }], next_cursor: null, has_more: false },
    "GET /hooks/w1/deliveries": { items: [row], next_cursor: null, has_more: false },
  });
  show(<HooksPage />);
  const state = await screen.findByText("waits until the channel is enabled");
  expect(state.closest("tr")?.textContent).not.toContain("15:30");
  expect(screen.getByText("every event of an upgrade")).toBeTruthy();
});
