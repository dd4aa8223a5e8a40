import { Link } from "react-router";
import type { AuditEntry } from "../../wire/model";
import { worded } from "../../words/server";

/** What a kind is called: by the title that the server gives it, else by its name. */
export function kindOf(kind: string, title?: string): string {
  return title ? worded(title) : kind;
}

/** Where a target is shown: people look for it by its name, the ledger keeps its id. */
export function targetLink(of: Pick<AuditEntry, "target_kind" | "target" | "service" | "region">): {
  name: string;
  to: string;
} {
  const place = of.service && of.region ? `${of.service} @ ${of.region}` : "";
  switch (of.target_kind) {
    case "upgrade":
      return { name: place || of.target, to: of.target ? `/upgrades/${of.target}` : "" };
    case "approval":
      return { name: place || of.target, to: of.target ? `/approvals/${of.target}` : "" };
    case "deployment":
      return { name: place || of.target, to: place ? `/d/${of.service}/${of.region}` : "" };
    default:
      // A request that changed nothing is known by its address, and by the deployment that it was about.
      return of.target.startsWith("/api/") && place
        ? { name: place, to: `/d/${of.service}/${of.region}` }
        : { name: of.target, to: "" };
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The versions that an entry names beside its target: of a plan both, of another entry the one that it keeps; or empty. */
export function targetVersion({ before, after }: Pick<AuditEntry, "before" | "after">): string {
  const kept = { ...before, ...after };
  const [from, to] = [textOf(kept.from_version), textOf(kept.to_version)];
  return from && to ? `${from} → ${to}` : to || textOf(kept.version);
}

/** What an entry is about, as a link where there is a page of it. */
export function TargetName({ of }: { of: AuditEntry }) {
  const { name, to } = targetLink(of);
  if (name.startsWith("/api/")) return <span className="mono small">{name}</span>;
  const kind = kindOf(of.target_kind, of.target_kind_title);
  if (!name) return <span className="muted">{kind}</span>;
  const version = of.service && of.region ? targetVersion(of) : "";
  return (
    <>
      <span className="small muted">{kind}</span> {to ? <Link to={to}>{name}</Link> : name}
      {version ? <span className="small"> {version}</span> : null}
    </>
  );
}
