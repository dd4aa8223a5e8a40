import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { read, write } from "../../../api/client";
import { useFleet } from "../../../api/queries";
import { download } from "../../../parts/tables/download";
import { Form } from "../../../parts/forms/Form";
import { required, useForm } from "../../../parts/forms/useForm";
import { Card } from "../../../parts/Page";
import { ProblemPanel } from "../../../parts/states";
import { Status } from "../../../parts/Status";
import type { ResourceList } from "../../../wire/resources";
import type { components } from "../../../wire/schema";
import { worded } from "../../../words/server";
import { plural, rich, t } from "../../../words/text";
import { DataTable } from "../../../parts/tables/DataTable";

type Brief = components["schemas"]["BriefCheck"];

/** So many are checked at once. */
const MOST = 100;
/** So many names are taken of a filter at once, in pages. */
const TAKEN = 1000;
export const deletionWords = {
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
  place: { service: string; region: string },
  query: { type: string; filter: string },
  from: string,
): Promise<{ names: string[]; next: string }> {
  const names: string[] = [];
  let next = from;
  do {
    const result: ResourceList = await read("/deployments/{service}/{region}/resources", {
      path: place,
      query: { ...query, limit: TAKEN / 2, page_token: next },
    });
    names.push(...result.items.map((each) => each.name));
    next = result.next_page_token;
  } while (next && names.length < TAKEN);
  return { names, next };
}

function FromFilter({ onNames }: { onNames: (names: string[]) => void }) {
  const cells = useFleet().data?.cells ?? [];
  const form = useForm({ at: "", type: "", filter: "" }, { at: required });
  const { at, type, filter } = form.values;
  const [service = "", region = ""] = at.split(" ");
  const [taken, setTaken] = useState({ of: "", count: 0, next: "" });
  const of = JSON.stringify([at, type, filter]);
  const more = taken.of === of && taken.next !== "";
  const taking = useMutation({
    mutationFn: () => namesFrom({ service, region }, { type, filter }, more ? taken.next : ""),
    onSuccess: ({ names, next }) => {
      onNames(names.map((name) => `//${service}/${region}/${name}`));
      setTaken({ of, next, count: names.length + (more ? taken.count : 0) });
    },
  });
  return (
    <details>
      <summary>{t`Names from a filter`}</summary>
      <Form of={form} onSend={() => taking.mutate()} error={taking.error} className="row wrap ask">
        <Select
          w={300}
          label={t`Deployment`}
          placeholder={t`Choose a deployment`}
          searchable
          data={cells.map((cell) => ({
            value: `${cell.service} ${cell.region}`,
            label: `${cell.service} @ ${cell.region}`,
          }))}
          {...form.getInputProps("at")}
          value={at || null}
          onChange={(value) => form.setFieldValue("at", value ?? "")}
        />
        <TextInput label={t`Resource type`} placeholder={t`its first`} {...form.getInputProps("type")} />
        <TextInput w={280} label={t`Filter`} placeholder={t`title = "Camera"`} {...form.getInputProps("filter")} />
        <Button type="submit" disabled={!at} loading={taking.isPending}>
          {more ? t`Add more` : t`Add the names`}
        </Button>
      </Form>
      {taken.of === of ? (
        <p className="small muted" role="status">
          {rich`${plural(taken.count, "# name", "# names")} taken${taken.next ? t`; more are available.` : t`, complete.`}`}
        </p>
      ) : null}
      {taking.isError ? <ProblemPanel error={taking.error} /> : null}
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
    mutationFn: (asked: string[]) => write.post("/deletion-checks", { body: { names: asked } }),
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
        worded(each.sentence, each.phrases),
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
          <DataTable
            label={t`Checked resources`}
            rows={match}
            rowKey={(each) => each.name}
            columns={[
              {
                header: t`Resource`,
                isRowHeader: true,
                className: "break",
                cell: (each) =>
                  each.id ? (
                    <Link to={`/refs/deletion?name=${encodeURIComponent(each.id)}`}>{each.name}</Link>
                  ) : (
                    each.name
                  ),
              },
              {
                header: t`Verdict`,
                className: "top nowrap",
                cell: (each) => <Status of={deletionWords[each.verdict]} />,
              },
              { header: t`Blocking`, align: "end", cell: (each) => each.blockers },
              { header: t`Deleted with it`, align: "end", cell: (each) => each.cascades },
              { header: t`Summary`, cell: (each) => worded(each.sentence, each.phrases) },
            ]}
          />
        ) : null}
      </div>
    </Card>
  );
}
