import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { read } from "../../../api/client";
import { items, usePages } from "../../../parts/tables/More";
import { Card } from "../../../parts/Page";
import { Loaded } from "../../../parts/states";
import type { Column } from "../../../parts/tables/columns";
import { VirtualTable } from "../../../parts/tables/VirtualTable";
import type { components } from "../../../wire/schema";
import { kindWords } from "../graph/graph";
import { place } from "../Parts";
import { countText, memberQuery, type ReferenceGroup, type ReferenceGroups } from "./groups";
import { locale } from "../../../words/language";
import { rich, t } from "../../../words/text";

type Member = components["schemas"]["GroupMember"];
const PAGE = 200;
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

const columnsOf = (onShow: (member: Member) => void): readonly Column<Member>[] => [
  {
    header: t`Resource`,
    isRowHeader: true,
    className: "break",
    cell: (member) => <Link to={referencesOf(member.id)}>{place(member.id).name}</Link>,
  },
  {
    header: t`Path`,
    isHeaderUnseen: true,
    className: "top",
    cell: (member) => (
      <Button size="compact-xs" aria-label={t`Path of ${place(member.id).name}`} onClick={() => onShow(member)}>
        {t`Path`}
      </Button>
    ),
  },
];

/** The single references of a chosen group, fetched as far as they are scrolled to. */
export function GroupMembers({ group, of }: { group: ReferenceGroup; of: ReferenceGroups }) {
  const [shown, show] = useState<Member | null>(null);
  const pages = usePages(["reference-groups", of.focus.id, "members", memberQuery(group)], ({ cursor, signal }) =>
    read("/references/groups/members", {
      query: { name: of.focus.id, ...memberQuery(group), limit: PAGE, cursor },
      signal,
    }),
  );

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
              <VirtualTable
                label={t`References of the group`}
                boxClass="ref-members"
                columns={columnsOf(show)}
                rows={members}
                rowKey={(member) => `${member.id} ${member.path}`}
                rowCount={group.count}
                rowHeight={ROW_HEIGHT}
                isMeasured
                more={{ isThere: pages.hasNextPage && !pages.isFetchingNextPage, onLoad: pages.fetchNextPage }}
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
