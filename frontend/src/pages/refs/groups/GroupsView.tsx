import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { read } from "../../../api/client";
import { WithInspector } from "../../../parts/Inspector";
import { Card } from "../../../parts/Page";
import { useFilters } from "../../../parts/search";
import { Empty, Loaded } from "../../../parts/states";
import { DeletionVerdict } from "../deletion/DeletionVerdict";
import { noReferences, UnansweredDeployments } from "../Parts";
import { remember } from "../recent";
import { ViewSwitch } from "../ViewSwitch";
import { GroupColumns } from "./GroupColumns";
import { GroupMembers } from "./GroupMembers";
import "./groups.css";
import { isHiddenGroup, keyOf, placeOf, type ReferenceGroups, summary } from "./groups";
import { useLiveGroups } from "./useLiveGroups";
import { rich, t } from "../../../words/text";

function Chosen({ of, chosen }: { of: ReferenceGroups; chosen: string }) {
  const group = of.groups.find((each) => keyOf(each) === chosen);
  if (!group)
    return (
      <Card title={t`Group`}>
        <p className="small muted">{t`Choose a group to list its references.`}</p>
      </Card>
    );
  if (isHiddenGroup(group))
    return (
      <Card title={t`Group`}>
        <p>{rich`You may not read ${placeOf(group)}. Only the number of its references is shown.`}</p>
      </Card>
    );
  return <GroupMembers key={chosen} group={group} of={of} />;
}

function Answer({ read, readAt }: { read: ReferenceGroups; readAt: number }) {
  const { filters, set } = useFilters(["group"]);
  const groups = useLiveGroups(read, readAt);
  return (
    <WithInspector
      page="references"
      label={t`Chosen group`}
      side={
        <>
          {groups.groups.length ? <Chosen of={groups} chosen={filters.group} /> : null}
          <DeletionVerdict name={groups.focus.id} />
        </>
      }
    >
      <UnansweredDeployments unknown={groups.unknown} />
      <div className="row wrap">
        <ViewSwitch places={[groups.focus, ...groups.groups]} />
        <p className="small muted beside-views">
          {summary(groups.groups, "in")}; {summary(groups.groups, "out")}.
        </p>
      </div>
      <Card>
        {groups.groups.length ? (
          <GroupColumns of={groups} chosen={filters.group} onChoose={(key) => set("group", key)} />
        ) : (
          <Empty title={noReferences(groups.focus.state)}>
            {groups.unknown.length ? t`According to the deployments that answered.` : null}
          </Empty>
        )}
      </Card>
    </WithInspector>
  );
}

/** The references of a resource counted by field, type, deployment and rule: alike for ten and for a million. */
export function GroupsView({ name }: { name: string }) {
  const groups = useQuery({
    queryKey: ["reference-groups", name],
    queryFn: ({ signal }) => read("/references/groups", { query: { name }, signal }),
  });
  useEffect(() => {
    if (groups.data) remember(groups.data.focus.id);
  }, [groups.data]);
  return (
    <Loaded of={groups} lines={6}>
      {(data) => <Answer read={data} readAt={groups.dataUpdatedAt} />}
    </Loaded>
  );
}
