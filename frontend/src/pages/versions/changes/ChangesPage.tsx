import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useParams } from "react-router";
import { wideRefusal } from "../../../api/bounds";
import { newKey, read, rehearse, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { ActionButton } from "../../../parts/ActionButton";
import { Card, Page } from "../../../parts/Page";
import { Empty, Loaded, ProblemPanel } from "../../../parts/states";
import { Status, Version } from "../../../parts/Status";
import { DataTable } from "../../../parts/tables/DataTable";
import { Time } from "../../../time/Time";
import type { components } from "../../../wire/schema";
import { Advice } from "./Advice";
import { ChangedSides, type Decision, Decisions } from "./Decisions";
import { DefinitionRollouts, StartInPhases } from "./DefinitionRollouts";
import { readFolder } from "./folder";
import { WaiverControl } from "../Waivers";
import { WordedLines } from "../WordedLines";
import { plural, rich, t } from "../../../words/text";

type Applied = components["schemas"]["AppliedService"];
type Files = Record<string, string>;

/** Choose a folder: it is compared with what is served and stored, and nothing is changed. */
function Check({ service }: { service: string }) {
  const id = useId();
  const [files, setFiles] = useState<Files | null>(null);
  const [fault, setFault] = useState("");
  const choose = (chosen: FileList | null): void => {
    setFiles(null);
    setFault("");
    readFolder([...(chosen ?? [])]).then(setFiles, (error: Error) => setFault(error.message));
  };
  return (
    <Card title={t`Check a definition`}>
      <p>
        <label htmlFor={id}>{t`Folder of the service`}</label>{" "}
        <input
          id={id}
          type="file"
          multiple
          {...{ webkitdirectory: "" }}
          onChange={(event) => choose(event.currentTarget.files)}
        />
      </p>
      <p className="small muted">
        {t`The files are compared with the served definition, with what is stored, and with what clients
        were seen to use. Nothing is changed.`}
      </p>
      {fault ? <p role="alert">{fault}</p> : null}
      {files ? <Checked service={service} files={files} /> : null}
    </Card>
  );
}

/** How many decisions nothing lets through, in one sentence. */
export function against(of: Pick<Applied, "decisions">): string {
  const count = of.decisions.filter((each) => each.verdict !== "allowed" && each.waiver?.state !== "in-force").length;
  return t`${plural(count, "# decision is", "# decisions are")} against this definition.`;
}

function Checked({ service, files }: { service: string; files: Files }) {
  const cache = useQueryClient();
  const refusal = wideRefusal(useAccount(), "registry.write", service, t`This requires permission to change services.`);
  const [key] = useState(newKey);
  const check = useQuery({
    queryKey: ["definition-check", service, files],
    queryFn: () => rehearse.post("/services", { body: { files } }),
    retry: false,
    gcTime: 0,
  });
  const apply = useMutation({
    mutationFn: () => write.post("/services", { body: { files }, idempotencyKey: key }),
    onSettled: () => {
      for (const each of ["services", "definition-reviews", "definition-check", "waivers"])
        void cache.invalidateQueries({ queryKey: [each] });
    },
  });
  return (
    <Loaded of={check}>
      {(data) =>
        data.service === service ? (
          <div className="stack">
            <p role="status">
              {apply.isSuccess ? t`Applied.` : data.may_apply ? t`This definition may be applied.` : against(data)}
            </p>
            {data.advice ? <Advice of={data.advice} /> : null}
            <Decisions service={service} of={data.decisions} files={files} />
            {apply.isError ? <ProblemPanel error={apply.error} /> : null}
            <div className="row wrap">
              <ActionButton
                of={{
                  action: "apply",
                  allowed: data.may_apply && !refusal,
                  reason: refusal || t`Decisions are against it, and no waiver in force lets them through.`,
                  who_can: refusal ? ["operator", "admin"] : [],
                }}
                primary
                busy={apply.isPending}
                onAct={() => apply.mutate()}
              >
                {t`Apply`}
              </ActionButton>
              {!data.may_apply && data.decisions.some((each) => each.phases.length > 0) ? (
                <StartInPhases service={service} files={files} refusal={refusal} />
              ) : null}
            </div>
          </div>
        ) : (
          <p role="alert">{rich`This folder defines ${data.service}. Open the page of that service.`}</p>
        )
      }
    </Loaded>
  );
}

/** Waivers of changes in place: what was decided when they were requested, for the second person. */
function Waivers({ service }: { service: string }) {
  const result = useQuery({
    queryKey: ["waivers", service],
    queryFn: ({ signal }) => read("/services/{name}/waivers", { path: { name: service }, signal }),
  });
  return (
    <Card title={t`Waivers of changes`}>
      <Loaded of={result} lines={2}>
        {(data) => {
          const own = data.items.filter((each) => each.before === each.after);
          if (own.length === 0)
            return (
              <Empty title={t`No waivers were requested.`}>
                {t`A waiver lets one change through for one apply, after another person approves it.`}
              </Empty>
            );
          return (
            <DataTable
              label={t`Waivers`}
              rows={own}
              rowKey={(each) => each.id}
              columns={[
                {
                  header: t`Place`,
                  isRowHeader: true,
                  className: "place",
                  cell: (each) => (
                    <>
                      <span className="mono break">{each.path}</span> <Version of={each.after} />
                      <ChangedSides of={{ ...each, ...each.decision } as Pick<Decision, "rule" | "change" | "sides">} />
                    </>
                  ),
                },
                {
                  header: t`Decision when requested`,
                  cell: (each) => (
                    <>
                      <WordedLines of={each.decision?.reasons} phrases={each.decision?.reason_phrases} />
                      <div className="small muted">
                        {rich`${each.decision?.evidence_is_old ? t`The evidence was too old. ` : ""}Decided
                            ${(<Time at={each.asked_at} />)}`}
                      </div>
                    </>
                  ),
                },
                { header: t`Waiver`, cell: (each) => <WaiverControl service={service} waiver={each} form={null} /> },
              ]}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}

function Reviews({ service }: { service: string }) {
  const result = useQuery({
    queryKey: ["definition-reviews", service],
    queryFn: ({ signal }) => read("/services/{name}/definitionReviews", { path: { name: service }, signal }),
  });
  return (
    <Card title={t`Applied and refused definitions`}>
      <Loaded of={result} lines={2}>
        {(data) =>
          data.items.length ? (
            <ul className="plain-list">
              {data.items.map((each) => (
                <li key={`${each.at} ${each.fingerprint}`}>
                  <details>
                    <summary>
                      <Status
                        of={
                          each.outcome === "applied"
                            ? { tone: "ok", word: t`applied` }
                            : { tone: "bad", word: t`refused` }
                        }
                      />{" "}
                      <span className="mono">{each.fingerprint.slice(0, 16)}</span>{" "}
                      {rich`by ${each.by} ${(<Time at={each.at} />)}, ${plural(each.decisions.length, "# decision", "# decisions")}`}
                    </summary>
                    <Decisions service={service} of={each.decisions} />
                  </details>
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={t`No definition was applied since decisions are kept.`} />
          )
        }
      </Loaded>
    </Card>
  );
}

export function ChangesPage() {
  const { service = "" } = useParams();
  return (
    <Page
      title={t`Changes`}
      heading={t`Definition changes`}
      under={[
        { title: t`Versions`, to: "/versions" },
        { title: service, to: `/versions/${service}` },
      ]}
    >
      <Check service={service} />
      <DefinitionRollouts service={service} />
      <Waivers service={service} />
      <Reviews service={service} />
    </Page>
  );
}
