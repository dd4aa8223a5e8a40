import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { useAccount } from "../api/queries";
import type { Fleet, Page, UpgradeSummary } from "../wire/model";
import { places } from "./navigation";
import { paletteStore } from "./palette-store";
import { t } from "../words/text";

const SHOWN = 12;

/** Everything one can go to by name; deployments and upgrades come from what the console already read. */
export function Palette({ commands }: { commands: { label: string; run: () => void }[] }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const account = useAccount();
  const to =
    (path: string): (() => void) =>
    () =>
      void navigate(path);
  const fleet = cache.getQueryData<Fleet>(["fleet"]);
  const lists = cache.getQueriesData<Page<UpgradeSummary>>({ queryKey: ["upgrades"] });
  const pages: SpotlightActionData[] = places
    .filter((place) => !place.permission || account?.permissions.includes(place.permission))
    .map((place) => ({ id: place.to, label: place.title, onClick: to(place.to) }));
  const deployments: SpotlightActionData[] = (fleet?.cells ?? []).map((cell) => ({
    id: cell.name,
    label: `${cell.service} @ ${cell.region}`,
    description: t`Deployment · ${cell.current_version}`,
    onClick: to(`/d/${cell.service}/${cell.region}`),
  }));
  const seen = new Map(lists.flatMap(([, list]) => list?.items ?? []).map((upgrade) => [upgrade.id, upgrade]));
  const upgrades: SpotlightActionData[] = [...seen.values()].map((upgrade) => ({
    id: upgrade.id,
    label: `${upgrade.service} @ ${upgrade.region}: ${upgrade.from_version} → ${upgrade.to_version}`,
    description: t`Upgrade`,
    onClick: to(`/upgrades/${upgrade.id}`),
  }));
  const groups: SpotlightActionGroupData[] = [
    { group: t`Pages`, actions: pages },
    { group: t`Deployments`, actions: deployments },
    { group: t`Upgrades`, actions: upgrades },
    { group: t`Commands`, actions: commands.map((each) => ({ id: each.label, label: each.label, onClick: each.run })) },
  ];
  return (
    <Spotlight
      store={paletteStore}
      actions={groups.filter((each) => each.actions.length > 0)}
      shortcut="mod + K"
      limit={SHOWN}
      highlightQuery
      nothingFound={t`No matches.`}
      searchProps={{ placeholder: t`Page, deployment, upgrade or command`, "aria-label": t`Search` }}
      scrollable
      maxHeight={420}
    />
  );
}
