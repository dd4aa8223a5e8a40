import { Button, CopyButton, Skeleton } from "@mantine/core";
import { QueryClientContext, type UseQueryResult } from "@tanstack/react-query";
import { Fragment, useContext, useEffect, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { detailOf, problemFrom } from "../api/problem";
import { live } from "../live/stream";
import { offset, tick } from "../time/clock";
import { Age } from "../time/Time";
import { fieldAt, FieldsContext, isMendedAtField, violationText } from "./forms/problem";
import { useParentPage } from "./Page";
import { PermissionRequest } from "./PermissionRequest";
import { Shape } from "./Shape";
import { useStore } from "../state/store";
import type { Problem, Session } from "../wire/model";
import { worded } from "../words/server";
import { rich, t } from "../words/text";

/** Skeleton lines, shown only when waiting takes long enough to be noticed. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return <div className="loading" aria-busy="true" />;
  return (
    <div className="loading" aria-busy="true">
      <span className="unseen">{t`Loading`}</span>
      {Array.from({ length: lines }, (_, at) => (
        <Skeleton key={at} height={14} mt={10} width={`${92 - at * 13}%`} />
      ))}
    </div>
  );
}

const MOMENT = /(\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?(?: UTC)?)?)/;

/** No line ends within a date: browsers break after its hyphens. */
function unbroken(text: string): ReactNode[] {
  return text.split(MOMENT).map((part, at) =>
    at % 2 ? (
      <span key={at} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** A sentence of the server, whose commands stand between backticks, with its dates each on one line. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text
        .split("`")
        .map((part, at) => (at % 2 ? <code key={at}>{part}</code> : <Fragment key={at}>{unbroken(part)}</Fragment>))}
    </>
  );
}

/** The ledger tells what became of a thing, to those who may read it. */
function Fate({ link }: { link?: string }) {
  const account = useContext(QueryClientContext)?.getQueryData<Session | null>(["session"])?.account;
  if (account && !account.permissions.includes("audit.read")) return null;
  return (
    <Button component="a" href={link ?? `/activity?target=${encodeURIComponent(lastPart(location.pathname))}`}>
      {t`Show in activity`}
    </Button>
  );
}

/** Which permission is missing, who has it, and the way to ask them: trying again cannot help. */
function Lacking({ of: { who_can: whoCan = [], permission }, detail }: { of: Problem; detail: string }) {
  return (
    <>
      {permission ? <p>{rich`Missing permission: ${(<code>{permission}</code>)}`}</p> : null}
      {whoCan.length && !whoCan.every((each) => detail.includes(each)) ? (
        <p>{rich`Allowed for: ${whoCan.join(", ")}`}</p>
      ) : null}
      {permission ? <PermissionRequest action={permission} /> : null}
    </>
  );
}

/** Whether the text of a problem adds nothing to its title and to what stands at the fields. */
function isSaidAtFields({ title, errors = [] }: Problem, detail: string): boolean {
  return (
    !detail ||
    detail.replace(/\.$/, "") === title ||
    errors.some((each) => worded(each.message, each.phrases) === detail)
  );
}

export function ProblemPanel({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = problemFrom(error);
  const forbidden = problem.status === 403;
  const gone = problem.status === 410 || problem.status === 404;
  const parent = useParentPage();
  const back = gone ? parent : null;
  const detail = detailOf(problem);
  const { names, places } = useContext(FieldsContext);
  const errors = problem.errors ?? [];
  const unplaced = errors.filter((each) => !fieldAt(each.path, names, places));
  // All of it stands at the fields: what is left to say is how to go on.
  if (errors.length && unplaced.length === 0)
    return (
      <div className="notice soft-bad" role="alert">
        <Shape tone="bad" />
        <span>
          {isSaidAtFields(problem, detail) ? t`Correct the marked fields.` : detail}{" "}
          {problem.remedy && !isMendedAtField(problem, names, places) ? (
            <Sentence text={worded(problem.remedy, problem.remedy_phrases)} />
          ) : null}
        </span>
      </div>
    );
  return (
    <section className="card problem" role="alert">
      <div className="row">
        <Shape tone={forbidden ? "blocked" : gone ? "unknown" : "bad"} size={20} />
        <h2>{worded(problem.title, [{ key: problem.title, values: {} }])}</h2>
      </div>
      {detail && !unplaced.some((each) => detail.includes(worded(each.message, each.phrases))) ? <p>{detail}</p> : null}
      {problem.remedy ? (
        <p>
          <b>{t`Remedy:`}</b> <Sentence text={worded(problem.remedy, problem.remedy_phrases)} />
        </p>
      ) : null}
      {unplaced.length ? (
        <ul>
          {unplaced.map((each, at) => (
            <li key={at}>
              <code>{each.path}</code> {violationText(each)}
            </li>
          ))}
        </ul>
      ) : null}
      <Lacking of={problem} detail={detail} />
      <div className="row">
        {back ? (
          <Button component={Link} to={back.to}>
            {t`Back to ${back.title}`}
          </Button>
        ) : retry && !forbidden ? (
          <Button onClick={retry}>{t`Try again`}</Button>
        ) : null}
        {problem.status === 410 ? <Fate {...(problem.link ? { link: problem.link } : {})} /> : null}
        {problem.request_id ? (
          <CopyButton value={problem.request_id}>
            {({ copied, copy }) => (
              <Button variant="subtle" onClick={copy}>
                {copied ? t`Copied` : t`Copy request id ${problem.request_id}`}
              </Button>
            )}
          </CopyButton>
        ) : null}
      </div>
    </section>
  );
}

export function Empty({ title, children, command }: { title: string; children?: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children ? <div>{children}</div> : null}
      {command ? (
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <div className="row command">
              <code>{command}</code>
              <Button size="xs" onClick={copy}>
                {copied ? t`Copied` : t`Copy`}
              </Button>
            </div>
          )}
        </CopyButton>
      ) : null}
    </div>
  );
}

