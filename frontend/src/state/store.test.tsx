import { act, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore, resetStores, useStore } from "./store";

beforeEach(() => localStorage.clear());

describe("a store", () => {
  it("gives what was set last, also where it is set by what was before", () => {
    const store = createStore(1);
    store.set(5);
    store.set((before) => before + 2);
    expect(store.get()).toBe(7);
  });

  it("calls its listeners once for each change, and not where nothing changed", () => {
    const store = createStore<string | number>("a");
    const listener = vi.fn();
    const leave = store.subscribe(listener);
    store.set("b");
    store.set("b");
    store.set(Number.NaN);
    store.set(Number.NaN);
    expect(listener).toHaveBeenCalledTimes(2);
    leave();
    store.set("c");
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("shows its value in every component that follows it", () => {
    const store = createStore({ name: "ann" });
    function Name() {
      return <p>{useStore(store).name}</p>;
    }
    render(
      <>
        <Name />
        <Name />
      </>,
    );
    expect(screen.getAllByText("ann")).toHaveLength(2);
    act(() => store.set({ name: "bob" }));
    expect(screen.getAllByText("bob")).toHaveLength(2);
  });
});

describe("a store with a key", () => {
  it("is remembered in this browser from the first change on", () => {
    const store = createStore({ wide: false }, "switchyard.test");
    expect(localStorage.getItem("switchyard.test")).toBeNull();
    store.set({ wide: true });
    expect(localStorage.getItem("switchyard.test")).toBe('{"wide":true}');
    expect(createStore({ wide: false }, "switchyard.test").get()).toEqual({ wide: true });
  });

  it("begins anew where what was kept cannot be read", () => {
    localStorage.setItem("switchyard.test", "{half");
    expect(createStore(["all"], "switchyard.test").get()).toEqual(["all"]);
  });

  it("remembers false and null as such", () => {
    createStore<boolean | null>(true, "switchyard.test").set(false);
    expect(createStore<boolean | null>(true, "switchyard.test").get()).toBe(false);
    createStore<boolean | null>(true, "switchyard.test").set(null);
    expect(createStore<boolean | null>(true, "switchyard.test").get()).toBeNull();
  });
});

it("puts every store back to what it began with", () => {
  const [count, names] = [createStore(0), createStore<string[]>([])];
  count.set(3);
  names.set(["ann"]);
  resetStores();
  expect([count.get(), names.get()]).toEqual([0, []]);
});
