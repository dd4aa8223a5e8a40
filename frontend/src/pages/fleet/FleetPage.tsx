import { Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { Link } from "react-router";
import { useAccount, useFleet } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { useRows } from "../../parts/rows";
import { useFilters } from "../../parts/search";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Empty, Loaded } from "../../parts/states";
import { Status, Versions } from "../../parts/Status";
import type { Cell, Fleet } from "../../wire/model";
import { byPlace, cellWord, matches, shownServices, tally } from "./fleet";
import { Matrix } from "./Matrix";

const TABLE_LIMIT = 500;

function Table({ cells }: { cells: Cell[] }) {
  const body = useRows();
  return (
    <>
      <Scroll label="Deployments">
        <table className="table">
          <thead><tr><th scope="col">Service</th><th scope="col">Region</th><th scope="col">Versions</th><th scope="col">State</th><th scope="col" className="num">Shards ready</th><th scope="col">Switch</th></tr></thead>
          <tbody ref={body}>
            {cells.slice(0, TABLE_LIMIT).map((cell) => (
              <tr key={cell.name}>
                <th scope="row"><Link data-row to={`/d/${cell.service}/${cell.region}`}>{cell.service}</Link></th>
                <td>{cell.region}</td>
                <td><Versions from={cell.current_version} to={cell.target_version} /></td>
                <td><Status of={cellWord(cell)} /></td>
                <td className="num">{cell.total ? `${cell.ready} of ${cell.total}` : "–"}</td>
                <td>{cell.automatic ? "automatic" : "by a person"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {cells.length > TABLE_LIMIT ? <p className="small muted">Showing {TABLE_LIMIT} of {cells.length}; narrow the filters to see the others.</p> : null}
    </>
  );
}

function Body({ fleet }: { fleet: Fleet }) {
  const { filters, set, clear, any } = useFilters(["service", "region", "state", "version"]);
  const view = useFilters(["view"]);
  const shown = shownServices(fleet, filters);
  const cells = fleet.cells.filter((cell) => matches(cell, filters));
  const regions = filters.region ? fleet.regions.filter((region) => region.name === filters.region) : fleet.regions;
  const versions = [...new Set(fleet.services.flatMap((service) => service.versions))].sort();
  if (fleet.services.length === 0) {
    return <Card><Empty title="No services are registered." command="swy service apply examples/secrets">A service brings its resource types, its versions and the conversions between them.</Empty></Card>;
  }
  return (
    <>
      <section className="card row wrap filters" aria-label="Filters">
        <span className="pill soft-plain">{fleet.services.length} {fleet.services.length === 1 ? "service" : "services"} × {fleet.regions.length} {fleet.regions.length === 1 ? "region" : "regions"}</span>
        {tally(fleet.cells).map((each) => (
          <button key={each.word} type="button" className={`pill filter soft-${each.tone}`} aria-pressed={filters.state === each.state} onClick={() => set("state", filters.state === each.state ? "" : each.state)}>
            <Shape tone={each.tone} size={13} />{each.count} {each.word}
          </button>
        ))}
        <span className="grow" />
        <TextInput size="xs" w={150} data-filter type="search" aria-label="Service" placeholder="Service" value={filters.service} onChange={(event) => set("service", event.currentTarget.value)} />
        <Select size="xs" w={140} aria-label="Region" placeholder="Any region" clearable clearButtonProps={{ "aria-label": "Clear region" }} data={fleet.regions.map((region) => region.name)} value={filters.region || null} onChange={(value) => set("region", value ?? "")} />
        <Select size="xs" w={140} aria-label="Version" placeholder="Any version" clearable clearButtonProps={{ "aria-label": "Clear version" }} data={versions} value={filters.version || null} onChange={(value) => set("version", value ?? "")} />
        <SegmentedControl size="xs" aria-label="View" value={view.filters.view || "matrix"} onChange={(value) => view.set("view", value === "matrix" ? "" : value)} data={[{ value: "matrix", label: "Matrix" }, { value: "table", label: "Table" }]} />
      </section>
      {shown.length === 0 || (cells.length === 0 && any) ? (
        <Card><Empty title="No deployment matches."><Button onClick={clear}>Clear filters</Button></Empty></Card>
      ) : (
        <Card className="flush">
          {view.filters.view === "table" ? <Table cells={cells} /> : <Matrix services={shown} regions={regions} places={byPlace(cells)} />}
        </Card>
      )}
      {view.filters.view === "table" ? null : <p className="muted small">Arrow keys move in the grid, Enter opens.</p>}
    </>
  );
}

export function FleetPage() {
  const fleet = useFleet();
  const may = useAccount()?.permissions.includes("upgrade.plan");
  return (
    <Page title="Fleet" actions={may ? <Button component={Link} to="/upgrades/new" variant="filled">Plan upgrade…</Button> : null}>
      <Loaded of={fleet} lines={8}>{(data) => <Body fleet={data} />}</Loaded>
    </Page>
  );
}
