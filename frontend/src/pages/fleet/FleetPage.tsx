import { Button, NativeSelect, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useNavigate } from "react-router";
import { useAccount, useFleet } from "../../api/queries";
import { ActionButton, MAY_PLAN, permitted } from "../../parts/ActionButton";
import { Copy } from "../../parts/Copy";
import { Card, Page } from "../../parts/Page";
import { TableChoices } from "../../parts/tables/TableChoices";
import { SavedViews } from "../../parts/tables/SavedViews";
import { choiceOf, useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { useSteady } from "../../parts/tables/useSteady";
import type { Fleet } from "../../wire/model";
import { HeatView } from "../home/HeatView";
import { BulkMode } from "./BulkMode";
import {
  byContinent,
  byPlace,
  continentOf,
  FLEET_ORDERS,
  FLEET_VIEWS,
  labelsOf,
  matches,
  shownServices,
  tally,
  versionsBehind,
  worstFirst,
} from "./fleet";
import { FleetTable } from "./FleetTable";
import { Freeze } from "./Freeze";
import { FleetMap } from "./FleetMap";
import { LoadExample } from "./LoadExample";
import { Matrix } from "./Matrix";
import { useSelection } from "./selection";
import { plural, rich, t } from "../../words/text";

const BEHIND = [
  { value: "1", label: t`1 or more behind` },
  { value: "2", label: t`2 or more behind` },
  { value: "3", label: t`3 or more behind` },
];

const MAY = {
  mode: t`Changing the switch mode requires permission to change deployments.`,
  freeze: t`Changing windows and freezes requires permission to change them.`,
};

function Selection({
  names,
  cells,
  onClear,
}: {
  names: ReadonlySet<string>;
  cells: Fleet["cells"];
  onClear: () => void;
}) {
  const permissions = useAccount()?.permissions ?? [];
  const chosen = cells.filter((cell) => names.has(cell.name));
  const navigate = useNavigate();
  if (names.size === 0) return null;
  return (
    <section className="card row wrap filters chosen-bar" aria-label={t`Selected deployments`}>
      <b role="status">{rich`${names.size} selected`}</b>
      <ActionButton
        of={permitted(permissions, "upgrade.plan", MAY_PLAN)}
        primary
        onAct={() => void navigate(`/rollouts/new?deployments=${encodeURIComponent([...names].join(","))}`)}
      >
        {t`Plan a rollout…`}
      </ActionButton>
      {permissions.includes("registry.write") ? (
        <BulkMode cells={chosen} />
      ) : (
        <ActionButton of={permitted(permissions, "registry.write", MAY.mode)} onAct={() => undefined}>
          {t`Switch mode…`}
        </ActionButton>
      )}
      {permissions.includes("window.write") ? (
        <Freeze cells={chosen} />
      ) : (
        <ActionButton
          of={permitted(permissions, "window.write", MAY.freeze, ["operator", "admin"])}
          onAct={() => undefined}
        >
          {t`Freeze…`}
        </ActionButton>
      )}
      <Copy value={[...names].join("\n")} what={t`the names`} />
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t`Clear`}
      </Button>
    </section>
  );
}

