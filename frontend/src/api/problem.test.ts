import { describe, expect, it } from "vitest";
import { ApiError, problemFrom, problemOf, unreachable } from "./problem";

function answer(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, statusText: "Bad Gateway", headers });
}

const PROBLEM = { "Content-Type": "application/problem+json" };

describe("the problem of an answer", () => {
  it("is what the server wrote, with the status that it really has", async () => {
    const error = await problemOf(
      answer(409, JSON.stringify({ title: "Not now", status: 500, detail: "Busy.", code: "busy" }), PROBLEM),
    );
    expect(error.problem).toEqual({ title: "Not now", status: 409, detail: "Busy.", code: "busy" });
    expect([error.status, error.message, error.name]).toEqual([409, "Busy.", "ApiError"]);
  });

  it("keeps the id of the request that the answer names, and the server's own where it writes one", async () => {
    const named = { ...PROBLEM, "X-Request-Id": "r-1" };
    expect((await problemOf(answer(400, '{"title":"No"}', named))).problem.request_id).toBe("r-1");
    expect((await problemOf(answer(400, '{"title":"No","request_id":"r-2"}', named))).problem.request_id).toBe("r-2");
  });

  it.each([
    ["a page of a proxy", "<html>502</html>", { "Content-Type": "text/html" }],
    ["nothing that is named", "", {}],
    ["JSON that was cut off", '{"title":', PROBLEM],
  ])("is the status alone where there is %s", async (_, body, headers) => {
    expect((await problemOf(answer(502, body, headers))).problem).toEqual({ title: "Bad Gateway", status: 502 });
  });

  it("has words of its own where the status has none", async () => {
    const error = await problemOf(new Response("", { status: 503 }));
    expect(error.problem.title).toBe("The server answered 503");
    expect(error.message).toBe("The server answered 503");
  });
});

describe("the problem of an error", () => {
  it("is its own where the server wrote one", () => {
    const problem = { title: "Gone", status: 410 };
    expect(problemFrom(new ApiError(problem))).toBe(problem);
  });

  it("names what this page did wrong", () => {
    expect(problemFrom(new TypeError("x is undefined"))).toEqual({
      title: "Something went wrong in this page",
      status: 0,
      detail: "x is undefined",
    });
    expect(problemFrom("odd").detail).toBe("odd");
  });

  it("says of a request that did not arrive that nothing is lost", () => {
    expect(unreachable().problem).toMatchObject({ status: 0, code: "unreachable" });
    expect(unreachable().message).toContain("retries automatically");
  });
});
