import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import changelog from "../../../CHANGELOG.md?raw";
import { read } from "../api/client";
import { useSession } from "../api/queries";
import { Card, Page } from "../parts/Page";
import { Copy } from "../parts/Copy";
import { Empty, Loaded } from "../parts/states";
import { events as catalogue } from "./hooks/events";
import { rich, t } from "../words/text";
import { DataTable } from "../parts/tables/DataTable";

function Command({ text, what }: { text: string; what: string }) {
  return (
    <div className="row command">
      <code>{text}</code>
      <Copy value={text} what={what} />
    </div>
  );
}

const SUBSCRIBE = '{"op":"subscribe","topics":["fleet"],"since":null}';

const topics = [
  ["fleet", t`deployments, their versions and the state of their upgrades`],
  ["references:in:1:NAME", t`the reference graph of a resource, first whole, then its changes`],
  ["references:groups:1:NAME", t`the counts of its references by field, type and deployment`],
  ["operations", t`operations: started, running, finished`],
  ["upgrade:ID", t`one upgrade: its shards, checks, steps and events`],
  ["approvals", t`requests, votes, policies and windows`],
  ["health", t`components that failed or recovered`],
  ["audit", t`entries of the audit log`],
] as const;

export interface Release {
  title: string;
  changes: string[];
}