function lastPart(path: string): string {
  return decodeURIComponent(path.split("/").filter(Boolean).at(-1) ?? "");
}

const OLD_MS = 30_000;

/** While nothing new can arrive, what is older than half a minute says how old it is. */
function Old({ since }: { since: number }) {
  const now = useStore(tick);
  const status = useStore(live.status);
  const paused = useStore(live.paused);
  if (now - since < OLD_MS || (status.connected && !paused)) return null;
  const age = <Age at={new Date(since + offset.get()).toISOString()} />;
  return (
    <div className="notice soft-wait" role="status">
      <Shape tone="wait" />{" "}
      {paused
        ? rich`Live updates are paused: showing the last known data ${age}.`
        : rich`No new data: showing the last known data ${age}.`}
    </div>
  );
}

/** The answers after which nothing that was known may stand any longer: the right is gone, or the thing itself. */
const OVER = new Set([403, 404, 410]);

/** One query in all its states: waiting, failed, old but readable, and there. */
export function Loaded<T>({
  of,
  lines,
  children,
}: {
  of: UseQueryResult<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (of.data === undefined || (of.isError && OVER.has(problemFrom(of.error).status))) {
    return of.isError ? (
      <ProblemPanel error={of.error} retry={() => void of.refetch()} />
    ) : (
      <Loading {...(lines ? { lines } : {})} />
    );
  }
  const age = <Age at={new Date(of.dataUpdatedAt + offset.get()).toISOString()} />;
  return (
    <>
      {of.isError ? (
        <div className="notice soft-wait" role="status">
          <Shape tone="wait" />
          <span>{rich`Last known data, ${age}: ${problemFrom(of.error).title.toLowerCase()}.`}</span>
          <Button size="xs" onClick={() => void of.refetch()}>
            {t`Try again`}
          </Button>
        </div>
      ) : (
        <Old since={of.dataUpdatedAt} />
      )}
      {children(of.data)}
    </>
  );
}
