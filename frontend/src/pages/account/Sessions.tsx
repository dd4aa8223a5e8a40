import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { send } from "../../api/client";
import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { Time } from "../../time/Time";
import type { Page } from "../../wire/model";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";

type SignIn = components["schemas"]["BrowserSession"];

/** The browser and system of a user agent, as people call them. */
export function browserOf(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? t`Edge`
    : /Firefox\//.test(agent)
      ? t`Firefox`
      : /Chrom(e|ium)\//.test(agent)
        ? t`Chrome`
        : /Safari\//.test(agent)
          ? t`Safari`
          : "";
  const system = /Android/.test(agent)
    ? t`Android`
    : /iPhone|iPad/.test(agent)
      ? t`iOS`
      : /Windows/.test(agent)
        ? t`Windows`
        : /Mac OS X/.test(agent)
          ? t`macOS`
          : /Linux/.test(agent)
            ? t`Linux`
            : "";
  const both = browser && system ? t`${browser} on ${system}` : browser || system;
  return both || agent.slice(0, 60) || t`unknown`;
}

/** Where one is signed in (or, for who sees accounts, everybody is), and the way to sign a browser out. */
export function Sessions({ everybody = false, may = true }: { everybody?: boolean; may?: boolean }) {
  const cache = useQueryClient();
  const result = useQuery({
    queryKey: ["sessions", everybody],
    queryFn: ({ signal }) => send<Page<SignIn>>("/sessions", { query: everybody ? { all: true } : {}, signal }),
  });
  const end = useMutation({
    mutationFn: (id: number) => send(`/sessions/${id}`, { method: "DELETE" }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return (
    <Card title={everybody ? t`Sessions of all users` : t`Your sessions`}>
      {end.isError ? <ProblemPanel error={end.error} /> : null}
      <Loaded of={result} lines={2}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t`No sessions.`}>{t`A browser is listed after its next sign-in.`}</Empty>
          ) : (
            <Scroll label={t`Sessions`}>
              <table className="table">
                <thead>
                  <tr>
                    {everybody ? <th scope="col">{t`Who`}</th> : null}
                    <th scope="col">{t`Browser`}</th>
                    <th scope="col">{t`From`}</th>
                    <th scope="col">{t`Signed in`}</th>
                    <th scope="col">
                      <span className="unseen">{t`End`}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((row) => (
                    <tr key={row.id}>
                      {everybody ? <th scope="row">{row.account}</th> : null}
                      <td title={row.agent}>
                        {browserOf(row.agent)}
                        {row.current ? <b> {t`· this session`}</b> : null}
                        <div className="small muted">{rich`by ${row.how}`}</div>
                      </td>
                      <td className="mono small">{row.address || "–"}</td>
                      <td className="top">
                        <Time at={row.at} />
                      </td>
                      <td>
                        {row.current || !may ? null : (
                          <Button
                            size="compact-xs"
                            loading={end.isPending && end.variables === row.id}
                            aria-label={t`Sign out ${everybody ? `${row.account}, ` : ""}${browserOf(row.agent)}`}
                            onClick={() => end.mutate(row.id)}
                          >
                            {t`Sign out`}
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Loaded>
    </Card>
  );
}
