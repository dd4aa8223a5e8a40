import type { Word } from "../../parts/status";
import type { AuditEntry } from "../../wire/model";
import { t } from "../../words/text";

/** How an action ended, as the activity shows it. */
export const outcomes: Record<AuditEntry["outcome"], Word> = {
  done: { tone: "ok", word: t`done` },
  denied: { tone: "blocked", word: t`denied` },
  failed: { tone: "bad", word: t`failed` },
  dry_run: { tone: "plain", word: t`dry run` },
};
