import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/** The tabs of a page; on a phone they stand on one line that scrolls, and the chosen one is brought into view. */
export function TabList({ chosen, children }: { chosen: string; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
    if (!list.current || !tab) return;
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return <Tabs.List ref={list}>{children}</Tabs.List>;
}
