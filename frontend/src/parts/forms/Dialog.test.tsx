import { Button, Menu } from "@mantine/core";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { show } from "../../test/show";
import { Dialog } from "./Dialog";

function Opened({ isGone = false }: { isGone?: boolean }) {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>{"Page"}</h1>
      {used && isGone ? null : (
        <button
          onClick={() => {
            setOpen(true);
            setUsed(true);
          }}
        >
          {"Open"}
        </button>
      )}
      {open ? (
        <Dialog opened onClose={() => setOpen(false)} title="Title">
          <input aria-label="Name" data-autofocus />
        </Dialog>
      ) : null}
    </main>
  );
}

it("gives the focus back to what opened it, or to the heading where that is gone", async () => {
  const { unmount } = show(<Opened />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Open" })));
  unmount();
  show(<Opened isGone />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await userEvent.click(await screen.findByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
});

function FromMenu() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>{"Page"}</h1>
      <Menu>
        <Menu.Target>
          <Button>{"Views"}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>{"Save…"}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Title">
        <input aria-label="Name" data-autofocus />
      </Dialog>
    </main>
  );
}

it("gives the focus back to the button of the menu that it was opened from", async () => {
  show(<FromMenu />);
  await userEvent.click(screen.getByRole("button", { name: "Views" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Save…" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Views" })));
});

function Late() {
  const [open, setOpen] = useState(false);
  const [isThere, setThere] = useState(true);
  const choose = () => {
    setThere(false);
    setTimeout(() => setOpen(true), 20);
  };
  return (
    <main>
      <h1 tabIndex={-1}>{"Page"}</h1>
      <button id="views">{"Views"}</button>
      {isThere ? (
        <div role="menu" aria-labelledby="views">
          <button role="menuitem" onClick={choose}>
            {"Save…"}
          </button>
        </div>
      ) : null}
      <Dialog opened={open} onClose={() => setOpen(false)} title="Title">
        <input aria-label="Name" data-autofocus />
      </Dialog>
    </main>
  );
}

it("gives the focus back to the button of a menu that was gone before the dialog opened", async () => {
  show(<Late />);
  await userEvent.click(screen.getByRole("menuitem", { name: "Save…" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Views" })));
});

it("leaves the focus where it is once something else had it after the dialog was closed", async () => {
  show(
    <>
      <Opened />
      <input aria-label="Other" />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  fireEvent.keyDown(screen.getByLabelText("Name"), { key: "Escape" });
  const other = screen.getByLabelText("Other");
  act(() => other.focus());
  act(() => other.blur());
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(document.activeElement).toBe(document.body);
});

it("takes no focus from a dialog that was opened soon after another one was closed", async () => {
  const { unmount } = show(<Opened isGone />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
  fireEvent.keyDown(screen.getByLabelText("Name"), { key: "Escape" });
  unmount();
  show(<Opened />);
  const open = screen.getByRole("button", { name: "Open" });
  act(() => open.focus());
  fireEvent.click(open);
  const name = await screen.findByLabelText("Name");
  act(() => name.focus());
  // The second dialog is about to give the focus back when the first one's moment for that comes.
  act(() => name.blur());
  expect(document.activeElement).toBe(document.body);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(document.activeElement).toBe(document.body);
});

/** A dialog whose button waits for an answer, which shows a problem or takes its place. */
function Sending({ isDone }: { isDone: boolean }) {
  const [state, setState] = useState<"asked" | "sent" | "answered">("asked");
  return (
    <Dialog opened onClose={() => undefined} title="Title">
      {state === "answered" && isDone ? (
        <button data-autofocus>{"Done"}</button>
      ) : (
        <button disabled={state === "sent"} onClick={() => setState("sent")}>
          {"Send"}
        </button>
      )}
      <button onClick={() => setState("answered")}>{"Answer"}</button>
    </Dialog>
  );
}

it.each([
  [false, "Send"],
  [true, "Done"],
])("has the focus again after an answer that took the button's place: %s", async (isDone, name) => {
  show(<Sending isDone={isDone} />);
  const send = await screen.findByRole("button", { name: "Send" });
  act(() => send.focus());
  fireEvent.click(send);
  // Browsers take the focus from a button that is disabled; the tests' one leaves it there.
  send.removeAttribute("disabled");
  act(() => send.blur());
  send.setAttribute("disabled", "");
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByRole("button", { name: "Answer" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name })));
});
