import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { watchActivity } from "../api/activity";
import { useHealth, useSession } from "../api/queries";
import { live, queries, useTopic } from "../live/stream";
import { later, useIdle } from "../parts/lazy/later";
import { componentName } from "../parts/componentNames";
import { Shape } from "../parts/Shape";
import { useStore } from "../state/store";
import { startClock } from "../time/clock";
import { Announcer } from "./Announcer";
import { jumps } from "../parts/keyboard/keymap";
import { useKeys } from "../parts/keyboard/keys";
import { togglePause } from "./LivePill";
import { Navigation } from "./Navigation";
import { NewVersion } from "./NewVersion";
import { places } from "./navigation";
import { openPalette, paletteIsOpen } from "./palette";
import { Time } from "../time/Time";
import { signOut, toggleZone, TopBar } from "./TopBar";
import { plural, rich, t } from "../words/text";

// Not needed before the page is there: no part of the first load.
const Palette = later(async () => (await import("./Palette")).Palette);
const KeyboardHelp = later(async () => (await import("./KeyboardHelp")).KeyboardHelp);
const Notices = later(async () => (await import("./Notices")).Notices);

function focusFilter(): void {
  document.querySelector<HTMLElement>("main [data-filter], main input[type=search]")?.focus();
}

/** Every page says when a part of the system is down, because then its data may be old. */
function HealthBanner() {
  const health = useHealth().data;
  const down = health?.components.filter((component) => component.status === "down") ?? [];
  const here = useLocation().pathname;
  const navigate = useNavigate();
  if (down.length === 0 || here === "/health") return null;
  return (
    <div className="banner soft-bad" role="status">
      <Shape tone="bad" />{" "}
      {t`${plural(down.length, "Component", "Components")} down: ${down.map((component) => componentName(component.name)).join(", ")}.
        Shown data may be outdated.`}
      <button type="button" className="link" onClick={() => void navigate("/health")}>
        {t`System health`}
      </button>
    </div>
  );
}

/** Whoever signed in by break-glass sees so on every page until they sign out. */
function EmergencyBanner() {
  const emergency = useSession().data?.emergency;
  if (!emergency) return null;
  return (
    <div className="banner soft-bad" role="status">
      <Shape tone="bad" />{" "}
      <span>
        {rich`You signed in with an emergency override ${(<Time at={emergency.at} />)}: ${emergency.reason}. All
        your actions are recorded.`}{" "}
        <button type="button" className="link" onClick={() => void signOut()}>
          {t`Sign out`}
        </button>{" "}
        {t`when finished.`}
      </span>
    </div>
  );
}

export function Shell() {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  const isIdle = useIdle();
  const isSearching = useStore(paletteIsOpen);
  const toggleTheme = (): void => setColorScheme(dark ? "light" : "dark");
  useTopic("fleet");
  useTopic("approvals");
  useTopic("health");
  useEffect(() => {
    const stopClock = startClock();
    const stopWatching = watchActivity(() => void queries.invalidateQueries({ queryKey: ["session"], exact: true }));
    live.start();
    return () => {
      stopClock();
      stopWatching();
      live.stop();
    };
  }, []);
  const known = new Set(places.map((place) => place.to));
  const goes = Object.entries(jumps).filter(([, to]) => known.has(to));
  const toPages = Object.fromEntries(goes.map(([keys, to]) => [keys, () => void navigate(to)]));
  useHotkeys([["mod + K", openPalette]]);
  useKeys({ ...toPages, "?": () => setHelp(true), "/": focusFilter, p: togglePause, t: toggleZone, d: toggleTheme });
  const commands = [
    { label: dark ? t`Light theme` : t`Dark theme`, run: toggleTheme },
    { label: t`Change the time zone`, run: toggleZone },
    { label: t`Pause or resume live updates`, run: togglePause },
    { label: t`Keyboard help`, run: () => setHelp(true) },
  ];
  return (
    <div className={menu ? "app menu-open" : "app"}>
      <a className="skip" href="#main">
        {t`Skip to the page`}
      </a>
      <Navigation onNavigate={() => setMenu(false)} />
      <div className="stage">
        <TopBar onMenu={() => setMenu(!menu)} menuOpen={menu} onHelp={() => setHelp(true)} />
        <NewVersion />
        <EmergencyBanner />
        <HealthBanner />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {isIdle || isSearching ? <Palette commands={commands} /> : null}
      {help ? <KeyboardHelp opened onClose={() => setHelp(false)} /> : null}
      {isIdle ? <Notices /> : null}
      <Announcer />
    </div>
  );
}
