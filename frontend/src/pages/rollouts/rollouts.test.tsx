import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { drafts } from "../../parts/forms/drafts";
import { serve, show } from "../../test/show";
import type { Cell, Fleet } from "../../wire/model";
import type { Rollout, RolloutItem, RolloutRehearsal, RolloutTarget } from "../../wire/rollouts";
import { NewRolloutPage } from "./NewRolloutPage";
import { ProposalsPage } from "./ProposalsPage";
import { possibleText } from "./Rehearsal";
import { RolloutPage } from "./RolloutPage";

const DIGEST = "4f1c9a7be2d3aa";
const name = (region: string): string => `services/iam/deployments/${region}`;
const cell = (region: string): Cell => ({
  service: "iam",
  region,
  name: name(region),
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  rev: 1,
  labels: {},
  data_version: "",
});
const FLEET: Fleet = {
  regions: ["eu", "us"].map((region) => ({ name: region, title: "", zone: "" })),
  services: [{ name: "iam", display_name: "", versions: ["v1", "v2"], rank: 0, imports: [], import_versions: [] }],
  cells: ["eu", "us"].map(cell),
};
const REHEARSAL: RolloutRehearsal = {
  possible: true,
  plan_digest: DIGEST,
  items: ["eu", "us"].map((region, wave) => ({
    deployment: name(region),
    wave,
    possible: true,
    checks: [],
    problem: null,
    prospects: null,
  })),
};
const TARGETS: RolloutTarget[] = [
  {
    version: "v1",
    reachable: false,
    unreachable: ["eu", "us"].map((region) => ({ deployment: name(region), reason: "It runs this version already." })),
  },
  { version: "v2", reachable: true, unreachable: [] },
  {
    version: "v3",
    reachable: false,
    unreachable: [{ deployment: name("us"), reason: "The code in us does not support v3 yet." }],
  },
];
const WAVES = `/rollouts/new?waves=${name("eu")};${name("us")}&target=v2`;

function item(region: string, part: Partial<RolloutItem> = {}): RolloutItem {
  return {
    deployment: name(region),
    service: "iam",
    region,
    from_version: "v1",
    to_version: "v2",
    state: "waiting",
    reason: "",
    upgrade_id: `u-${region}`,
    upgrade_state: "PLANNED",
    plan_digest: "p1",
    plan_changed: false,
    sentence: "It waits.",
    ready: 0,
    total: 16,
    percent: null,
    lag_seconds: null,
    unknown_shards: 0,
    oldest_report_at: null,
    blocked: false,
    freeze_ms: null,
    reversible_until: null,
    settled_at: null,
    ...part,
  };
}
function rollout(part: Partial<Rollout> = {}): Rollout {
  return {
    id: "w1",
    rev: 3,
    title: "All of iam",
    comment: "",
    state: "PLANNED",
    reason: "",
    sentence: "All of iam is planned.",
    wave: 0,
    max_parallel: 1,
    pause_seconds: 0,
    plan_digest: DIGEST,
    created_by: "olga",
    created_at: "2026-03-01T14:00:00Z",
    finished_at: null,
    waves: [[item("eu")], [item("us")]],
    actions: ["start", "stop"].map((action) => ({ action, allowed: true, reason: "", who_can: [] })),
    ...part,
  };
}

function plan(at: string, rehearsal: unknown = REHEARSAL) {
  drafts.set([]);
  const sent = serve({
    "GET /fleet": FLEET,
    "GET /rollouts/targets": { items: TARGETS, next_cursor: null, has_more: false },
    "POST /rollouts?dry_run=true": rehearsal,
    "POST /rollouts": rollout(),
    "GET /rollouts/w1": rollout(),
  });
  show(
    <Routes>
      <Route path="/rollouts/new" element={<NewRolloutPage />} />
      <Route path="/rollouts/:id" element={<RolloutPage />} />
    </Routes>,
    at,
  );
  return sent;
}

