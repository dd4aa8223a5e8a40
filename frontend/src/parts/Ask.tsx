import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client";
import { problemFrom } from "../api/problem";

/** Ask those who may do what one may not: it stands in the timeline, and on their overview. */
export function Ask({ upgrade, action }: { upgrade: string; action: string }) {
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  const ask = useMutation({ mutationFn: () => send(`/upgrades/${upgrade}/ask`, { method: "POST", body: { action, comment: comment.trim() } }) });
  if (ask.isSuccess) return <p className="why small" role="status">Asked. It stands in the timeline, and on the overview of those who can.</p>;
  if (!open) return <Button size="xs" onClick={() => setOpen(true)}>Ask them…</Button>;
  return (
    <div className="stack">
      <Textarea label="What they should know" size="xs" autosize minRows={2} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
      {ask.isError ? <p className="why small ink-bad" role="alert">{problemFrom(ask.error).detail ?? problemFrom(ask.error).title}</p> : null}
      <div className="row end"><Button size="xs" variant="filled" loading={ask.isPending} onClick={() => ask.mutate()}>Ask</Button></div>
    </div>
  );
}
