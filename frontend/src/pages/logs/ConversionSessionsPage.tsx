import { Button, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { read, write } from "../../api/client";
import { Form } from "../../parts/forms/Form";
import { isBlank, required, useForm } from "../../parts/forms/useForm";
import { Card } from "../../parts/Page";
import { useFilters } from "../../parts/search";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Status } from "../../parts/Status";
import type { Word } from "../../parts/status";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import type { ConversionSession } from "../../wire/logs";
import { logAddress } from "./fields";
import { LogPage } from "./LogPage";
import { Dialog } from "../../parts/forms/Dialog";
import { rich, t } from "../../words/text";

export const sessionWords: Record<ConversionSession["state"], Word> = {
  OPEN: { tone: "run", word: t`recording` },
  FULL: { tone: "ok", word: t`full` },
  EXPIRED: { tone: "plain", word: t`expired` },
  ENDED: { tone: "plain", word: t`ended` },
};

interface Place {
  service: string;
  region: string;
}

function OpenDialog({ of, resource, onClose }: { of: Place; resource: string; onClose: () => void }) {
  const form = useForm(
    { client: "", resource, minutes: 10, records: 100, reason: "" },
    {
      client: (client, values) =>
        isBlank(client) && isBlank(values.resource) ? t`Enter a client, a resource or both.` : null,
      reason: required,
    },
  );
  const cache = useQueryClient();
  const open = useMutation({
    mutationFn: (body: typeof form.values) =>
      write.post("/deployments/{service}/{region}/conversion-sessions", {
        path: { service: of.service, region: of.region },
        body,
      }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ["sessions", of.service, of.region] });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t`Record conversions`}>
      <Form of={form} onSend={(values) => open.mutate(values)} error={open.error} className="stack dialog">
        <p>
          {t`The input, output and outcome of each conversion are kept for 7 days, without sensitive values.
          The audit log shows who recorded them and why.`}
        </p>
        <TextInput
          label={t`Client`}
          description={t`An account; empty for every client of the resource.`}
          data-autofocus
          {...form.getInputProps("client")}
        />
        <TextInput
          label={t`Resource`}
          description={t`A name in either version; empty for every resource of the client.`}
          {...form.getInputProps("resource")}
        />
        <NumberInput
          label={t`Minutes`}
          min={1}
          max={60}
          {...form.getInputProps("minutes")}
          onChange={(value) => form.setFieldValue("minutes", Number(value))}
        />
        <NumberInput
          label={t`Conversions at most`}
          min={1}
          max={1000}
          {...form.getInputProps("records")}
          onChange={(value) => form.setFieldValue("records", Number(value))}
        />
        <Textarea label={t`Reason`} required autosize minRows={2} {...form.getInputProps("reason")} />
        {open.isError ? <ProblemPanel error={open.error} /> : null}
        <div className="row end">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="filled" loading={open.isPending}>
            {t`Record conversions`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Rows({ of, service, region }: Place & { of: ConversionSession[] }) {
  const cache = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string) =>
      write.delete("/deployments/{service}/{region}/conversion-sessions/{id}", { path: { service, region, id } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["sessions", service, region] }),
  });
  return (
    <>
      {end.isError ? <ProblemPanel error={end.error} /> : null}
      <DataTable
        label={t`Sessions`}
        rows={of}
        rowKey={(session) => session.id}
        columns={[
          { header: t`Started`, className: "top", cell: (session) => <Time at={session.started_at} /> },
          { header: t`By`, cell: (session) => session.started_by },
          {
            header: t`Of`,
            isRowHeader: true,
            className: "break",
            cell: (session) => [session.client, session.resource].filter(Boolean).join(", "),
          },
          {
            header: t`State`,
            cell: (session) => (
              <>
                <Status of={sessionWords[session.state]} />
                {session.state === "OPEN" ? (
                  <div className="small muted">{rich`until ${(<Time at={session.expires_at} />)}`}</div>
                ) : null}
              </>
            ),
          },
          {
            header: t`Recorded`,
            cell: (session) => (
              <Link to={logAddress("conversions/one", service, region, { session: session.id })}>
                {rich`${session.recorded} of ${session.most_records} conversions`}
              </Link>
            ),
          },
          { header: t`Reason`, className: "break", cell: (session) => session.reason },
          {
            header: t`End`,
            isHeaderUnseen: true,
            cell: (session) =>
              session.state === "OPEN" ? (
                <Button
                  size="compact-xs"
                  loading={end.isPending}
                  aria-label={t`End the session of ${session.client || session.resource}`}
                  onClick={() => end.mutate(session.id)}
                >
                  {t`End`}
                </Button>
              ) : null,
          },
        ]}
      />
    </>
  );
}

function List(place: Place) {
  const { filters } = useFilters(["resource"]);
  const [opening, setOpening] = useState(false);
  const sessions = useQuery({
    queryKey: ["sessions", place.service, place.region],
    queryFn: ({ signal }) =>
      read("/deployments/{service}/{region}/conversion-sessions", {
        path: { service: place.service, region: place.region },
        signal,
      }),
    refetchInterval: (of) => (of.state.data?.items.some((each) => each.state === "OPEN") ? 3_000 : false),
  });
  return (
    <>
      <div className="row">
        <Button onClick={() => setOpening(true)}>{t`Record conversions…`}</Button>
      </div>
      <Loaded of={sessions}>
        {(data) =>
          data.items.length === 0 ? (
            <Card>
              <Empty title={t`No sessions yet.`}>
                {t`A session records what goes into each conversion of a client or of a resource, and what
                comes out.`}
              </Empty>
            </Card>
          ) : (
            <Card className="flush">
              <Rows of={data.items} {...place} />
            </Card>
          )
        }
      </Loaded>
      <p className="small muted">
        {t`Requests in the version that is stored are not converted. Messages of watches and of custom methods
        are not recorded.`}
      </p>
      {opening ? <OpenDialog of={place} resource={filters.resource} onClose={() => setOpening(false)} /> : null}
    </>
  );
}

export function ConversionSessionsPage() {
  const { filters } = useFilters(["service", "region"]);
  return (
    <LogPage log="conversions" service={filters.service} region={filters.region}>
      <List service={filters.service} region={filters.region} />
    </LogPage>
  );
}
