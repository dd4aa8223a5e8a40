import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { items, usePages } from "../../../parts/More";
import { Card } from "../../../parts/Page";
import { Loaded } from "../../../parts/states";
import type { components } from "../../../wire/schema";
import { kindWords } from "../graph/graph";
import { place } from "../Parts";
import { countText, memberQuery, type ReferenceGroup, type ReferenceGroups } from "./groups";
import { locale } from "../../../words/language";
import { rich, t } from "../../../words/text";

type Member = components["schemas"]["GroupMember"];
const PAGE = "200";
const ROW_HEIGHT = 40;
const referencesOf = (id: string): string => `/refs?name=${encodeURIComponent(id)}`;

/** One reference of the group, from its source over the field to its target. */
function SinglePath({ of, group, focus }: { of: Member; group: ReferenceGroup; focus: string }) {
  const [source, target] = group.direction === "in" ? [of.id, focus] : [focus, of.id];
  return (
    <ol className="would ref-path" aria-label={t`Path`}>
      <li className="break">
        <Link to={referencesOf(source)}>{place(source).name}</Link>
      </li>
      <li className="small muted">{rich`field ${(<code>{of.path}</code>)}, ${kindWords[group.kind]}`}</li>
      <li className="break">
        <Link to={referencesOf(target)}>{place(target).name}</Link>
      </li>
    </ol>
  );
}

function Rows({
  members,
  total,
  isMore,
  onMore,
  onShow,
}: {
  members: readonly Member[];
  total: number;
  isMore: boolean;
  onMore: () => unknown;
  onShow: (member: Member) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: members.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    initialRect: { width: 320, height: 420 },
    measureElement: (row) => row.getBoundingClientRect().height || ROW_HEIGHT,
  });
  const rows = virtual.getVirtualItems();
  const above = rows[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (isMore && last >= members.length - 20) void onMore();
  }, [isMore, last, members.length, onMore]);
  return (
    <div ref={box} className="scroll ref-members" role="region" aria-label={t`References of the group`} tabIndex={0}>
      <table className="table" aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t`Resource`}</th>
            <th scope="col">
              <span className="unseen">{t`Path`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 ? (
            <tr aria-hidden="true" style={{ height: above }}>
              <td colSpan={2} />
            </tr>
          ) : null}
          {rows.map((row) => {
            const member = members[row.index];
            if (!member) return null;
            const name = place(member.id).name;
            return (
              <tr
                key={`${member.id} ${member.path}`}
                ref={virtual.measureElement}
                data-index={row.index}
                aria-rowindex={row.index + 2}
              >
                <th scope="row" className="break">
                  <Link to={referencesOf(member.id)}>{name}</Link>
                </th>
                <td className="top">
                  <Button size="compact-xs" aria-label={t`Path of ${name}`} onClick={() => onShow(member)}>
                    {t`Path`}
                  </Button>
                </td>
              </tr>
            );
          })}
          {below > 0 ? (
            <tr aria-hidden="true" style={{ height: below }}>
              <td colSpan={2} />
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

/** The single references of a chosen group, fetched as far as they are scrolled to. */
export function GroupMembers({ group, of }: { group: ReferenceGroup; of: ReferenceGroups }) {
  const [shown, show] = useState<Member | null>(null);
  const pages = usePages<Member>("reference-groups", "/references/groups/members", {
    name: of.focus.id,
    ...memberQuery(group),
    limit: PAGE,
  });

  return (
    <Card title={`${countText(group.count, group.is_exact)} × ${group.type}`} aside={<code>{group.field}</code>}>
      <p className="small muted">
        {group.service} @ {group.region} · {kindWords[group.kind]}
      </p>
      {shown ? <SinglePath of={shown} group={group} focus={of.focus.id} /> : null}
      <Loaded of={pages} lines={4}>
        {(data) => {
          const members = items(data);
          return (
            <>
              <Rows
                members={members}
                total={group.count}
                isMore={pages.hasNextPage && !pages.isFetchingNextPage}
                onMore={pages.fetchNextPage}
                onShow={show}
              />
              <p className="small muted" aria-live="polite">
                {pages.hasNextPage
                  ? t`The first ${members.length.toLocaleString(locale)}; scrolling loads more.`
                  : t`All ${members.length.toLocaleString(locale)} are listed.`}
              </p>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