it("shows the digest of what the dry run planned, and creates exactly that", async () => {
  const sent = plan(WAVES);
  expect(await screen.findByText("4f1c9a7be2d3")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Create and start" }));
  await screen.findByRole("heading", { name: "All of iam" });
  const made = sent.find((each) => each.path === "/rollouts" && each.method === "POST");
  expect(made?.body).toMatchObject({
    plan_digest: DIGEST,
    target_version: "v2",
    waves: [[name("eu")], [name("us")]],
    start: true,
  });
});

it("names what cannot go, and has no digest to show then", async () => {
  plan(WAVES, {
    possible: false,
    plan_digest: "",
    items: [
      { ...REHEARSAL.items[0], possible: false, problem: { title: "Refused", status: 409, detail: "It is disabled." } },
      REHEARSAL.items[1],
    ],
  });
  expect(await screen.findByText("1 of 2 deployments cannot be upgraded.")).toBeTruthy();
  expect(screen.getByText(/It is disabled/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Create and start" }).dataset["variant"]).toBe("default");
  expect(screen.queryByText("Only exactly this plan is created.")).toBeNull();
});

it("shows what warns of deployments that can go", async () => {
  const warn = {
    check: "downgrade-loss",
    verdict: "warn",
    sentence: "Rolling back will cost a second copy.",
    remedy: "",
    at: null,
  };
  plan(WAVES, { ...REHEARSAL, items: [{ ...REHEARSAL.items[0], checks: [warn] }, REHEARSAL.items[1]] });
  expect(await screen.findByText("All 2 deployments can be upgraded. One with warnings.")).toBeTruthy();
  expect(screen.getByText("Rolling back will cost a second copy.")).toBeTruthy();
});

it("keeps a draft of the whole form, opens it again, and forgets it once it is created", async () => {
  plan(WAVES);
  await userEvent.type(await screen.findByLabelText("Title"), "Spring");
  await userEvent.click(screen.getByRole("checkbox", { name: "Start the first wave immediately" }));
  await userEvent.click(screen.getByRole("button", { name: "Save draft" }));
  const draft = await screen.findByRole("link", { name: "Spring" });
  const query = new URLSearchParams(draft.getAttribute("href")?.split("?")[1]);
  expect(Object.fromEntries(query)).toEqual({
    waves: `${name("eu")};${name("us")}`,
    target: "v2",
    title: "Spring",
    start: "no",
  });
  expect(drafts.get().map((each) => each.form)).toEqual(["rollout"]);
  await userEvent.click(await screen.findByRole("button", { name: "Create" }));
  await screen.findByRole("heading", { name: "All of iam" });
  expect(drafts.get()).toEqual([]);
});

it("fills the form from the address of a draft", async () => {
  plan(`${WAVES}&title=Spring&why=Because&parallel=3&pause=45&start=no`);
  expect(await screen.findByDisplayValue("Spring")).toBeTruthy();
  expect(screen.getByDisplayValue("Because")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Parallel upgrades per wave").value).toBe("3");
  expect(screen.getByLabelText<HTMLInputElement>("Minutes between waves").value).toBe("45");
  expect(screen.getByRole("button", { name: "Create" })).toBeTruthy();
});

it("starts what it shows, and lets a changed plan be taken first", async () => {
  const sent = serve({
    "GET /rollouts/w1": rollout({ waves: [[item("eu", { plan_changed: true })], [item("us")]] }),
    "POST /rollouts/w1/start": rollout(),
    "POST /rollouts/w1/retry": rollout(),
  });
  show(
    <Routes>
      <Route path="/rollouts/:id" element={<RolloutPage />} />
    </Routes>,
    "/rollouts/w1",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Accept the changed plan of iam @ eu" }));
  await userEvent.click(screen.getByRole("button", { name: "Start" }));
  await waitFor(() =>
    expect(sent.filter((each) => each.method === "POST").map((each) => [each.path, each.body])).toEqual([
      ["/rollouts/w1/retry", { deployment: name("eu") }],
      ["/rollouts/w1/start", { plan_digest: DIGEST }],
    ]),
  );
});

it("says who changed a rollout first and what is another by now, and leaves it at that or asks again", async () => {
  const now = rollout({ rev: 4, state: "RUNNING", waves: [[item("eu", { state: "running" })], [item("us")]] });
  const sent = serve({
    "GET /rollouts/w1": rollout(),
    "POST /rollouts/w1/start": {
      title: "It was changed meanwhile",
      status: 412,
      current: now,
      changed: { who: "otto", at: "2026-03-01T14:00:00Z", what: "rollout.start" },
    },
  });
  show(
    <Routes>
      <Route path="/rollouts/:id" element={<RolloutPage />} />
    </Routes>,
    "/rollouts/w1",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Start" }));
  expect((await screen.findByText(/Changed by otto/)).closest("[role=alert]")).toBeTruthy();
  expect(screen.getByRole("row", { name: "State Running Planned" })).toBeTruthy();
  expect(screen.getByRole("row", { name: /^iam @ eu / })).toBeTruthy();
  expect(screen.queryByRole("row", { name: /^iam @ us / })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Review mine" }));
  await waitFor(() => expect(sent.filter((each) => each.method === "POST")).toHaveLength(2));
  await userEvent.click(await screen.findByRole("button", { name: "Use theirs" }));
  expect(screen.queryByText(/Changed by otto/)).toBeNull();
});

it("offers only versions that all of the chosen can go to, and says what keeps which from the others", async () => {
  const sent = plan(WAVES);
  await userEvent.click(await screen.findByLabelText("Target version", { selector: "input" }));
  expect((await screen.findAllByRole("option")).map((each) => each.textContent)).toEqual(["v2"]);
  expect(
    [...screen.getByRole("list", { name: "Versions that cannot be reached" }).children].map((each) => each.textContent),
  ).toEqual(["v3 iam @ us: The code in us does not support v3 yet."]);
  expect(sent.find((each) => each.path.startsWith("/rollouts/targets"))?.path).toBe(
    `/rollouts/targets?${new URLSearchParams({ deployments: `${name("eu")},${name("us")}` }).toString()}`,
  );
});

const PROPOSAL = {
  kind: "balanced",
  target_version: "v2",
  seconds: 90,
  waves: [
    [
      {
        deployment: name("eu"),
        service: "iam",
        region: "eu",
        from_version: "v1",
        seconds: 90,
        not_before: "2030-01-05T22:00:00Z",
        reasons: ["canary: a failure has the smallest impact here"],
      },
    ],
  ],
  left_out: [{ deployment: name("us"), reason: "v2 imports v2 of shop, which runs v1 in us." }],
};

it("proposes waves with reasons, alternatives and times, and fills the form with one of them", async () => {
  serve({
    "GET /fleet": FLEET,
    "GET /session": { account: { name: "olga", roles: ["x"], permissions: ["upgrade.plan"] }, csrf_token: "" },
    "GET /rollouts/proposals": {
      items: [PROPOSAL, { ...PROPOSAL, kind: "fastest", seconds: null }],
      next_cursor: null,
      has_more: false,
    },
  });
  show(
    <Routes>
      <Route path="/rollouts/proposals" element={<ProposalsPage />} />
    </Routes>,
    "/rollouts/proposals?services=iam&target=v2",
  );
  expect(await screen.findByText("canary: a failure has the smallest impact here")).toBeTruthy();
  expect(screen.getByText(/Cannot switch before/).textContent).toContain("22:00");
  expect(screen.getByText("v2 imports v2 of shop, which runs v1 in us.")).toBeTruthy();
  expect(screen.getByText(/Expected time: about/)).toBeTruthy();
  const link = await screen.findByRole("link", { name: "Create this rollout…" });
  expect(new URL(link.getAttribute("href") ?? "", "http://x").searchParams.get("waves")).toBe(name("eu"));
  await userEvent.click(screen.getByRole("tab", { name: "Fastest: 1 wave" }));
  expect(await screen.findByText(/Expected time: unknown/)).toBeTruthy();
});

it("says what would break by the facts of now, and takes the proposed waves over", async () => {
  const actions = ["pause", "stop", "replan"].map((action) => ({ action, allowed: true, reason: "", who_can: [] }));
  const sent = serve({
    "GET /rollouts/w1": rollout({ state: "RUNNING", actions }),
    "GET /rollouts/w1/proposal": {
      holds: false,
      reasons: ["us would not be served by shop."],
      digest: "d1",
      proposal: PROPOSAL,
    },
    "POST /rollouts/w1/replan": rollout(),
  });
  show(
    <Routes>
      <Route path="/rollouts/:id" element={<RolloutPage />} />
    </Routes>,
    "/rollouts/w1",
  );
  expect(await screen.findByText("us would not be served by shop.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Use the proposed waves" }));
  await waitFor(() =>
    expect(sent.filter((each) => each.method === "POST").map((each) => [each.path, each.body])).toEqual([
      ["/rollouts/w1/replan", { proposal_digest: "d1" }],
    ]),
  );
});

it("says how many deployments can be upgraded, of one and of several", () => {
  expect([possibleText(0, 1), possibleText(1, 1)]).toEqual([
    "The deployment can be upgraded.",
    "The deployment cannot be upgraded.",
  ]);
  expect([0, 1, 3].map((bad) => possibleText(bad, 3))).toEqual([
    "All 3 deployments can be upgraded.",
    "1 of 3 deployments cannot be upgraded.",
    "None of the 3 deployments can be upgraded.",
  ]);
});

it.each([
  ["stop", "Stop…", "Stop the rollout"],
  ["skip", "Skip iam @ eu", "Skip this deployment"],
])("says at the field that a reason is missing before it asks to %s", async (action, opener, confirm) => {
  const paused = rollout({
    state: "PAUSED",
    waves: [[item("eu", { state: "failed" })], [item("us")]],
    actions: [{ action: "stop", allowed: true, reason: "", who_can: [] }],
  });
  const sent = serve({ "GET /rollouts/w1": paused, [`POST /rollouts/w1/${action}`]: paused });
  show(
    <Routes>
      <Route path="/rollouts/:id" element={<RolloutPage />} />
    </Routes>,
    "/rollouts/w1",
  );
  await userEvent.click(await screen.findByRole("button", { name: opener }));
  const reason = await screen.findByLabelText(/^Reason/);
  await userEvent.type(reason, "{Enter}");
  expect(await screen.findByText("This field is required.")).toBeTruthy();
  await userEvent.type(reason, "Held");
  expect(screen.queryByText("This field is required.")).toBeNull();
  await userEvent.clear(reason);
  await userEvent.click(screen.getByRole("button", { name: confirm }));
  expect(await screen.findByText("This field is required.")).toBeTruthy();
  expect(document.activeElement).toBe(reason);
  expect(sent.filter((each) => each.method === "POST")).toEqual([]);
  await userEvent.type(reason, "Held back.");
  await userEvent.click(screen.getByRole("button", { name: confirm }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toMatchObject({ comment: "Held back." }),
  );
});
