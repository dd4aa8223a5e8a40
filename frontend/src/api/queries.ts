import { useQuery, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { Fleet, Health, Overview, Page, Session } from "../wire/model";
import type { components } from "../wire/schema";
import { learnServerTime } from "../time/clock";
import { read, rememberCsrf } from "./client";
import { ApiError } from "./problem";
import { signedOut } from "./signedOut";
import { learnZone } from "./zone";

/** Who is signed in; null when nobody is. */
export async function readSession(): Promise<Session | null> {
  try {
    const session = await read("/session");
    learnServerTime(session.server_time);
    rememberCsrf(session.csrf_token);
    learnZone(session.account?.zone ?? "");
    return session;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

const SESSION = ["session"];

/** Whoever was in and is not any more keeps the page, with what they typed, behind the dialog that asks them in again. */
async function readOn(client: QueryClient): Promise<Session | null> {
  const before = client.getQueryData<Session | null>(SESSION)?.account;
  const session = await readSession();
  if (session?.account) {
    // Signed in again somewhere else, in another tab: this one goes on too.
    if (signedOut.get()) void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "session" });
    signedOut.set(false);
    return session;
  }
  if (!before) return session;
  signedOut.set(true);
  return session ? { ...session, account: before } : (client.getQueryData<Session | null>(SESSION) ?? null);
}

export function useSession(): UseQueryResult<Session | null> {
  return useQuery({ queryKey: SESSION, queryFn: ({ client }) => readOn(client), staleTime: 60_000 });
}

export function useAccount(): NonNullable<Session["account"]> | null {
  return useSession().data?.account ?? null;
}

export const PASSKEYS = ["session", "passkeys"];

/** One's own passkeys. */
export function usePasskeys(): UseQueryResult<Page<components["schemas"]["Passkey"]>> {
  return useQuery({
    queryKey: PASSKEYS,
    queryFn: ({ signal }) => read("/session/passkeys", { signal }),
  });
}

export function useOverview(): UseQueryResult<Overview> {
  return useQuery({ queryKey: ["overview"], queryFn: ({ signal }) => read("/overview", { signal }) });
}

export function useHealth(): UseQueryResult<Health> {
  return useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => read("/health", { signal }),
    // Health has to notice that the stream itself is broken, so it does not wait for the stream.
    refetchInterval: 10_000,
  });
}

export function useFleet(): UseQueryResult<Fleet> {
  return useQuery({ queryKey: ["fleet"], queryFn: ({ signal }) => read("/fleet", { signal }) });
}
