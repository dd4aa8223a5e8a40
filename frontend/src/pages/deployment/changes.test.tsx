import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { serve, show, type Sent } from "../../test/show";
import { tick } from "../../time/clock";
import type { Deployment } from "../../wire/model";
import type { Eviction } from "../../wire/constraints";
import { Callers } from "./Callers";
import { EvictionCard } from "./Eviction";
import { Facts, Imports, Namespaces, Reachable } from "./Facts";
import { Switches } from "./Switches";

const NAME = "services/iam.example.com/deployments/eu-1";
const action = (name: string, allowed = true): Deployment["actions"][number] => ({
  action: name,
  allowed,
  reason: allowed ? "" : "Only operators may.",
  who_can: allowed ? [] : ["operator"],
});
const deployment = (part: Partial<Deployment> = {}): Deployment =>
  ({
    name: NAME,
    rev: 4,
    service: "iam.example.com",
    region: "eu-1",
    current_version: "v1alpha2",
    target_version: null,
    newest_version: "v1",
    automatic: false,
    disabled: false,
    followed: false,
    switch_mode_set: null,
    db_data_version: "",
    db_location_tag: "",
    public_domain: "",
    reachable_versions: [],
    imported_versions: [],
    databases: [],
    dependants: [],
    actions: [action("plan"), action("set-switch-mode"), action("disable")],
    ...part,
  }) as Deployment;

beforeEach(() => tick.set(Date.parse("2026-03-01T14:10:00Z")));

function At() {
  return <p>{`${useLocation().pathname}${useLocation().search}`}</p>;
}

