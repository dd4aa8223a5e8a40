import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { noteGone } from "./api/build";
import { Loading, ProblemPanel } from "./parts/states";
import { useSession } from "./api/queries";
import { createBrowserRouter, redirect, RouterProvider, type RouteObject } from "react-router";
import { Broken, NotFound, Unfetched } from "./pages/errors";
import { HomePage } from "./pages/home/HomePage";
import { Shell } from "./shell/Shell";
import { useStore } from "./state/store";
import { reauthentication } from "./api/reauthentication";
import { signedOut } from "./api/signedOut";
import { inZone } from "./time/inZone";

// Few people see these two, and seldom: they are no part of the first load.
const NoAccessPage = lazy(async () => ({ default: (await import("./pages/NoAccess")).NoAccessPage }));
const ReauthenticationDialog = lazy(async () => ({
  default: (await import("./shell/ReauthenticationDialog")).ReauthenticationDialog,
}));

const signIn = () => import("./pages/SignIn");
const SignInPage = lazy(async () => ({ default: (await signIn()).SignInPage }));
const SignInAgain = lazy(async () => ({ default: (await signIn()).SignInAgain }));

/** A page's code is fetched when it is opened; where that fails, the page says so and the rest of the console stays. */
function lazily(load: () => Promise<ComponentType>): () => Promise<{ Component: ComponentType }> {
  return async () => {
    try {
      return { Component: inZone(await load()) };
    } catch {
      noteGone();
      return { Component: Unfetched };
    }
  };
}

