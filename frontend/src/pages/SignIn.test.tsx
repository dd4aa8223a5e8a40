import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../test/show";
import { Requests } from "./access/Requests";
import { offset, tick } from "../time/clock";
import { NoAccessPage } from "./NoAccess";
import { SignInPage } from "./SignIn";

const anonymous = {
  account: null,
  csrf_token: "c-1",
  server_time: "2026-03-01T14:02:11Z",
  environment: "local",
  version: "0.1",
};

it("signs in with the token of the anonymous session", async () => {
  const sent = serve({ "GET /session": anonymous, "POST /session": { ...anonymous, csrf_token: "c-2" } });
  show(<SignInPage />);
  await userEvent.type(await screen.findByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(sent.some((each) => each.method === "POST")).toBe(true));
  const post = sent.find((each) => each.method === "POST");
  expect(post?.body).toEqual({ username: "ann", password: "correct horse" });
  expect(post?.headers.get("X-CSRFToken")).toBe("c-1");
});

it("says what was wrong, in the server's words", async () => {
  serve({
    "GET /session": anonymous,
    "POST /session": { title: "Sign-in refused", status: 401, detail: "Name or password is wrong." },
  });
  show(<SignInPage />);
  await userEvent.type(await screen.findByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "nope");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText(/Name or password is wrong/)).toBeTruthy();
});

it("counts down how long to wait after too many attempts, and lets nobody try before", async () => {
  const refused = {
    title: "Too many requests",
    status: 429,
    code: "too-many-requests",
    detail: "Too many attempts; try again in 61 seconds.",
    retry_after: 61,
  };
  serve({ "GET /session": anonymous, "POST /session": refused });
  show(<SignInPage />);
  await userEvent.type(await screen.findByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "nope");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("timer")).textContent).toMatch(/^1:0[01]$/);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Sign in" }).disabled).toBe(true);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("lets one try again once the wait is over", async () => {
  const refused = {
    title: "Not available now",
    status: 503,
    code: "password-hashing-busy",
    detail: "Too many passwords are being checked at the moment.",
    retry_after: 1,
  };
  serve({ "GET /session": anonymous, "POST /session": refused });
  show(<SignInPage />);
  await userEvent.type(await screen.findByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "right");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByRole("timer")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("timer")).toBeNull(), { timeout: 45_000 });
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Sign in" }).disabled).toBe(false);
  expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe("ann");
});

