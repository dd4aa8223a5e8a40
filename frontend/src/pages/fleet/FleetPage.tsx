import { Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useNavigate } from "react-router";
import { useAccount, useFleet } from "../../api/queries";
import { ActionButton, MAY_PLAN, permitted } from "../../parts/ActionButton";
import { Copy } from "../../parts/Copy";
import { Card, Page } from "../../parts/Page";
import { SavedViews } from "../../parts/SavedViews";
import { useFilters } from "../../parts/search";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import type { Fleet } from "../../wire/model";
import { BulkMode } from "./BulkMode";
import {
  byContinent,
  byPlace,
  continentOf,
  type FleetOrder,
  labelsOf,
  matches,
  shownServices,
  tally,
  versionsBehind,
} from "./fleet";
import { FleetTable } from "./FleetTable";
import { Freeze } from "./Freeze";
import { FleetMap } from "./FleetMap";
import { LoadExample } from "./LoadExample";
import { Matrix } from "./Matrix";
import { useSelection } from "./selection";

const BEHIND = [
  { value: "1", label: "1 or more behind" },
  { value: "2", label: "2 or more behind" },
  { value: "3", label: "3 or more behind" },
];

const MAY = {
  mode: "Changing the switch mode requires permission to change deployments.",
  freeze: "Changing windows and freezes requires permission to change them.",
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
    <section className="card row wrap filters chosen-bar" aria-label="Selected deployments">
      <b role="status">{names.size} selected</b>
      <ActionButton
        of={permitted(permissions, "upgrade.plan", MAY_PLAN)}
        primary
        onAct={() => void navigate(`/rollouts/new?deployments=${encodeURIComponent([...names].join(","))}`)}
      >
        Plan a rollout…
      </ActionButton>
      {permissions.includes("registry.write") ? (
        <BulkMode cells={chosen} />
      ) : (
        <ActionButton of={permitted(permissions, "registry.write", MAY.mode)} onAct={() => undefined}>
          Switch mode…
        </ActionButton>
      )}
      {permissions.includes("window.write") ? (
        <Freeze cells={chosen} />
      ) : (
        <ActionButton
          of={permitted(permissions, "window.write", MAY.freeze, ["operator", "admin"])}
          onAct={() => undefined}
        >
          Freeze…
        </ActionButton>
      )}
      <Copy value={[...names].join("\n")} what="the names" />
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
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
  const view = useFilters(["view", "order", "down"]);
  const { selected, choose, clear: unselect } = useSelection();
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
  const owners = [...new Set(fleet.cells.flatMap((cell) => cell.owner ?? []))].sort();
  const continents = [...new Set(fleet.regions.map(continentOf))].filter(Boolean).sort();
  const versions = [...new Set(fleet.services.flatMap((service) => service.versions))].sort();
  if (fleet.services.length === 0) {
    return (
      <Card>
        <Empty title="No services are registered." command="swy service apply examples/secrets">
          A service defines resource types, versions and the conversions between them.
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
          aria-label="View"
          value={view.filters.view || "matrix"}
          onChange={(value) => view.set("view", value === "matrix" ? "" : value)}
          data={[
            { value: "matrix", label: "Matrix" },
            { value: "table", label: "Table" },
            { value: "map", label: "Map" },
          ]}
        />
        <SavedViews page="fleet" />
      </div>
      <section className="card row wrap filters" aria-label="Filters">
        <span className="pill soft-plain">
          {fleet.services.length} {fleet.services.length === 1 ? "service" : "services"} × {fleet.regions.length}{" "}
          {fleet.regions.length === 1 ? "region" : "regions"}
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
        <span className="grow" />
        <TextInput
          size="xs"
          w={130}
          data-filter
          type="search"
          aria-label="Find deployments"
          placeholder="Find…"
          value={filters.q}
          onChange={(event) => set("q", event.currentTarget.value)}
        />
        {fleet.services.length > 1 || filters.service ? (
          <Select
            size="xs"
            w={140}
            searchable
            limit={200}
            aria-label="Service"
            placeholder="Any service"
            clearable
            clearButtonProps={{ "aria-label": "Clear service" }}
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
          aria-label="Region"
          placeholder="Any region"
          clearable
          clearButtonProps={{ "aria-label": "Clear region" }}
          data={fleet.regions.map((region) => region.name)}
          value={filters.region || null}
          onChange={(value) => set("region", value ?? "")}
        />
        <Select
          size="xs"
          w={140}
          aria-label="Version"
          placeholder="Any version"
          clearable
          clearButtonProps={{ "aria-label": "Clear version" }}
          data={versions}
          value={filters.version || null}
          onChange={(value) => set("version", value ?? "")}
        />
        <Select
          size="xs"
          w={150}
          aria-label="Versions behind"
          placeholder="Behind: any"
          clearable
          clearButtonProps={{ "aria-label": "Clear versions behind" }}
          data={BEHIND}
          value={filters.behind || null}
          onChange={(value) => set("behind", value ?? "")}
        />
        {continents.length > 1 ? (
          <Select
            size="xs"
            w={130}
            aria-label="Continent"
            placeholder="Any continent"
            clearable
            clearButtonProps={{ "aria-label": "Clear continent" }}
            data={continents}
            value={filters.continent || null}
            onChange={(value) => set("continent", value ?? "")}
          />
        ) : null}
        {owners.length ? (
          <Select
            size="xs"
            w={130}
            aria-label="Owner of the upgrade"
            placeholder="Any owner"
            clearable
            clearButtonProps={{ "aria-label": "Clear owner" }}
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
            aria-label="Label"
            placeholder="Any label"
            clearable
            clearButtonProps={{ "aria-label": "Clear label" }}
            data={labels}
            value={filters.label || null}
            onChange={(value) => set("label", value ?? "")}
          />
        ) : null}
      </section>
      <Selection names={selected} cells={fleet.cells} onClear={unselect} />
      {shown.length === 0 || (cells.length === 0 && any) ? (
        <Card>
          <Empty title="No deployment matches.">
            <Button onClick={clear}>Clear filters</Button>
          </Empty>
        </Card>
      ) : (
        <Card className="flush">
          {view.filters.view === "map" ? (
            <FleetMap services={shown} regions={regions} cells={cells} onTable={() => view.set("view", "table")} />
          ) : view.filters.view === "table" ? (
            <FleetTable
              cells={cells}
              services={shown}
              order={(view.filters.order || "service") as FleetOrder}
              down={view.filters.down === "yes"}
              selected={selected}
              onSelect={choose}
              onOrder={(order, down) =>
                view.put([
                  ["order", order === "service" ? "" : order],
                  ["down", down ? "yes" : ""],
                ])
              }
            />
          ) : (
            <Matrix
              services={shown}
              regions={regions}
              places={byPlace(cells)}
              selected={selected}
              onSelect={(name) => choose([name], !selected.has(name))}
            />
          )}
        </Card>
      )}
      {view.filters.view ? null : (
        <p className="muted small">
          Arrow keys, Home and End move in the grid, Enter opens, Space, x, or Ctrl and a click selects, Shift and an
          arrow selects a range.
        </p>
      )}
    </>
  );
}

export function FleetPage() {
  const fleet = useFleet();
  const permissions = useAccount()?.permissions;
  const navigate = useNavigate();
  return (
    <Page
      title="Fleet"
      actions={
        permissions ? (
          <ActionButton
            of={permitted(permissions, "upgrade.plan", MAY_PLAN)}
            primary
            onAct={() => void navigate("/upgrades/new")}
          >
            Plan upgrade…
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
