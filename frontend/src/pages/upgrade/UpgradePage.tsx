import { useRegionZone } from "../../api/regionZone";
import { useState } from "react";
import { useParams } from "react-router";
import { findAction } from "../../parts/ActionButton";
import { Page } from "../../parts/Page";
import { choiceOf, useFilters } from "../../parts/search";
import { Loaded, ProblemPanel, Sentence } from "../../parts/states";
import { Shape } from "../../parts/Shape";
import { shardWords, shortService } from "../../parts/status";
import { useKeys } from "../../parts/keyboard/keys";
import { Age } from "../../time/Time";
import type { ShardState, Upgrade } from "../../wire/model";
import { DecidedRequest, isVoter, SheetRequest, useRequest } from "../approval/SheetRequest";
import { isPending } from "../approval/words";
import { useAnnouncements } from "./announcements";
import { PresentActions } from "./actions/PresentActions";
import { AllActions } from "./actions/Actions";
import { Confirm } from "./actions/Confirm";
import { actionTextOf } from "./actions/actionTexts";
import { Blockages, Paced, Charts, DataTasks, Silence, SwitchSteps } from "./Evidence";
import { EditPlan } from "./actions/EditPlan";
import { Gate, isBeforeSwitch, Preflight, RollbackCard } from "./Gate";
import { QuarantinedResources } from "./Quarantine";
import { Removals } from "./Removals";
import { useAct, useUpgrade } from "./queries";
import { ShardPanel } from "./shards/Shards";
import { neighbour, nextTrouble, SHARD_ORDERS, slow, type ShardView } from "./shards/shards";
import { Facts } from "./sheet/Facts";
import { Figures } from "./sheet/Figures";
import { ReplayedSheet } from "./sheet/ReplayedSheet";
import { Timeline } from "./timeline/Timeline";
import { worded } from "../../words/server";
import { t } from "../../words/text";

const SHARD_STATES = ["", ...(Object.keys(shardWords) as ShardState[])] as const;
const MOVING = new Set(["SYNCING", "READY", "SWITCHING", "REVERSIBLE", "REVERTING"]);
/** Its steps are the present step: once it is done, they are what was known of it. */
const SWITCHES = new Set(["SWITCHING", "HALTED"]);

function useView(): {
  view: ShardView;
  chosen: number | null;
  setView: (view: ShardView) => void;
  setChosen: (shard: number | null) => void;
} {
  const { filters, put, set } = useFilters(["order", "shards", "shard"]);
  return {
    view: {
      order: choiceOf(filters.order, SHARD_ORDERS, "number"),
      state: choiceOf(filters.shards, SHARD_STATES, ""),
    },
    chosen: filters.shard ? Number(filters.shard) : null,
    setView: (view) =>
      put([
        ["order", view.order === "number" ? "" : view.order],
        ["shards", view.state],
      ]),
    setChosen: (chosen) => set("shard", chosen === null ? "" : String(chosen)),
  };
}

function Body({ upgrade }: { upgrade: Upgrade }) {
  const { request, isNamed } = useRequest(upgrade);
  const pending = request !== null && isPending(request);
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
    // With an open request, both keys reach its decision.
    ...(pending ? {} : { a: () => open("request-approval") }),
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
  // Before the start it is what matters; afterwards the readiness checks are.
  const planned = upgrade.state === "PLANNED";
  const preflight = (
    <div id="preflight" tabIndex={-1} className="part">
      <Preflight upgrade={upgrade} />
    </div>
  );
  const presentActions = (
    <PresentActions upgrade={upgrade} isVoting={pending && isVoter(request)} act={act} onAct={open} />
  );
  return (
    <>
      <ReplayedSheet upgrade={upgrade} moving={moving}>
        <>
          <p className="sentence" id="state">
            <Sentence text={worded(upgrade.sentence, upgrade.phrases)} />
          </p>
          <Figures upgrade={upgrade} />
          {act.isError && !dialog ? <ProblemPanel error={act.error} /> : null}
          {upgrade.undone ? (
            <div className="notice soft-wait" role="status">
              <Shape tone="wait" size={16} />
              <span>
                <b>{t`Not applied:`}</b> {worded(upgrade.undone.text, upgrade.undone.phrases)}{" "}
                <span className="muted">
                  <Age at={upgrade.undone.at} />
                </span>
              </span>
            </div>
          ) : null}
          {upgrade.stall || upgrade.blockages.length ? null : <Silence upgrade={upgrade} moving={moving} />}
          <Blockages upgrade={upgrade} />
          <Paced paced={upgrade.paced} />
          {SWITCHES.has(upgrade.state) ? <SwitchSteps steps={upgrade.switch_steps} /> : null}
          {pending ? <SheetRequest approval={request} hasChecks={!isBeforeSwitch(upgrade.state)} /> : null}
          {planned ? presentActions : null}
          <div id="gate" tabIndex={-1} className="part">
            {planned ? preflight : null}
            <Gate upgrade={upgrade} onAct={open} />
            <RollbackCard upgrade={upgrade} onAct={open} />
          </div>
          {request && !pending ? <DecidedRequest approval={request} isOpen={isNamed} /> : null}
          {planned ? null : presentActions}
        </>
      </ReplayedSheet>
      <Removals upgrade={upgrade} />
      <div id="shards" tabIndex={-1} className="part">
        <ShardPanel upgrade={upgrade} view={view} chosen={chosen} onView={setView} onChoose={setChosen} />
      </div>
      <div id="curves" tabIndex={-1} className="part">
        {upgrade.started_at ? <Charts upgrade={upgrade} moving={moving} /> : null}
      </div>
      <div id="data" tabIndex={-1} className="part stack">
        <QuarantinedResources upgrade={upgrade} />
        <DataTasks tasks={upgrade.data_tasks} />
      </div>
      <div id="timeline" tabIndex={-1} className="part">
        <Timeline id={upgrade.id} />
      </div>
      <AllActions upgrade={upgrade} />
      <Facts upgrade={upgrade} />
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
