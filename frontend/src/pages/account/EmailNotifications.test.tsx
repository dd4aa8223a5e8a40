import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { hoursForm, hoursOf, hoursText, EmailNotifications, ruleForm, type Notices } from "./EmailNotifications";

const hours: Notices["hours"] = {
  rev: 1,
  zone: "Europe/Warsaw",
  quiet_from: "22:00",
  quiet_to: "07:00",
  daily_at: "08:00",
};
const rule: Notices["rules"][number] = {
  id: "n1",
  rev: 3,
  events: ["upgrade.caught-up", "health.changed"],
  service: "iam.*",
  region: "*",
  pace: "hourly",
  active: true,
};
const all: Notices = { mail: "ann@example.com", sends_mail: true, hours, rules: [rule], sent: [] };

it("makes a rule of one event and one pace", async () => {
  const sent = serve({ "GET /notices": { ...all, rules: [] }, "POST /notices": rule });
  show(<EmailNotifications />);
  await userEvent.click(await screen.findByRole("button", { name: "New email notification…" }));
  await userEvent.click(await screen.findByRole("button", { name: "Add" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({
      events: ["upgrade.*"],
      pace: "at-once",
      service: "*",
      region: "*",
      active: true,
    }),
  );
});

it("takes several events into a rule, and leaves a pattern that it does not know", async () => {
  const own = { ...rule, events: ["upgrade.caught-up", "policy.*"] };
  const sent = serve({ "GET /notices": { ...all, rules: [own] }, "PUT /notices/n1": own });
  show(<EmailNotifications />);
  await userEvent.click(await screen.findByRole("button", { name: "Change upgrade.caught-up, policy.*" }));
  await userEvent.click(await screen.findByRole("combobox", { name: /^When/ }));
  await userEvent.click(await screen.findByRole("option", { name: "a component failed or recovered" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "PUT")?.body).toEqual({
      events: ["upgrade.caught-up", "policy.*", "health.changed"],
      pace: "hourly",
      service: "iam.*",
      region: "*",
      active: true,
    }),
  );
});

it("does not let a rule of no event be kept", () => {
  expect(ruleForm(null).fields.find((field) => field.name === "events")).toMatchObject({
    kind: "many",
    required: true,
  });
  expect(ruleForm(rule).start["events"]).toEqual(["upgrade.caught-up", "health.changed"]);
});

it("says the hours in a sentence and proposes the zone of this browser", () => {
  expect(hoursText(hours)).toBe("Quiet hours from 22:00 to 07:00; daily summary at 08:00 (Europe/Warsaw).");
  expect(hoursText({ ...hours, quiet_from: null, quiet_to: null })).toContain("No quiet hours");
  expect(hoursForm({ ...hours, rev: 0, zone: "UTC" }, "Asia/Tokyo").start["zone"]).toBe("Asia/Tokyo");
  expect(hoursOf({ zone: "UTC", quiet_from: "", quiet_to: "", daily_at: "08:00" })).toEqual({
    zone: "UTC",
    quiet_from: null,
    quiet_to: null,
    daily_at: "08:00",
  });
});

it("offers no rule where no mail can be sent", async () => {
  serve({ "GET /notices": { ...all, rules: [], sends_mail: false } });
  show(<EmailNotifications />);
  expect(await screen.findByText(/sends no email/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "New email notification…" })).toBeNull();
});
