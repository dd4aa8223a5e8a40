import type { Tone } from "../../../parts/Shape";
import type { components } from "../../../wire/schema";
import { language } from "../../../words/language";
import { worded } from "../../../words/server";
import { t } from "../../../words/text";

export type Report = components["schemas"]["Compatibility"];
export type Finding = components["schemas"]["CompatibilityFinding"];
export type Loss = components["schemas"]["ConversionLoss"];

export const verdicts: Record<Report["verdict"], { tone: Tone; word: string }> = {
  same: { tone: "ok", word: t`the same` },
  compatible: { tone: "ok", word: t`compatible` },
  handled: { tone: "ok", word: t`converted` },
  breaking: { tone: "bad", word: t`breaks` },
};

export const weights: Record<Finding["weight"], { tone: Tone; word: string }> = {
  break: { tone: "bad", word: t`breaks` },
  staged: { tone: "blocked", word: t`needs stages` },
  ordered: { tone: "wait", word: t`order matters` },
  note: { tone: "plain", word: t`harmless` },
};

export const ruleWords: Record<Finding["rule"], string> = {
  "key-added": t`key added`,
  "key-added-required": t`required key added`,
  "key-removed": t`key removed`,
  "key-status": t`status of a key changed`,
  "type-widened": t`type widened`,
  "type-narrowed": t`type narrowed`,
  "type-replaced": t`type replaced`,
  "default-changed": t`default changed`,
  "unit-changed": t`unit changed`,
  "number-changed": t`wire number changed`,
  "number-reused": t`wire number reused`,
  "resource-added": t`resource type added`,
  "resource-removed": t`resource type removed`,
  "pattern-added": t`pattern added`,
  "pattern-removed": t`pattern removed`,
  "id-pattern-changed": t`id pattern changed`,
  "symbol-removed": t`enum symbol removed`,
  "method-removed": t`method removed`,
  "method-changed": t`method changed`,
  "version-removed": t`version removed`,
  "sunset-moved": t`sunset moved`,
};

/** The rule in words; a server of a newer release may know more of them. */
export function ruleText(rule: string): string {
  return (ruleWords as Record<string, string>)[rule] ?? rule.replaceAll("-", " ");
}

const statusWords: Record<string, string> = {
  unknown: t`not there`,
  optional: t`optional`,
  required: t`required`,
  deprecated: t`deprecated`,
};

/** Ways to update a resource; JSON Patch is one, too. */
export const updateWords: Record<string, string> = {
  "PUT replace": t`PUT that replaces`,
  "PUT through lens": t`PUT through a conversion`,
  "merge patch": t`merge patch`,
  "field-mask update": t`update with a field mask`,
  "update with mask *": t`update with the mask *`,
};

/** `required → not there`: of a key its status on both sides, of all else what the definitions say. */
export function changeText({ rule, before, after }: Pick<Finding, "rule" | "before" | "after">): string {
  if (!before && !after) return "";
  const side = (text: string): string => (rule.startsWith("key-") && statusWords[text]) || text || t`nothing`;
  return `${side(before)} → ${side(after)}`;
}

/** In which messages it differs. */
export const whereWords: Record<string, string> = { request: t`request`, response: t`response` };

/** Which side is upgraded first. */
export const orderWords: Record<string, string> = {
  any: t`any`,
  "server first": t`server first`,
  "client first": t`client first`,
  staged: t`staged`,
  never: t`never`,
  "never in place": t`never in place`,
};

export const kept: Record<Loss["kept"], string> = {
  bag: t`preserved, not shown`,
  witness: t`restored while the converted value is unchanged`,
  no: t`is lost`,
  hidden: t`not visible in the other version`,
};

/** What weighs most and is not handled comes first. */
export function byWeight(findings: readonly Finding[]): Finding[] {
  const rank = Object.keys(weights);
  return [...findings].sort(
    (a, b) =>
      Number(a.handled) - Number(b.handled) ||
      rank.indexOf(a.weight) - rank.indexOf(b.weight) ||
      a.path.localeCompare(b.path),
  );
}

export type Class = Finding["classes"][number];

