import { activityHeaders } from "./activity";
import { BUILD_HEADER, noteBuild } from "./build";
import { reauthenticate } from "./reauthentication";
import { problemOf, unreachable } from "./problem";

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

export interface Call {
  method?: string;
  body?: unknown;
  query?: Record<string, string | number | boolean | null | undefined>;
  /** The revision or digest this write was decided on. */
  ifMatch?: string | number;
  /** Kept by the caller across retries of one decision, so that it happens once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The person has just shown who they are, for this very request. */
  proved?: boolean;
}

let csrfToken = "";

export function rememberCsrf(token: string): void {
  csrfToken = token;
}

/** Addresses may carry slashes inside a name (`services/x/deployments/y`); each part is encoded by itself. */
export function url(path: string, query: Call["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  }
  const text = search.toString();
  return `/api/v1${path}${text ? `?${text}` : ""}`;
}

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function headersOf(method: string, call: Call): Headers {
  const headers = new Headers({ Accept: "application/json, application/problem+json", ...activityHeaders() });
  if (!WRITES.has(method)) return headers;
  headers.set("X-CSRFToken", csrfToken);
  headers.set("Idempotency-Key", call.idempotencyKey ?? newKey());
  if (call.body !== undefined) headers.set("Content-Type", "application/json");
  if (call.ifMatch !== undefined) headers.set("If-Match", `"${call.ifMatch}"`);
  return headers;
}

/** Send one request; answers the body, or throws an ApiError that carries the problem. */
export async function send<T>(path: string, call: Call = {}): Promise<T> {
  const method = call.method ?? "GET";
  let response: Response;
  try {
    response = await fetch(url(path, call.query), {
      method,
      headers: headersOf(method, call),
      credentials: "same-origin",
      // An ETag names what a write decides on (a revision, a digest), not every word of the answer:
      // a browser that revalidates with it would go on showing old votes and old progress.
      cache: "no-store",
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal ? { signal: call.signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  }
  noteBuild(response.headers.get(BUILD_HEADER));
  if (!response.ok) {
    const error = await problemOf(response);
    // A critical decision asks who is there; once that is shown, the very same request is sent again.
    if (error.problem.code === "step-up" && !call.proved && (await reauthenticate()))
      return send<T>(path, { ...call, proved: true });
    throw error;
  }
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}
