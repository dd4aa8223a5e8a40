import { Tabs } from "@mantine/core";
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "../../test/show";
import { TabList } from "./TabList";

it("brings the chosen tab into view where the tabs go on beyond the edge", () => {
  vi.spyOn(HTMLElement.prototype, "offsetLeft", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(100);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(300);
  show(
    <Tabs value="explain">
      <TabList chosen="explain">
        <Tabs.Tab value="tokens">Tokens</Tabs.Tab>
        <Tabs.Tab value="explain">Explain</Tabs.Tab>
      </TabList>
    </Tabs>,
  );
  expect(screen.getByRole("tablist").scrollLeft).toBe(500);
  vi.restoreAllMocks();
});
