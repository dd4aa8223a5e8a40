import { Card, Page } from "../parts/Page";
import { Copy } from "../parts/Copy";

function Command({ text, what }: { text: string; what: string }) {
  return <div className="row command"><code>{text}</code><Copy value={text} what={what} /></div>;
}

const topics = [
  ["fleet", "deployments, their versions and the state of their upgrades"],
  ["upgrade:ID", "one upgrade: its shards, checks, steps and lines of its story"],
  ["approvals", "requests, votes, policies and windows"],
  ["health", "components that went down or came back"],
  ["audit", "entries of the ledger"],
] as const;

export function DeveloperPage() {
  const origin = location.origin;
  return (
    <Page title="For developers">
      <div className="halves">
        <Card title="REST API">
          <p>Everything this console does goes through <a href="/api/v1/docs">the documented API</a>; its <a href="/api/v1/schema">OpenAPI schema</a> can generate a client.</p>
          <p>Writes take <code>Idempotency-Key</code>, so that a repeated request happens once, <code>If-Match</code> with the ETag you were shown, and <code>?dry_run=true</code> to only say what would happen. Refusals are <code>application/problem+json</code> with a stable <code>code</code> and a <code>remedy</code>.</p>
          <Command what="the command" text={`curl -H "Authorization: Bearer $SWY_TOKEN" ${origin}/api/v1/upgrades`} />
        </Card>
        <Card title="Command line">
          <p><code>swy</code> has the same verbs. Sign in once with a token made on the access page.</p>
          <Command what="the command" text={`swy login ${origin}`} />
          <Command what="the command" text="swy fleet" />
        </Card>
        <Card title="Live events">
          <p>Connect a websocket to <code>/ws</code> and send <code>{'{"op":"subscribe","topics":["fleet"],"since":null}'}</code>, or read the same stream as server-sent events:</p>
          <Command what="the command" text={`curl -N -H "Authorization: Bearer $SWY_TOKEN" "${origin}/api/v1/events?topics=fleet"`} />
          <p>Every event has a number. Send the last one you saw as <code>since</code> and what you missed is replayed, or you are told to read anew.</p>
        </Card>
        <Card title="Topics">
          <dl className="facts">{topics.map(([topic, meaning]) => [<dt key={topic} className="mono">{topic}</dt>, <dd key={meaning}>{meaning}</dd>])}</dl>
        </Card>
      </div>
    </Page>
  );
}
