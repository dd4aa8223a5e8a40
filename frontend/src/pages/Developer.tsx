import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import changelog from "../../../CHANGELOG.md?raw";
import { send } from "../api/client";
import { useSession } from "../api/queries";
import { Card, Page } from "../parts/Page";
import { Copy } from "../parts/Copy";
import { Scroll } from "../parts/Scroll";
import { Empty, Loaded } from "../parts/states";
import type { components as shapes } from "../wire/schema";
import { events as catalogue } from "./hooks/events";

function Command({ text, what }: { text: string; what: string }) {
  return (
    <div className="row command">
      <code>{text}</code>
      <Copy value={text} what={what} />
    </div>
  );
}

const topics = [
  ["fleet", "deployments, their versions and the state of their upgrades"],
  ["references:in:1:NAME", "the graph of references around a resource, whole and then as it changes"],
  ["operations", "long work: begun, under way, finished"],
  ["upgrade:ID", "one upgrade: its shards, checks, steps and lines of its story"],
  ["approvals", "requests, votes, policies and windows"],
  ["health", "components that went down or came back"],
  ["audit", "entries of the ledger"],
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
  const found = useQuery({
    queryKey: ["deprecations"],
    queryFn: ({ signal }) => send<shapes["schemas"]["DeprecationPage"]>("/deprecations", { signal }),
  });
  return (
    <div id="deprecations">
      <Card title="What goes away">
        <Loaded of={found} lines={2}>
          {(data) =>
            data.items.length ? (
              <Scroll label="What goes away">
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">What</th>
                      <th scope="col">Deprecated since</th>
                      <th scope="col">Ends on</th>
                      <th scope="col">Use instead</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.items.map((row) => (
                      <tr key={row.what}>
                        <th scope="row">
                          <span className="mono break">{row.what}</span>
                          <div className="small muted">
                            {row.kind === "call" ? "a call of this API" : "a version of a service"}
                          </div>
                        </th>
                        <td className="mono">{row.since}</td>
                        <td className="mono">{row.sunset}</td>
                        <td>{row.instead || <span className="muted">–</span>}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            ) : (
              <Empty title="Nothing goes away.">
                Calls that are deprecated and versions with a last day stand here, and their answers carry{" "}
                <code>Deprecation</code> and <code>Sunset</code>.
              </Empty>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

export function DeveloperPage() {
  const origin = location.origin;
  const version = useSession().data?.version;
  return (
    <Page title="For developers">
      <div className="halves">
        <Card title="REST API">
          <p>
            Everything this console does goes through <a href="/api/v1/docs">the documented API</a>; its{" "}
            <a href="/api/v1/schema">OpenAPI schema</a> can generate a client.
          </p>
          <p>
            Writes take <code>Idempotency-Key</code>, so that a repeated request happens once, <code>If-Match</code>{" "}
            with the ETag you were shown, and <code>?dry_run=true</code> to only say what would happen. Refusals are{" "}
            <code>application/problem+json</code> with a stable <code>code</code> and a <code>remedy</code>.
          </p>
          <Command what="the command" text={`curl -H "Authorization: Bearer $SWY_TOKEN" ${origin}/api/v1/upgrades`} />
        </Card>
        <Card title="Command line">
          <p>
            <code>swy</code> has the same verbs. This console gives it as a{" "}
            <a href="/cli/" download>
              Python wheel
            </a>{" "}
            of its own version; sign in once with a token made on the access page.
          </p>
          {version && version !== "development" ? (
            <Command what="the command" text={`pip install ${origin}/cli/switchyard_cli-${version}-py3-none-any.whl`} />
          ) : null}
          <Command what="the command" text={`swy login ${origin}`} />
          <Command what="the command" text="swy fleet" />
        </Card>
        <Card title="Live events">
          <p>
            Connect a websocket to <code>/ws</code> and send{" "}
            <code>{'{"op":"subscribe","topics":["fleet"],"since":null}'}</code>, or read the same stream as server-sent
            events:
          </p>
          <Command
            what="the command"
            text={`curl -N -H "Authorization: Bearer $SWY_TOKEN" "${origin}/api/v1/events?topics=fleet"`}
          />
          <p>
            Every event has a number. Send the last one you saw as <code>since</code> and what you missed is replayed,
            or you are told to read anew.
          </p>
        </Card>
        <Card title="Limits and what goes away">
          <p>
            1,200 requests a minute for each account and process; beyond that <code>429</code> with{" "}
            <code>Retry-After</code>. Lists give 50 items a page and at most 500; <code>cursor</code> goes on. What goes
            away is announced below, and by the headers <code>Deprecation</code> and <code>Sunset</code> of each answer.
          </p>
          <p>
            A token for a first try is made in a minute under <Link to="/settings/access">Access</Link>.
          </p>
        </Card>
        <Card title="Topics">
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
      <Card title="Events that channels are told of">
        <p className="small muted">
          A <Link to="/settings/hooks">channel</Link> names events or patterns; each message carries <code>event</code>,{" "}
          <code>seq</code>, <code>at</code>, <code>about</code>, <code>link</code>, <code>title</code>,{" "}
          <code>text</code> and <code>data</code>, signed with HMAC-SHA256.
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
      <Card title="What changed">
        {releases(changelog).map((release) => (
          <details key={release.title} open={release.title === releases(changelog)[0]?.title}>
            <summary>
              <b>{release.title}</b> <span className="small muted">{release.changes.length} changes</span>
            </summary>
            <ul>
              {release.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </details>
        ))}
      </Card>
    </Page>
  );
}
