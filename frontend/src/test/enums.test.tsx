import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { componentWords, approvalWords, shardWords, states, stepWords, verdictWords } from "../parts/status";
import { operationWords } from "../pages/Activity";
import { outcomes } from "../pages/activity/outcomes";
import { riskWords } from "../pages/approval/Impact";
import { said } from "../pages/approval/Votes";
import { followedWords } from "../pages/deployment/Constraints";
import { deliveryWords } from "../pages/hooks/HooksPage";
import { sessionWords } from "../pages/logs/ConversionSessionsPage";
import { changeWords } from "../pages/logs/ResourceChangesPage";
import { deletionWords } from "../pages/refs/deletion/Bulk";
import { kindWords, nodeWords } from "../pages/refs/graph/graph";
import { proposalWords } from "../pages/rollouts/ProposalsPage";
import { itemWords, rolloutWords } from "../pages/rollouts/waves";
import { countWords, verdictWords as decisionWords } from "../pages/versions/changes/Decisions";
import { definitionRolloutWords, phaseWords } from "../pages/versions/changes/DefinitionRollouts";
import { kept, ruleWords, verdicts, weights } from "../pages/versions/report/report";
import { brownOutWords } from "../pages/versions/usage/BrownOuts";
import { keyStrategyWords, strategyWords } from "../pages/versions/usage/KeyStrategies";
import { placeWords } from "../pages/versions/usage/usedPlace";
import { waiverWords } from "../pages/versions/Waivers";

/** What says in which state, of which kind or how something is. */
const FIELDS = new Set(
  "state upgrade_state status verdict outcome kind operation risk level weight rule strategy kept".split(" "),
);

/** The words that a page shows for the values of a field. */
const WORDS: Readonly<Record<string, object>> = {
  "Approval.state": approvalWords,
  "ApprovalSummary.state": approvalWords,
  "AuditEntry.outcome": outcomes,
  "BrownOut.state": brownOutWords,
  "ChangeDecision.rule": ruleWords,
  "ChangeDecision.verdict": decisionWords,
  "ChangeWaiver.state": waiverWords,
  "Check.verdict": verdictWords,
  "Compatibility.verdict": verdicts,
  "CompatibilityFinding.rule": ruleWords,
  "CompatibilityFinding.weight": weights,
  "Component.status": componentWords,
  "ConversionLoss.kept": kept,
  "ConversionSession.state": sessionWords,
  "CopySource.state": followedWords,
  "DefinitionPhase.state": phaseWords,
  "DefinitionRollout.state": definitionRolloutWords,
  "Delivery.state": deliveryWords,
  "Eviction.state": approvalWords,
  "Health.status": componentWords,
  "ImpactSummary.risk": riskWords,
  "IncomingReference.kind": kindWords,
  "KeyStrategy.state": keyStrategyWords,
  "KeyStrategy.strategy": strategyWords,
  "Operation.state": operationWords,
  "ReferenceEdge.kind": kindWords,
  "ReferenceGroup.kind": kindWords,
  "ReferenceNode.state": nodeWords,
  "Removal.rule": ruleWords,
  "ResourceChange.operation": changeWords,
  "Risk.level": riskWords,
  "Rollout.state": rolloutWords,
  "RolloutItem.state": itemWords,
  "RolloutItem.upgrade_state": states,
  "RolloutProposal.kind": proposalWords,
  "RolloutSummary.state": rolloutWords,
  "Shard.state": shardWords,
  "ShardChanges.state": shardWords,
  "ShardTransition.state": shardWords,
  "Step.state": stepWords,
  "StoredCount.kind": countWords,
  "Subscription.state": followedWords,
  "Transition.state": states,
  "Upgrade.state": states,
  "UpgradeSummary.state": states,
  "UsedPlace.kind": placeWords,
  "Vote.verdict": said,
  "Waiver.state": waiverWords,
  "BriefCheck.verdict": deletionWords,
};

/** What pages compare, but never show: a sentence or an icon of its own stands for each value. */
const NOT_SHOWN = new Set([
  "Account.kind",
  "Activity.kind",
  "Blockage.kind",
  "BrownOut.kind",
  "Constraints.state",
  "DefinitionReview.outcome",
  "DeletionCheck.verdict",
  "DeletionRehearsal.outcome",
  "DeletionWatch.verdict",
  "DeploymentConstraints.state",
  "Deprecation.kind",
  "PendingDeletion.state",
  "TypeChange.kind",
  "Upgrade.kind",
  "UpgradeSummary.kind",
]);

/** The fields of answers with a list of values, as the types of the description of the API have them. */
function enumerated(schema: string): Map<string, string[]> {
  const listed = new Map<string, string[]>();
  let of = "";
  for (const line of schema.split("\n")) {
    of = /^ {8}([A-Z]\w+): \{$/.exec(line)?.[1] ?? of;
    const [, field = "", values = ""] = /^ {12}(\w+)\??: \(?((?:"[^"]+"(?: \| )?)+)/.exec(line) ?? [];
    if (FIELDS.has(field) && !of.endsWith("Request"))
      listed.set(
        `${of}.${field}`,
        [...values.matchAll(/"([^"]+)"/g)].map(([, value]) => value ?? ""),
      );
  }
  return listed;
}

const fields = enumerated(readFileSync("src/wire/schema.ts", "utf8"));

it("reads the fields with their values", () => {
  const source =
    '        Thing: {\n            state?: ("a" | "b-c") | null;\n        ThingRequest: {\n            kind: "d";';
  expect([...enumerated(source)]).toEqual([["Thing.state", ["a", "b-c"]]]);
});

it("has words for each field of the API that a page shows, and says which ones no page shows", () => {
  expect([...fields.keys()].filter((field) => !(field in WORDS) && !NOT_SHOWN.has(field))).toEqual([]);
  expect([...Object.keys(WORDS), ...NOT_SHOWN].filter((field) => !fields.has(field))).toEqual([]);
});

it.each(Object.entries(WORDS))("has a word for each value of %s", (field, words) => {
  expect(fields.get(field)?.filter((value) => !(value in words))).toEqual([]);
});
