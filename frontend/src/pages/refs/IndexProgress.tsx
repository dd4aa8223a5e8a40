import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { Shape } from "../../parts/Shape";
import type { components } from "../../wire/schema";
import { worded } from "../../words/server";
import { t } from "../../words/text";

export type IndexBuild = components["schemas"]["FillingVersion"];

const AGAIN_MS = 3000;

/** The versions whose references are being filled, as far as this person may read them. */
export function useIndexBuilds(): readonly IndexBuild[] {
  const result = useQuery({
    queryKey: ["fleet", "building"],
    queryFn: ({ signal }) => read("/references/building", { signal }),
    refetchInterval: (query) => (query.state.data?.items.length ? AGAIN_MS : false),
  });
  return result.data?.items ?? [];
}

/** Whoever asks for references of a version that is not served yet is told how far its index is. */
export function IndexProgress({ of }: { of: readonly IndexBuild[] }) {
  if (of.length === 0) return null;
  return (
    <div className="notice soft-wait" role="status">
      <Shape tone="run" />
      <ul className="plain-list grow">
        {of.map((each) => (
          <li key={each.upgrade_id}>
            {worded(each.sentence, each.phrases)} <Link to={`/upgrades/${each.upgrade_id}`}>{t`Open the upgrade`}</Link>
            <Progress
              mt={4}
              size="sm"
              value={each.percent ?? 100}
              animated={each.percent === null}
              aria-label={
                each.percent === null
                  ? t`Index of ${each.version} in ${each.service} @ ${each.region}: no progress yet`
                  : t`Index of ${each.version} in ${each.service} @ ${each.region}`
              }
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
