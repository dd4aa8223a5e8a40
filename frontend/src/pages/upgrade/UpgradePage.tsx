import { useRegionZone } from "../../api/regionZone";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { ActionButton, findAction } from "../../parts/ActionButton";
import { Page } from "../../parts/Page";
import { Loaded, ProblemPanel } from "../../parts/states";
import { Shape } from "../../parts/Shape";
import { Status, Versions } from "../../parts/Status";
import { shortService, upgradeWord } from "../../parts/status";
import { alert, announce } from "../../shell/announcer";
import { useKeys } from "../../parts/keys";
import { Age } from "../../time/Time";
import type { ShardState, Upgrade } from "../../wire/model";
import { AllActions } from "./Actions";
import { Confirm } from "./Confirm";
import { actionTextOf, further, headline, labelOf } from "./actionTexts";
import { Blockages, Paced, Charts, DataTasks, Silence, SwitchSteps } from "./Evidence";
import { EditPlan } from "./EditPlan";
import { Gate, Preflight, RollbackCard } from "./Gate";
import { QuarantinedResources } from "./Quarantine";
import { Removals } from "./Removals";
import { useAct, useHistory, useSamples, useUpgrade } from "./queries";
import { Sections } from "./Sections";
import { ShardPanel } from "./Shards";
import { neighbour, newlyFailed, nextTrouble, slow, type ShardOrder, type ShardView } from "./shards";
import { Facts, nextPlanAddress } from "./sheet/Facts";
import { Figures } from "./sheet/Figures";
import { momentOf } from "./sheet/replay";
import { ReplayedMoment } from "./sheet/ReplayedMoment";
import { RunSheet } from "./sheet/RunSheet";
import { Share } from "./sheet/Share";
import { sheetAt, sheetOf } from "./sheet/steps";
import { TimeScale } from "./sheet/TimeScale";
import { useReplay } from "./sheet/useReplay";
import { Timeline } from "./Timeline";
import { t } from "../../words/text";

const MOVING = new Set(["SYNCING", "READY", "SWITCHING", "REVERSIBLE", "REVERTING"]);
const DONE = new Set(["COMPLETED", "ABORTED", "REVERTED", "HANDED_OVER"]);

/** A blockage that appeared, or that the last one is gone; null where neither happened. */
export function blockageNews(
  was: Pick<Upgrade, "blockages">,
  now: Pick<Upgrade, "blockages">,
): { sentence: string; isUrgent: boolean } | null {
  const cause = now.blockages.find((each) => !was.blockages.some((known) => known.kind === each.kind));
  if (cause) return { sentence: cause.sentence, isUrgent: cause.needs_person };
  return was.blockages.length && now.blockages.length === 0
    ? { sentence: t`no longer blocked`, isUrgent: false }
    : null;
}

/** Say changes aloud: progress politely, trouble at once. */
function useAnnouncements(upgrade: Upgrade): void {
  const before = useRef<Upgrade | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = upgrade;
    if (!was || was.id !== upgrade.id) return;
    const where = `${shortService(upgrade.service)} @ ${upgrade.region}`;
    const failed = newlyFailed(was.shards.items, upgrade.shards.items);
    if (failed.length) alert(t`${where}: shard ${failed.join(", ")} failed`);
    const news = blockageNews(was, upgrade);
    if (news?.isUrgent) alert(`${where}: ${news.sentence}`);
    if (was.state !== upgrade.state) (upgrade.state === "HALTED" ? alert : announce)(upgrade.sentence);
    else if (news && !news.isUrgent) announce(`${where}: ${news.sentence}`);
    else if (was.shards.ready !== upgrade.shards.ready)
      announce(
        upgrade.shards.ready === upgrade.shards.total
          ? t`${where}: all ${upgrade.shards.total} shards are caught up`
          : t`${where}: ${upgrade.shards.ready} of ${upgrade.shards.total} shards caught up`,
      );
  }, [upgrade]);
}

