import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newKey, write } from "../../../api/client";
import { useAccount } from "../../../api/queries";
import { Form } from "../../../parts/forms/Form";
import { isBlank, useForm } from "../../../parts/forms/useForm";
import { ProblemPanel } from "../../../parts/states";
import { t } from "../../../words/text";

/** Words for everybody who follows an upgrade; they stand in its story. */
export function CommentBox({ upgrade }: { upgrade: string }) {
  const cache = useQueryClient();
  const may = useAccount()?.permissions.includes("upgrade.comment");
  const form = useForm({ comment: "" });
  const [key, setKey] = useState(newKey);
  const say = useMutation({
    mutationFn: (comment: string) =>
      write.post("/upgrades/{id}/events", {
        path: { id: upgrade },
        body: { comment: comment.trim() },
        idempotencyKey: key,
      }),
    onSuccess: () => {
      form.reset();
      setKey(newKey());
      void cache.invalidateQueries({ queryKey: ["upgrade", upgrade, "events"] });
    },
  });
  if (!may) return null;
  return (
    <Form
      of={form}
      onSend={({ comment }) => {
        if (!isBlank(comment)) say.mutate(comment);
      }}
      error={say.error}
      className="stack comment-box"
    >
      <Textarea
        aria-label={t`Comment for all followers of this upgrade`}
        placeholder={t`Comment for all followers of this upgrade`}
        autosize
        minRows={1}
        maxLength={4000}
        {...form.getInputProps("comment")}
      />
      {say.isError ? <ProblemPanel error={say.error} /> : null}
      {isBlank(form.values.comment) ? null : (
        <div className="row end">
          <Button type="submit" loading={say.isPending}>
            {t`Comment`}
          </Button>
        </div>
      )}
    </Form>
  );
}
