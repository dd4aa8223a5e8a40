import { useState } from "react";
import { useFilters } from "../../parts/search";

/** So many fit into an address that servers still take; more are kept by the page alone. */
const IN_ADDRESS = 200;

const pattern = /^services\/([^/]+)\/deployments\/([^/]+)$/;

/** Write names of deployments for an address: `iam@eu,iam@us`. */
export function selectionText(names: Iterable<string>): string {
  return [...names].map((name) => name.replace(pattern, "$1@$2")).join(",");
}

/** Read them back. */
export function selectionFrom(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(",")
      .filter((each) => each.includes("@"))
      .map((each) => {
        const [service = "", region = ""] = each.split("@");
        return `services/${service}/deployments/${region}`;
      }),
  );
}

/** The deployments that are selected; they stand in the address, so that a selection can be shared and survives a reload. */
export function useSelection(): {
  selected: ReadonlySet<string>;
  choose: (names: string[], on: boolean) => void;
  clear: () => void;
} {
  const { filters, set } = useFilters(["selected"]);
  const [many, keep] = useState<ReadonlySet<string> | null>(null);
  const selected = many ?? selectionFrom(filters.selected);
  const put = (after: ReadonlySet<string>): void => {
    keep(after.size > IN_ADDRESS ? after : null);
    set("selected", after.size > IN_ADDRESS ? "" : selectionText(after));
  };
  const choose = (names: string[], on: boolean): void => {
    const after = new Set(selected);
    for (const name of names) {
      if (on) after.add(name);
      else after.delete(name);
    }
    put(after);
  };
  return { selected, choose, clear: () => put(new Set()) };
}