function useView(): {
  view: ShardView;
  chosen: number | null;
  setView: (view: ShardView) => void;
  setChosen: (shard: number | null) => void;
} {
  const [search, setSearch] = useSearchParams();
  const put = (values: Record<string, string>): void =>
    setSearch(
      (before) => {
        for (const [key, value] of Object.entries(values)) {
          if (value) before.set(key, value);
          else before.delete(key);
        }
        return before;
      },
      { replace: true },
    );
  const shard = search.get("shard");
  return {
    view: {
      order: (search.get("order") ?? "number") as ShardOrder,
      state: (search.get("shards") ?? "") as ShardState | "",
    },
    chosen: shard === null ? null : Number(shard),
    setView: (view) => put({ order: view.order === "number" ? "" : view.order, shards: view.state }),
    setChosen: (chosen) => put({ shard: chosen === null ? "" : String(chosen) }),
  };
}

function Body({ upgrade }: { upgrade: Upgrade }) {
  const navigate = useNavigate();
  const { view, chosen, setView, setChosen } = useView();
  const [asked, ask] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const act = useAct(upgrade);
  const moving = MOVING.has(upgrade.state);
  useAnnouncements(upgrade);
  const dialog = asked ? actionTextOf(asked, upgrade) : null;
  const open = (action: string): void => {
    if (action !== "break-glass" && !findAction(upgrade.actions, action)?.allowed) return;
    if (action === "edit") setEditing(true);
    else if (actionTextOf(action, upgrade)) ask(action);
    else act.mutate({ action });
  };
  const choose = (number: number | null): void => {
    if (number === null) return;
    setChosen(number);
    document.querySelector<HTMLElement>(`[data-shard="${number}"]`)?.focus();
  };
  const lagging = slow(upgrade.shards.items);
  useKeys({
    a: () =>
      upgrade.readiness.approvals.request_id
        ? void navigate(`/approvals/${upgrade.readiness.approvals.request_id}`)
        : open("request-approval"),
    r: () => {
      if (upgrade.readiness.approvals.request_id) void navigate(`/approvals/${upgrade.readiness.approvals.request_id}`);
    },
    s: () => open("switch"),
    b: () => open("rollback"),
    f: () => choose(nextTrouble(upgrade.shards.items, null, (shard) => shard.state === "failed")),
    "]": () => choose(neighbour(upgrade.shards.items, chosen, 1)),
    "[": () => choose(neighbour(upgrade.shards.items, chosen, -1)),
    n: () =>
      choose(
        nextTrouble(upgrade.shards.items, chosen, (shard) => lagging.has(shard.shard) || shard.state === "regressed"),
      ),
  });
  const history = useHistory(upgrade.id, upgrade.rev);
  const samples = useSamples(upgrade.id, moving);
  const { at, setAt } = useReplay();
  const replayed = at !== null && history.data ? momentOf(history.data, samples.data, at) : null;
  const [first] = headline(upgrade);
  // Before the start it is what matters; afterwards the readiness checks are.
  const planned = upgrade.state === "PLANNED";
  const preflight = (
    <div id="preflight" tabIndex={-1} className="part">
      <Preflight upgrade={upgrade} />
    </div>
  );
  const recorded = history.data ? momentOf(history.data, samples.data, Number.POSITIVE_INFINITY) : null;
  const sheet = replayed && recorded ? sheetAt(upgrade, replayed, recorded) : sheetOf(upgrade, recorded);
  return (
    <>
      <div className="row wrap">
        <Versions from={upgrade.from_version} to={upgrade.to_version} />
        <Status of={upgradeWord(upgrade)} />
        <Share upgrade={upgrade} at={at} />
        <Sections />
      </div>
      {history.data ? (
        <TimeScale upgrade={upgrade} history={history.data} samples={samples.data} at={at} onAt={setAt} />
      ) : null}
      <RunSheet steps={sheet}>
        {replayed && at !== null ? (
          <ReplayedMoment moment={replayed} at={at} total={upgrade.shards.total} />
        ) : (
          <>
            <p className="sentence" id="state">
              {upgrade.sentence}
            </p>
            <Figures upgrade={upgrade} />
            {act.isError && !dialog ? <ProblemPanel error={act.error} /> : null}
            {upgrade.undone ? (
              <div className="notice soft-wait" role="status">
                <Shape tone="wait" size={16} />
                <span>
                  <b>{t`Not applied:`}</b> {upgrade.undone.text}{" "}
                  <span className="muted">
                    <Age at={upgrade.undone.at} />
                  </span>
                </span>
              </div>
            ) : null}
            {upgrade.stall ? null : <Silence upgrade={upgrade} moving={moving} />}
            <Blockages upgrade={upgrade} />
            <Paced paced={upgrade.paced} />
            <div id="gate" tabIndex={-1} className="part">
              {planned ? preflight : null}
              <Gate upgrade={upgrade} onAct={open} />
              <RollbackCard upgrade={upgrade} onAct={open} />
            </div>
            <div className="row wrap present-actions">
              {headline(upgrade).map((name) => {
                const action = findAction(upgrade.actions, name);
                return action ? (
                  <ActionButton
                    key={name}
                    of={action}
                    ask={upgrade.id}
                    busy={act.isPending && act.variables.action === name}
                    primary={name === first && name === "start"}
                    onAct={() => open(name)}
                  >
                    {labelOf(name)}
                  </ActionButton>
                ) : null;
              })}
              {further(upgrade).map((action) => (
                <ActionButton key={action.action} of={action} onAct={() => open(action.action)}>
                  {labelOf(action.action)}…
                </ActionButton>
              ))}
              {upgrade.handed_over_to ? (
                <Button component="a" href={upgrade.handed_over_to} variant="filled">
                  {t`Open where it goes on`}
                </Button>
              ) : null}
              {DONE.has(upgrade.state) ? (
                <Button component={Link} to={nextPlanAddress(upgrade)}>
                  {upgrade.state === "COMPLETED" ? t`Plan next upgrade` : t`Clone plan`}
                </Button>
              ) : null}
            </div>
          </>
        )}
      </RunSheet>
      {replayed ? <p className="small muted">{t`Everything below shows the upgrade as it is now.`}</p> : null}
      {planned ? null : preflight}
      <Removals upgrade={upgrade} />
      <div id="shards" tabIndex={-1} className="part">
        <ShardPanel upgrade={upgrade} view={view} chosen={chosen} onView={setView} onChoose={setChosen} />
      </div>
      <div id="curves" tabIndex={-1} className="part">
        {upgrade.started_at ? <Charts upgrade={upgrade} moving={moving} /> : null}
      </div>
      <div id="data" tabIndex={-1} className="part stack">
        <QuarantinedResources upgrade={upgrade} />
        <SwitchSteps steps={upgrade.switch_steps} />
        <DataTasks tasks={upgrade.data_tasks} />
      </div>
      <div id="timeline" tabIndex={-1} className="part">
        <Timeline id={upgrade.id} />
      </div>
      <div className="halves">
        <AllActions upgrade={upgrade} />
        <Facts upgrade={upgrade} />
      </div>
      {editing ? <EditPlan upgrade={upgrade} onClose={() => setEditing(false)} /> : null}
      {dialog ? <Confirm key={dialog.action} upgrade={upgrade} deed={dialog} onClose={() => ask(null)} /> : null}
    </>
  );
}

export function UpgradePage() {
  const { id = "" } = useParams();
  const upgrade = useUpgrade(id);
  useRegionZone(upgrade.data?.region);
  const name = upgrade.data ? `${shortService(upgrade.data.service)} @ ${upgrade.data.region}` : t`Upgrade`;
  return (
    <Page
      title={name}
      under={[{ title: t`Upgrades`, to: "/upgrades" }]}
      heading={upgrade.data ? `${upgrade.data.service} @ ${upgrade.data.region}` : t`Upgrade`}
    >
      <Loaded of={upgrade} lines={8}>
        {(data) => <Body upgrade={data} />}
      </Loaded>
    </Page>
  );
}
