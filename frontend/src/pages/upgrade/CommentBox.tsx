import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey, send } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ProblemPanel } from "../../parts/states";
import type { UpgradeEvent } from "../../wire/model";
import { t } from "../../words/text";

/** Words for everybody who follows an upgrade; they stand in its story. */
export function CommentBox({ upgrade }: { upgrade: string }) {
  const cache = useQueryClient();
  const may = useAccount()?.permissions.includes("upgrade.comment");
  const [text, setText] = useState("");
  const [key, setKey] = useState(newKey);
  const say = useMutation({
    mutationFn: () =>
      send<UpgradeEvent>(`/upgrades/${upgrade}/events`, {
        method: "POST",
        body: { comment: text.trim() },
        idempotencyKey: key,
      }),
    onSuccess: () => {
      setText("");
      setKey(newKey());
      void cache.invalidateQueries({ queryKey: ["upgrade", upgrade, "events"] });
    },
  });
  if (!may) return null;
  return (
    <form
      className="stack comment-box"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) say.mutate();
      }}
    >
      <Textarea
        aria-label={t`Comment for all followers of this upgrade`}
        placeholder={t`Comment for all followers of this upgrade`}
        autosize
        minRows={1}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {say.isError ? <ProblemPanel error={say.error} /> : null}
      {text.trim() ? (
        <div className="row end">
          <Button type="submit" loading={say.isPending}>
            {t`Comment`}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
