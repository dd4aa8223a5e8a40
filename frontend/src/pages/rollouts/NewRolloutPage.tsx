import { Button, Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { newKey, read, write } from "../../api/client";
import { useFleet } from "../../api/queries";
import { ForPlanners } from "../../parts/ActionButton";
import { discard, keep, queryOf } from "../../parts/forms/drafts";
import { WithInspector } from "../../parts/Inspector";
import { Card, Page } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { byAge } from "../../parts/versions";
import type { Fleet } from "../../wire/model";
import { DraftList } from "../Plan";
import { propose, reasonsOf, wavesFrom, wavesText } from "./waves";
import { Waves } from "./Waves";
import { type Order, useRehearsal, Rehearsal } from "./Rehearsal";
import { plural, t } from "../../words/text";

/** The versions that all of the chosen can go to; the others with what keeps which of them. */
function Targets({
  fleet,
  chosen,
  value,
  onPick,
}: {
  fleet: Fleet;
  chosen: readonly string[];
  value: string;
  onPick: (version: string) => void;
}) {
  const result = useQuery({
    queryKey: ["rollout", "targets", chosen.toSorted()],
    queryFn: ({ signal }) => read("/rollouts/targets", { query: { deployments: chosen.join(",") }, signal }),
  });
  return (
    <Loaded of={result} lines={2}>
      {({ items }) => {
        const reachable = items
          .filter((each) => each.reachable)
          .map((each) => each.version)
          .sort(byAge);
        // What all of them run already is no version that they miss.
        const running = new Set(
          fleet.cells.filter((cell) => chosen.includes(cell.name)).map((cell) => cell.current_version),
        );
        const isRunByAll = (version: string): boolean => running.size === 1 && running.has(version);
        const others = items
          .filter((each) => !each.reachable && !isRunByAll(each.version))
          .sort((a, b) => byAge(a.version, b.version));
        return (
          <>
            {reachable.length ? (
              <Select
                label={t`Target version`}
                data={reachable}
                value={reachable.includes(value) ? value : null}
                onChange={(version) => onPick(version ?? "")}
              />
            ) : (
              <Empty
                title={plural(
                  chosen.length,
                  "No other version can be reached.",
                  "No version can be reached by all of them.",
                )}
              />
            )}
            {others.length ? (
              <ul className="plain-list small" aria-label={t`Versions that cannot be reached`}>
                {others.map((each) => (
                  <li key={each.version}>
                    <b className="mono">{each.version}</b> <span className="muted">{reasonsOf(each).join(" ")}</span>
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        );
      }}
    </Loaded>
  );
}

function Form({ fleet }: { fleet: Fleet }) {
  const { filters, set, put } = useFilters([
    "deployments",
    "waves",
    "target",
    "canary",
    "title",
    "why",
    "parallel",
    "pause",
    "start",
  ]);
  const [about, setAbout] = useState({
    title: filters.title,
    comment: filters.why,
    max_parallel: Number(filters.parallel) || 1,
    pause_minutes: filters.pause === "" ? 10 : Number(filters.pause),
    start: filters.start !== "no",
  });
  const [key] = useState(newKey);
  const navigate = useNavigate();
  const waves = filters.waves
    ? wavesFrom(filters.waves)
    : propose(filters.deployments.split(",").filter(Boolean), fleet.cells, fleet.services);
  const chosen = waves.flat();
  const regions = [...new Set(chosen.map((name) => name.split("/").at(-1) ?? ""))].sort();
  const order: Order = {
    target_version: filters.target,
    waves,
    title: about.title,
    comment: about.comment,
    max_parallel: about.max_parallel,
    pause_seconds: about.pause_minutes * 60,
    start: about.start,
  };
  const asQuery = (): string =>
    queryOf({
      waves: wavesText(waves),
      target: filters.target,
      canary: filters.canary,
      title: about.title,
      why: about.comment,
      parallel: about.max_parallel === 1 ? "" : String(about.max_parallel),
      pause: about.pause_minutes === 10 ? "" : String(about.pause_minutes),
      start: about.start ? "" : "no",
    });
  const ready = chosen.length > 0 && filters.target !== "";
  const dry = useRehearsal(order, ready);
  const create = useMutation({
    mutationFn: () =>
      write.post("/rollouts", { body: { ...order, plan_digest: dry.data?.plan_digest ?? "" }, idempotencyKey: key }),
    onSuccess: (made) => {
      discard(asQuery());
      void navigate(`/rollouts/${made.id}`);
    },
  });
  const save = (): void => {
    keep({
      title:
        about.title ||
        `${plural(chosen.length, "# deployment", "# deployments")}${filters.target ? t` to ${filters.target}` : ""}`,
      query: asQuery(),
      at: new Date().toISOString(),
      form: "rollout",
    });
    const said = new URLSearchParams(asQuery());
    put((["waves", "title", "why", "parallel", "pause", "start"] as const).map((name) => [name, said.get(name) ?? ""]));
  };
  const choose = (names: string[]): void => {
    const kept = waves.map((wave) => wave.filter((name) => names.includes(name))).filter((wave) => wave.length > 0);
    const added = names.filter((name) => !chosen.includes(name));
    put([
      ["deployments", ""],
      ["waves", wavesText([...kept, ...propose(added, fleet.cells, fleet.services, filters.canary)])],
    ]);
  };
  return (
    <WithInspector
      page="plan"
      label={t`Dry run`}
      initial={540}
      broadest={900}
      side={
        <Card title={t`Dry run`}>
          {ready ? (
            <Rehearsal dry={dry} />
          ) : (
            <Empty title={t`Choose deployments and a version.`}>
              {t`Every deployment is checked here before anything is stored.`}
            </Empty>
          )}
        </Card>
      }
    >
      <Card>
        <div className="stack">
          <MultiSelect
            label={t`Deployments`}
            searchable
            limit={200}
            data={fleet.cells
              .filter((cell) => !cell.disabled)
              .map((cell) => ({
                value: cell.name,
                label: `${cell.service} @ ${cell.region} (${cell.current_version})`,
              }))}
            value={chosen}
            onChange={choose}
            nothingFoundMessage={t`No deployment has that name.`}
            clearButtonProps={{ "aria-label": t`Clear the deployments` }}
          />
          {chosen.length ? (
            <Targets
              fleet={fleet}
              chosen={chosen}
              value={filters.target}
              onPick={(version) => set("target", version)}
            />
          ) : null}
          {regions.length > 1 ? (
            <Select
              label={t`First region`}
              description={t`For each service, this region is upgraded alone before the others.`}
              placeholder={t`The first by name`}
              clearable
              clearButtonProps={{ "aria-label": t`Clear the first region` }}
              data={regions}
              value={filters.canary || null}
              onChange={(value) =>
                put([
                  ["canary", value ?? ""],
                  ["deployments", ""],
                  ["waves", wavesText(propose(chosen, fleet.cells, fleet.services, value ?? ""))],
                ])
              }
            />
          ) : null}
          {waves.length ? (
            <Waves
              waves={waves}
              onChange={(next) =>
                put([
                  ["deployments", ""],
                  ["waves", wavesText(next)],
                ])
              }
            />
          ) : null}
          <div className="halves">
            <NumberInput
              label={t`Parallel upgrades per wave`}
              min={1}
              max={100}
              value={about.max_parallel}
              onChange={(value) => setAbout({ ...about, max_parallel: Number(value) || 1 })}
            />
            <NumberInput
              label={t`Minutes between waves`}
              min={0}
              value={about.pause_minutes}
              onChange={(value) => setAbout({ ...about, pause_minutes: Number(value) || 0 })}
            />
          </div>
          <TextInput
            label={t`Title`}
            value={about.title}
            onChange={(event) => setAbout({ ...about, title: event.currentTarget.value })}
          />
          <Textarea
            label={t`Reason`}
            description={t`Shown to the approvers.`}
            autosize
            minRows={2}
            value={about.comment}
            onChange={(event) => setAbout({ ...about, comment: event.currentTarget.value })}
          />
          <Checkbox
            label={t`Start the first wave immediately`}
            checked={about.start}
            onChange={(event) => setAbout({ ...about, start: event.currentTarget.checked })}
          />
          {create.isError ? <ProblemPanel error={create.error} /> : null}
          <div className="row end">
            <Button onClick={() => void navigate(-1)}>{t`Cancel`}</Button>
            {chosen.length ? <Button onClick={save}>{t`Save draft`}</Button> : null}
            <ForPlanners label={about.start ? t`Create and start` : t`Create`}>
              <Button
                variant={dry.data?.items.every((each) => each.possible) ? "filled" : "default"}
                disabled={!ready || dry.isPending}
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {about.start ? t`Create and start` : t`Create`}
              </Button>
            </ForPlanners>
          </div>
        </div>
      </Card>
    </WithInspector>
  );
}

export function NewRolloutPage() {
  const fleet = useFleet();
  return (
    <Page
      title={t`Plan a rollout`}
      under={[
        { title: t`Upgrades`, to: "/upgrades" },
        { title: t`Rollouts`, to: "/rollouts" },
      ]}
    >
      <DraftList form="rollout" path="/rollouts/new" />
      <Loaded of={fleet}>
        {(data) =>
          data.cells.length ? (
            <Form fleet={data} />
          ) : (
            <Card>
              <Empty title={t`No deployment is registered.`} command="swy service apply examples/secrets" />
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}
