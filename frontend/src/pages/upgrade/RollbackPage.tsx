import { Button } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { read } from "../../api/client";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { Checks } from "../../parts/checks/Checks";
import { Copy } from "../../parts/Copy";
import { WithInspector } from "../../parts/Inspector";
import { Card, Page } from "../../parts/Page";
import { Shape } from "../../parts/Shape";
import { Loaded, Sentence } from "../../parts/states";
import { Versions } from "../../parts/Status";
import { countText, lagText } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Upgrade, UpgradeSummary } from "../../wire/model";
import { EmergencyOverride } from "./actions/Actions";
import { Confirm } from "./actions/Confirm";
import { actionTextOf } from "./actions/actionTexts";
import { isOldKept } from "./kept";
import { QuarantinedResources } from "./Quarantine";
import { useUpgrade } from "./queries";
import { ShardPanel } from "./shards/Shards";
import type { ShardView } from "./shards/shards";
import { Stepper } from "./Stepper";
import { worded } from "../../words/server";
import { plural, rich, t } from "../../words/text";

/** What would be lost, in one sentence, from what is known now. */
export function lossText(
  upgrade: Pick<Upgrade, "plan" | "quarantined_count" | "progress" | "from_version" | "to_version">,
): { tone: "ok" | "wait"; text: string } {
  if (!isOldKept(upgrade))
    return {
      tone: "wait",
      text: t`${upgrade.from_version} is not kept current: every write since the switch would be lost.`,
    };
  if (upgrade.quarantined_count > 0) {
    return {
      tone: "wait",
      text:
        t`${plural(upgrade.quarantined_count, "# resource is", "# resources are")} quarantined: ` +
        t`their writes under ${upgrade.to_version} would be lost.`,
    };
  }
  const { lag_seconds: lag } = upgrade.progress;
  return lag === null
    ? { tone: "wait", text: t`The lag of the reverse replication is unknown.` }
    : {
        tone: "ok",
        text: t`No expected data loss: reverse replication is healthy, lag ${lagText(lag)}, and no resource is quarantined.`,
      };
}

/** What those who write the incident up need first; the rest stays for them to say. */
export function incidentNote(
  upgrade: Pick<Upgrade, "service" | "region" | "from_version" | "to_version" | "id" | "comment"> & {
    steps: Upgrade["steps"];
  },
  address: string,
): string {
  const announced = upgrade.steps
    .filter((step) => step.started_at)
    .map((step) => `- ${step.started_at ?? ""} ${step.step}${step.who ? ` (${step.who})` : ""}`);
  return [
    `# ${upgrade.service} @ ${upgrade.region} was rolled back from ${upgrade.to_version} to ${upgrade.from_version}`,
    "",
    t`Upgrade: ${address}`,
    ...(upgrade.comment ? [t`Planned for: ${upgrade.comment}`] : []),
    "",
    "## What happened",
    "",
    ...announced,
    "",
    "## Why it was rolled back",
    "",
    "## Who was affected, and how",
    "",
    "## What comes next",
    "",
  ].join("\n");
}

/** The last region that switched rolls back first: the others have been trusted for longer. */
export function newestFirst(rows: readonly UpgradeSummary[], of: Pick<Upgrade, "id" | "to_version">): UpgradeSummary[] {
  return rows
    .filter((row) => row.id !== of.id && row.to_version === of.to_version)
    .sort((one, other) => (other.reversible_until ?? "").localeCompare(one.reversible_until ?? ""));
}

