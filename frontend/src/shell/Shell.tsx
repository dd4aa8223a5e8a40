import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useEffect, useState } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { watchActivity } from "../api/activity";
import { useHealth, useSession } from "../api/queries";
import { live, queries, useTopic } from "../live/stream";
import { Shape } from "../parts/Shape";
import { startClock } from "../time/clock";
import { Announcer } from "./announcer";
import { KeyboardHelp } from "./KeyboardHelp";
import { bindings } from "../parts/keymap";
import { useKeys } from "../parts/keys";
import { togglePause } from "./LivePill";
import { Navigation } from "./Navigation";
import { NewVersion } from "./NewVersion";
import { Palette } from "./Palette";
import { places } from "./navigation";
import { Time } from "../time/Time";
import { signOut, toggleZone, TopBar } from "./TopBar";
import { plural, rich, t } from "../words/text";

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
      {rich`${down.map((component) => component.name).join(", ")} ${plural(down.length, "is", "are")} down;
        shown data may be outdated.`}
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
  const jumps = Object.fromEntries(
    bindings
      .filter((binding) => binding.go && known.has(binding.go))
      .map((binding) => [binding.keys, () => void navigate(binding.go ?? "/")]),
  );
  useKeys({ ...jumps, "?": () => setHelp(true), "/": focusFilter, p: togglePause, t: toggleZone, d: toggleTheme });
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
      <Palette commands={commands} />
      <KeyboardHelp opened={help} onClose={() => setHelp(false)} />
      <Announcer />
    </div>
  );
}
