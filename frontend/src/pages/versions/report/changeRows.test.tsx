import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../../../test/show";
import { ChangeRows } from "./ChangeRows";
import { changesOf, isAbsent, opTitle, type UsedPlace, usageText } from "./changeRows";
import type { Finding, Report } from "./report";

const RENAME = "- rename: {from: title, to: display_name}  # edges/v1alpha2-v1.yaml:14";
const finding = (path: string, rule: Finding["rule"], more: Partial<Finding> = {}): Finding => ({
  rule,
  weight: "break",
  classes: ["JSON"],
  buf: [],
  path,
  where: "request",
  before: "optional",
  after: "unknown",
  order: "",
  plan: [],
  transform: "",
  reasons: [],
  losing_updates: [],
  handled: false,
  advice: "",
  ...more,
});
const renamed = (path: string, rule: Finding["rule"], where: string): Finding =>
  finding(path, rule, { where, handled: true, transform: RENAME });
const FINDINGS = [
  renamed("Secret.title", "key-removed", "request"),
  renamed("Secret.title", "key-removed", "response"),
  renamed("Secret.display_name", "key-added", "request"),
  renamed("Secret.display_name", "key-added", "response"),
  finding("Secret", "pattern-removed", { where: "", waiver: null }),
  finding("Secret.note", "type-narrowed"),
];
const place = (more: Partial<UsedPlace>): UsedPlace => ({
  kind: "field",
  place: "Secret.title",
  deprecated_since: null,
  sunset: null,
  replaced_by: "",
  senders: [],
  readers: [],
  last_used_on: null,
  answers_looked_into: 0,
  answers_with_it: 0,
  share_error: 0,
  messages: 0,
  observed_days: 35,
  period_days: 35,
  proved_unused: false,
  confidence: 0,
  reasons: [],
  removable_on: null,
  ...more,
});
const seen = (client: string) => ({ client, release: "", messages: 3, last_seen_on: "2026-03-01" });

it("makes one change of the four directions of a rename, and puts decisions on top", () => {
  expect(changesOf(FINDINGS).map((each) => [each.title, each.findings.length, each.decision])).toEqual([
    ["Secret: pattern removed", 1, true],
    ["Secret.note: type narrowed", 1, false],
    ["Secret: title renamed to display_name", 4, false],
  ]);
});

it("reads titles out of the lines of an edge, and none where they say something else", () => {
  expect(opTitle("- convert: {from: rotation_period, to: rotation.period_seconds, codec: x}  # e:1")).toBe(
    "rotation_period becomes rotation.period_seconds (convert)",
  );
  expect(opTitle("- added: [generation, rotation.next_time]  # e:1")).toBe("generation, rotation.next_time added");
  expect(opTitle("- removed: {path: legacy_etag, because: v1 compares revisions}  # e:1")).toBe("legacy_etag removed");
  expect(opTitle("- hook: some_code  # e:1")).toBeNull();
  expect(opTitle("")).toBeNull();
});

it("makes one change of the types that one line splits or merges, and says which side does not have a type", () => {
  const split =
    "resources: {split: {Target: {by: kind, into: {HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}}}}  # e:4";
  const merge =
    "resources: {merge: {Channel: {by: kind, from: {EmailChannel: [EMAIL], PagerChannel: [PAGER]}}}}  # e:6";
  const type = (path: string, rule: Finding["rule"], transform: string, handled = true): Finding =>
    finding(path, rule, { where: "", transform, handled });
  const changes = changesOf([
    type("Target", "resource-removed", split),
    type("HttpTarget", "resource-added", split),
    type("QueueTarget", "resource-added", split),
    type("EmailChannel", "resource-removed", merge),
    type("Channel", "resource-added", merge),
    type("Receipt", "resource-removed", "resources: {removed: [Receipt]}  # e", false),
  ]);
  expect(changes.map((each) => [each.title, each.paths, isAbsent(each, "before"), isAbsent(each, "after")])).toEqual([
    ["Receipt: resource type removed", ["Receipt"], false, true],
    ["EmailChannel, PagerChannel merged into Channel, by kind", ["Channel", "EmailChannel"], false, false],
    ["Target split by kind into HttpTarget, QueueTarget", ["HttpTarget", "QueueTarget", "Target"], false, false],
  ]);
});

it("says who uses a field, and that nothing is proved where nothing was seen", () => {
  expect(usageText(place({ senders: [seen("a"), seen("b"), seen("a")], last_used_on: "2026-03-01" }))).toBe(
    "sent by 2 clients · last used 2026-03-01",
  );
  expect(usageText(place({}))).toBe("no use seen in 35 days; not proved yet");
  expect(usageText(place({ proved_unused: true }))).toBe("proved unused in 35 days");
});

it("shows the lines of both authors side by side, with the use of the older one", async () => {
  const excerpt = (line: number, text: string) => ({ file: "secrets.proto", line, lines: [text], left_out: 0 });
  serve({
    "GET /services/s/compatibility/lines": {
      items: [
        { path: "Secret.title", before: excerpt(7, "string title = 2;"), after: null },
        { path: "Secret.display_name", before: null, after: excerpt(9, "string display_name = 2;") },
      ],
    },
    "GET /services/s/usage/places": { items: [place({ senders: [seen("a")] })] },
  });
  const report = { service: "s", before: "v1", after: "v2", client: "filter", server: "strict", policy: "no-loss" };
  show(<ChangeRows report={report as Report} of={FINDINGS} />);
  expect(await screen.findByText("string title = 2;")).toBeTruthy();
  const row = screen.getAllByRole("listitem").at(-1) as HTMLElement;
  expect(within(row).getByText("secrets.proto:9")).toBeTruthy();
  expect(await within(row).findByText(/sent by 1 client/)).toBeTruthy();
  expect(within(row).getByText("4 findings by direction")).toBeTruthy();
  expect(
    within(screen.getAllByRole("listitem")[0] as HTMLElement).getAllByText("No lines known in this version."),
  ).toHaveLength(2);
});
