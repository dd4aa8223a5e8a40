import { useEffect, useMemo, useRef } from "react";
import { noteGone } from "../api/build";
import { useOverview } from "../api/queries";
import type { Overview } from "../wire/model";
import { createStore } from "../state/store";
import { alert, announce } from "../state/announcements";
import { worded } from "../words/server";
import { t } from "../words/text";

/** Whether this browser also shows notifications of its own; asked for once, remembered here. */
export const browserNotes = createStore(false, "switchyard.browser-notes");

export async function toggleBrowserNotes(): Promise<void> {
  if (browserNotes.get()) browserNotes.set(false);
  else browserNotes.set((await Notification.requestPermission()) === "granted");
}

export interface Need {
  /** What the server calls it: an approval is told at once, anything else when nothing else is being said. */
  kind?: string;
  id: string;
  sentence: string;
  link: string;
}

/** What stands in the list now and did not before. */
export function fresh<N extends Need>(before: ReadonlySet<string> | null, needs: readonly N[]): N[] {
  return before === null ? [] : needs.filter((need) => !before.has(need.id));
}

/** What a person is told of: what needs them, and every move of what they follow. */
export function notified(overview: Pick<Overview, "needs_you" | "followed">): (Need & { title: string })[] {
  return [
    ...overview.needs_you.map((need) => ({
      ...need,
      sentence: worded(need.sentence, need.phrases),
      title: t`Pending task`,
    })),
    ...overview.followed.map(({ key, sentence, phrases, link }) => ({
      id: key,
      sentence: worded(sentence, phrases),
      link,
      title: t`Followed deployment`,
    })),
  ];
}

/** Show a notice on the page; the code of notices is fetched for the first one at the latest. */
async function showNotice(need: Need & { title: string }): Promise<void> {
  try {
    const { notifications } = await import("./Notices");
    notifications.show({
      id: need.id,
      title: need.title,
      message: need.sentence,
      autoClose: 12_000,
      closeButtonProps: { "aria-label": t`Close` },
    });
  } catch {
    noteGone();
  }
}

/** Tell at once what newly waits for this person: on the page, aloud, and by the browser where that was asked for. */
export function useNotices(): void {
  const overview = useOverview().data;
  const needs = useMemo(() => overview && notified(overview), [overview]);
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!needs) return;
    for (const need of fresh(known.current, needs)) {
      void showNotice(need);
      (need.kind === "approval" ? alert : announce)(need.sentence);
      if (browserNotes.get() && Notification.permission === "granted")
        new Notification(t`Switchyard`, { body: need.sentence, tag: need.id });
    }
    known.current = new Set(needs.map((need) => need.id));
  }, [needs]);
}
