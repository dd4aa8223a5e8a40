import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { outsideTexts } from "../../scripts/outside.mjs";
import { Bulk } from "../pages/refs/deletion/Bulk";
import { DeletionPage } from "../pages/refs/deletion/DeletionPage";
import { DeletionVerdict } from "../pages/refs/deletion/DeletionVerdict";
import { DeletionPreparation } from "../pages/refs/deletion/DeletionWatch";
import { pseudo } from "../words/pseudo";
import type { DeletionCheck } from "../wire/references";
import { serve, show } from "./show";

const DOOR = "//secrets.example.com/eu-1/projects/p/secrets/door";
const GRANT = "//secrets.example.com/eu-1/projects/p/secretGrants/g";
const VALUES = `${DOOR} ${GRANT} secrets.example.com eu-1 apps.example.com us-1 Secret SecretGrant v1 Not found`;

const BLOCKED = "Blocked by at least {count} reference|Blocked by at least {count} references";
const PLACES = "in {count} deployment.|in {count} deployments.";
const SILENT = "More than {most} resources refer to it; not all of them were looked at.";
const SENTENCE = {
  sentence: "Blocked by at least 1 reference in 1 deployment.",
  phrases: [
    { key: BLOCKED, values: { count: 1 } },
    { key: PLACES, values: { count: 1 } },
  ],
};
const WORDED = [BLOCKED, PLACES].map((key) => pseudo(key).split("|")[0]?.replace("{count}", "1")).join(" ");
const CHECK: DeletionCheck = {
  focus: {
    id: DOOR,
    name: "projects/p/secrets/door",
    type: "Secret",
    service: "secrets.example.com",
    region: "eu-1",
    version: "v1",
    state: "ACTIVE",
    changed_at: null,
  },
  verdict: "blocked",
  ...SENTENCE,
  blockers: [
    {
      source: GRANT,
      target: DOOR,
      kind: "BLOCK",
      path: "secret",
      version: "v1",
      type: "SecretGrant",
      owner: "",
      since: null,
    },
  ],
  cascades: [],
  unsets: [],
  unknown: [
    {
      service: "apps.example.com",
      region: "us-1",
      reason: "More than 1000 resources refer to it; not all of them were looked at.",
      phrases: [{ key: SILENT, values: { most: 1000 } }],
    },
  ],
};
const ANSWERS = {
  "GET /deletion-check": CHECK,
  "GET /deletion-watches": { items: [], has_more: false, next_cursor: null },
  "GET /fleet": { services: [], regions: [], cells: [] },
};

it("words the verdict on a deletion, and why a deployment did not answer", async () => {
  serve(ANSWERS);
  show(<DeletionPage />, `/refs/deletion?name=${encodeURIComponent(DOOR)}`);
  await screen.findByText(WORDED);
  expect(
    screen.getByRole("img", {
      name: pseudo("{0}, which is referred to by {1}").replace("{0}", "door").replace("{1}", "g"),
    }),
  ).toBeTruthy();
  expect(outsideTexts(document.body, VALUES)).toEqual([]);
  cleanup();
});

it("words why a rehearsed deletion is refused, and what refers to the resource", async () => {
  const refused = { key: "It was refused:", values: {} };
  const why = { key: "{name} is referred to by {source}.", values: { name: "secrets/door", source: "secretGrants/g" } };
  const refers = { key: "refers to {name}", values: { name: "secrets/door" } };
  serve({
    ...ANSWERS,
    "GET /session": { account: { name: "olga", roles: [], permissions: ["resource.write"], reach: [], zone: "" } },
    "POST /deletion-check/rehearsals": {
      outcome: "refuse",
      sentence: "It was refused: secrets/door is referred to by secretGrants/g.",
      phrases: [refused, why],
      deleted: 0,
      asks: [],
      violations: [{ path: "secretGrants/g#secret", message: "refers to secrets/door", phrases: [refers] }],
    },
  });
  show(<DeletionPreparation name={DOOR} />);
  fireEvent.click(await screen.findByRole("button", { name: pseudo("Dry-run delete") }));
  await screen.findByText(new RegExp(pseudo(refused.key)));
  expect(outsideTexts(document.body, "secrets/door secretGrants/g")).toEqual([]);
  cleanup();
});

it("words the verdict beside the references of a resource", async () => {
  serve(ANSWERS);
  show(<DeletionVerdict name={DOOR} />);
  await screen.findByText(WORDED);
  expect(outsideTexts(document.body, "")).toEqual([]);
  cleanup();
});

it("words the verdicts on many resources", async () => {
  const brief = { name: "door", id: DOOR, verdict: "blocked", ...SENTENCE, blockers: 1, cascades: 0 };
  serve({ ...ANSWERS, "POST /deletion-checks": { items: [brief] } });
  show(<Bulk />);
  fireEvent.change(screen.getByLabelText(pseudo("Names, one per line")), { target: { value: "door" } });
  fireEvent.click(screen.getByRole("button", { name: pseudo("Check all") }));
  await screen.findByText(WORDED);
  expect(outsideTexts(document.body, "door")).toEqual([]);
  cleanup();
});
