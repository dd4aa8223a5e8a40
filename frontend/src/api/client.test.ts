import { beforeEach, describe, expect, it, vi } from "vitest";
import { rememberCsrf, send, url } from "./client";
import { ApiError } from "./problem";

function answer(status: number, body: unknown, type = "application/json"): Response {
  return new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: { "Content-Type": type, "X-Request-Id": "r-1" },
  });
}

let calls: [string, RequestInit][] = [];
function serve(response: Response | Error): void {
  vi.stubGlobal("fetch", (at: string, init: RequestInit) => {
    calls.push([at, init]);
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  });
}

describe("the API client", () => {
  beforeEach(() => {
    calls = [];
    rememberCsrf("token-1");
  });

  it("leaves empty query values out", () => {
    expect(url("/audit", { actor: "ann", cursor: null, action: "" })).toBe("/api/v1/audit?actor=ann");
  });

  it("reads without write headers", async () => {
    serve(answer(200, { status: "ok" }));
    expect(await send("/health")).toEqual({ status: "ok" });
    const headers = calls[0]?.[1].headers as Headers;
    expect(headers.get("X-CSRFToken")).toBeNull();
    expect(headers.get("Idempotency-Key")).toBeNull();
    expect(calls[0]?.[1].cache).toBe("no-store");
  });

  it("writes with the token, the precondition and a key of its own", async () => {
    serve(answer(200, {}));
    await send("/approvals/a1/approve", { method: "POST", body: { comment: "ok" }, ifMatch: "9c1d" });
    const headers = calls[0]?.[1].headers as Headers;
    expect(headers.get("X-CSRFToken")).toBe("token-1");
    expect(headers.get("If-Match")).toBe('"9c1d"');
    expect(headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[0]?.[1].body).toBe('{"comment":"ok"}');
  });

  it("throws the problem the server wrote", async () => {
    serve(
      answer(
        409,
        { title: "Not now", code: "upgrade.busy", detail: "Another switch runs.", who_can: ["ann"] },
        "application/problem+json",
      ),
    );
    const error = await send("/upgrades/1/switch", { method: "POST" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).problem).toEqual({
      title: "Not now",
      code: "upgrade.busy",
      detail: "Another switch runs.",
      who_can: ["ann"],
      status: 409,
      request_id: "r-1",
    });
  });

  it("says that no server answered", async () => {
    serve(new TypeError("failed to fetch"));
    await expect(send("/health")).rejects.toMatchObject({ problem: { code: "unreachable", status: 0 } });
  });

  it("answers nothing for an empty body", async () => {
    serve(answer(204, null));
    expect(await send("/session", { method: "DELETE" })).toBeUndefined();
  });
});
