import { Button, MultiSelect, Select, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { useFleet } from "../../api/queries";
import { ForPlanners } from "../../parts/ActionButton";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded } from "../../parts/states";
import { byAge } from "../../parts/versions";
import { TabList } from "../../parts/tabs/TabList";
import type { Fleet } from "../../wire/model";
import { expectedText, Proposal, type RolloutProposal } from "./Proposal";
import { wavesText } from "./waves";
import { plural, rich, t } from "../../words/text";

export const proposalWords: Record<RolloutProposal["kind"], string> = {
  balanced: t`Balanced`,
  fastest: t`Fastest`,
  safest: t`Safest`,
};

/** The form with exactly these waves; its dry run checks every deployment before anything is stored. */
function formOf(of: RolloutProposal): string {
  const waves = of.waves.map((wave) => wave.map((each) => each.deployment));
  return `/rollouts/new?${new URLSearchParams({ waves: wavesText(waves), target: of.target_version })}`;
}

function Alternatives({ of, kind, onKind }: { of: RolloutProposal[]; kind: string; onKind: (kind: string) => void }) {
  return (
    <Tabs value={kind || "balanced"} onChange={(value) => onKind(value ?? "")} keepMounted={false}>
      <TabList chosen={kind}>
        {of.map((each) => (
          <Tabs.Tab key={each.kind} value={each.kind}>
            {proposalWords[each.kind]}: {plural(each.waves.length, "# wave", "# waves")}
          </Tabs.Tab>
        ))}
      </TabList>
      {of.map((each) => (
        <Tabs.Panel key={each.kind} value={each.kind} pt="sm">
          {each.waves.length ? (
            <div className="row between wrap">
              <p>{rich`Expected time: ${expectedText(each.seconds)}.`}</p>
              <ForPlanners label={t`Create this rollout…`}>
                <Button component={Link} to={formOf(each)} variant="filled">
                  {t`Create this rollout…`}
                </Button>
              </ForPlanners>
            </div>
          ) : (
            <Empty title={t`No deployment can be upgraded now.`} />
          )}
          <Proposal of={each} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Choice({ fleet }: { fleet: Fleet }) {
  const { filters, set } = useFilters(["services", "regions", "target", "kind"]);
  const services = filters.services.split(",").filter(Boolean);
  const regions = filters.regions.split(",").filter(Boolean);
  const versions = [
    ...new Set(fleet.services.filter((each) => services.includes(each.name)).flatMap((each) => each.versions)),
  ].sort(byAge);
  const ready = services.length > 0 && filters.target !== "";
  const proposals = useQuery({
    queryKey: ["rollout", "proposals", filters.services, filters.regions, filters.target],
    queryFn: ({ signal }) =>
      read("/rollouts/proposals", {
        query: { target_version: filters.target, services: filters.services, regions: filters.regions },
        signal,
      }),
    enabled: ready,
  });
  return (
    <>
      <Card>
        <div className="stack">
          <MultiSelect
            label={t`Services`}
            searchable
            data={fleet.services.map((each) => each.name)}
            value={services}
            onChange={(names) => set("services", names.join(","))}
            clearButtonProps={{ "aria-label": t`Clear the services` }}
          />
          <MultiSelect
            label={t`Regions`}
            description={t`Empty: all.`}
            searchable
            data={fleet.regions.map((each) => each.name)}
            value={regions}
            onChange={(names) => set("regions", names.join(","))}
            clearButtonProps={{ "aria-label": t`Clear the regions` }}
          />
          <Select
            label={t`Target version`}
            data={versions}
            value={versions.includes(filters.target) ? filters.target : null}
            onChange={(version) => set("target", version ?? "")}
          />
        </div>
      </Card>
      <Card title={t`Proposals`}>
        {ready ? (
          <Loaded of={proposals} lines={4}>
            {({ items }) => <Alternatives of={items} kind={filters.kind} onKind={(kind) => set("kind", kind)} />}
          </Loaded>
        ) : (
          <Empty title={t`Choose services and a version.`}>
            {t`Waves are proposed in which no intermediate state breaks a service that imports another.`}
          </Empty>
        )}
      </Card>
    </>
  );
}

export function ProposalsPage() {
  const fleet = useFleet();
  return (
    <Page
      title={t`Rollout proposals`}
      under={[
        { title: t`Upgrades`, to: "/upgrades" },
        { title: t`Rollouts`, to: "/rollouts" },
      ]}
    >
      <Loaded of={fleet}>{(data) => <Choice fleet={data} />}</Loaded>
    </Page>
  );
}
