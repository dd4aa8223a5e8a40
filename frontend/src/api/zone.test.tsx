import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { zone } from "../time/clock";
import { readSession } from "./queries";
import { chooseZone } from "./zone";

const session = (kept: string) => ({
  account: { name: "ann", email: "", roles: [], permissions: [], zone: kept },
  csrf_token: "c",
  server_time: "",
  environment: "",
  version: "",
});
const answer = (body: unknown, status = 200): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });

beforeEach(() => zone.set("utc"));
afterEach(() => zone.set("utc"));

it("shows times in the zone that the account keeps, and in this browser's own where it keeps none", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer(session("region"))));
  await readSession();
  expect(zone.get()).toBe("region");
  vi.stubGlobal("fetch", () => Promise.resolve(answer(session(""))));
  await readSession();
  expect(zone.get()).toBe("region");
});

it("changes at once, tells the account, and is not turned back by an answer from before", async () => {
  let recorded: (answer: Response) => void = () => undefined;
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "PUT") return answer(session("utc"));
    sent.push([new URL(request.url).pathname, await request.json()]);
    return new Promise<Response>((resolve) => {
      recorded = resolve;
    });
  });
  const done = chooseZone("mine");
  await readSession();
  expect(zone.get()).toBe("mine");
  recorded(answer(null, 204));
  await done;
  expect(sent).toEqual([["/api/v1/session/zone", { zone: "mine" }]]);
  await readSession();
  expect(zone.get()).toBe("utc");
});

it("keeps a choice in this browser though nobody is signed in any more", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer({ title: "Sign in first", status: 401 }, 401)));
  await chooseZone("mine");
  expect([zone.get(), localStorage.getItem("switchyard.zone")]).toEqual(["mine", '"mine"']);
});
