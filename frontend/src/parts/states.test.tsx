import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { MantineProvider } from "@mantine/core";
import { expect, it } from "vitest";
import { ApiError } from "../api/problem";
import { Loaded } from "./states";

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
