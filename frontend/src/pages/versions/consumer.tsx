import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../../api/client";
import { useFilters } from "../../parts/search";
import { Time } from "../../time/Time";
import type { Consumer } from "./report/report";
import { rich, t } from "../../words/text";

/** Who was seen to use a version of a service, or each of its versions; in one region, or in all of them. */
export function useUsage(service: string, version = "", region = "") {
  return useQuery({
    queryKey: ["usage", service, version, region],
    queryFn: ({ signal }) =>
      read("/services/{name}/usage", { path: { name: service }, query: { version, region }, signal }),
    staleTime: 60_000,
  });
}

/** One client of the older version, chosen by who was seen, with the types and keys it was seen to use. */
export function useConsumer(
  service: string,
  version: string,
): { name: string; chosen: Consumer | null; select: ReactNode; note: ReactNode } {
  const { filters, set } = useFilters(["consumer"]);
  const name = filters.consumer;
  const clients = useUsage(service, version).data?.versions.find((each) => each.version === version)?.clients ?? [];
  const keys = useQuery({
    queryKey: ["usage-keys", service, version, name],
    queryFn: ({ signal }) =>
      read("/services/{name}/usage/keys", { path: { name: service }, query: { version, client: name }, signal }),
    enabled: name !== "",
  });
  const mine = clients.filter((each) => each.client === name);
  const typeOf = (method: string): string => method.split(".")[0] ?? "";
  const chosen =
    name && keys.data
      ? {
          types: new Set(mine.flatMap((each) => each.methods.map((use) => typeOf(use.method)))),
          keys: new Set(
            keys.data.items
              .filter((each) => each.messages > each.states.absent)
              .map((each) => `${typeOf(each.method)}.${each.path}`),
          ),
        }
      : null;
  const seen = mine
    .map((each) => each.last_seen)
    .sort()
    .at(-1);
  return {
    name,
    chosen,
    select:
      clients.length || name ? (
        <Select
          size="xs"
          w={220}
          aria-label={t`Client`}
          placeholder={t`any client`}
          clearable
          clearButtonProps={{ "aria-label": t`Any client` }}
          data={[...new Set([...clients.map((each) => each.client), name])].filter(Boolean)}
          value={name || null}
          onChange={(value) => set("consumer", value ?? "")}
        />
      ) : null,
    note:
      name && seen ? (
        <p className="small muted">
          {rich`${name} last used ${version} ${(<Time at={seen} />)}. Features unused for 35 days are omitted.`}
        </p>
      ) : null,
  };
}
