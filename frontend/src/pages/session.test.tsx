import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { useSession } from "../api/queries";
import { SignInAgain } from "./SignIn";
import { signedOut } from "../api/signedOut";
import { ForPlanners } from "../parts/ActionButton";
import { serve, show } from "../test/show";
import { ScopePill } from "../shell/ScopePill";

const vera = { name: "vera", email: "", roles: ["viewer"], permissions: ["fleet.read"], reach: ["* @ eu-*"] };
const session = (account: unknown) => ({
  account,
  csrf_token: "c",
  server_time: "2026-03-01T14:02:11Z",
  environment: "local",
  version: "0.1",
});

function Work() {
  const read = useSession();
  const [typed, type] = useState("");
  if (!read.data?.account) return <p>the sign-in page</p>;
  return (
    <>
      <input aria-label="Reason" value={typed} onChange={(event) => type(event.currentTarget.value)} />
      <button type="button" onClick={() => void read.refetch()}>
        look again as {read.data.account.name}
      </button>
    </>
  );
}

afterEach(() => signedOut.set(false));

it("keeps the page and what was typed when the session turns out to be over, until somebody is in again", async () => {
  serve({ "GET /session": session(vera) });
  show(<Work />);
  await userEvent.type(await screen.findByLabelText("Reason"), "ticket 4711");
  serve({ "GET /session": session(null) });
  await userEvent.click(screen.getByRole("button"));
  await waitFor(() => expect(signedOut.get()).toBe(true));
  expect(screen.getByLabelText<HTMLInputElement>("Reason").value).toBe("ticket 4711");
  serve({ "GET /session": session({ ...vera, name: "otto" }) });
  await userEvent.click(screen.getByRole("button"));
  expect(await screen.findByText("look again as otto")).toBeTruthy();
  expect([signedOut.get(), screen.getByLabelText<HTMLInputElement>("Reason").value]).toEqual([false, "ticket 4711"]);
});

it("says when sessions end by themselves, over the page and what was typed on it", async () => {
  const limits = { session_limits: { hours: 12, idle_minutes: 30 } };
  serve({ "GET /session": { ...session(vera), ...limits } });
  show(
    <>
      <Work />
      <SignInAgain />
    </>,
  );
  await userEvent.type(await screen.findByLabelText("Reason"), "ticket 4711");
  serve({ "GET /session": { ...session(null), ...limits } });
  await userEvent.click(screen.getByRole("button"));
  const dialog = await screen.findByRole("dialog");
  await waitFor(() =>
    expect(dialog.textContent).toContain("A session ends after 30 min without input, and 12 h after signing in."),
  );
  expect(document.querySelector<HTMLInputElement>("input[aria-label=Reason]")?.value).toBe("ticket 4711");
});

it("asks nobody in again who was not in", async () => {
  serve({ "GET /session": session(null) });
  show(<Work />);
  expect(await screen.findByText("the sign-in page")).toBeTruthy();
  expect(signedOut.get()).toBe(false);
});

it("says what is shown to whoever is not shown everything", async () => {
  serve({ "GET /session": session(vera) });
  show(<ScopePill />);
  expect((await screen.findByRole("link", { name: "Shown: * @ eu-*" })).getAttribute("href")).toBe("/account");
});

it("says nothing to whoever is shown everything", async () => {
  serve({ "GET /session": session({ ...vera, reach: [] }) });
  show(
    <>
      <ScopePill />
      <Work />
    </>,
  );
  expect(await screen.findByLabelText("Reason")).toBeTruthy();
  expect(screen.queryByText(/Shown:/)).toBeNull();
});

it("tells who may not plan why not, instead of leading to a form that ends nowhere", async () => {
  serve({ "GET /session": session(vera), "GET /duty": { items: [] } });
  show(
    <ForPlanners label="Plan upgrade…">
      <a href="/upgrades/new">Plan upgrade…</a>
    </ForPlanners>,
  );
  await userEvent.click(await screen.findByRole("button", { name: /Plan upgrade…/ }));
  expect(await screen.findByText("Planning requires permission to plan upgrades.")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});
