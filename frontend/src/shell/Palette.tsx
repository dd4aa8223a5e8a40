import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from "@mantine/spotlight";
import { useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { read } from "../api/client";
import { useAccount } from "../api/queries";
import { upgradeWord } from "../parts/status";
import type { Fleet, Page, UpgradeSummary } from "../wire/model";
import { useStore } from "../state/store";
import { places } from "./navigation";
import { paletteIsOpen } from "./palette";
import { t } from "../words/text";

const SHOWN = 12;
const NEWEST = 5;
const [store, actions] = createSpotlight();

/** Everything one can go to by name; deployments and upgrades come from what the console already read. */
export function Palette({ commands }: { commands: { label: string; run: () => void }[] }) {
  const isOpen = useStore(paletteIsOpen);
  const [query, setQuery] = useState("");
  // Opened after it is there, so that it knows where the focus goes back to.
  useEffect(() => (isOpen ? actions.open() : actions.close()), [isOpen]);
  const navigate = useNavigate();
  const cache = useQueryClient();
  const account = useAccount();
  const to =
    (path: string): (() => void) =>
    () =>
      void navigate(path);
  const fleet = cache.getQueryData<Fleet>(["fleet"]);
  // The newest ones; what a list has read beyond them is known by its pages.
  const newest = useQuery({
    queryKey: ["palette", "upgrades"],
    queryFn: ({ signal }) => read("/upgrades", { signal }),
    enabled: isOpen && (account?.permissions.includes("upgrade.read") ?? false),
    staleTime: 10_000,
  });
  const lists = cache.getQueriesData<InfiniteData<Page<UpgradeSummary>>>({ queryKey: ["upgrades"] });
  const pages: SpotlightActionData[] = places
    .filter((place) => !place.permission || account?.permissions.includes(place.permission))
    .map((place) => ({ id: place.to, label: place.title, onClick: to(place.to) }));
  const deployments: SpotlightActionData[] = (fleet?.cells ?? []).map((cell) => ({
    id: cell.name,
    label: `${cell.service} @ ${cell.region}`,
    description: t`Deployment · ${cell.current_version}`,
    onClick: to(`/d/${cell.service}/${cell.region}`),
  }));
  const known = [
    ...(newest.data?.items ?? []),
    ...lists.flatMap(([, list]) => list?.pages?.flatMap((page) => page.items) ?? []),
  ];
  const seen = new Map(known.map((upgrade) => [upgrade.id, upgrade]));
  const upgrades: SpotlightActionData[] = [...seen.values()].map((upgrade) => ({
    id: upgrade.id,
    label: `${upgrade.service} @ ${upgrade.region}: ${upgrade.from_version} → ${upgrade.to_version}`,
    description: t`Upgrade · ${upgradeWord(upgrade).word}`,
    onClick: to(`/upgrades/${upgrade.id}`),
  }));
  const rest: SpotlightActionGroupData[] = [
    { group: t`Deployments`, actions: deployments },
    { group: t`Upgrades`, actions: upgrades },
    { group: t`Commands`, actions: commands.map((each) => ({ id: each.label, label: each.label, onClick: each.run })) },
  ];
  const isSearch = query.trim() !== "";
  // Before anything is typed: what is under way first, then where one can go.
  const groups: SpotlightActionGroupData[] = isSearch
    ? [{ group: t`Pages`, actions: pages }, ...rest]
    : [
        { group: t`Newest upgrades`, actions: upgrades.slice(0, NEWEST) },
        { group: t`Pages`, actions: pages },
      ];
  return (
    <Spotlight
      store={store}
      onSpotlightClose={() => paletteIsOpen.set(false)}
      actions={groups.filter((each) => each.actions.length > 0)}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      limit={isSearch ? SHOWN : pages.length + NEWEST}
      highlightQuery
      nothingFound={t`No matches.`}
      searchProps={{ placeholder: t`Page, deployment, upgrade or command`, "aria-label": t`Search` }}
      scrollable
      maxHeight={420}
    />
  );
}