/** The short names; `JSON` is one. */
export const classNames: Record<string, string> = { wire: t`wire`, source: t`source`, semantic: t`semantic` };

export const classes: Record<Class, string> = {
  wire: t`binary clients read or write it differently`,
  JSON: t`JSON clients read or write it differently`,
  source: t`generated or written code does not compile`,
  semantic: t`the same value has another meaning`,
};

export type Category = Finding["buf"][number];

/** Buf's categories, the strictest first. */
export const categories: Record<Category, string> = {
  FILE: t`generated code, file by file`,
  PACKAGE: t`generated code, package by package`,
  WIRE_JSON: t`the binary form or JSON`,
  WIRE: t`the binary form`,
};

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

/** What tells one place of a report from another. */
export function placeOf(finding: Pick<Finding, "rule" | "path" | "where">): string {
  return `${finding.path} ${finding.where} ${finding.rule}`;
}

/** What one report finds that another does not. */
export function beyond(one: Report, other: Report): Finding[] {
  const known = new Set(other.findings.map(placeOf));
  return byWeight(one.findings.filter((each) => !known.has(placeOf(each))));
}

export interface Consumer {
  types: ReadonlySet<string>;
  keys: ReadonlySet<string>;
}

/** Whether a client meets a difference: it uses the resource type, and of a key's difference also the key or what is around it. */
export function meets(finding: Pick<Finding, "path">, consumer: Consumer): boolean {
  const [type = "", ...rest] = finding.path.split(/[.\s]/);
  if (!consumer.types.has(type)) return false;
  const key = rest.join(".").replace(/\[[^\]]*\]/g, "");
  if (key === "") return true;
  return [...consumer.keys].some(
    (used) =>
      used === `${type}.${key}` || used.startsWith(`${type}.${key}.`) || `${type}.${key}`.startsWith(`${used}.`),
  );
}

function safe(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const STYLE = [
  "body{font:15px/1.5 Inter,system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}",
  "table{border-collapse:collapse;width:100%}",
  "th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #d5d9e2;overflow-wrap:anywhere}",
  "th{font-size:.85em;color:#5b6172}",
].join("");

/** The report as a page of its own, for whoever has no account here. */
export function html(report: Report): string {
  const row = (cells: string[]): string => `<tr>${cells.map((cell) => `<td>${safe(cell)}</td>`).join("")}</tr>`;
  const table = (head: string[], rows: string[]): string =>
    rows.length
      ? `<table><thead><tr>${head.map((each) => `<th>${each}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`
      : `<p>${t`None.`}</p>`;
  const title = t`${report.service}: ${report.before} to ${report.after}`;
  const findings = byWeight(report.findings).map((each) =>
    row([
      each.handled ? t`handled` : weights[each.weight].word,
      each.path,
      whereWords[each.where] ?? each.where,
      ruleText(each.rule),
      each.classes.join(", ") + (each.buf.length ? t`; Buf: ${each.buf.join(", ")}` : ""),
      changeText(each),
      orderWords[each.order] ?? each.order,
      worded(each.advice),
      each.transform,
      each.plan.map((step, at) => `${at + 1}. ${worded(step)}`).join(" "),
    ]),
  );
  const losses = report.losses.map((each) => row([each.path, each.way, each.op, kept[each.kept]]));
  const heads = [
    t`Severity`,
    t`Where`,
    t`Part`,
    t`Finding`,
    t`Class`,
    t`Change`,
    t`Upgrade order`,
    t`Remedy`,
    t`Transform`,
  ];
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${safe(title)}</title><style>${STYLE}</style>`,
    `<h1>${safe(title)}</h1><p><b>${safe(worded(report.sentence, report.phrases))}</b></p>`,
    `<p>${t`Clients ${report.client}, servers ${report.server} unknown keys; ${report.policy}.`}</p>`,
    `<h2>${t`Differences`}</h2>${table([...heads, t`Steps without it`], findings)}`,
    `<h2>${t`Hidden fields`}</h2>${table([t`Field`, t`Direction`, t`By`, t`Value`], losses)}</html>`,
  ].join("");
}