const pages: RouteObject[] = [
  { index: true, Component: inZone(HomePage) },
  { path: "runbooks", lazy: lazily(async () => (await import("./pages/Runbooks")).RunbooksPage) },
  { path: "health", lazy: lazily(async () => (await import("./pages/Health")).HealthPage) },
  { path: "views/:page/:name", lazy: lazily(async () => (await import("./pages/View")).ViewPage) },
  { path: "fleet", lazy: lazily(async () => (await import("./pages/fleet/FleetPage")).FleetPage) },
  { path: "d/:service/:region", lazy: lazily(async () => (await import("./pages/Deployment")).DeploymentPage) },
  { path: "upgrades", lazy: lazily(async () => (await import("./pages/Upgrades")).UpgradesPage) },
  { path: "upgrades/new", lazy: lazily(async () => (await import("./pages/Plan")).PlanPage) },
  { path: "upgrades/:id", lazy: lazily(async () => (await import("./pages/upgrade/UpgradePage")).UpgradePage) },
  {
    path: "upgrades/:id/rollback",
    lazy: lazily(async () => (await import("./pages/upgrade/RollbackPage")).RollbackPage),
  },
  { path: "rollouts", lazy: lazily(async () => (await import("./pages/rollouts/RolloutsPage")).RolloutsPage) },
  { path: "rollouts/new", lazy: lazily(async () => (await import("./pages/rollouts/NewRolloutPage")).NewRolloutPage) },
  {
    path: "rollouts/proposals",
    lazy: lazily(async () => (await import("./pages/rollouts/ProposalsPage")).ProposalsPage),
  },
  { path: "rollouts/:id", lazy: lazily(async () => (await import("./pages/rollouts/RolloutPage")).RolloutPage) },
  { path: "rollouts/:id/wall", lazy: lazily(async () => (await import("./pages/rollouts/WallPage")).WallPage) },
  { path: "approvals", lazy: lazily(async () => (await import("./pages/Approvals")).ApprovalsPage) },
  { path: "approvals/:id", lazy: lazily(async () => (await import("./pages/Approval")).ApprovalPage) },
  { path: "activity", lazy: lazily(async () => (await import("./pages/Activity")).ActivityPage) },
  { path: "resources", lazy: lazily(async () => (await import("./pages/resources/ResourcesPage")).ResourcesPage) },
  { path: "resources/one", lazy: lazily(async () => (await import("./pages/resources/ResourcePage")).ResourcePage) },
  {
    path: "logs/changes",
    lazy: lazily(async () => (await import("./pages/logs/ResourceChangesPage")).ResourceChangesPage),
  },
  { path: "logs/activity", lazy: lazily(async () => (await import("./pages/logs/ActivityLogPage")).ActivityLogPage) },
  {
    path: "logs/conversions",
    lazy: lazily(async () => (await import("./pages/logs/ConversionSessionsPage")).ConversionSessionsPage),
  },
  {
    path: "logs/conversions/one",
    lazy: lazily(async () => (await import("./pages/logs/ConversionRecordsPage")).ConversionRecordsPage),
  },
  { path: "refs", lazy: lazily(async () => (await import("./pages/refs/RefsPage")).RefsPage) },
  {
    path: "refs/deletion",
    lazy: lazily(async () => (await import("./pages/refs/deletion/DeletionPage")).DeletionPage),
  },
  { path: "versions", lazy: lazily(async () => (await import("./pages/Versions")).VersionsPage) },
  { path: "versions/:service", lazy: lazily(async () => (await import("./pages/Versions")).ServicePageView) },
  {
    path: "versions/:service/changes",
    lazy: lazily(async () => (await import("./pages/versions/changes/ChangesPage")).ChangesPage),
  },
  {
    path: "versions/:service/usage",
    lazy: lazily(async () => (await import("./pages/versions/usage/UsagePage")).UsagePage),
  },
  { path: "versions/how-to", lazy: lazily(async () => (await import("./pages/versions/HowTo")).HowToPage) },
  {
    path: "compat/:service/:range",
    lazy: lazily(async () => (await import("./pages/versions/report/ReportPage")).ReportPage),
  },
  { path: "windows", lazy: lazily(async () => (await import("./pages/windows/WindowsPage")).WindowsPage) },
  { path: "settings/access", lazy: lazily(async () => (await import("./pages/access/AccessPage")).AccessPage) },
  { path: "settings/hooks", lazy: lazily(async () => (await import("./pages/hooks/HooksPage")).HooksPage) },
  { path: "account", lazy: lazily(async () => (await import("./pages/account/AccountPage")).AccountPage) },
  { path: "developer", lazy: lazily(async () => (await import("./pages/Developer")).DeveloperPage) },
  // Where people look for it who know the address of the API.
  { path: "api", loader: () => redirect("/developer") },
  { path: "*", Component: NotFound },
];

function Waiting() {
  return (
    <div className="sign-in">
      <Loading />
    </div>
  );
}

/** Until someone is signed in there is only the sign-in page; afterwards the page stays and a dialog asks again. */
function Gate() {
  const session = useSession();
  const out = useStore(signedOut);
  const asked = useStore(reauthentication);
  const isSignedIn = Boolean(session.data?.account);
  // Fetched before the session ends: a newer build may have taken the place of this one by then.
  useEffect(() => {
    if (isSignedIn) void signIn().catch(noteGone);
  }, [isSignedIn]);
  const again = out ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
  if (session.isPending) return <Waiting />;
  if (session.isError && !session.data)
    return (
      <main className="sign-in">
        <ProblemPanel error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  if (!isSignedIn && !out)
    return (
      <Suspense fallback={<Waiting />}>
        <SignInPage />
      </Suspense>
    );
  if (session.data?.account && session.data.account.roles.length === 0)
    return (
      <>
        <Suspense fallback={<Loading />}>
          <NoAccessPage />
        </Suspense>
        {again}
      </>
    );
  return (
    <>
      <Shell />
      {again}
      {asked ? (
        <Suspense>
          <ReauthenticationDialog />
        </Suspense>
      ) : null}
    </>
  );
}

const router = createBrowserRouter([
  { path: "/", Component: Gate, ErrorBoundary: Broken, HydrateFallback: () => null, children: pages },
]);

export function App() {
  return <RouterProvider router={router} />;
}
