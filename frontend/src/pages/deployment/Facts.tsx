import { Button } from "@mantine/core";
import { Link } from "react-router";
import { findAction } from "../../parts/ActionButton";
import { Shape } from "../../parts/Shape";
import { Scroll } from "../../parts/Scroll";
import { Empty } from "../../parts/states";
import { Status, Version } from "../../parts/Status";
import { countText } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Deployment } from "../../wire/model";

export function Facts({ of }: { of: Deployment }) {
  return (
    <dl className="facts">
      <dt>Serves</dt>
      <dd>
        <Version of={of.current_version} />
      </dd>
      {of.target_version && of.target_version !== of.current_version ? (
        <>
          <dt>Target</dt>
          <dd>
            <Version of={of.target_version} as="new" />
          </dd>
        </>
      ) : null}
      <dt>Newest</dt>
      <dd>
        <Version of={of.newest_version} {...(of.newest_version === of.current_version ? {} : { as: "new" as const })} />
      </dd>
      {of.db_data_version ? (
        <>
          <dt>Data version</dt>
          <dd>{of.db_data_version}</dd>
        </>
      ) : null}
      {of.db_location_tag ? (
        <>
          <dt>Database location</dt>
          <dd>{of.db_location_tag}</dd>
        </>
      ) : null}
      {of.public_domain ? (
        <>
          <dt>Public domain</dt>
          <dd className="mono">{of.public_domain}</dd>
        </>
      ) : null}
      <dt>Switch</dt>
      <dd>
        {of.automatic ? "automatic" : "manual"}
        {of.switch_mode_set ? (
          <div className="small muted">
            set by {of.switch_mode_set.who}, <Time at={of.switch_mode_set.at} />
          </div>
        ) : null}
      </dd>
    </dl>
  );
}

export function Reachable({ of }: { of: Deployment }) {
  const others = of.reachable_versions.filter((each) => each.version !== of.current_version);
  if (others.length === 0) return <Empty title="No other version." />;
  const plan = findAction(of.actions, "plan");
  return (
    <ul className="plain-list">
      {others.map((each) => (
        <li key={each.version} className="row between">
          <span className="row">
            <Shape tone={each.reachable ? "ok" : "blocked"} />
            <Version of={each.version} />
            {each.reachable ? null : <span className="muted small">{each.reason}</span>}
          </span>
          {each.reachable && (plan === null || plan.allowed) ? (
            <Button
              size="xs"
              component={Link}
              to={`/upgrades/new?deployment=${encodeURIComponent(of.name)}&target=${encodeURIComponent(each.version)}`}
              aria-label={`Plan an upgrade to ${each.version}`}
            >
              Plan
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

export function Imports({ of }: { of: Deployment }) {
  if (of.imported_versions.length === 0) return <Empty title="No imports." />;
  return (
    <Scroll label="Imported versions">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Imported</th>
            <th scope="col">Served version</th>
            <th scope="col">Match</th>
          </tr>
        </thead>
        <tbody>
          {of.imported_versions.map((each) => (
            <tr key={`${each.service} ${each.version}`}>
              <th scope="row">{each.service}</th>
              <td>
                <Version of={each.version} />
              </td>
              <td>
                <Version of={each.current_version} />
              </td>
              <td>
                <Status of={each.mismatch ? { tone: "wait", word: "differs" } : { tone: "ok", word: "same" }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function Namespaces({ of }: { of: Deployment }) {
  if (of.databases.length === 0) return <Empty title="No namespaces yet." />;
  return (
    <Scroll label="Namespaces">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Namespace</th>
            <th scope="col">Version</th>
            <th scope="col" className="num">
              Resources, last copy
            </th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          {of.databases.map((each) => (
            <tr key={each.namespace}>
              <th scope="row" className="mono break">
                {each.namespace}
              </th>
              <td>
                <Version of={each.version} />
              </td>
              <td className="num">{countText(each.resources)}</td>
              <td>
                {each.disabled
                  ? "disabled"
                  : each.version === of.current_version
                    ? "active"
                    : each.version === of.target_version
                      ? "syncing"
                      : "kept"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
