import { Button, Select, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { wideRefusal } from "../../../api/bounds";
import { read, rehearsedChange } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { textOf } from "../../../parts/forms/draft";
import { EditDialog, type Editing } from "../../../parts/forms/EditDialog";
import { Card, Page } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Empty, Loaded } from "../../../parts/states";
import { Status } from "../../../parts/Status";
import { byAge } from "../../../parts/versions";
import { BrownOutButton, BrownOuts } from "./BrownOuts";
import { KeyStrategies } from "./KeyStrategies";
import { MAY_NOT_CHANGE, placeWords, type UsedPlace } from "./usedPlace";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";
import { DataTable } from "../../../parts/tables/DataTable";
import { TabList } from "../../../parts/tabs/TabList";

function names(clients: UsedPlace["senders"]): string {
  return [...new Set(clients.map((each) => each.client))].join(", ");
}

/** When something may be removed, in one sentence. */
export function removable(of: UsedPlace): string {
  if (of.proved_unused)
    return t`Now: unused${of.last_used_on ? t` since ${of.last_used_on}` : ""} with a confidence of ${(of.confidence * 100).toFixed(1)} %`;
  return of.removable_on
    ? t`Not before ${of.removable_on}, if no client uses it from now on`
    : t`Unknown: too little was seen`;
}

/** What each client uses, from the same rows. */
export function byClient(
  places: readonly UsedPlace[],
): { client: string; sends: string[]; reads: string[]; last: string }[] {
  const entries = new Map<string, { sends: string[]; reads: string[]; last: string }>();
  for (const place of places.filter((each) => each.kind === "field"))
    for (const [side, clients] of [
      ["sends", place.senders],
      ["reads", place.readers],
    ] as const)
      for (const each of clients) {
        const entry = entries.get(each.client) ?? { sends: [], reads: [], last: "" };
        if (!entry[side].includes(place.place)) entry[side].push(place.place);
        if (each.last_seen_on > entry.last) entry.last = each.last_seen_on;
        entries.set(each.client, entry);
      }
  return [...entries].sort().map(([client, entry]) => ({ client, ...entry }));
}

function announcement(service: string, version: string, of: UsedPlace): Editing {
  const clients = names([...of.senders, ...of.readers]);
  return {
    title: t`Announce the removal of ${of.place}`,
    button: t`Announce`,
    start: { deadline: "", note: "" },
    refresh: [],
    fields: [
      { name: "deadline", label: t`Deadline`, kind: "day", required: true },
      { name: "note", label: t`What clients must do`, kind: "area" },
    ],
    change: (draft) =>
      rehearsedChange.post(
        "/services/{name}/usage/deadlines",
        {
          path: { name: service },
          body: { version, place: of.place, deadline: textOf(draft, "deadline"), note: textOf(draft, "note") },
        },
        () => (
          <p>
            {t`Channels that receive “usage.deadline” of ${service} are notified.`}{" "}
            {clients ? t`Named: ${clients}.` : t`No client was seen.`}
          </p>
        ),
      ),
  };
}

function Evidence({ of }: { of: UsedPlace }) {
  return (
    <details>
      <summary>{removable(of)}</summary>
      <ul className="plain-list small">
        {of.reasons.map((each, at) => (
          <li key={each}>{worded(each, of.reason_phrases?.[at])}</li>
        ))}
        <li>{rich`${of.messages} messages prove it, observed for ${of.observed_days} of ${of.period_days} days.`}</li>
        {of.answers_looked_into ? (
          <li>
            {rich`${of.answers_with_it} of ${of.answers_looked_into} answers that were looked into returned
              it (± ${(of.share_error * 100).toFixed(1)} %).`}
          </li>
        ) : null}
      </ul>
    </details>
  );
}

