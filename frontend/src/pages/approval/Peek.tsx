import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { FoldedChecks } from "../../parts/checks/FoldedChecks";
import { Loaded } from "../../parts/states";
import { worded } from "../../words/server";
import { rich, t } from "../../words/text";
import { Summary } from "./Impact";
import { aboutTheData, requestAddress, votesText } from "./words";

/** A request at a glance, below its row: risk, checks, votes and effect; the run sheet has the rest. */
export function Peek({ id }: { id: string }) {
  const approval = useQuery({
    queryKey: ["approval", id],
    queryFn: ({ signal }) => read("/approvals/{id}", { path: { id }, signal }),
  });
  return (
    <Loaded of={approval} lines={3}>
      {(data) => (
        <section aria-label={t`Summary of ${worded(data.what, data.what_phrases)}`} className="stack">
          {data.comment ? (
            <blockquote>
              {data.comment}
              {data.ticket ? <span className="small mono"> {data.ticket}</span> : null}
            </blockquote>
          ) : null}
          {data.state === "OPEN" || data.state === "CHANGES" ? <Summary of={data.impact} /> : null}
          <FoldedChecks checks={aboutTheData(data.evidence_now)} />
          <p className="small">{rich`${(<b>{votesText(data)}</b>)} votes. ${worded(data.on_approve, data.on_approve_phrases)}
            ${worded(data.undo, data.undo_phrases)}`}</p>
          <p className="small">
            <Link to={requestAddress(data)}>{t`Open the request`}</Link>
          </p>
        </section>
      )}
    </Loaded>
  );
}
