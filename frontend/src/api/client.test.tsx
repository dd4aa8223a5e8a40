import { beforeEach, describe, expect, it, vi } from "vitest";
import { address, read, rehearse, rememberCsrf, write } from "./client";
import { ApiError } from "./problem";

function answer(status: number, body: unknown, type = "application/json"): Response {
  return new Response(body === null ? null : JSON.stringify(body), {
    status,
    headers: { "Content-Type": type, "X-Request-Id": "r-1" },
  });
}

let requests: Request[] = [];
function serve(response: Response | (() => never)): void {
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(request);
    return response instanceof Response ? response : response();
  });
}

const sent = (): Request => {
  const [request] = requests;
  if (!request) throw new Error("Nothing was sent.");
  return request;
};

describe("the API client", () => {
  beforeEach(() => {
    requests = [];
    rememberCsrf("token-1");
  });

  it("writes parts of an address so that each stays one, and leaves empty query values out", () => {
    expect(address("/audit/export", { query: { actor: "ann", action: "", as: null } })).toBe(
      "/api/v1/audit/export?actor=ann",
    );
    expect(address("/views/{page}/{name}", { path: { page: "fleet", name: "a/b c" } })).toBe(
      "/api/v1/views/fleet/a%2Fb%20c",
    );
  });

  it("reads without write headers", async () => {
    serve(answer(200, { status: "ok" }));
    expect(await read("/health")).toEqual({ status: "ok" });
    expect(new URL(sent().url).pathname).toBe("/api/v1/health");
    expect(sent().headers.get("Accept")).toBe("application/json, application/problem+json");
    expect(sent().headers.get("X-CSRFToken")).toBeNull();
    expect(sent().headers.get("Idempotency-Key")).toBeNull();
    expect([sent().cache, sent().credentials]).toEqual(["no-store", "same-origin"]);
  });

  it("writes with the token, the precondition and a key of its own", async () => {
    serve(answer(200, {}));
    await write.post("/approvals/{id}/approve", { path: { id: "a1" }, body: { comment: "ok" }, ifMatch: "9c1d" });
    expect(sent().method).toBe("POST");
    expect(new URL(sent().url).pathname).toBe("/api/v1/approvals/a1/approve");
    expect(sent().headers.get("X-CSRFToken")).toBe("token-1");
    expect(sent().headers.get("If-Match")).toBe('"9c1d"');
    expect(sent().headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
    expect(sent().headers.get("Content-Type")).toBe("application/json");
    expect(await sent().text()).toBe('{"comment":"ok"}');
  });

  it("keeps the key that it is given, and asks for a dry run", async () => {
    serve(answer(200, {}));
    await write.post("/upgrades/{id}/events", { path: { id: "u1" }, body: { comment: "x" }, idempotencyKey: "k" });
    expect(sent().headers.get("Idempotency-Key")).toBe("k");
    requests = [];
    serve(answer(204, null));
    expect(await rehearse.delete("/asks/{id}", { path: { id: "7" } })).toBeUndefined();
    expect(new URL(sent().url).search).toBe("?dry_run=true");
  });

  it("takes only what the API declares", () => {
    // Types alone are checked here, nothing is sent.
    const calls = [
      // @ts-expect-error There is no such path.
      () => read("/upgrade"),
      // @ts-expect-error The path has a parameter.
      () => read("/upgrades/{id}"),
      // @ts-expect-error There is no such filter.
      () => read("/upgrades", { query: { serivce: "iam" } }),
      // @ts-expect-error An approval is given to what was shown.
      () => write.post("/approvals/{id}/approve", { path: { id: "a1" }, body: {} }),
      // @ts-expect-error The body has no such field.
      () => write.put("/session/zone", { body: { zone: "utc", rev: 1 } }),
      // @ts-expect-error This cannot be rehearsed.
      () => rehearse.delete("/session"),
      // @ts-expect-error It is created, not rehearsed.
      async () => (await write.post("/upgrades", { body: { deployment: "d" } })).checks,
    ];
    expect(calls.length).toBe(7);
  });

  it("throws the problem the server wrote", async () => {
    serve(
      answer(
        409,
        { title: "Not now", code: "upgrade.busy", detail: "Another switch runs.", who_can: ["ann"] },
        "application/problem+json",
      ),
    );
    const switching = write.post("/upgrades/{id}/switch", { path: { id: "1" }, body: {}, ifMatch: 3 });
    const error = await switching.catch((thrown: unknown) => thrown);
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

  it("says that no server answered, and nothing of what was given up here", async () => {
    serve(() => {
      throw new TypeError("failed to fetch");
    });
    await expect(read("/health")).rejects.toMatchObject({ problem: { code: "unreachable", status: 0 } });
    serve(() => {
      throw new DOMException("given up", "AbortError");
    });
    await expect(read("/health")).rejects.toMatchObject({ name: "AbortError" });
  });

  it("answers nothing for an empty body", async () => {
    serve(answer(204, null));
    expect(await write.delete("/session")).toBeUndefined();
  });
});
