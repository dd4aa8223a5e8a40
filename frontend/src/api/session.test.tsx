import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { serve } from "../test/show";
import { offset, regionZone } from "../time/clock";
import { readSession, useAccount } from "./queries";
import { ApiError } from "./problem";
import { signedOut } from "./signedOut";
import { useRegionZone } from "./regionZone";

const ann = { name: "ann", email: "", kind: "user", roles: [], permissions: [], reach: [], zone: "", bounds: {} };
const session = (account: typeof ann | null): Record<string, unknown> => ({
  account,
  csrf_token: "c",
  server_time: "",
  environment: "",
  version: "",
});
const NO_SESSION = { title: "Sign in first", status: 401 };

function Name() {
  return <p>{useAccount()?.name ?? "no account"}</p>;
}

function show(part: React.ReactNode): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}>{part}</QueryClientProvider>);
  return queries;
}

beforeEach(() => offset.set(0));

describe("the session", () => {
  it("is none where the server knows no account, for want of a sign-in or of a right", async () => {
    serve({ "GET /session": NO_SESSION });
    expect(await readSession()).toBeNull();
    serve({ "GET /session": { title: "Forbidden", status: 403 } });
    expect(await readSession()).toBeNull();
  });

  it("is not known where the server fails", async () => {
    serve({ "GET /session": { title: "Broken", status: 500 } });
    await expect(readSession()).rejects.toBeInstanceOf(ApiError);
  });

  it("tells the time of the server", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.parse("2026-03-01T14:00:00Z"));
    serve({ "GET /session": { ...session(ann), server_time: "2026-03-01T14:00:30Z" } });
    await readSession();
    vi.useRealTimers();
    expect(offset.get()).toBe(30_000);
  });
});

describe("a page that is open when its session ends", () => {
  it("keeps who was signed in behind the dialog, and goes on once they are in again", async () => {
    serve({ "GET /session": session(ann) });
    const queries = show(<Name />);
    expect(await screen.findByText("ann")).toBeTruthy();
    expect(signedOut.get()).toBe(false);

    serve({ "GET /session": NO_SESSION });
    await queries.invalidateQueries({ queryKey: ["session"] });
    await waitFor(() => expect(signedOut.get()).toBe(true));
    expect(screen.getByText("ann")).toBeTruthy();

    const again = vi.spyOn(queries, "invalidateQueries");
    serve({ "GET /session": session(ann) });
    await queries.refetchQueries({ queryKey: ["session"] });
    await waitFor(() => expect(signedOut.get()).toBe(false));
    const predicate = again.mock.calls[0]?.[0]?.predicate;
    const asks = (key: string): boolean | undefined => predicate?.({ queryKey: [key] } as never);
    expect([asks("session"), asks("fleet")]).toEqual([false, true]);
  });

  it("keeps the account also where the server answers without one", async () => {
    serve({ "GET /session": session(ann) });
    const queries = show(<Name />);
    expect(await screen.findByText("ann")).toBeTruthy();
    serve({ "GET /session": session(null) });
    await queries.refetchQueries({ queryKey: ["session"] });
    await waitFor(() => expect(signedOut.get()).toBe(true));
    expect(screen.getByText("ann")).toBeTruthy();
  });

  it("says that no account is signed in where none was before", async () => {
    serve({ "GET /session": NO_SESSION });
    const queries = show(<Name />);
    await waitFor(() => expect(queries.getQueryState(["session"])?.status).toBe("success"));
    expect(screen.getByText("no account")).toBeTruthy();
    expect(signedOut.get()).toBe(false);
  });
});

it("takes the zone of a region for as long as a page is about it", async () => {
  function About({ region }: { region: string | undefined }) {
    useRegionZone(region);
    return null;
  }
  serve({
    "GET /fleet": {
      regions: [
        { name: "eu-1", zone: "Europe/Berlin" },
        { name: "us-1", zone: "" },
      ],
    },
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const about = (region?: string): React.ReactNode => (
    <QueryClientProvider client={queries}>
      <About region={region} />
    </QueryClientProvider>
  );
  const { rerender, unmount } = render(about("eu-1"));
  await waitFor(() => expect(regionZone.get()).toBe("Europe/Berlin"));
  rerender(about("us-1"));
  expect(regionZone.get()).toBe("");
  rerender(about("eu-1"));
  expect(regionZone.get()).toBe("Europe/Berlin");
  unmount();
  expect(regionZone.get()).toBe("");
});
