import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { read } from "../api/client";
import { Time } from "../time/Time";
import type { Duty } from "../wire/approvals";
import type { Page } from "../wire/model";
import { rich } from "../words/text";

/** Who is on duty for approvals now. */
export function useDuty(enabled = true): UseQueryResult<Page<Duty>> {
  return useQuery({
    queryKey: ["duty"],
    queryFn: ({ signal }) => read("/duty", { signal }),
    enabled,
    staleTime: 30_000,
  });
}

/** Of those on duty, the ones that a list of who can speaks of, by name or by role. */
export function onDutyOf(people: readonly Duty[], whoCan: readonly string[]): Duty[] {
  const said = whoCan
    .map((each) => each.split(", except "))
    .map(([who = "", except = ""]) => ({ words: who.split(/[^\w.@-]+/), except: except.split(" and ") }));
  return people.filter((person) =>
    said.some(
      ({ words, except }) =>
        !except.includes(person.name) && [person.name, ...person.roles].some((name) => words.includes(name)),
    ),
  );
}

/** `ann until 18:00, bob until 20:00`. */
export function OnDuty({ people }: { people: readonly Duty[] }) {
  return (
    <>
      {people.map((person, at) => (
        <span key={person.name}>
          {rich`${at ? ", " : ""}${(<b>{person.display_name}</b>)} until ${(<Time at={person.until} age={false} />)}`}
        </span>
      ))}
    </>
  );
}