it("waits in the field of the code once it is asked for", async () => {
  serve({
    "GET /session": anonymous,
    "POST /session": {
      title: "Denied",
      status: 403,
      code: "totp-required",
      detail: "Enter the code of your authenticator.",
    },
  });
  show(<SignInPage />);
  await userEvent.type(await screen.findByLabelText(/Name/), "ann");
  await userEvent.type(screen.getByLabelText(/^Password/), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(document.activeElement).toBe(await screen.findByLabelText("Code"));
});

it("says that single sign-on does not answer, and offers the local form meanwhile", async () => {
  const sso = { id: "sso", name: "Single sign-on", url: "/accounts/oidc/sso/login/" };
  serve({
    "GET /session": { ...anonymous, providers: [sso] },
    "GET /session/providers": { items: [{ id: "sso", answers: false, since: "2026-03-01T14:00:00Z" }] },
  });
  show(<SignInPage />);
  expect((await screen.findByRole("alert")).textContent).toMatch(
    /Single sign-on does not answer since .*Sign in with a local account instead/,
  );
  expect(screen.getByRole("link", { name: "Single sign-on" }).getAttribute("href")).toBe(sso.url);
  expect(screen.getByLabelText(/Name/)).toBeTruthy();
});

it("lets an admin override approval by break-glass with a reason where local accounts are for emergencies", async () => {
  const providers = [{ id: "sso", name: "Single sign-on", url: "/sso" }];
  const sent = serve({
    "GET /session": { ...anonymous, providers, local_sign_in: "emergency" },
    "GET /session/providers": { items: [{ id: "sso", answers: true, since: null }] },
    "POST /session": { ...anonymous, csrf_token: "c-2" },
  });
  show(<SignInPage />);
  await screen.findByRole("link", { name: "Single sign-on" });
  expect(screen.queryByLabelText(/Name/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /Emergency \(break-glass\) sign-in/ }));
  await userEvent.type(screen.getByLabelText(/Name/), "root");
  await userEvent.type(screen.getByLabelText(/^Password/), "correct horse");
  await userEvent.type(screen.getByLabelText(/^Reason/), "The provider is down, and eu-1 must roll back.");
  await userEvent.click(screen.getByRole("button", { name: "Sign in with an emergency override" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({
      username: "root",
      password: "correct horse",
      reason: "The provider is down, and eu-1 must roll back.",
    }),
  );
});

it("has no local form where local accounts are turned off", async () => {
  serve({
    "GET /session": {
      ...anonymous,
      environment: "production",
      providers: [{ id: "sso", name: "Single sign-on", url: "/sso" }],
      local_sign_in: "off",
    },
    "GET /session/providers": { items: [] },
  });
  show(<SignInPage />);
  expect(await screen.findByRole("link", { name: "Single sign-on" })).toBeTruthy();
  expect(screen.queryByLabelText(/Name/)).toBeNull();
  expect(screen.queryByRole("button", { name: /Break-glass/ })).toBeNull();
  expect(screen.getByText("production").closest(".band")?.className).toContain("band-bad");
});

it("tells who has no role whom to ask, and asks", async () => {
  const account = { name: "nina", email: "", roles: [], permissions: [] };
  const sent = serve({
    "GET /session": { ...anonymous, account },
    "GET /session/access": { who_can: ["group platform", "otto"], request: null },
    "POST /session/access": {},
  });
  show(<NoAccessPage />);
  expect(await screen.findByText("group platform")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Reason for access"), "On call");
  await userEvent.click(screen.getByRole("button", { name: "Request access" }));
  await waitFor(() => expect(sent.find((each) => each.method === "POST")?.body).toEqual({ comment: "On call" }));
});

it("says how long ago one asked, however long the page was open before", async () => {
  offset.set(0);
  tick.set(Date.now() - 300_000);
  const request = {
    id: "a1",
    who: "nina",
    comment: "",
    at: new Date(Date.now() - 60_000).toISOString(),
    state: "open",
    answer: "",
    decided_by: "",
    decided_at: null,
  };
  serve({
    "GET /session": {
      ...anonymous,
      server_time: new Date().toISOString(),
      account: { name: "nina", email: "", roles: [], permissions: [] },
    },
    "GET /session/access": { who_can: ["otto"], request },
  });
  show(<NoAccessPage />);
  expect((await screen.findByText(/^You requested access/)).textContent).toMatch(/ ago\)/);
});

it("shows a refusal with its reason, and lets one ask again", async () => {
  const request = {
    id: "a1",
    who: "nina",
    comment: "",
    at: "2026-03-01T14:00:00Z",
    state: "refused",
    answer: "Ask your lead.",
    decided_by: "otto",
    decided_at: "2026-03-01T14:01:00Z",
  };
  serve({
    "GET /session": { ...anonymous, account: { name: "nina", email: "", roles: [], permissions: [] } },
    "GET /session/access": { who_can: ["otto"], request },
  });
  show(<NoAccessPage />);
  expect((await screen.findByText(/Ask your lead\./)).textContent).toBe("otto refused: Ask your lead.");
  expect(screen.getByRole("button", { name: "Request again" })).toBeTruthy();
});

it("gives who asks for access a role, and refuses only with words", async () => {
  const request = {
    id: "a1",
    who: "nina",
    comment: "On call",
    at: "2026-03-01T14:00:00Z",
    state: "open",
    answer: "",
    decided_by: "",
    decided_at: null,
  };
  const root = { name: "root", email: "", roles: ["admin"], permissions: ["access.read", "access.manage"] };
  const sent = serve({
    "GET /session": { ...anonymous, account: root },
    "GET /access/requests": { items: [request] },
    "GET /access/roles": { items: [{ role: "viewer" }, { role: "operator" }] },
    "POST /access/requests/a1": {},
  });
  show(<Requests />);
  const refuse = await screen.findByRole<HTMLButtonElement>("button", { name: "Reject nina" });
  expect(refuse.disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Grant nina the role" }));
  await waitFor(() =>
    expect(sent.find((each) => each.method === "POST")?.body).toEqual({
      role: "viewer",
      service: "*",
      region: "*",
      answer: "",
    }),
  );
});
