import { Loading, ProblemPanel } from "./parts/states";
import { useSession } from "./api/queries";
import { createBrowserRouter, RouterProvider, type RouteObject } from "react-router";
import { Broken, NotFound } from "./pages/errors";
import { OverviewPage } from "./pages/Overview";
import { SignInAgain, SignInPage } from "./pages/SignIn";
import { ProveDialog } from "./shell/ProveDialog";
import { Shell } from "./shell/Shell";
import { useStore } from "./parts/store";
import { signedOut } from "./live/stream";

const pages: RouteObject[] = [
  { index: true, Component: OverviewPage },
  { path: "health", lazy: async () => ({ Component: (await import("./pages/Health")).HealthPage }) },
  { path: "fleet", lazy: async () => ({ Component: (await import("./pages/fleet/FleetPage")).FleetPage }) },
  { path: "d/:service/:region", lazy: async () => ({ Component: (await import("./pages/Deployment")).DeploymentPage }) },
  { path: "upgrades", lazy: async () => ({ Component: (await import("./pages/Upgrades")).UpgradesPage }) },
  { path: "upgrades/new", lazy: async () => ({ Component: (await import("./pages/Plan")).PlanPage }) },
  { path: "upgrades/:id", lazy: async () => ({ Component: (await import("./pages/upgrade/UpgradePage")).UpgradePage }) },
  { path: "upgrades/:id/rollback", lazy: async () => ({ Component: (await import("./pages/upgrade/RollbackPage")).RollbackPage }) },
  { path: "rollouts", lazy: async () => ({ Component: (await import("./pages/rollouts/RolloutPage")).RolloutsPage }) },
  { path: "rollouts/new", lazy: async () => ({ Component: (await import("./pages/rollouts/NewRolloutPage")).NewRolloutPage }) },
  { path: "rollouts/:id", lazy: async () => ({ Component: (await import("./pages/rollouts/RolloutPage")).RolloutPage }) },
  { path: "approvals", lazy: async () => ({ Component: (await import("./pages/Approvals")).ApprovalsPage }) },
  { path: "approvals/:id", lazy: async () => ({ Component: (await import("./pages/Approval")).ApprovalPage }) },
  { path: "activity", lazy: async () => ({ Component: (await import("./pages/Activity")).ActivityPage }) },
  { path: "resources", lazy: async () => ({ Component: (await import("./pages/resources/ResourcesPage")).ResourcesPage }) },
  { path: "resources/one", lazy: async () => ({ Component: (await import("./pages/resources/ResourcePage")).ResourcePage }) },
  { path: "refs", lazy: async () => ({ Component: (await import("./pages/refs/RefsPage")).RefsPage }) },
  { path: "refs/deletion", lazy: async () => ({ Component: (await import("./pages/refs/DeletionPage")).DeletionPage }) },
  { path: "versions", lazy: async () => ({ Component: (await import("./pages/Versions")).VersionsPage }) },
  { path: "versions/:service", lazy: async () => ({ Component: (await import("./pages/Versions")).ServicePageView }) },
  { path: "compat/:service/:range", lazy: async () => ({ Component: (await import("./pages/versions/ReportPage")).ReportPage }) },
  { path: "windows", lazy: async () => ({ Component: (await import("./pages/windows/WindowsPage")).WindowsPage }) },
  { path: "settings/access", lazy: async () => ({ Component: (await import("./pages/access/AccessPage")).AccessPage }) },
  { path: "settings/hooks", lazy: async () => ({ Component: (await import("./pages/hooks/HooksPage")).HooksPage }) },
  { path: "account", lazy: async () => ({ Component: (await import("./pages/account/AccountPage")).AccountPage }) },
  { path: "developer", lazy: async () => ({ Component: (await import("./pages/Developer")).DeveloperPage }) },
  { path: "*", Component: NotFound },
];

/** Until someone is signed in there is only the sign-in page; afterwards the page stays and a dialog asks again. */
function Gate() {
  const session = useSession();
  const out = useStore(signedOut);
  if (session.isPending) return <div className="sign-in"><Loading /></div>;
  if (session.isError && !session.data) return <main className="sign-in"><ProblemPanel error={session.error} retry={() => void session.refetch()} /></main>;
  if (!session.data?.account && !out) return <SignInPage />;
  return (
    <>
      <Shell />
      <SignInAgain />
      <ProveDialog />
    </>
  );
}

const router = createBrowserRouter([{ path: "/", Component: Gate, ErrorBoundary: Broken, HydrateFallback: () => null, children: pages }]);

export function App() {
  return <RouterProvider router={router} />;
}
