import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../api/client";
import { unchecked } from "../api/operations";
import { problemFrom, problemText } from "../api/problem";
import { rich, t } from "../words/text";

/** Which right the actions of the console need that are not named after it. */
const RIGHTS: Record<string, string> = {
  waive: "registry.write",
  retire: "registry.write",
  review: "approval.vote",
  approve: "approval.vote",
  reject: "approval.vote",
  "request-changes": "approval.vote",
  delegate: "approval.vote",
  evict: "deployment.evict",
  "request-approval": "approval.request",
  start: "upgrade.start",
  pause: "upgrade.pause",
  resume: "upgrade.resume",
  abort: "upgrade.abort",
  switch: "upgrade.switch",
  rollback: "upgrade.rollback",
  complete: "upgrade.complete",
  plan: "upgrade.plan",
  "break-glass": "approval.vote",
};

/** The right that an action needs; nothing when nobody could be asked for it. */
export function rightOf(action: string): string {
  const bare = action.replaceAll("_", "-");
  return RIGHTS[bare] ?? RIGHTS[bare.replace(/^upgrade\./, "")] ?? (/^[a-z]+\.[a-z]+$/.test(action) ? action : "");
}

const pageText = (): string => t`Access to ${document.querySelector("main h1")?.textContent ?? document.title}`;

/** Ask those who may do what one may not: of an upgrade it stands in its timeline, and always on their overview. */
export function PermissionRequest({
  upgrade,
  action,
  what = pageText,
}: {
  upgrade?: string;
  action: string;
  /** What is to be allowed; without it, the page that is open. */
  what?: string | (() => string);
}) {
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  const ask = useMutation({
    mutationFn: (): Promise<unknown> =>
      upgrade
        ? write.post("/upgrades/{id}/ask", { path: { id: upgrade }, body: { action, comment: comment.trim() } })
        : write.post("/asks", {
            body: {
              permission: unchecked(rightOf(action)),
              what: typeof what === "string" ? what : what(),
              link: location.pathname + location.search,
              comment: comment.trim(),
            },
          }),
  });
  if (ask.isSuccess)
    return (
      <p className="why small" role="status">
        {rich`Request sent. It is shown ${upgrade ? t`in the timeline, and ` : ""}on the overview of permitted
        accounts.`}
      </p>
    );
  if (!open)
    return (
      <Button size="xs" onClick={() => setOpen(true)}>
        {t`Send a request…`}
      </Button>
    );
  return (
    <div className="stack">
      <Textarea
        label={t`Message`}
        size="xs"
        autosize
        minRows={2}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {ask.isError ? (
        <p className="why small ink-bad" role="alert">
          {problemText(problemFrom(ask.error))}
        </p>
      ) : null}
      <div className="row end">
        <Button size="xs" variant="filled" loading={ask.isPending} onClick={() => ask.mutate()}>
          {t`Send`}
        </Button>
      </div>
    </div>
  );
}
