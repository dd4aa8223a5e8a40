import { ActionIcon, Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { Link } from "react-router";
import { write } from "../api/client";
import { useAccount, useSession } from "../api/queries";
import { chooseZone } from "../api/zone";
import { queries } from "../live/stream";
import { Breadcrumb } from "../parts/Page";
import { useStore } from "../state/store";
import { clockText, nextZone, regionZone, serverNow, tick, zone, zoneName } from "../time/clock";
import { Bell } from "./Bell";
import { environmentTone } from "./environment";
import { letterKeys } from "../parts/keyboard/keys";
import { LivePill } from "./LivePill";
import { ScopePill } from "./ScopePill";
import { openPalette } from "./palette";
import { t } from "../words/text";

function Clock() {
  const which = useStore(zone);
  const now = serverNow(useStore(tick));
  useStore(regionZone);
  return (
    <UnstyledButton className="clock mono" onClick={toggleZone} title={t`Change the time zone (t)`}>
      {clockText(now, which)} <span className="muted">{zoneName(which)}</span>
    </UnstyledButton>
  );
}

export function toggleZone(): void {
  void chooseZone(nextZone(zone.get()));
}

/** End the session and begin at the sign-in page. */
export async function signOut(): Promise<void> {
  await write.delete("/session");
  queries.clear();
  location.assign("/");
}

function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const account = useAccount();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const letters = useStore(letterKeys);
  return (
    <Menu position="bottom-end" width={250} withinPortal>
      <Menu.Target>
        <UnstyledButton className="pill soft-plain account">{account?.name ?? t`account`}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {account?.email || account?.name}
          {account?.roles.length ? ` · ${account.roles.join(", ")}` : ""}
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          {t`Your account`}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => setColorScheme(dark ? "light" : "dark")}>
          {dark ? t`Light theme` : t`Dark theme`}
        </Menu.Item>
        <Menu.Item onClick={() => setColorScheme("auto")}>{t`System theme`}</Menu.Item>
        <Menu.Item onClick={() => letterKeys.set(!letters)}>
          {letters ? t`Turn letter keys off` : t`Turn letter keys on`}
        </Menu.Item>
        <Menu.Item onClick={onHelp}>{t`Keyboard help`}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t`Sign out`}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function TopBar({ onMenu, menuOpen, onHelp }: { onMenu: () => void; menuOpen: boolean; onHelp: () => void }) {
  const environment = useSession().data?.environment ?? "";
  return (
    <header className={`topbar band band-${environmentTone(environment)}`}>
      <ActionIcon
        className="menu"
        variant="subtle"
        aria-label={t`Menu`}
        aria-expanded={menuOpen}
        aria-controls="side"
        onClick={onMenu}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Breadcrumb />
      <span className="grow" />
      <UnstyledButton className="search" onClick={openPalette}>
        <IconSearch size={15} aria-hidden="true" />
        <span className="search-text">{t`Search or jump to…`}</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </UnstyledButton>
      {environment ? (
        <span className="environment">
          <span className="unseen">{t`Environment:`} </span>
          {environment}
        </span>
      ) : null}
      <ScopePill />
      <LivePill />
      <Clock />
      <Bell />
      <AccountMenu onHelp={onHelp} />
    </header>
  );
}
