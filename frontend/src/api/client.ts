import type { ReactNode } from "react";
import createClient, { createFinalURL, defaultPathSerializer } from "openapi-fetch";
import type { paths } from "../wire/schema";
import { activityHeaders } from "./activity";
import { BUILD_HEADER, noteBuild } from "./build";
import type {
  Addresses,
  Change,
  Changes,
  Method,
  Reads,
  RehearsedChanges,
  Rehearsals,
  Tag,
  WriteMethod,
  Writes,
} from "./operations";
import { ApiError, problemOf, unreachable } from "./problem";
import { reauthenticate } from "./reauthentication";

const BASE = "/api/v1";

/** Any call, once its types are checked. */
interface AnyCall {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: Tag;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

let csrfToken = "";

export function rememberCsrf(token: string): void {
  csrfToken = token;
}

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function queryText(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  }
  return search.toString();
}

const client = createClient<paths>({
  credentials: "same-origin",
  // An ETag names what a write decides on (a revision, a digest), not every word of the answer:
  // a browser that revalidates with it would go on showing old votes and old progress.
  cache: "no-store",
  headers: { Accept: "application/json, application/problem+json" },
  fetch: (request) => fetch(request),
  querySerializer: queryText,
});

client.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(activityHeaders())) request.headers.set(name, value);
    if (request.method === "GET") return;
    request.headers.set("X-CSRFToken", csrfToken);
    if (!request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", newKey());
  },
  onError({ error }) {
    return (error as Partial<Error> | null)?.name === "AbortError" ? undefined : unreachable();
  },
  async onResponse({ response }) {
    noteBuild(response.headers.get(BUILD_HEADER));
    if (!response.ok) throw await problemOf(response);
  },
});

type Send = (method: Method, path: string, init: object) => Promise<{ data?: unknown }>;

/** Send one request; answers the body, or throws an ApiError that carries the problem. */
async function request(method: Method, path: string, call: AnyCall = {}, confirmed = false): Promise<unknown> {
  const headers = {
    ...(call.ifMatch === undefined ? {} : { "If-Match": `"${call.ifMatch}"` }),
    ...(call.idempotencyKey === undefined ? {} : { "Idempotency-Key": call.idempotencyKey }),
  };
  try {
    const { data } = await (client.request as unknown as Send)(method, path, {
      baseUrl: `${location.origin}${BASE}`,
      params: { path: call.path, query: call.query },
      body: call.body,
      signal: call.signal,
      headers,
    });
    return data;
  } catch (error) {
    // A critical decision asks who is there; once that is shown, the very same request is sent again.
    const refused = error instanceof ApiError && error.problem.code === "step-up";
    if (refused && !confirmed && (await reauthenticate())) return request(method, path, call, true);
    throw error;
  }
}

function byMethod<F>(functionOf: (method: WriteMethod) => F): Record<WriteMethod, F> {
  return { post: functionOf("post"), put: functionOf("put"), patch: functionOf("patch"), delete: functionOf("delete") };
}

const requestBy =
  (method: Method) =>
  (path: string, call?: AnyCall): Promise<unknown> =>
    request(method, path, call);

const dryRequestBy =
  (method: Method) =>
  (path: string, call: AnyCall = {}): Promise<unknown> =>
    request(method, path, { ...call, query: { ...call.query, dry_run: true } });

// Below, the types that the API declares are given to functions that take any call.

/** Read what a path of the API answers. */
export const read = requestBy("get") as unknown as Reads;

/** Change something; it is refused where `ifMatch` is not what the server has any more. */
export const write = byMethod(requestBy) as unknown as Writes;

/** Learn what a change would do; nothing is kept. */
export const rehearse = byMethod(dryRequestBy) as unknown as Rehearsals;

/** A change that is made without a dry run before it. */
export const change = byMethod((method) => (path: string, call: AnyCall): Change => ({
  send: (idempotencyKey) => request(method, path, { ...call, idempotencyKey }),
})) as unknown as Changes;

/** A change that is rehearsed first; `tell` puts the answer of the dry run into words. */
export const rehearsedChange = byMethod(
  (method) =>
    (path: string, call: AnyCall, tell: (answer: unknown) => ReactNode): Change => ({
      send: (idempotencyKey) => request(method, path, { ...call, idempotencyKey }),
      rehearse: async () => tell(await dryRequestBy(method)(path, call)),
    }),
) as unknown as RehearsedChanges;

/** The address of what the API answers, for a link or a download. */
export const address = ((path: string, { path: parts = {}, query = {} }: AnyCall = {}) =>
  createFinalURL(path, {
    baseUrl: BASE,
    params: { path: parts, query },
    querySerializer: queryText,
    pathSerializer: defaultPathSerializer,
  })) as unknown as Addresses;