function Places({
  service,
  version,
  of,
  retiresOn,
}: {
  service: string;
  version: string;
  of: readonly UsedPlace[];
  retiresOn: string | null;
}) {
  const refusal = wideRefusal(useAccount(), "registry.write", service, MAY_NOT_CHANGE);
  const [editing, edit] = useState<UsedPlace | null>(null);
  return (
    <>
      <DataTable
        label={t`Who uses what`}
        rows={of}
        rowKey={(each) => `${each.kind} ${each.place}`}
        columns={[
          {
            header: t`Place`,
            isRowHeader: true,
            className: "place",
            cell: (each) => (
              <>
                <span className="mono break">{each.place}</span>
                <div className="small muted">
                  {placeWords[each.kind]}
                  {each.sunset ? t`, deprecated until ${each.sunset}` : ""}
                </div>
              </>
            ),
          },
          { header: t`Sent by`, cell: (each) => names(each.senders) || <span className="muted">{t`none`}</span> },
          { header: t`Returned to`, cell: (each) => names(each.readers) || <span className="muted">{t`none`}</span> },
          {
            header: t`Last use`,
            className: "nowrap",
            cell: (each) => each.last_used_on ?? <span className="muted">{t`not seen`}</span>,
          },
          {
            header: t`Removable`,
            cell: (each) => (
              <>
                <Status
                  of={
                    each.proved_unused ? { tone: "ok", word: t`unused` } : { tone: "wait", word: t`not proved unused` }
                  }
                />
                <Evidence of={each} />
              </>
            ),
          },
          {
            header: t`Actions`,
            isHeaderUnseen: true,
            cell: (each) => (
              <div className="row wrap">
                <ActionButton
                  of={{ action: "announce", allowed: !refusal, reason: refusal, who_can: ["operator", "admin"] }}
                  small
                  onAct={() => edit(each)}
                >
                  {t`Announce…`}
                </ActionButton>
                {each.sunset || each.kind === "version" ? (
                  <BrownOutButton service={service} version={version} of={each} retiresOn={retiresOn} />
                ) : null}
              </div>
            ),
          },
        ]}
      />
      {editing ? <EditDialog of={announcement(service, version, editing)} onClose={() => edit(null)} /> : null}
    </>
  );
}

function Clients({ of, onChoose }: { of: readonly UsedPlace[]; onChoose: (client: string) => void }) {
  const clients = byClient(of);
  if (clients.length === 0) return <Empty title={t`No client was seen in the window.`} />;
  return (
    <DataTable
      label={t`Clients`}
      rows={clients}
      rowKey={(each) => each.client}
      columns={[
        {
          header: t`Client`,
          isRowHeader: true,
          cell: (each) => (
            <Button size="compact-sm" variant="subtle" onClick={() => onChoose(each.client)}>
              {each.client}
            </Button>
          ),
        },
        { header: t`Sends`, cell: (each) => plural(each.sends.length, "# field", "# fields") },
        { header: t`Is returned`, cell: (each) => plural(each.reads.length, "# field", "# fields") },
        { header: t`Last seen`, className: "nowrap", cell: (each) => each.last },
      ]}
    />
  );
}

export function UsagePage() {
  const { service = "" } = useParams();
  const { filters, set } = useFilters(["version", "client", "by"]);
  const known = useQuery({
    queryKey: ["services", service],
    queryFn: ({ signal }) => read("/services/{name}", { path: { name: service }, signal }),
  });
  const versions = [...(known.data?.versions ?? [])].sort(byAge);
  const version = filters.version || versions[0] || "";
  const places = useQuery({
    queryKey: ["used-places", service, version, filters.client],
    queryFn: ({ signal }) =>
      read("/services/{name}/usage/places", {
        path: { name: service },
        query: { version, client: filters.client },
        signal,
      }),
    enabled: version !== "",
  });
  return (
    <Page
      title={t`Usage`}
      heading={t`Who still uses what`}
      under={[
        { title: t`Versions`, to: "/versions" },
        { title: service, to: `/versions/${service}` },
      ]}
    >
      <Card
        title={version}
        aside={
          <div className="row wrap">
            {filters.client ? (
              <Button size="xs" onClick={() => set("client", "")}>
                {rich`All clients, not only ${filters.client}`}
              </Button>
            ) : null}
            <Select
              size="xs"
              aria-label={t`Version`}
              data={versions}
              value={version || null}
              allowDeselect={false}
              onChange={(value) => set("version", value ?? "")}
            />
          </div>
        }
      >
        <Tabs value={filters.by || "field"} onChange={(value) => set("by", value ?? "")} keepMounted={false}>
          <TabList chosen={filters.by}>
            <Tabs.Tab value="field">{t`By field`}</Tabs.Tab>
            <Tabs.Tab value="client">{t`By client`}</Tabs.Tab>
          </TabList>
          <Loaded of={places}>
            {(data) => (
              <>
                <Tabs.Panel value="field">
                  <Places
                    service={service}
                    version={version}
                    of={data.items}
                    retiresOn={known.data?.retirements?.[version]?.retires_on ?? null}
                  />
                </Tabs.Panel>
                <Tabs.Panel value="client">
                  <Clients
                    of={data.items}
                    onChoose={(client) => {
                      set("client", client);
                      set("by", "");
                    }}
                  />
                </Tabs.Panel>
              </>
            )}
          </Loaded>
        </Tabs>
      </Card>
      <BrownOuts service={service} />
      {version ? <KeyStrategies service={service} version={version} /> : null}
    </Page>
  );
}
