import { Copy } from "../../../parts/Copy";
import type { Finding } from "./report";
import { worded } from "../../../words/server";
import { t } from "../../../words/text";

/** What an edge says of a difference, or could say; and what servers and clients would do one after the other without it. */
export function Transform({ of }: { of: Pick<Finding, "transform" | "plan" | "handled"> }) {
  return (
    <>
      {of.transform ? (
        <div className="row tight transform">
          <code className="small break">
            {of.handled ? "" : t`In a new version: `}
            {of.transform}
          </code>
          <Copy value={of.transform} what={t`this transform`} />
        </div>
      ) : null}
      {of.plan.length ? (
        <details className="small">
          <summary>{of.handled ? t`Manual steps` : t`Conversion steps`}</summary>
          <ol>
            {of.plan.map((step) => (
              <li key={step}>{worded(step)}</li>
            ))}
          </ol>
        </details>
      ) : null}
    </>
  );
}
