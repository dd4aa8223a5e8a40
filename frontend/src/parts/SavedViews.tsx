import { Button, Menu, Modal, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { send } from "../api/client";
import { useAccount } from "../api/queries";
import type { Page } from "../wire/model";
import type { components } from "../wire/schema";
import { ProblemPanel } from "./states";
import { rich, t } from "../words/text";

export type SavedView = components["schemas"]["View"];

/** One's own views first, then what others share; of a name one's own wins. */
export function sorted(views: readonly SavedView[], me: string): { mine: SavedView[]; others: SavedView[] } {
  const mine = views.filter((view) => view.owner === me);
  return { mine, others: views.filter((view) => view.owner !== me && view.shared) };
}

/** Filters, order and form of a list under a name: kept with the account, and shared where one wants. */
export function SavedViews({ page }: { page: string }) {
  const cache = useQueryClient();
  const account = useAccount();
  const me = account?.name ?? "";
  const rules = account?.permissions.includes("policy.write") ?? false;
  const known = useQuery({
    queryKey: ["views", page],
    queryFn: ({ signal }) => send<Page<SavedView>>(`/views/${page}`, { signal }),
    staleTime: 60_000,
  });
  const { mine, others } = sorted(known.data?.items ?? [], me);
  const [search, setSearch] = useSearchParams();
  const [naming, setNaming] = useState(false);
  const [draft, setDraft] = useState({ name: "", first: false, shared: false, everybody: false });
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
  const path = (name: string): string => `/views/${page}/${encodeURIComponent(name)}`;
  const save = useMutation({
    mutationFn: () =>
      send(path(draft.name.trim()), {
        method: "PUT",
        body: { query, first: draft.first, shared: draft.shared || draft.everybody, everybody: draft.everybody },
      }),
    onSuccess: () => setNaming(false),
    onSettled: done,
  });
  const forget = useMutation({ mutationFn: (name: string) => send(path(name), { method: "DELETE" }), onSettled: done });
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
              setDraft({
                name: current?.owner === me ? current.name : "",
                first: false,
                shared: false,
                everybody: false,
              });
              setNaming(true);
            }}
          >
            {t`Save this view…`}
          </Menu.Item>
          {current?.shared ? (
            <Menu.Item
              onClick={() =>
                void navigator.clipboard.writeText(
                  `${location.origin}/views/${page}/${encodeURIComponent(current.name)}`,
                )
              }
            >
              {rich`Copy a link to ${current.name}`}
            </Menu.Item>
          ) : null}
          {current?.owner === me ? (
            <Menu.Item onClick={() => forget.mutate(current.name)}>{rich`Delete ${current.name}`}</Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={naming}
        onClose={() => setNaming(false)}
        title={t`Save this view`}
        closeButtonProps={{ "aria-label": t`Close` }}
      >
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.name.trim()) save.mutate();
          }}
        >
          <TextInput
            data-autofocus
            label={t`Name`}
            maxLength={80}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
          <Switch
            label={t`Share with all users`}
            checked={draft.shared}
            onChange={(event) => setDraft({ ...draft, shared: event.currentTarget.checked })}
          />
          <Switch
            label={t`My default view`}
            checked={draft.first}
            onChange={(event) => setDraft({ ...draft, first: event.currentTarget.checked })}
          />
          {rules ? (
            <Switch
              label={t`Default view for all users`}
              checked={draft.everybody}
              onChange={(event) => setDraft({ ...draft, everybody: event.currentTarget.checked })}
            />
          ) : null}
          {save.isError ? <ProblemPanel error={save.error} /> : null}
          <div className="row end">
            <Button onClick={() => setNaming(false)}>{t`Cancel`}</Button>
            <Button type="submit" variant="filled" loading={save.isPending} disabled={!draft.name.trim()}>
              {t`Save`}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
