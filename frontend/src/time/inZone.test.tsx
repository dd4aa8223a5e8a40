import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { worded } from "../words/server";
import { regionZone, zone } from "./clock";
import { inZone } from "./inZone";

const sentence = (closes_at: string) => worded("as sent", [{ key: "Open until {closes_at}.", values: { closes_at } }]);

it("shows instants in sentences of the server as precise as they were sent", () => {
  expect(sentence("2026-03-01T23:30Z")).toBe("Open until 2026-03-01 23:30 UTC.");
  expect(sentence("2026-03-01T23:30:05Z")).toBe("Open until 2026-03-01 23:30:05 UTC.");
});

it("shows instants in sentences of the server in the zone of the reader, again when that changes", () => {
  const Page = inZone(() => <p>{sentence("2026-03-01T23:30Z")}</p>);
  render(<Page />);
  expect(screen.getByText("Open until 2026-03-01 23:30 UTC.")).toBeTruthy();
  act(() => {
    regionZone.set("Asia/Tokyo");
    zone.set("region");
  });
  expect(screen.getByText("Open until 2026-03-02 08:30 Asia/Tokyo.")).toBeTruthy();
});
