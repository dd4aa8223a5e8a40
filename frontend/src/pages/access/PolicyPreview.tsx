import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { write } from "../../api/client";
import { ProblemPanel } from "../../parts/states";
import { Shape } from "../../parts/Shape";
import type { components } from "../../wire/schema";
import { plural, rich, t } from "../../words/text";

/** Whom a policy would ask, which upgrades of late it matches, and which it would have decided. */
export function PolicyPreview({ body }: { body: components["schemas"]["NewPolicyRequest"] }) {
  const result = useQuery({
    queryKey: ["policy-preview", body],
    queryFn: ({ signal }) => write.post("/policies/preview", { body, signal }),
    retry: false,
    gcTime: 0,
    staleTime: 30_000,
  });
  if (result.isError) return <ProblemPanel error={result.error} />;
  if (!result.data) return null;
  const { seen, upgrades, voters } = result.data;
  const short = (body.needed ?? 1) > voters.length;
  return (
    <>
      <h3>{rich`Possible approvers: ${voters.length}`}</h3>
      <p className={short ? "ink-bad" : ""}>
        {short ? <Shape tone="bad" size={13} /> : null} {voters.join(", ") || t`None`}
        {short ? t`: fewer than the required ${body.needed ?? 1}.` : "."}{" "}
        <span className="small muted">{t`The planner and the requester cannot vote.`}</span>
      </p>
      <h3>
        {t`It matches ${upgrades.length} of the last ${plural(seen, "# upgrade", "# upgrades")}, and would apply to
          ${upgrades.filter((each) => each.decides).length}`}
      </h3>
      {upgrades.length ? (
        <ul className="plain-list small">
          {upgrades.slice(0, 8).map((each) => (
            <li key={each.id}>
              <Link to={`/upgrades/${each.id}`}>
                {each.service} @ {each.region}
              </Link>{" "}
              {each.from_version} → {each.to_version}
              {each.decides ? null : <span className="muted">{rich`, subject to ${each.decided_by}`}</span>}
            </li>
          ))}
          {upgrades.length > 8 ? <li className="muted">{rich`and ${upgrades.length - 8} more`}</li> : null}
        </ul>
      ) : null}
    </>
  );
}
