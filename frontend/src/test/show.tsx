import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { vi } from "vitest";
import { theme, variables } from "../theme/theme";

/** Show a part of the console as the application would, at an address. */
export function show(children: ReactNode, at = "/"): RenderResult {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={variables} env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

export interface Sent {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

/** Answer requests by `METHOD /path`; whatever has no answer is a 404 problem. */
export function serve(answers: Record<string, unknown>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.replace("/api/v1", "") + search;
    const { method, headers } = request;
    const entry: Sent = { method, path, headers, body: undefined };
    sent.push(entry);
    const text = await request.text();
    if (text) entry.body = JSON.parse(text);
    const answer = answers[`${method} ${path}`] ?? answers[`${method} ${path.split("?")[0]}`];
    const found = answer !== undefined;
    const status =
      found && typeof answer === "object" && answer !== null && "status" in answer && "title" in answer
        ? Number(answer.status)
        : found
          ? 200
          : 404;
    return new Response(JSON.stringify(found ? answer : { title: "Not found", status: 404 }), {
      status,
      headers: { "Content-Type": "application/json" },
    });
  });
  return sent;
}
