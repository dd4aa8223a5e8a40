import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { read } from "../../api/client";
import { findAction } from "../../parts/ActionButton";
import { useFilters } from "../../parts/search";
import { Pill, Status } from "../../parts/Status";
import { approvalWords } from "../../parts/status";
import { Time } from "../../time/Time";
import type { Approval, Upgrade } from "../../wire/model";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";
import { Decision } from "./Decision";
import { Answer } from "./Delegation";
import { EvidenceThenNow } from "./EvidenceThenNow";
import { ImpactCard, Summary } from "./Impact";
import { Thread } from "./Thread";
import { Votes } from "./Votes";
import { isPending, votesText } from "./words";

/** The request for approval that the sheet of an upgrade shows: the one that its address names, else the present one. */
export function useRequest(upgrade: Upgrade): { request: Approval | null; isNamed: boolean } {
  const { filters } = useFilters(["request"]);
  const id = filters.request || (upgrade.readiness.approvals.request_id ?? "");
  const approval = useQuery({
    queryKey: ["approval", id],
    queryFn: ({ signal }) => read("/approvals/{id}", { path: { id }, signal }),
    enabled: id !== "",
    refetchInterval: 10_000,
  });
  const request = approval.data?.upgrade_id === upgrade.id ? approval.data : null;
  return { request, isNamed: filters.request !== "" };
}

/** A vote is asked of this account. */
export function isVoter(request: Approval): boolean {
  return request.state === "OPEN" && findAction(request.actions, "approve")?.allowed === true;
}

function Head({ approval }: { approval: Approval }) {
  return (
    <>
      <div className="row between wrap">
        <h2>{worded(approval.what, approval.what_phrases)}</h2>
        <Status of={approvalWords[approval.state]} />
      </div>
      <p>
        {rich`Requested by ${(<b>{approval.asked_by}</b>)}`}{" "}
        <span className="muted">
          <Time at={approval.created_at} />
        </span>
        {approval.ticket ? (
          <>
            {" "}
            · <span className="mono">{approval.ticket}</span>
          </>
        ) : null}
      </p>
      {approval.comment ? <blockquote>{approval.comment}</blockquote> : null}
      {approval.closed_reason ? <p>{worded(approval.closed_reason, approval.closed_reason_phrases)}</p> : null}
    </>
  );
}

/** The focus goes to the request where a link led to it. */
function useArrival() {
  const part = useRef<HTMLElement>(null);
  const { hash, state } = useLocation();
  // Where the list was left by the key of a decision, its button or comment takes the focus.
  const isDeciding = Boolean((state as { decision?: unknown } | null)?.decision);
  useEffect(() => {
    if (hash !== "#request" || isDeciding) return;
    // A page that was opened takes the focus to its heading first.
    const later = setTimeout(() => {
      part.current?.scrollIntoView({ block: "start" });
      part.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(later);
  }, [hash, isDeciding]);
  return part;
}

/** A request for approval in the present step: what changed since it was made, the decision, who voted, and its reach. */
export function SheetRequest({ approval, hasChecks }: { approval: Approval; hasChecks: boolean }) {
  const part = useArrival();
  return (
    <section
      id="request"
      ref={part}
      tabIndex={-1}
      className="card part request"
      aria-label={t`Approval request: ${worded(approval.what, approval.what_phrases)}`}
    >
      <Head approval={approval} />
      {isPending(approval) ? <Summary of={approval.impact} /> : null}
      <div className="row between">
        <h3>{t`Evidence`}</h3>
        <span className="small mono muted">{approval.digest.slice(0, 12)}</span>
      </div>
      <EvidenceThenNow approval={approval} hasChecks={hasChecks} />
      <Decision approval={approval} />
      <Answer approval={approval} />
      <div className="row between">
        <h3>{t`Votes`}</h3>
        <Pill
          tone={
            approval.state === "OPEN"
              ? "wait"
              : approval.state === "APPROVED" || approval.state === "USED"
                ? "ok"
                : "plain"
          }
        >
          {votesText(approval)}
        </Pill>
      </div>
      <Votes approval={approval} />
      {isPending(approval) ? <ImpactCard approval={approval} /> : null}
      <Thread approval={approval} />
    </section>
  );
}

/** A request that is settled: what became of it, and on demand all that was said. */
export function DecidedRequest({ approval, isOpen }: { approval: Approval; isOpen: boolean }) {
  const { tone, word } = approvalWords[approval.state];
  return (
    <details className="settled-request" open={isOpen || tone === "bad"}>
      <summary className="small">{rich`Approval request: ${word}, ${votesText(approval)} votes`}</summary>
      <SheetRequest approval={approval} hasChecks={false} />
    </details>
  );
}