/** The changelog by release, newest first, each change in plain words. */
export function releases(text: string): Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...rest] = part.split("\n");
      const changes = rest
        .join("\n")
        .split(/^- /m)
        .slice(1)
        .map((each) =>
          each
            .replace(/\s+/g, " ")
            .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
            .replace(/[`*]/g, "")
            .trim(),
        );
      return { title: title.trim(), changes: changes.filter(Boolean) };
    });
}

/** What goes away, and when: calls of the console's own API, and versions of the services it looks after. */
export function Deprecations() {
  const result = useQuery({
    queryKey: ["deprecations"],
    queryFn: ({ signal }) => read("/deprecations", { signal }),
  });
  return (
    <div id="deprecations">
      <Card title={t`Deprecations`}>
        <Loaded of={result} lines={2}>
          {(data) =>
            data.items.length ? (
              <DataTable
                label={t`Deprecations`}
                rows={data.items}
                rowKey={(row) => row.what}
                columns={[
                  {
                    header: t`Item`,
                    isRowHeader: true,
                    cell: (row) => (
                      <>
                        <span className="mono break">{row.what}</span>
                        <div className="small muted">
                          {row.kind === "call" ? t`call of this API` : t`version of a service`}
                        </div>
                      </>
                    ),
                  },
                  { header: t`Deprecated since`, className: "mono", cell: (row) => row.since },
                  { header: t`Ends on`, className: "mono", cell: (row) => row.sunset },
                  { header: t`Use instead`, cell: (row) => row.instead || <span className="muted">–</span> },
                ]}
              />
            ) : (
              <Empty title={t`No deprecations.`}>
                {rich`This list shows deprecated calls and versions with a retirement date. Their responses
                carry ${(<code>Deprecation</code>)} and ${(<code>Sunset</code>)}.`}
              </Empty>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

const contents = [
  ["rest", t`REST API`],
  ["command-line", t`Command line`],
  ["live-events", t`Live events`],
  ["limits", t`Limits and deprecations`],
  ["topics", t`Topics`],
  ["events", t`Events of channels`],
  ["deprecations", t`Deprecations`],
  ["changes", t`What changed`],
] as const;

function Contents() {
  return (
    <nav className="row wrap small" aria-label={t`Contents`}>
      {contents.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

export function DeveloperPage() {
  const origin = location.origin;
  const version = useSession().data?.version;
  return (
    <Page title={t`Developers`}>
      <Contents />
      <div className="halves">
        <Card id="rest" title={t`REST API`}>
          <p>
            {rich`This console uses ${(<a href="/api/v1/docs">{t`the documented API alone`}</a>)}; its
              ${(<a href="/api/v1/schema">{t`OpenAPI schema`}</a>)}
            can generate a client.`}
          </p>
          <p>
            {rich`Writes take ${(<code>Idempotency-Key</code>)}, so that a repeated request is applied once, ${(<code>If-Match</code>)}
            with the ETag of the last response, and ${(<code>?dry_run=true</code>)} to show the effect without
            applying it. Errors are ${(<code>application/problem+json</code>)} with a stable ${(<code>code</code>)}
            and a ${(<code>remedy</code>)}.`}
          </p>
          <Command
            what={t`the command`}
            text={t`curl -H "Authorization: Bearer $SWY_TOKEN" ${origin}/api/v1/upgrades`}
          />
        </Card>
        <Card id="command-line" title={t`Command line`}>
          <p>
            {rich`${(<code>swy</code>)} has the same commands. This console serves it as a`}{" "}
            <a href="/cli/" download>
              {t`Python wheel`}
            </a>{" "}
            {t`of the same version. Sign in once with a token from the access page.`}
          </p>
          {version && version !== "development" ? (
            <Command
              what={t`the command`}
              text={t`pip install ${origin}/cli/switchyard_cli-${version}-py3-none-any.whl`}
            />
          ) : null}
          <Command what={t`the command`} text={t`swy login ${origin}`} />
          <Command what={t`the command`} text={t`swy fleet`} />
        </Card>
        <Card id="live-events" title={t`Live events`}>
          <p>
            {rich`Connect a websocket to ${(<code>/ws</code>)} and send ${(<code>{SUBSCRIBE}</code>)},
            or read the same stream as server-sent events:`}
          </p>
          <Command
            what={t`the command`}
            text={t`curl -N -H "Authorization: Bearer $SWY_TOKEN" "${origin}/api/v1/events?topics=fleet"`}
          />
          <p>
            {rich`Every event has a number. Send the number of the last received event as ${(<code>since</code>)}
            to replay missed events. If they are no longer kept, the server answers resync.`}
          </p>
        </Card>
        <Card id="limits" title={t`Limits and deprecations`}>
          <p>
            {rich`1,200 requests per minute for each account and process. Above that ${(<code>429</code>)} with
            ${(<code>Retry-After</code>)}. Lists give 50 items a page and at most 500; ${(<code>cursor</code>)}
            returns the next page. Deprecations are listed below and sent in the headers ${(<code>Deprecation</code>)}
            and ${(<code>Sunset</code>)} of each response.`}
          </p>
          <p>{rich`Create a token under ${(<Link to="/settings/access">{t`Access`}</Link>)}.`}</p>
        </Card>
        <Card id="topics" title={t`Topics`}>
          <dl className="facts">
            {topics.map(([topic, meaning]) => [
              <dt key={topic} className="mono">
                {topic}
              </dt>,
              <dd key={meaning}>{meaning}</dd>,
            ])}
          </dl>
        </Card>
      </div>
      <Card id="events" title={t`Events of channels`}>
        <p className="small muted">
          {rich`A ${(<Link to="/settings/hooks">{t`channel`}</Link>)} subscribes to events or patterns. Each message
          contains ${(<code>event</code>)}, ${(<code>seq</code>)}, ${(<code>at</code>)}, ${(<code>about</code>)},
          ${(<code>link</code>)}, ${(<code>title</code>)}, ${(<code>text</code>)} and ${(<code>data</code>)},
          signed with HMAC-SHA256.`}
        </p>
        <dl className="facts">
          {catalogue.map(({ value, label }) => [
            <dt key={value} className="mono">
              {value}
            </dt>,
            <dd key={label}>{label}</dd>,
          ])}
        </dl>
      </Card>
      <Deprecations />
      <Card id="changes" title={t`What changed`}>
        {releases(changelog).map((release) => (
          <details key={release.title}>
            <summary>
              <b translate="no">{release.title}</b>{" "}
              <span className="small muted">{rich`${release.changes.length} changes`}</span>
            </summary>
            <ul translate="no">
              {release.changes.map((change) => (
                <li key={change} className="break">
                  {change}
                </li>
              ))}
            </ul>
          </details>
        ))}
      </Card>
    </Page>
  );
}
