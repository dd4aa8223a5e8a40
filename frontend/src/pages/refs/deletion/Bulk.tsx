import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { send } from "../../../api/client";
import { useFleet } from "../../../api/queries";
import { download } from "../../../parts/download";
import { Card } from "../../../parts/Page";
import { Scroll } from "../../../parts/Scroll";
import { ProblemPanel } from "../../../parts/states";
import { Status } from "../../../parts/Status";
import type { Page } from "../../../wire/model";
import type { ResourceList } from "../../../wire/resources";
import type { components } from "../../../wire/schema";
import { plural, rich, t } from "../../../words/text";

type Brief = components["schemas"]["BriefCheck"];

/** So many are checked at once. */
const MOST = 100;
/** So many names are taken of a filter at once, in pages. */
const TAKEN = 1000;
const verdicts = {
  safe: { tone: "ok", word: t`safe` },
  blocked: { tone: "bad", word: t`blocked` },
  unknown: { tone: "unknown", word: t`unknown` },
} as const;

/** One name a line; commas and blanks part names as well. */
export function namesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

/** Read names page by page, until there are no more or enough are taken. */
async function namesFrom(
  place: string,
  query: { type: string; filter: string },
  from: string,
): Promise<{ names: string[]; next: string }> {
  const names: string[] = [];
  let next = from;
  do {
    const result: ResourceList = await send<ResourceList>(`${place}/resources`, {
      query: { ...query, limit: TAKEN / 2, ...(next ? { page_token: next } : {}) },
    });
    names.push(...result.items.map((each) => each.name));
    next = result.next_page_token;
  } while (next && names.length < TAKEN);
  return { names, next };
}

function FromFilter({ onNames }: { onNames: (names: string[]) => void }) {
  const cells = useFleet().data?.cells ?? [];
  const [at, setAt] = useState("");
  const [type, setType] = useState("");
  const [filter, setFilter] = useState("");
  const [service = "", region = ""] = at.split(" ");
  const [taken, setTaken] = useState({ of: "", count: 0, next: "" });
  const of = JSON.stringify([at, type, filter]);
  const more = taken.of === of && taken.next !== "";
  const read = useMutation({
    mutationFn: () => namesFrom(`/deployments/${service}/${region}`, { type, filter }, more ? taken.next : ""),
    onSuccess: ({ names, next }) => {
      onNames(names.map((name) => `//${service}/${region}/${name}`));
      setTaken({ of, next, count: names.length + (more ? taken.count : 0) });
    },
  });
  return (
    <details>
      <summary>{t`Names from a filter`}</summary>
      <form
        className="row wrap ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (at) read.mutate();
        }}
      >
        <Select
          w={300}
          label={t`Deployment`}
          placeholder={t`Choose a deployment`}
          searchable
          data={cells.map((cell) => ({
            value: `${cell.service} ${cell.region}`,
            label: `${cell.service} @ ${cell.region}`,
          }))}
          value={at || null}
          onChange={(value) => setAt(value ?? "")}
        />
        <TextInput
          label={t`Resource type`}
          placeholder={t`its first`}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <TextInput
          w={280}
          label={t`Filter`}
          placeholder={t`title = "Camera"`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!at} loading={read.isPending}>
          {more ? t`Add more` : t`Add the names`}
        </Button>
      </form>
      {taken.of === of ? (
        <p className="small muted" role="status">
          {rich`${plural(taken.count, "# name", "# names")} taken${taken.next ? t`; more are available.` : t`, complete.`}`}
        </p>
      ) : null}
      {read.isError ? <ProblemPanel error={read.error} /> : null}
    </details>
  );
}

/** Many resources at once: pasted, or by a filter. */
export function Bulk() {
  const [text, setText] = useState("");
  const names = namesOf(text);
  const [match, setFound] = useState<Brief[]>([]);
  const checked = new Set(match.map((each) => each.name));
  const left = names.filter((name) => !checked.has(name));
  const check = useMutation({
    mutationFn: (asked: string[]) => send<Page<Brief>>("/deletion-checks", { method: "POST", body: { names: asked } }),
    onSuccess: (answer, asked) =>
      setFound((before) => [...before.filter((each) => !asked.includes(each.name)), ...answer.items]),
  });
  const again = (): void => {
    setFound([]);
    check.mutate(names.slice(0, MOST));
  };
  const csv = (): string =>
    [
      ["name", "verdict", "blockers", t`deleted with it`, "sentence"],
      ...match.map((each) => [
        each.id || each.name,
        each.verdict,
        String(each.blockers),
        String(each.cascades),
        each.sentence,
      ]),
    ]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
      .join("\n");
  return (
    <Card
      title={t`Bulk check`}
      aside={
        names.length ? (
          <span role="status">
            {match.length
              ? t`${names.length - left.length} of ${names.length} checked`
              : plural(names.length, "# name", "# names")}
          </span>
        ) : null
      }
    >
      <div className="stack">
        <Textarea
          label={t`Names, one per line`}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <FromFilter onNames={(more) => setText([...new Set([...names, ...more])].join("\n"))} />
        <div className="row">
          <Button variant="filled" disabled={names.length === 0} loading={check.isPending} onClick={again}>
            {names.length > MOST ? t`Check the first ${MOST}` : t`Check all`}
          </Button>
          {match.length && left.length ? (
            <Button disabled={check.isPending} onClick={() => check.mutate(left.slice(0, MOST))}>
              {rich`Check ${Math.min(MOST, left.length)} more`}
            </Button>
          ) : null}
          {match.length ? (
            <Button size="xs" variant="subtle" onClick={() => download("deletion-checks.csv", csv(), "text/csv")}>
              {t`CSV`}
            </Button>
          ) : null}
        </div>
        {check.isError ? <ProblemPanel error={check.error} /> : null}
        {match.length ? (
          <Scroll label={t`Checked resources`}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{t`Resource`}</th>
                  <th scope="col">{t`Verdict`}</th>
                  <th scope="col" className="num">
                    {t`Blocking`}
                  </th>
                  <th scope="col" className="num">
                    {t`Deleted with it`}
                  </th>
                  <th scope="col">{t`Summary`}</th>
                </tr>
              </thead>
              <tbody>
                {match.map((each) => (
                  <tr key={each.name}>
                    <th scope="row" className="break">
                      {each.id ? (
                        <Link to={`/refs/deletion?name=${encodeURIComponent(each.id)}`}>{each.name}</Link>
                      ) : (
                        each.name
                      )}
                    </th>
                    <td className="top nowrap">
                      <Status of={verdicts[each.verdict]} />
                    </td>
                    <td className="num">{each.blockers}</td>
                    <td className="num">{each.cascades}</td>
                    <td>{each.sentence}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        ) : null}
      </div>
    </Card>
  );
}
