import type { Tone } from "../../parts/Shape";
import type { components } from "../../wire/schema";

export type Report = components["schemas"]["CompatibilityShape"];
export type Finding = components["schemas"]["CompatibilityFindingShape"];
export type Loss = components["schemas"]["ConversionLossShape"];

export const verdicts: Record<Report["verdict"], { tone: Tone; word: string }> = {
  same: { tone: "ok", word: "the same" },
  compatible: { tone: "ok", word: "compatible" },
  handled: { tone: "ok", word: "converted" },
  breaking: { tone: "bad", word: "breaks" },
};

export const weights: Record<Finding["weight"], { tone: Tone; word: string }> = {
  break: { tone: "bad", word: "breaks" },
  staged: { tone: "blocked", word: "needs stages" },
  ordered: { tone: "wait", word: "one side first" },
  note: { tone: "plain", word: "harmless" },
};

export const kept: Record<Loss["kept"], string> = {
  bag: "waits out of sight, nothing is lost",
  witness: "comes back while its image is unchanged",
  no: "is given up",
  hidden: "is hidden from the other version",
};

/** What weighs most and is not handled comes first. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  const rank = Object.keys(weights);
  return [...findings].sort((a, b) => Number(a.handled) - Number(b.handled) || rank.indexOf(a.weight) - rank.indexOf(b.weight) || a.path.localeCompare(b.path));
}

/** A finding's own address on the page. */
export function anchor(finding: Finding): string {
  return `${finding.path} ${finding.rule} ${finding.where}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** `v1alpha2..v1` in its two parts. */
export function rangeOf(text: string): { before: string; after: string } {
  const [before = "", after = ""] = text.split("..");
  return { before, after };
}

/** How much of what differs the conversions take care of. */
export function coverage(findings: readonly Finding[]): { handled: number; total: number } {
  return { handled: findings.filter((each) => each.handled).length, total: findings.length };
}

const levels: Record<Finding["weight"], string> = { break: "error", staged: "error", ordered: "warning", note: "note" };

/** The findings in the format that code review tools read. */
export function sarif(report: Report): unknown {
  return {
    version: "2.1.0",
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    runs: [{
      tool: { driver: { name: "Switchyard", rules: [...new Set(report.findings.map((each) => each.rule))].map((id) => ({ id })) } },
      results: report.findings.map((each) => ({
        ruleId: each.rule,
        level: each.handled ? "note" : levels[each.weight],
        message: { text: `${each.path} ${each.where}: ${each.before || "nothing"} → ${each.after || "nothing"}. ${each.advice}` },
        locations: [{ logicalLocations: [{ fullyQualifiedName: `${report.service}/${report.after}/${each.path}` }] }],
      })),
    }],
  };
}