function Body({ fleet }: { fleet: Fleet }) {
  const { filters, set, clear, any } = useFilters([
    "q",
    "service",
    "region",
    "state",
    "version",
    "label",
    "behind",
    "owner",
    "continent",
  ]);
  const view = useFilters(["view", "order", "down", "rows"]);
  const form = choiceOf(view.filters.view, FLEET_VIEWS, "matrix");
  const selection = useSelection();
  const { selected, choose, clear: unselect } = selection;
  const shown = shownServices(fleet, filters);
  const behind = versionsBehind(fleet.services);
  const regions = byContinent(fleet.regions).filter(
    (region) =>
      (!filters.region || region.name === filters.region) &&
      (!filters.continent || continentOf(region) === filters.continent),
  );
  const here = new Set(regions.map((region) => region.name));
  const cells = fleet.cells.filter((cell) => matches(cell, filters, behind(cell)) && here.has(cell.region));
  const labels = labelsOf(fleet.cells);
  const tiers = view.filters.rows === "tier";
  const steady = useSteady(
    tiers ? shown : worstFirst(shown, cells, behind),
    (service) => service.name,
    `${tiers} ${JSON.stringify(filters)}`,
  );
  const owners = [...new Set(fleet.cells.flatMap((cell) => cell.owner ?? []))].sort();
  const continents = [...new Set(fleet.regions.map(continentOf))].filter(Boolean).sort();
  const versions = [...new Set(fleet.services.flatMap((service) => service.versions))].sort();
  if (fleet.services.length === 0) {
    return (
      <Card>
        <Empty title={t`No services are registered.`} command="swy service apply examples/secrets">
          {t`A service defines resource types, versions and the conversions between them.`}
          <LoadExample />
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <div className="row between wrap">
        <SegmentedControl
          size="xs"
          aria-label={t`View`}
          value={form}
          onChange={(value) => view.set("view", value === "matrix" ? "" : value)}
          data={[
            { value: "matrix", label: t`Matrix` },
            { value: "heat", label: t`Heat map` },
            { value: "table", label: t`Table` },
            { value: "map", label: t`Map` },
          ]}
        />
        <div className="row tight">
          {form === "matrix" ? (
            <NativeSelect
              size="xs"
              aria-label={t`Order`}
              value={tiers ? "tier" : ""}
              onChange={(event) => view.set("rows", event.currentTarget.value)}
              data={[
                { value: "", label: t`attention first` },
                { value: "tier", label: t`by tier` },
              ]}
            />
          ) : null}
          {form === "table" || form === "matrix" ? <TableChoices /> : null}
          <SavedViews page="fleet" />
        </div>
      </div>
      <section className="card row wrap filters" aria-label={t`Filters`}>
        <span className="pill soft-plain">
          {plural(fleet.services.length, "# service", "# services")} ×{" "}
          {plural(fleet.regions.length, "# region", "# regions")}
        </span>
        {tally(fleet.cells).map((each) => (
          <button
            key={each.word}
            type="button"
            className={`pill filter soft-${each.tone}`}
            aria-pressed={filters.state === each.state}
            onClick={() => set("state", filters.state === each.state ? "" : each.state)}
          >
            <Shape tone={each.tone} size={13} />
            {each.count} {each.word}
          </button>
        ))}
        <span className="line-end" />
        <TextInput
          size="xs"
          w={130}
          data-filter
          type="search"
          aria-label={t`Find deployments`}
          placeholder={t`Find…`}
          value={filters.q}
          onChange={(event) => set("q", event.currentTarget.value)}
        />
        {fleet.services.length > 1 || filters.service ? (
          <Select
            size="xs"
            w={140}
            searchable
            limit={200}
            aria-label={t`Service`}
            placeholder={t`Any service`}
            clearable
            clearButtonProps={{ "aria-label": t`Clear service` }}
            data={fleet.services.map((service) => service.name)}
            value={filters.service || null}
            onChange={(value) => set("service", value ?? "")}
          />
        ) : null}
        <Select
          size="xs"
          w={140}
          searchable
          limit={200}
          aria-label={t`Region`}
          placeholder={t`Any region`}
          clearable
          clearButtonProps={{ "aria-label": t`Clear region` }}
          data={fleet.regions.map((region) => region.name)}
          value={filters.region || null}
          onChange={(value) => set("region", value ?? "")}
        />
        <Select
          size="xs"
          w={140}
          aria-label={t`Version`}
          placeholder={t`Any version`}
          clearable
          clearButtonProps={{ "aria-label": t`Clear version` }}
          data={versions}
          value={filters.version || null}
          onChange={(value) => set("version", value ?? "")}
        />
        <Select
          size="xs"
          w={150}
          aria-label={t`Versions behind`}
          placeholder={t`Behind: any`}
          clearable
          clearButtonProps={{ "aria-label": t`Clear versions behind` }}
          data={BEHIND}
          value={filters.behind || null}
          onChange={(value) => set("behind", value ?? "")}
        />
        {continents.length > 1 ? (
          <Select
            size="xs"
            w={130}
            aria-label={t`Continent`}
            placeholder={t`Any continent`}
            clearable
            clearButtonProps={{ "aria-label": t`Clear continent` }}
            data={continents}
            value={filters.continent || null}
            onChange={(value) => set("continent", value ?? "")}
          />
        ) : null}
        {owners.length ? (
          <Select
            size="xs"
            w={180}
            aria-label={t`Upgrade planned by`}
            placeholder={t`Upgrade planned by…`}
            clearable
            clearButtonProps={{ "aria-label": t`Clear who planned the upgrade` }}
            data={owners}
            value={filters.owner || null}
            onChange={(value) => set("owner", value ?? "")}
          />
        ) : null}
        {labels.length ? (
          <Select
            size="xs"
            w={170}
            searchable
            aria-label={t`Label`}
            placeholder={t`Any label`}
            clearable
            clearButtonProps={{ "aria-label": t`Clear label` }}
            data={labels}
            value={filters.label || null}
            onChange={(value) => set("label", value ?? "")}
          />
        ) : null}
      </section>
      <Selection names={selected} cells={fleet.cells} onClear={unselect} />
      {shown.length === 0 || (cells.length === 0 && any) ? (
        <Card>
          <Empty title={t`No deployment matches.`}>
            <Button onClick={clear}>{t`Clear filters`}</Button>
          </Empty>
        </Card>
      ) : (
        <Card className={form === "heat" ? "" : "flush"}>
          {form === "heat" ? (
            <HeatView fleet={{ services: shown, regions, cells }} selection={selection} />
          ) : form === "map" ? (
            <FleetMap services={shown} regions={regions} cells={cells} onTable={() => view.set("view", "table")} />
          ) : form === "table" ? (
            <FleetTable
              cells={cells}
              services={shown}
              order={choiceOf(view.filters.order, FLEET_ORDERS, "attention")}
              down={view.filters.down === "yes"}
              selected={selected}
              onSelect={choose}
              onOrder={(order, down) =>
                view.put([
                  ["order", order],
                  ["down", down ? "yes" : ""],
                ])
              }
            />
          ) : (
            <div {...steady.over}>
              <Matrix
                services={steady.rows}
                tiers={tiers}
                regions={regions}
                places={byPlace(cells)}
                selected={selected}
                onSelect={(name) => choose([name], !selected.has(name))}
              />
            </div>
          )}
        </Card>
      )}
      {form === "matrix" ? (
        <p className="muted small keys-hint">
          {t`Arrow keys, Home and End move in the grid, Enter opens, Space, x, or Ctrl and a click selects,
          Shift and an arrow selects a range.`}
        </p>
      ) : null}
    </>
  );
}

export function FleetPage() {
  const fleet = useFleet();
  const permissions = useAccount()?.permissions;
  const navigate = useNavigate();
  return (
    <Page
      title={t`Fleet`}
      actions={
        permissions ? (
          <ActionButton
            of={permitted(permissions, "upgrade.plan", MAY_PLAN)}
            primary
            onAct={() => void navigate("/upgrades/new")}
          >
            {t`Plan upgrade…`}
          </ActionButton>
        ) : null
      }
    >
      <Loaded of={fleet} lines={8}>
        {(data) => <Body fleet={data} />}
      </Loaded>
    </Page>
  );
}