describe("what of a deployment is changed by a button", () => {
  const ADDRESS = "/deployments/iam.example.com/eu-1";
  function open(part: Partial<Deployment> = {}, more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({ [`PUT ${ADDRESS}`]: deployment(), ...more });
    show(
      <>
        <Switches of={deployment(part)} />
        <At />
      </>,
      "/d/iam.example.com/eu-1",
    );
    return sent;
  }
  const written = (sent: Sent[]): Sent[] => sent.filter((one) => one.method === "PUT" && !one.path.includes("dry_run"));

  it("is the mode of its switch, on the revision that was read", async () => {
    const sent = open();
    fireEvent.click(screen.getByRole("button", { name: "Switch automatically…" }));
    const dialog = await screen.findByRole("dialog", { name: "Switch automatically: iam.example.com @ eu-1" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Switch automatically" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(written(sent).map((one) => [one.body, one.headers.get("If-Match")])).toEqual([
      [{ deployment: { automaticVersionSwitch: true } }, '"4"'],
    ]);
  });

  it("stands behind one button on a phone", () => {
    open();
    const more = screen.getByRole("button", { name: "More" });
    const behind = (): string => document.getElementById(more.getAttribute("aria-controls") ?? "")?.className ?? "";
    expect([more.getAttribute("aria-expanded"), behind()]).toEqual(["false", "row wrap foldable folded"]);
    fireEvent.click(more);
    expect([more.getAttribute("aria-expanded"), behind()]).toEqual(["true", "row wrap foldable "]);
  });

  it("offers what it is not now", () => {
    open({ automatic: true, disabled: true });
    expect(screen.getByRole("button", { name: "Switch manually…" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Enable…" })).toBeTruthy();
  });

  it("is disabled only when its name is typed, after a look at what that does", async () => {
    const sent = open({}, { [`PUT ${ADDRESS}?dry_run=true`]: deployment({ disabled: true }) });
    fireEvent.click(screen.getByRole("button", { name: "Disable…" }));
    const dialog = await screen.findByRole("dialog", { name: /^Disable/ });
    const disable = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Disable" });
    expect(disable.disabled).toBe(true);
    fireEvent.change(within(dialog).getByLabelText(/to confirm/), { target: { value: "iam.example.com @ eu-2" } });
    expect(within(dialog).getByText("This is not the name above.")).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText(/to confirm/), { target: { value: "iam.example.com @ eu-1" } });
    expect(disable.disabled).toBe(false);
    fireEvent.click(disable);
    await waitFor(() => expect(written(sent).map((one) => one.body)).toEqual([{ deployment: { isDisabled: true } }]));
  });

  it("says who was faster, and asks to look again", async () => {
    const changed = { who: "otto", at: "2026-03-01T14:09:00Z", what: "otto disabled it." };
    const sent = open(
      {},
      {
        [`PUT ${ADDRESS}`]: { title: "Changed", status: 412, changed, current: deployment({ rev: 5, disabled: true }) },
      },
    );
    fireEvent.click(screen.getByRole("button", { name: "Switch automatically…" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "Switch automatically" }));
    expect(await screen.findByText("otto disabled it.")).toBeTruthy();
    const confirm = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Switch automatically" });
    expect(confirm.disabled).toBe(true);
    fireEvent.click(within(dialog).getByRole("button", { name: "Review mine" }));
    expect(confirm.disabled).toBe(false);
    expect(written(sent)).toHaveLength(1);
  });

  it("is followed and left again", async () => {
    const sent = open({}, { [`PUT ${ADDRESS}/subscription`]: {} });
    fireEvent.click(screen.getByRole("button", { name: "Follow" }));
    await waitFor(() => expect(sent.some((one) => one.path.endsWith("/subscription"))).toBe(true));
    expect(sent.find((one) => one.path.endsWith("/subscription"))?.method).toBe("PUT");
  });

  it("is left where it is followed", async () => {
    const sent = open({ followed: true }, { [`DELETE ${ADDRESS}/subscription`]: {} });
    const button = screen.getByRole("button", { name: "Following" });
    expect(button.getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(button);
    await waitFor(() => expect(sent.map((one) => one.method)).toContain("DELETE"));
  });

  it("leads to a plan of it", () => {
    open();
    fireEvent.click(screen.getByRole("button", { name: "Plan an upgrade…" }));
    expect(screen.getByText(`/upgrades/new?deployment=${encodeURIComponent(NAME)}`)).toBeTruthy();
  });

  it("leads to a plan with the version, where one alone can be reached", () => {
    open({ reachable_versions: [{ version: "v9", reachable: true, reason: "" }] as Deployment["reachable_versions"] });
    fireEvent.click(screen.getByRole("button", { name: "Plan an upgrade…" }));
    expect(screen.getByText(`/upgrades/new?deployment=${encodeURIComponent(NAME)}&target=v9`)).toBeTruthy();
  });
});

describe("an eviction", () => {
  const ADDRESS = "/constraints/iam.example.com/eu-1/evictions";
  const eviction = (part: Partial<Eviction> = {}): Eviction =>
    ({
      id: "e1",
      digest: "d1d1d1d1d1d1d1d1",
      state: "OPEN",
      asked_by: "root",
      reason: "The region is lost for good.",
      created_at: "2026-03-01T14:00:00Z",
      needed: 2,
      votes_given: 1,
      votes: [{ who: "ann", verdict: "approve", void_reason: "" }],
      vote: action("vote"),
      ...part,
    }) as Eviction;
  function open(items: Eviction[], more: Record<string, unknown> = {}): Sent[] {
    const sent = serve({ [`GET ${ADDRESS}`]: { items, evict: action("evict") }, ...more });
    show(<EvictionCard service="iam.example.com" region="eu-1" />);
    return sent;
  }

  it("is asked for with a reason that says something, and the name typed in full", async () => {
    const sent = open([], { [`POST ${ADDRESS}`]: eviction() });
    fireEvent.click(await screen.findByRole("button", { name: "Evict…" }));
    const dialog = await screen.findByRole("dialog", { name: "Evict iam.example.com @ eu-1" });
    const request = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Request eviction" });
    const fill = (name: string, reason: string): boolean => {
      fireEvent.change(within(dialog).getByLabelText(/^Type/), { target: { value: name } });
      fireEvent.change(within(dialog).getByLabelText(/^Reason/), { target: { value: reason } });
      return !request.disabled;
    };
    expect([
      fill("iam.example.com @ eu-2", "The region is lost for good."),
      fill("iam.example.com @ eu-1", "lost                     "),
      fill("iam.example.com@eu-1", "The region is lost for good."),
      fill("iam.example.com @ eu-1", "The region is lost for good."),
    ]).toEqual([false, false, true, true]);
    fireEvent.click(request);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent.filter((one) => one.method === "POST").map((one) => one.body)).toEqual([
      { reason: "The region is lost for good." },
    ]);
  });

  it("is decided on the request that was read", async () => {
    const sent = open([eviction()], { "POST /evictions/e1/approve": eviction({ state: "USED" }) });
    expect(await screen.findByText("1 of 2 approvals: ann approve")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Approve eviction" }));
    await waitFor(() => expect(sent.some((one) => one.method === "POST")).toBe(true));
    expect(sent.find((one) => one.method === "POST")?.headers.get("If-Match")).toBe('"d1d1d1d1d1d1d1d1"');
  });

  it("is rejected only with a comment", async () => {
    const sent = open([eviction()], { "POST /evictions/e1/reject": eviction({ state: "REJECTED" }) });
    const reject = await screen.findByRole<HTMLButtonElement>("button", { name: "Reject" });
    expect(reject.disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Comment"), { target: { value: "It comes back tomorrow." } });
    fireEvent.click(reject);
    await waitFor(() =>
      expect(sent.find((one) => one.method === "POST")?.body).toEqual({ comment: "It comes back tomorrow." }),
    );
  });

  it("says what differs from what was read where another vote was faster", async () => {
    open([eviction()], {
      "POST /evictions/e1/approve": {
        title: "Changed",
        status: 412,
        current: eviction({ votes_given: 2, state: "APPROVED" }),
      },
    });
    fireEvent.click(await screen.findByRole("button", { name: "Approve eviction" }));
    expect(await screen.findByRole("row", { name: "State Approved Open" })).toBeTruthy();
    expect(screen.getByRole("row", { name: "Votes 2 of 2 1 of 2" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Use theirs" }));
    await waitFor(() => expect(screen.queryByRole("table")).toBeNull());
  });

  it("that is over has nothing to decide", async () => {
    open([eviction({ state: "USED", votes: [{ who: "bob", verdict: "approve", void_reason: "left" }] as never })]);
    expect(await screen.findByText("evicted")).toBeTruthy();
    expect(screen.getByText(/bob approve \(void: left\)/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Approve eviction" })).toBeNull();
  });
});

describe("the facts of a deployment", () => {
  const facts = (): Record<string, string> =>
    Object.fromEntries(
      screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ""]),
    );

  it("are those that are known", () => {
    show(
      <Facts
        of={deployment({
          target_version: "v1",
          db_data_version: "d2",
          shard_count: 16,
          automatic: true,
          switch_mode_set: { who: "olga", at: "2026-03-01T14:00:00Z" },
        })}
      />,
    );
    expect(facts()).toEqual({
      Serves: "v1alpha2",
      Target: "v1",
      Newest: "v1",
      "Data version": "d2",
      Shards: "16",
      Switch: "automaticset by olga, 14:00:00 UTC (10 min ago)",
    });
  });

  it("lead to a plan of each version that can be reached, and say why of the others", () => {
    const reachable_versions = [
      { version: "v1", reachable: true, reason: "" },
      { version: "v2", reachable: false, reason: "through v1" },
      { version: "v1alpha2", reachable: true, reason: "" },
    ] as Deployment["reachable_versions"];
    show(<Reachable of={deployment({ reachable_versions })} />);
    expect(screen.getAllByRole("listitem")).toHaveLength(2);
    expect(screen.getByText("through v1")).toBeTruthy();
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      `/upgrades/new?deployment=${encodeURIComponent(NAME)}&target=v1`,
    ]);
  });

  it("offer no plan to who may not make one", () => {
    const reachable_versions = [{ version: "v1", reachable: true, reason: "" }] as Deployment["reachable_versions"];
    show(<Reachable of={deployment({ reachable_versions, actions: [action("plan", false)] })} />);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("say of imports whether the version that is served is the imported one", () => {
    const imported_versions = [
      { service: "meta.example.com", version: "v1", current_version: "v1", mismatch: false },
      { service: "apps.example.com", version: "v1", current_version: "v2", mismatch: true },
    ] as Deployment["imported_versions"];
    show(<Imports of={deployment({ imported_versions })} />);
    expect(screen.getByRole("row", { name: "meta.example.com v1 v1 same" })).toBeTruthy();
    expect(screen.getByRole("row", { name: "apps.example.com v1 v2 differs" })).toBeTruthy();
  });

  it("say of each namespace what it is for", () => {
    const space = (namespace: string, version: string, disabled = false): unknown => ({
      namespace,
      version,
      disabled,
      resources: 1200,
    });
    const databases = [space("a", "v1alpha2"), space("b", "v1"), space("c", "v0"), space("d", "v0", true)];
    show(<Namespaces of={deployment({ target_version: "v1", databases } as never)} />);
    expect(
      screen
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(["av1alpha21,200active", "bv11,200syncing", "cv01,200kept", "dv01,200disabled"]);
    expect(screen.getByText("a").title).toBe("a");
    expect(screen.getAllByRole("button", { name: "Copy the namespace" })).toHaveLength(4);
  });

  it("say how often each version is called on average, here and in all regions", async () => {
    const one = { last_seen: null, clients: [{ client: "stock" }] };
    serve({
      "GET /services/iam/usage": {
        days: 10,
        uncounted: 0,
        versions: [
          { ...one, version: "v1", messages: 2400 },
          { ...one, version: "v2", messages: 3 },
        ],
      },
      "GET /services/iam/usage?region=eu-1": {
        days: 10,
        uncounted: 0,
        versions: [{ ...one, version: "v1", messages: 480 }],
      },
    });
    show(<Callers service="iam" region="eu-1" />);
    await screen.findByText("480 calls, about 2 per hour");
    await screen.findByText("2,400 calls, about 10 per hour");
    const texts = screen.getAllByRole("listitem").map((row) => row.textContent);
    expect(texts).toEqual([
      "v1 1 client480 calls, about 2 per hour",
      "v1 1 client2,400 calls, about 10 per hour",
      "v2 1 client3 calls, less than 1 per hour",
    ]);
    expect(screen.getAllByRole("heading", { level: 3 }).map((head) => head.textContent)).toEqual([
      "eu-1",
      "All regions",
    ]);
  });

  it("say that no client calls it here, and none in other regions", async () => {
    const none = { days: 10, uncounted: 0, versions: [] };
    serve({ "GET /services/iam/usage": none, "GET /services/iam/usage?region=eu-1": none });
    show(<Callers service="iam" region="eu-1" />);
    expect(await screen.findAllByText("No call in the last 10 days.")).toHaveLength(2);
  });
});
