import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { read, write } from "../../api/client";
import { Card } from "../../parts/Page";
import { Empty, Loaded, ProblemPanel } from "../../parts/states";
import { DataTable } from "../../parts/tables/DataTable";
import { Time } from "../../time/Time";
import { rich, t } from "../../words/text";

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

/** By what a person signed in. */
const howWords: Partial<Record<string, string>> = {
  password: t`password`,
  passkey: t`passkey`,
  "break-glass": t`break-glass`,
  "single sign-on": t`single sign-on`,
};

/** Where one is signed in (or, for who sees accounts, everybody is), and the way to sign a browser out. */
export function Sessions({ everybody = false, may = true }: { everybody?: boolean; may?: boolean }) {
  const cache = useQueryClient();
  const result = useQuery({
    queryKey: ["sessions", everybody],
    queryFn: ({ signal }) => read("/sessions", { query: everybody ? { all: true } : {}, signal }),
  });
  const end = useMutation({
    mutationFn: (id: number) => write.delete("/sessions/{id}", { path: { id } }),
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
            <DataTable
              label={t`Sessions`}
              rows={data.items}
              rowKey={(row) => row.id}
              columns={[
                { header: t`Who`, isRowHeader: true, isShown: everybody, cell: (row) => row.account },
                {
                  header: t`Browser`,
                  cellTitle: (row) => row.agent,
                  cell: (row) => (
                    <>
                      {browserOf(row.agent)}
                      {row.current ? <b> {t`· this session`}</b> : null}
                      <div className="small muted">{rich`by ${howWords[row.how] ?? row.how}`}</div>
                    </>
                  ),
                },
                { header: t`From`, className: "mono small", cell: (row) => row.address || "–" },
                { header: t`Signed in`, className: "top", cell: (row) => <Time at={row.at} /> },
                {
                  header: t`End`,
                  isHeaderUnseen: true,
                  cell: (row) =>
                    row.current || !may ? null : (
                      <Button
                        size="compact-xs"
                        loading={end.isPending && end.variables === row.id}
                        aria-label={t`Sign out ${everybody ? `${row.account}, ` : ""}${browserOf(row.agent)}`}
                        onClick={() => end.mutate(row.id)}
                      >
                        {t`Sign out`}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