/** Where else the new version serves and could still roll back, in the order to do it. */
function OtherRegions({ upgrade }: { upgrade: Upgrade }) {
  const others = useQuery({
    queryKey: ["upgrades", "reversible", upgrade.service],
    queryFn: ({ signal }) => read("/upgrades", { query: { service: upgrade.service, state: "REVERSIBLE" }, signal }),
  });
  return (
    <Card title={t`Other regions`} aside={t`each is rolled back separately, the most recent switch first`}>
      <Loaded of={others} lines={2}>
        {(data) => {
          const rows = newestFirst(data.items, upgrade);
          return rows.length === 0 ? (
            <p className="muted">{rich`No other region can be rolled back from ${upgrade.to_version}.`}</p>
          ) : (
            <ol className="would">
              {rows.map((row) => (
                <li key={row.id}>
                  <Link to={`/upgrades/${row.id}/rollback`}>{row.region}</Link>
                  {row.reversible_until ? (
                    <>
                      {" "}
                      <span className="muted">{rich`until ${(<Time at={row.reversible_until} />)}`}</span>
                    </>
                  ) : null}
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Body({ upgrade }: { upgrade: Upgrade }) {
  const [asked, ask] = useState<string | null>(null);
  const [view, setView] = useState<ShardView>({ order: "number", state: "" });
  const [chosen, setChosen] = useState<number | null>(null);
  const action = findAction(upgrade.actions, "rollback");
  const dialog = asked ? actionTextOf(asked, upgrade) : null;
  const loss = lossText(upgrade);
  if (upgrade.state !== "REVERSIBLE" && upgrade.state !== "REVERTING") {
    return (
      <Card>
        <p className="sentence">
          <Sentence text={worded(upgrade.sentence, upgrade.phrases)} />
        </p>
        <p>
          {upgrade.state === "COMPLETED"
            ? t`The rollback window is closed. To serve ${upgrade.from_version} again, plan an upgrade to another version, ` +
              t`or to ${upgrade.from_version} where it can be reached.`
            : upgrade.state === "REVERTED"
              ? isOldKept(upgrade)
                ? t`Rolled back. Writes made in between were kept.`
                : t`Rolled back to the data as of the switch. Writes made in between are not there.`
              : t`A rollback is possible only after a switch.`}
        </p>
        <div className="row">
          <Button component={Link} to={`/upgrades/${upgrade.id}`}>
            {t`Open the upgrade`}
          </Button>
          {upgrade.state === "COMPLETED" ? (
            <Button component={Link} to={`/upgrades/new?deployment=${encodeURIComponent(upgrade.deployment)}`}>
              {t`Plan an upgrade`}
            </Button>
          ) : null}
          {upgrade.state === "REVERTED" ? (
            <>
              <Button component={Link} to={`/activity?target=${upgrade.id}`}>
                {t`Activity`}
              </Button>
              <span className="row tight small muted">
                <Copy
                  value={incidentNote(upgrade, `${location.origin}/upgrades/${upgrade.id}`)}
                  what={t`an incident note`}
                />{" "}
                {t`Copy an incident note`}
              </span>
            </>
          ) : null}
        </div>
      </Card>
    );
  }
  return (
    <>
      <section className="card">
        <div className="row wrap">
          <Versions from={upgrade.to_version} to={upgrade.from_version} newest={upgrade.to_version} />
        </div>
        <p className="sentence">
          <Sentence text={worded(upgrade.sentence, upgrade.phrases)} />
        </p>
        {upgrade.state === "REVERTING" ? <Stepper steps={upgrade.steps} stage={upgrade.meta_stage} /> : null}
      </section>
      <WithInspector
        page="upgrade"
        label={t`Decision`}
        side={
          <Card title={t`Checks before the rollback`}>
            {upgrade.readiness.checks.length ? (
              <Checks checks={upgrade.readiness.checks} />
            ) : (
              <p className="muted">{t`No checks are required.`}</p>
            )}
            <div className="stack buttons">
              {action ? (
                <ActionButton of={action} ask={upgrade.id} danger full onAct={() => ask("rollback")}>
                  {t`Roll back…`}
                </ActionButton>
              ) : null}
              <EmergencyOverride upgrade={upgrade} onAct={ask} />
            </div>
          </Card>
        }
      >
        <Card title={t`Effect`}>
          <ol className="would">
            <li>
              {rich`Writes to ${upgrade.to_version} are paused briefly`}
              {upgrade.freeze_ms === null ? "" : t`; the switch there took ${Math.round(upgrade.freeze_ms)} ms`}.
            </li>
            <li>{rich`The last changes are replicated to ${upgrade.from_version}, and the two namespaces are compared.`}</li>
            <li>
              {rich`${upgrade.from_version} is served again. Clients of ${upgrade.to_version} get the responses
                from before the switch.`}
            </li>
          </ol>
          <p className={`row tight ink-${loss.tone}`}>
            <Shape tone={loss.tone} /> {loss.text}
          </p>
          <dl className="facts small">
            <dt>{t`Possible until`}</dt>
            <dd>
              <Time at={upgrade.reversible_until} />
            </dd>
            <dt>{t`Writes since the switch`}</dt>
            <dd>
              {rich`${countText(upgrade.shards.items.reduce((sum, shard) => sum + shard.applied, 0))} changes
                replicated back`}
            </dd>
            <dt>{t`Approvals`}</dt>
            <dd>
              {upgrade.readiness.approvals.purpose !== "revert"
                ? t`not known yet`
                : upgrade.readiness.approvals.state === "FREE" || upgrade.readiness.approvals.state === "EMERGENCY"
                  ? worded(upgrade.readiness.approvals.sentence, upgrade.readiness.approvals.phrases)
                  : upgrade.readiness.approvals.needed === 0
                    ? t`none required for a rollback`
                    : t`${upgrade.readiness.approvals.votes_given} of ${upgrade.readiness.approvals.needed}` +
                      (upgrade.readiness.approvals.group ? t` from ${upgrade.readiness.approvals.group}` : "")}
            </dd>
            <dt>{t`Quarantined`}</dt>
            <dd>{upgrade.quarantined_count}</dd>
          </dl>
        </Card>
        <QuarantinedResources upgrade={upgrade} />
        <ShardPanel upgrade={upgrade} view={view} chosen={chosen} onView={setView} onChoose={setChosen} />
        <OtherRegions upgrade={upgrade} />
      </WithInspector>
      {dialog ? <Confirm key={dialog.action} upgrade={upgrade} deed={dialog} onClose={() => ask(null)} /> : null}
    </>
  );
}

export function RollbackPage() {
  const { id = "" } = useParams();
  const upgrade = useUpgrade(id);
  const name = upgrade.data ? `${upgrade.data.service} @ ${upgrade.data.region}` : t`Upgrade`;
  return (
    <Page
      title={t`Rollback`}
      under={[
        { title: t`Upgrades`, to: "/upgrades" },
        { title: name, to: `/upgrades/${id}` },
      ]}
      heading={upgrade.data ? t`Rollback to ${upgrade.data.from_version}` : t`Rollback`}
    >
      <Loaded of={upgrade} lines={8}>
        {(data) => <Body upgrade={data} />}
      </Loaded>
    </Page>
  );
}
