import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { HooksPage } from "../pages/hooks/HooksPage";
import { pseudo } from "../words/pseudo";
import { serve, show } from "./show";

it("words why a message was not delivered", async () => {
  const answered = { key: "The receiver answered {status}.", values: { status: "5xx" } };
  const hook = {
    id: "w1",
    name: "pager",
    rev: 1,
    format: "signed",
    address: "",
    events: ["upgrade.*"],
    service: "*",
    region: "*",
    active: true,
    former_until: null,
    created_by: "otto",
    created_at: "2026-03-01T14:00:00Z",
    waiting: 0,
    retrying: 0,
    failed: 1,
  };
  const delivery = {
    id: 7,
    seq: 4711,
    event: "upgrade.caught-up",
    body: {},
    state: "failed",
    attempts: 7,
    next_at: null,
    status: "5xx",
    took_ms: 12,
    error: "The receiver answered 5xx.",
    error_phrases: [answered],
    created_at: "2026-03-01T14:00:00Z",
    delivered_at: null,
  };
  const page = { next_cursor: null, has_more: false };
  serve({
    "GET /session": {
      account: { name: "otto", email: "", roles: ["admin"], permissions: ["access.manage", "access.read"] },
      csrf_token: "t",
      server_time: "2026-03-01T14:00:00Z",
    },
    "GET /hooks": { items: [hook], ...page },
    "GET /hooks/w1/deliveries": { items: [delivery], ...page },
  });
  show(<HooksPage />);
  const row = (await screen.findByText(pseudo(answered.key).replace("{status}", "5xx"))).closest("td");
  expect(outsideTexts(row ?? document.body, "5xx")).toEqual([]);
  cleanup();
});
