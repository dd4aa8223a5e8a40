import { Button, Menu, Modal, Switch, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { createStore, useStore, type Store } from "./store";

export interface SavedView {
  name: string;
  query: string;
  first: boolean;
}

const stores = new Map<string, Store<SavedView[]>>();

function viewsOf(page: string): Store<SavedView[]> {
  const found = stores.get(page) ?? createStore<SavedView[]>([], `switchyard.views.${page}`);
  stores.set(page, found);
  return found;
}

/** One view per name; at most one is the one a page opens with. */
export function keep(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = views.filter((each) => each.name !== view.name).map((each) => (view.first ? { ...each, first: false } : each));
  return [...others, view].sort((one, other) => one.name.localeCompare(other.name));
}

/** Filters, order and view of a list under a name, remembered in this browser; the address shares them with others. */
export function SavedViews({ page }: { page: string }) {
  const store = viewsOf(page);
  const views = useStore(store);
  const [search, setSearch] = useSearchParams();
  const [naming, setNaming] = useState(false);
  const [draft, setDraft] = useState({ name: "", first: false });
  const query = search.toString();
  useEffect(() => {
    const first = store.get().find((view) => view.first);
    if (first && !location.search) setSearch(first.query, { replace: true });
    // Only when the page opens: afterwards an empty address is somebody's choice.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const current = views.find((view) => view.query === query);
  const save = (): void => {
    store.set(keep(views, { name: draft.name.trim(), query, first: draft.first }));
    setNaming(false);
  };
  return (
    <>
      <Menu position="bottom-end" width={240} withinPortal>
        <Menu.Target><Button size="xs">{current ? current.name : "Views"}</Button></Menu.Target>
        <Menu.Dropdown>
          {views.length ? <Menu.Label>Saved views</Menu.Label> : null}
          {views.map((view) => <Menu.Item key={view.name} onClick={() => setSearch(view.query)}>{view.name}{view.first ? " (opens first)" : ""}</Menu.Item>)}
          {views.length ? <Menu.Divider /> : null}
          <Menu.Item onClick={() => setSearch("")}>Everything</Menu.Item>
          <Menu.Item onClick={() => { setDraft({ name: "", first: false }); setNaming(true); }}>Save this view…</Menu.Item>
          {current ? <Menu.Item onClick={() => store.set(views.filter((view) => view !== current))}>Forget {current.name}</Menu.Item> : null}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title="Save this view" closeButtonProps={{ "aria-label": "Close" }}>
        <form className="stack" onSubmit={(event) => { event.preventDefault(); if (draft.name.trim()) save(); }}>
          <TextInput data-autofocus label="Name" value={draft.name} onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })} />
          <Switch label="This page opens with it" checked={draft.first} onChange={(event) => setDraft({ ...draft, first: event.currentTarget.checked })} />
          <p className="small muted">It is kept in this browser. To give it to others, send them the address of the page.</p>
          <div className="row end"><Button onClick={() => setNaming(false)}>Cancel</Button><Button type="submit" variant="filled" disabled={!draft.name.trim()}>Save</Button></div>
        </form>
      </Modal>
    </>
  );
}
