import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MantineProvider } from "@mantine/core";
import { expect, it } from "vitest";
import { ApiError } from "../api/problem";
import { serve, show } from "../test/show";
import { Page } from "./Page";
import { Loaded, ProblemPanel } from "./states";

function Part({ answer }: { answer: () => string }) {
  return (
    <Loaded of={useQuery({ queryKey: ["part"], queryFn: answer, retry: false })}>{(data) => <p>{data}</p>}</Loaded>
  );
}

async function after(status: number): Promise<void> {
  const cache = new QueryClient();
  let answer = (): string => "twelve shards";
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={cache}>
        <Part answer={() => answer()} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText("twelve shards");
  answer = () => {
    throw new ApiError({ title: `Answered ${status}`, status, detail: "Said by the server.", request_id: "r-7" });
  };
  await act(() => cache.refetchQueries({ queryKey: ["part"] }));
}

it.each([403, 404, 410])(
  "shows nothing of what was known once the answer is %d: the right or the thing is gone",
  async (status) => {
    await after(status);
    expect((await screen.findByRole("alert")).textContent).toContain("Said by the server.");
    expect(screen.queryByText("twelve shards")).toBeNull();
    expect(screen.getByRole("button", { name: "Copy request id r-7" })).toBeTruthy();
  },
);

it.each([0, 500, 503])("goes on showing what was known after %d, and says that it is old", async (status) => {
  await after(status);
  expect((await screen.findByRole("status")).textContent).toContain(`answered ${status}`);
  expect(screen.getByText("twelve shards")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

it("names the permission that a page lacks, and asks for it: trying again could not help", async () => {
  const sent = serve({ "POST /asks": {} });
  const detail = "This needs auditor or admin; you have operator.";
  const problem = {
    title: "Not allowed",
    status: 403,
    detail,
    who_can: ["auditor", "admin"],
    permission: "audit.read",
  };
  show(
    <main>
      <h1>Activity</h1>
      <ProblemPanel error={new ApiError(problem)} retry={() => undefined} />
    </main>,
  );
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(screen.getByText("audit.read").parentElement?.textContent).toBe("Missing permission: audit.read");
  expect(screen.queryByText(/Allowed for/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Send a request…" }));
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ permission: "audit.read", what: "Access to Activity" });
});

it("says who may where the sentence does not", () => {
  const problem = {
    title: "Not allowed",
    status: 403,
    detail: "Your access does not reach it.",
    who_can: ["operator of eu"],
  };
  show(<ProblemPanel error={new ApiError(problem)} />);
  expect(screen.getByText("Allowed for: operator of eu")).toBeTruthy();
});

it("leads from what is missing back to its list: trying again could not help", () => {
  const problem = { title: "There is no such thing", status: 404, detail: "There is no rollout w9." };
  show(
    <Page
      title="Rollout"
      under={[
        { title: "Upgrades", to: "/upgrades" },
        { title: "Rollouts", to: "/rollouts" },
      ]}
    >
      <ProblemPanel error={new ApiError(problem)} retry={() => undefined} />
    </Page>,
  );
  const panel = screen.getByRole("alert");
  expect(within(panel).getByRole("link", { name: "Back to Rollouts" }).getAttribute("href")).toBe("/rollouts");
  expect(within(panel).getAllByRole("link")).toHaveLength(1);
  expect(within(panel).queryByRole("button", { name: "Try again" })).toBeNull();
});
