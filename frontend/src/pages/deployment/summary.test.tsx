import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { upgrade } from "../../test/samples";
import { serve, show } from "../../test/show";
import { DeploymentPage } from "../Deployment";
import { CurrentUpgrade } from "./Current";

const empty = { items: [], next_cursor: null, has_more: false };
const deployment = {
  service: "secrets.example.com",
  region: "us-west2",
  name: "services/secrets.example.com/deployments/us-west2",
  rev: 5,
  current_version: "v1",
  target_version: null,
  state: "",
  ready: 0,
  total: 16,
  automatic: false,
  disabled: false,
  upgrade_id: null,
  labels: {},
  data_version: "",
  sentence: "It serves v1.",
  newest_version: "v1",
  reachable_versions: [],
  db_data_version: null,
  db_location_tag: "",
  shard_count: 16,
  public_domain: "",
  dependants: [],
  imported_versions: [],
  databases: [],
  upgrades: [],
  active_upgrade: null,
  followed: false,
  raw: null,
  actions: [{ action: "disable", allowed: true, reason: "", who_can: [] }],
};

it("disables a deployment only under its typed name, at the revision that was read", async () => {
  const at = "/deployments/secrets.example.com/us-west2";
  const sent = serve({
    [`GET ${at}`]: deployment,
    [`GET ${at}/samples`]: { at: [], ready: [], lag_p50: [], lag_p95: [], lag_max: [], rate: [], write_p95: [] },
    [`PUT ${at}`]: { ...deployment, disabled: true, sentence: "It would be disabled." },
    "GET /deployments": empty,
    "GET /fleet": { regions: [], services: [], cells: [] },
  });
  show(
    <Routes>
      <Route path="/d/:service/:region" element={<DeploymentPage />} />
    </Routes>,
    "/d/secrets.example.com/us-west2",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Disable…" }));
  expect(await screen.findByText("It would be disabled.")).toBeTruthy();
  const confirm = screen.getByRole("button", { name: "Disable" });
  expect(confirm.hasAttribute("disabled")).toBe(true);
  await userEvent.type(screen.getByLabelText(/to confirm/), "secrets.example.com@us-west");
  expect(confirm.hasAttribute("disabled")).toBe(true);
  await userEvent.type(screen.getByLabelText(/to confirm/), "2");
  await userEvent.click(confirm);
  const puts = () => sent.filter((each) => each.method === "PUT" && !each.path.includes("dry_run"));
  await waitFor(() => expect(puts()).toHaveLength(1));
  expect([puts()[0]?.body, puts()[0]?.headers.get("If-Match")]).toEqual([{ deployment: { isDisabled: true } }, '"5"']);
});

it("says of the upgrade under way how far it is, why nobody knows how long, and whose it is", () => {
  const of = upgrade({ state: "SYNCING" });
  const { unmount } = show(<CurrentUpgrade of={of} />);
  expect(screen.getByText("1 of 2")).toBeTruthy();
  expect(screen.getByText("no estimate: nothing advanced for 6 min")).toBeTruthy();
  expect(screen.getByText("olga")).toBeTruthy();
  unmount();
  show(
    <CurrentUpgrade
      of={{ ...of, progress: { ...of.progress, eta: { low_seconds: 240, high_seconds: 540 }, eta_reason: "" } }}
    />,
  );
  expect(screen.getByText(/4.9 min/)).toBeTruthy();
});
