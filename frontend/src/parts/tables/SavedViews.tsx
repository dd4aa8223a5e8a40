import { Button, CopyButton, Menu, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { read, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import type { components } from "../../wire/schema";
import { Form } from "../forms/Form";
import { isBlank, required, useForm } from "../forms/useForm";
import { ProblemPanel } from "../states";
import { Dialog } from "../forms/Dialog";
import { rich, t } from "../../words/text";

export type SavedView = components["schemas"]["View"];

const UNNAMED = { name: "", first: false, shared: false, everybody: false };

/** One's own views first, then what others share; of a name one's own wins. */
export function sorted(views: readonly SavedView[], me: string): { mine: SavedView[]; others: SavedView[] } {
  const mine = views.filter((view) => view.owner === me);
  return { mine, others: views.filter((view) => view.owner !== me && view.shared) };
}

/** The removal of a view, which says for whom it goes. */
function Removal({
  page,
  view,
  onClose,
  onDone,
}: {
  page: string;
  view: SavedView;
  onClose: () => void;
  onDone: () => void;
}) {
  const form = useForm({});
  const remove = useMutation({
    mutationFn: () => write.delete("/views/{page}/{name}", { path: { page, name: view.name } }),
    onSuccess: onClose,
    onSettled: onDone,
  });
  return (
    <Dialog opened onClose={onClose} title={t`Delete the view ${view.name}?`}>
      <Form of={form} onSend={() => remove.mutate()} error={remove.error}>
        <p>
          {view.shared
            ? t`It is shared: other users lose it as well, and links to it no longer open.`
            : t`The list and its filters stay as they are; only the saved view is deleted.`}
        </p>
        {remove.isError ? <ProblemPanel error={remove.error} /> : null}
        <div className="row end">
          <Button data-autofocus onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="filled" color="red" loading={remove.isPending}>
            {t`Delete`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The address of a shared view; the item stays and says that it was copied. */
function CopyItem({ page, name }: { page: string; name: string }) {
  return (
    <CopyButton value={`${location.origin}/views/${page}/${encodeURIComponent(name)}`} timeout={4000}>
      {({ copied, copy }) => (
        <Menu.Item closeMenuOnClick={false} onClick={copy}>
          <span aria-live="polite">{copied ? t`Link copied` : rich`Copy a link to ${name}`}</span>
        </Menu.Item>
      )}
    </CopyButton>
  );
}

/** Filters, order and form of a list under a name: kept with the account, and shared where one wants. */
export function SavedViews({ page }: { page: string }) {
  const cache = useQueryClient();
  const account = useAccount();
  const me = account?.name ?? "";
  const rules = account?.permissions.includes("policy.write") ?? false;
  const known = useQuery({
    queryKey: ["views", page],
    queryFn: ({ signal }) => read("/views/{page}", { path: { page }, signal }),
    staleTime: 60_000,
  });
  const { mine, others } = sorted(known.data?.items ?? [], me);
  const [search, setSearch] = useSearchParams();
  const [naming, setNaming] = useState(false);
  const [removed, setRemoved] = useState<SavedView | null>(null);
  const form = useForm(UNNAMED, { name: required });
  const opened = useRef(false);
  const query = search.toString();
  // One's own choice wins over the one for everybody.
  const first = mine.find((view) => view.first) ?? [...mine, ...others].find((view) => view.everybody);
  useEffect(() => {
    if (opened.current || !known.data) return;
    // Only when the page opens: afterwards an empty address is somebody's choice.
    opened.current = true;
    if (first && !query) setSearch(first.query, { replace: true });
  }, [known.data, first, query, setSearch]);
  const current = [...mine, ...others].find((view) => view.query === query && query !== "");
  const done = (): void => void cache.invalidateQueries({ queryKey: ["views", page] });
  const save = useMutation({
    mutationFn: ({ name, first: isFirst, shared, everybody }: typeof UNNAMED) =>
      write.put("/views/{page}/{name}", {
        path: { page, name: name.trim() },
        body: { query, first: isFirst, shared: shared || everybody, everybody },
      }),
    onSuccess: () => setNaming(false),
    onSettled: done,
  });
  const item = (view: SavedView) => (
    <Menu.Item key={`${view.owner} ${view.name}`} onClick={() => setSearch(view.query)}>
      {view.name}
      {view.first ? t` (default)` : ""}
      {view.everybody ? t` (default for all)` : ""}
      {view.owner === me ? (view.shared ? t` (shared)` : "") : t` by ${view.owner}`}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" width={260} withinPortal>
        <Menu.Target>
          <Button size="xs">{current ? current.name : t`Views`}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mine.length ? <Menu.Label>{t`Mine`}</Menu.Label> : null}
          {mine.map(item)}
          {others.length ? <Menu.Label>{t`Shared by others`}</Menu.Label> : null}
          {others.map(item)}
          {mine.length || others.length ? <Menu.Divider /> : null}
          <Menu.Item onClick={() => setSearch("")}>{t`No filters`}</Menu.Item>
          <Menu.Item
            onClick={() => {
              save.reset();
              form.reset();
              form.setFieldValue("name", current?.owner === me ? current.name : "");
              setNaming(true);
            }}
          >
            {t`Save this view…`}
          </Menu.Item>
          {current?.shared ? <CopyItem page={page} name={current.name} /> : null}
          {current?.owner === me ? (
            <Menu.Item onClick={() => setRemoved(current)}>{rich`Delete ${current.name}…`}</Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {removed ? <Removal page={page} view={removed} onClose={() => setRemoved(null)} onDone={done} /> : null}
      <Dialog opened={naming} onClose={() => setNaming(false)} title={t`Save this view`}>
        <Form of={form} onSend={(values) => save.mutate(values)} error={save.error}>
          <TextInput data-autofocus label={t`Name`} maxLength={80} {...form.getInputProps("name")} />
          <Switch label={t`Share with all users`} {...form.getInputProps("shared", { type: "checkbox" })} />
          <Switch label={t`My default view`} {...form.getInputProps("first", { type: "checkbox" })} />
          {rules ? (
            <Switch label={t`Default view for all users`} {...form.getInputProps("everybody", { type: "checkbox" })} />
          ) : null}
          {save.isError ? <ProblemPanel error={save.error} /> : null}
          <div className="row end">
            <Button onClick={() => setNaming(false)}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" loading={save.isPending} disabled={isBlank(form.values.name)}>
              {t`Save`}
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
