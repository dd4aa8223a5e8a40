import { screen, waitFor } from "@testing-library/react";
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
