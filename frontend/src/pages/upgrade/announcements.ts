import { useEffect, useRef } from "react";
import { shortService } from "../../parts/status";
import { alert, announce } from "../../state/announcements";
import type { Upgrade } from "../../wire/model";
import { approvalsText } from "../approval/words";
import { worded } from "../../words/server";
import { plural, t } from "../../words/text";
import { newlyFailed } from "./shards/shards";

/** A blockage that appeared, or that the last one is gone; null where neither happened. */
export function blockageNews(
  was: Pick<Upgrade, "blockages">,
  now: Pick<Upgrade, "blockages">,
): { sentence: string; isUrgent: boolean } | null {
  const cause = now.blockages.find((each) => !was.blockages.some((known) => known.kind === each.kind));
  if (cause) return { sentence: worded(cause.sentence, cause.phrases), isUrgent: cause.needs_person };
  return was.blockages.length && now.blockages.length === 0
    ? { sentence: t`no longer blocked`, isUrgent: false }
    : null;
}

/** Which quarter of the shards is caught up: only a new one is said, not each of thousands of shards. */
function quarterOf({ ready, total }: Upgrade["shards"]): number {
  return total ? Math.floor((4 * ready) / total) : 0;
}

/** Another vote on the same request. */
function voteNews(was: Upgrade["readiness"], now: Upgrade["readiness"]): string {
  const { request_id: request, votes_given: votes, needed } = now.approvals;
  if (!request || request !== was.approvals.request_id || votes === was.approvals.votes_given) return "";
  return approvalsText(votes, needed);
}

/** How far the shards are, once for each quarter. */
function progressNews({ shards: was }: Upgrade, { shards: now }: Upgrade): string {
  if (quarterOf(was) >= quarterOf(now)) return "";
  return now.ready === now.total
    ? t`all ${now.total} shards are caught up`
    : t`${now.ready} of ${plural(now.total, "# shard", "# shards")} caught up`;
}

/** What is said politely of a change, as one sentence: of two said at once the second would silence the first. */
export function politeNews(was: Upgrade, now: Upgrade): string {
  const blockage = blockageNews(was, now);
  const isPolite = was.state !== now.state && now.state !== "HALTED";
  const result = isPolite ? worded(now.sentence, now.phrases) : "";
  const news = [
    voteNews(was.readiness, now.readiness),
    blockage && !blockage.isUrgent ? blockage.sentence : "",
    was.state === now.state ? progressNews(was, now) : "",
  ].filter(Boolean);
  const here = news.length ? `${shortService(now.service)} @ ${now.region}: ${news.join("; ")}` : "";
  return [result, here].filter(Boolean).join(" ");
}

/** Say changes aloud: progress politely, trouble at once. */
export function useAnnouncements(upgrade: Upgrade): void {
  const before = useRef<Upgrade | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = upgrade;
    if (!was || was.id !== upgrade.id) return;
    const where = `${shortService(upgrade.service)} @ ${upgrade.region}`;
    const failed = newlyFailed(was.shards.items, upgrade.shards.items);
    if (failed.length) alert(t`${where}: shard ${failed.join(", ")} failed`);
    const blockage = blockageNews(was, upgrade);
    if (blockage?.isUrgent) alert(`${where}: ${blockage.sentence}`);
    if (was.state !== upgrade.state && upgrade.state === "HALTED") alert(worded(upgrade.sentence, upgrade.phrases));
    const news = politeNews(was, upgrade);
    if (news) announce(news);
  }, [upgrade]);
}
