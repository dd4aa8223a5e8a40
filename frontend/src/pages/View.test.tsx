import { screen } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router";
import { expect, it } from "vitest";
import { serve, show } from "../test/show";
import { ViewPage } from "./View";

const Where = () => {
  const { pathname, search } = useLocation();
  return (
    <p>
      at {pathname}
      {search}
    </p>
  );
};
const routes = (
  <Routes>
    <Route path="/views/:page/:name" element={<ViewPage />} />
    <Route path="*" element={<Where />} />
  </Routes>
);

it("opens the page as the view shows it", async () => {
  serve({ "GET /views/fleet/night%20shift": { name: "night shift", query: "?state=SYNCING", owner: "olga" } });
  show(routes, "/views/fleet/night%20shift");
  expect(await screen.findByText("at /fleet?state=SYNCING")).toBeTruthy();
});

it("says of a view that was forgotten who did it, and leads to its traces", async () => {
  serve({
    "GET /views/fleet/night%20shift": {
      title: "It was deleted",
      status: 410,
      detail: "View fleet/night shift is gone since 2026-03-01 10:00 UTC (view.forget by olga).",
      link: "/activity?target=fleet%2Fnight+shift",
    },
  });
  show(routes, "/views/fleet/night%20shift");
  expect(await screen.findByText(/view.forget by olga/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show in activity" }).getAttribute("href")).toBe(
    "/activity?target=fleet%2Fnight+shift",
  );
  expect(screen.getByRole("link", { name: "Back to Fleet" }).getAttribute("href")).toBe("/fleet");
});
