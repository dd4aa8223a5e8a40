import { Menu, UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "react-router";
import { isQuiet } from "./quiet";
import { t } from "../../words/text";

export interface Twin {
  /** The same by `swy`; none where the command line has no such verb. */
  swy?: string;
  /** What the API is asked, below /api/v1. */
  path: string;
  method?: string;
  body?: unknown;
  /** The revision it is decided on. */
  ifMatch?: string | number;
}

/** A word as a shell takes it: quoted where it holds more than a plain name. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The request as curl sends it, with the token from the environment. */
export function curlOf(of: Twin, origin: string): string {
  const parts = ["curl"];
  if (of.method && of.method !== "GET") parts.push(`-X ${of.method}`);
  parts.push(`-H "Authorization: Bearer $SWY_TOKEN"`);
  if (of.ifMatch !== undefined) parts.push(`-H ${quoted(`If-Match: "${of.ifMatch}"`)}`);
  if (of.method && of.method !== "GET") parts.push(`-H "Idempotency-Key: $(uuidgen)"`);
  if (of.body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(of.body))}`);
  return [...parts, quoted(`${origin}/api/v1${of.path}`)].join(" ");
}

type Rule = [pattern: RegExp, twin: (result: string[], search: URLSearchParams) => Twin | null];

const plain = (search: URLSearchParams, names: readonly string[]): string => {
  const kept = new URLSearchParams([...search].filter(([name, value]) => names.includes(name) && value));
  return kept.size ? `?${kept.toString()}` : "";
};
const options = (search: URLSearchParams, names: Record<string, string>): string =>
  Object.entries(names)
    .filter(([name]) => search.get(name))
    .map(([name, option]) => ` --${option} ${quoted(search.get(name) ?? "")}`)
    .join("");
const AUDIT = "actor action target service region outcome quiet address request_id since until".split(" ");
const READERS = ["client", "server", "policy"];

/** The filters of the activity page as the API takes them: whether it hides what changes nothing is said. */
function withQuiet(filters: URLSearchParams): URLSearchParams {
  const search = new URLSearchParams(filters);
  const of = (name: string): string => search.get(name) ?? "";
  const quiet = isQuiet({ quiet: of("quiet"), request_id: of("request_id"), outcome: of("outcome") });
  search.delete("quiet");
  if (quiet) search.set("quiet", "true");
  return search;
}

const rules: Rule[] = [
  [/^\/$/, () => ({ path: "/overview" })],
  [/^\/fleet$/, () => ({ swy: "swy fleet", path: "/fleet" })],
  [
    /^\/d\/([^/]+)\/([^/]+)$/,
    ([service = "", region = ""]) => ({
      swy: `swy get ${quoted(`${service}@${region}`)}`,
      path: `/deployments/${service}/${region}`,
    }),
  ],
  [
    /^\/upgrades$/,
    (_, search) => ({
      swy:
        `swy upgrade list${options(search, { state: "state", service: "service", region: "region" })}` +
        (search.get("live") ? " --live" : ""),
      path: `/upgrades${plain(search, ["service", "region", "state", "live", "stalled", "q", "sort"])}`,
    }),
  ],
  [/^\/upgrades\/(u[^/]+)(?:\/rollback)?$/, ([id = ""]) => ({ swy: `swy get ${id}`, path: `/upgrades/${id}` })],
  [/^\/rollouts$/, () => ({ swy: "swy rollout list", path: "/rollouts" })],
  [/^\/rollouts\/(r[^/]+)$/, ([id = ""]) => ({ swy: `swy get rollouts/${id}`, path: `/rollouts/${id}` })],
  [/^\/approvals$/, () => ({ swy: "swy approvals", path: "/approvals" })],
  [/^\/approvals\/([^/]+)$/, ([id = ""]) => ({ swy: `swy get ${id}`, path: `/approvals/${id}` })],
  [
    /^\/activity$/,
    (_, filters) => {
      const search = withQuiet(filters);
      return {
        swy: `swy audit${options(search, {
          actor: "actor",
          action: "action",
          target: "target",
          service: "service",
          region: "region",
          outcome: "outcome",
          request_id: "request",
          address: "address",
          since: "since",
          until: "until",
        })}${search.has("quiet") ? " --quiet" : ""}`,
        path: `/audit${plain(search, AUDIT)}`,
      };
    },
  ],
  [
    /^\/refs$/,
    (_, search) =>
      search.get("name")
        ? {
            swy: `swy refs ${quoted(search.get("name") ?? "")}${options(search, { direction: "direction", depth: "depth" })}`,
            path: `/references${plain(search, ["name", "direction", "depth"])}`,
          }
        : null,
  ],
  [
    /^\/refs\/deletion$/,
    (_, search) =>
      search.get("name")
        ? {
            swy: `swy deletion-check ${quoted(search.get("name") ?? "")}`,
            path: `/deletion-check${plain(search, ["name"])}`,
          }
        : null,
  ],
  [/^\/versions$/, () => ({ swy: "swy services list", path: "/services" })],
  [/^\/versions\/([^/]+)$/, ([service = ""]) => ({ swy: `swy get services/${service}`, path: `/services/${service}` })],
  [
    /^\/compat\/([^/]+)\/(.+)\.\.(.+)$/,
    ([service = "", from = "", to = ""], search) => ({
      swy: `swy compat check ${service} ${from} ${to}${options(search, { client: "client", server: "server", policy: "policy" })}`,
      path: `/services/${service}/compatibility?before=${from}&after=${to}${plain(search, READERS).replace("?", "&")}`,
    }),
  ],
  [/^\/windows$/, () => ({ swy: "swy windows", path: "/windows" })],
  [/^\/health$/, () => ({ path: "/health" })],
];

/** What gives by hand what a page shows; nothing where a page only asks. */
export function twinOf(pathname: string, search: string): Twin | null {
  for (const [pattern, twin] of rules) {
    const match = pattern.exec(pathname);
    if (match) return twin(match.slice(1).map(decodeURIComponent), new URLSearchParams(search));
  }
  return null;
}

/** Copies what is done here as a command of `swy`, or of curl. */
export function CopyAs({ of, label }: { of: Twin; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const [last, setLast] = useState("");
  const copy = (what: string, text: string): void => {
    setLast(what);
    clipboard.copy(text);
  };
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className="link small" aria-label={t`Copy as… ${label}`}>
          {t`Copy as…`}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {of.swy ? (
          <Menu.Item onClick={() => copy("swy", of.swy ?? "")}>
            {clipboard.copied && last === "swy" ? t`Copied` : t`swy command`}
          </Menu.Item>
        ) : (
          <Menu.Label>{t`swy has no command for this`}</Menu.Label>
        )}
        <Menu.Item onClick={() => copy("curl", curlOf(of, location.origin))}>
          {clipboard.copied && last === "curl" ? t`Copied` : t`curl command`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same for the page that is open. */
export function CopyPageAs() {
  const { pathname, search } = useLocation();
  const twin = twinOf(pathname, search);
  return twin ? <CopyAs of={twin} label={t`a command: this page`} /> : null;
}
