import { ActionIcon, Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { Link } from "react-router";
import { useOverview } from "../api/queries";
import { useStore } from "../state/store";
import { browserNotes, toggleBrowserNotes, useNotices } from "./notify";
import { worded } from "../words/server";
import { plural, t } from "../words/text";

/** What waits for this person, from every page. */
export function Bell() {
  useNotices();
  const needs = useOverview().data?.needs_you ?? [];
  const notes = useStore(browserNotes);
  return (
    <Menu position="bottom-end" width={340} withinPortal closeOnItemClick>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          className="bell"
          aria-label={needs.length ? plural(needs.length, "# pending task", "# pending tasks") : t`No pending tasks`}
        >
          <IconBell size={18} />
          {needs.length ? (
            <span className="bell-count" aria-hidden="true">
              {needs.length}
            </span>
          ) : null}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t`Pending tasks`}</Menu.Label>
        {needs.length ? (
          needs.map((need) => (
            <Menu.Item key={need.id} component={Link} to={need.link}>
              {worded(need.sentence, need.phrases)}
            </Menu.Item>
          ))
        ) : (
          <Menu.Item component={Link} to="/approvals?tab=open">
            {t`No pending tasks. All open requests`}
          </Menu.Item>
        )}
        <Menu.Divider />
        {"Notification" in window ? (
          <Menu.CheckboxItem checked={notes} closeMenuOnClick={false} onChange={() => void toggleBrowserNotes()}>
            {t`Notifications of this browser`}
          </Menu.CheckboxItem>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
