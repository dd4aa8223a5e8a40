import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { LoadExample } from "./LoadExample";

const session = (roles: string[]) => ({
  account: { name: "root", email: "", roles, permissions: [] },
  csrf_token: "",
  server_time: "2026-03-01T00:00:00Z",
  environment: "",
  version: "",
});

it("loads the example fleet for an administrator", async () => {
  const sent = serve({
    "GET /session": session(["admin"]),
    "POST /fleet/example": { regions: [], services: [], deployments: [], changed: 9 },
  });
  show(<LoadExample />);
  await userEvent.click(await screen.findByRole("button", { name: "Load the example fleet" }));
  await waitFor(() => expect(sent.some((each) => each.method === "POST" && each.path === "/fleet/example")).toBe(true));
});
