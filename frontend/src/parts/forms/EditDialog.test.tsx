import { change, rehearsedChange } from "../../api/client";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { serve, show } from "../../test/show";
import { tick } from "../../time/clock";
import { polite } from "../../state/announcements";
import { textOf } from "./draft";
import { EditDialog, RemoveDialog, type Editing, type Removing, WarningList } from "./EditDialog";

const ago = (seconds: number): string => new Date(tick.get() - seconds * 1000).toISOString();
const theirs = { name: "careful", group: "security", needed: 3, rev: 5 };
const stale = {
  title: "It was changed meanwhile",
  status: 412,
  current: theirs,
  changed: { who: "otto", at: ago(8), what: "policy.write" },
};
const editing: Editing = {
  title: "Change careful",
  fields: [
    { name: "group", label: "Group", kind: "text" },
    { name: "needed", label: "Votes", kind: "number" },
  ],
  start: { group: "approver", needed: 2 },
  seen: 4,
  change: (draft, ifMatch) =>
    change.put("/policies/{name}", {
      path: { name: "careful" },
      body: { purpose: "switch", group: textOf(draft, "group"), needed: Number(draft["needed"]) },
      ifMatch,
    }),
  refresh: [],
};

async function refused() {
  const sent = serve({ "PUT /policies/careful": stale });
  const closed = vi.fn();
  show(<EditDialog of={editing} onClose={closed} />);
  await userEvent.type(screen.getByLabelText("Group"), "s");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/Changed by otto/);
  return { sent, closed };
}

const puts = (sent: Awaited<ReturnType<typeof refused>>["sent"]) => sent.filter((each) => each.method === "PUT");

it("tells people who listen that a change was made", async () => {
  serve({ "PUT /policies/careful": {} });
  const closed = vi.fn();
  show(<EditDialog of={editing} onClose={closed} />);
  await userEvent.type(screen.getByLabelText("Group"), "s");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(polite.get()).toBe("Done: Change careful."));
  expect(closed).toHaveBeenCalledOnce();
});

it("says who was faster, when and in what, and takes theirs into the fields", async () => {
  const { sent, closed } = await refused();
  expect(screen.getByRole("alert").textContent).toMatch(/^Changed by otto 8 s ago\. Your change was not recorded\./);
  expect(
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent)),
  ).toEqual([
    ["Group", "security", "approvers"],
    ["Votes", "3", "2"],
  ]);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Use theirs" }));
  expect(screen.getByLabelText<HTMLInputElement>("Group").value).toBe("security");
  expect(screen.getByLabelText<HTMLInputElement>("Votes").value).toBe("3");
  expect(screen.queryByRole("alert")).toBeNull();
  expect([puts(sent).length, closed.mock.calls.length]).toEqual([1, 0]);
});

it("says each thing once of what the server refuses, and only until the values are others", async () => {
  const remedy = "For example: 0 22 * * mon-thu";
  const refusal = { title: "The request is wrong", status: 400, detail: `It has five fields. ${remedy}`, remedy };
  serve({ "PUT /policies/careful": refusal });
  const rehearsed: Editing = {
    ...editing,
    change: (draft, ifMatch) =>
      rehearsedChange.put(
        "/policies/{name}",
        {
          path: { name: "careful" },
          body: { purpose: "switch", group: textOf(draft, "group"), needed: Number(draft["needed"]) },
          ifMatch,
        },
        () => null,
      ),
  };
  show(<EditDialog of={rehearsed} onClose={vi.fn()} />);
  await userEvent.type(screen.getByLabelText("Group"), "s");
  const effect = await screen.findByText(/It has five fields/);
  expect(effect.textContent.split(remedy)).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The request is wrong");
  await userEvent.type(screen.getByLabelText("Group"), "s");
  expect(screen.queryByRole("alert")).toBeNull();
});

/** A form whose dry run is refused at the number of votes, until it is 3. */
function rehearsedVotes(refusal: object): Editing {
  const rehearsal = (needed: number) =>
    rehearsedChange.put(
      "/policies/{name}",
      { path: { name: needed === 3 ? "right" : "careful" }, body: { purpose: "switch", needed } },
      () => <p>Three votes.</p>,
    );
  serve({
    "PUT /policies/careful": refusal,
    "PUT /policies/careful?dry_run=true": refusal,
    "PUT /policies/right?dry_run=true": {},
  });
  return { ...editing, change: (draft) => rehearsal(Number(draft["needed"])) };
}

it("shows at its field, and only there, what the dry run refuses, until the value holds", async () => {
  const detail = "The request is wrong.";
  const title = "The request is wrong";
  const refusal = { title, detail, status: 400, errors: [{ path: "needed", message: "It is more than 10." }] };
  show(<EditDialog of={rehearsedVotes(refusal)} onClose={vi.fn()} />);
  const votes = screen.getByLabelText<HTMLInputElement>("Votes");
  expect(await screen.findAllByText(/It is more than 10\./)).toHaveLength(1);
  expect(votes.getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByRole("heading", { name: "Effect" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent.trim()).toBe("Correct the marked fields.");
  expect(screen.getAllByText(/It is more than 10\./)).toHaveLength(1);
  await userEvent.clear(votes);
  await userEvent.type(votes, "3");
  expect(await screen.findByText("Three votes.")).toBeTruthy();
  expect(votes.getAttribute("aria-invalid")).not.toBe("true");
});

it("shows the remedy at its field only", async () => {
  const remedy = "Ask for 1 to 10 votes.";
  const errors = [{ path: "needed", message: "It is more than 10.", remedy }];
  show(<EditDialog of={rehearsedVotes({ title: "Not valid", status: 400, remedy, errors })} onClose={vi.fn()} />);
  expect(await screen.findByText(`It is more than 10. ${remedy}`)).toBeTruthy();
  expect(screen.getAllByText(new RegExp(remedy))).toHaveLength(1);
  expect(screen.queryByRole("heading", { name: "Effect" })).toBeNull();
});

it("asks for no dry run before all fields are filled in, or while a year is typed", async () => {
  const rehearsed: Editing = {
    ...editing,
    fields: [{ name: "until", label: "Until", kind: "moment", required: true }],
    start: { until: "" },
    change: (draft) =>
      rehearsedChange.put(
        "/policies/{name}",
        { path: { name: "careful" }, body: { purpose: "switch", group: textOf(draft, "until"), needed: 1 } },
        () => <p>It ends.</p>,
      ),
  };
  const sent = serve({ "PUT /policies/careful?dry_run=true": {} });
  show(<EditDialog of={rehearsed} onClose={vi.fn()} />);
  const until = screen.getByLabelText(/Until/);
  for (const year of ["0002", "0020", "0202"]) {
    fireEvent.change(until, { target: { value: `${year}-01-01T00:00` } });
    expect(screen.queryByRole("heading", { name: "Effect" })).toBeNull();
  }
  fireEvent.blur(until);
  expect(screen.getByText("Enter a year of four digits, from 1970 on.")).toBeTruthy();
  fireEvent.change(until, { target: { value: "2027-01-01T00:00" } });
  expect(await screen.findByText("It ends.")).toBeTruthy();
  expect(screen.queryByText("Enter a year of four digits, from 1970 on.")).toBeNull();
  expect(puts(sent).map((each) => each.body)).toEqual([{ purpose: "switch", group: "2027-01-01T00:00:00", needed: 1 }]);
});

it("says once what is refused as a whole: the dry run falls silent when the change itself was refused", async () => {
  const remedy = "See `swy usage show`.";
  const refusal = { title: "Not now", detail: `It is in use. ${remedy}`, remedy, status: 409 };
  show(<EditDialog of={rehearsedVotes(refusal)} onClose={vi.fn()} />);
  expect(await screen.findByText("swy usage show")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toContain("It is in use.");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("alert");
  expect(screen.getAllByText(/It is in use\./)).toHaveLength(1);
});

it("keeps what was written for who reviews it, and saves it over theirs only then", async () => {
  const { sent } = await refused();
  await userEvent.click(screen.getByRole("button", { name: "Review mine" }));
  expect(screen.getByLabelText<HTMLInputElement>("Group").value).toBe("approvers");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(puts(sent).map((each) => [each.headers.get("If-Match"), each.body])).toEqual([
      ['"4"', { purpose: "switch", group: "approvers", needed: 2 }],
      ['"5"', { purpose: "switch", group: "approvers", needed: 2 }],
    ]),
  );
});

const removing: Removing = {
  title: "Remove careful",
  text: "It goes.",
  change: (ifMatch) =>
    rehearsedChange.delete("/policies/{name}", { path: { name: "careful" }, ifMatch }, (answer) => (
      <WarningList of={answer} />
    )),
  was: { name: "careful", group: "approver", needed: 3, rev: 4 },
  seen: 4,
  button: "Remove",
  refresh: [],
};

it("shows before something is removed that it is another one by now, and leaves it or goes on", async () => {
  const sent = serve({
    "DELETE /policies/careful": stale,
    "DELETE /policies/careful?dry_run=true": { warnings: ["Two upgrades wait for it."] },
  });
  const closed = vi.fn();
  show(<RemoveDialog of={removing} onClose={closed} />);
  const remove = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove" });
  expect(await screen.findByText("Two upgrades wait for it.")).toBeTruthy();
  await waitFor(() => expect(remove.disabled).toBe(false));
  await userEvent.click(remove);
  expect((await screen.findByRole("alert")).textContent).toMatch(/^Changed by otto 8 s ago\./);
  expect(
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent)),
  ).toEqual([["group", "security", "approver"]]);
  await userEvent.click(screen.getByRole("button", { name: "Review mine" }));
  await waitFor(() => expect(remove.disabled).toBe(false));
  await userEvent.click(remove);
  await waitFor(() =>
    expect(
      sent
        .filter((each) => each.method === "DELETE" && !each.path.includes("dry_run"))
        .map((each) => each.headers.get("If-Match")),
    ).toEqual(['"4"', '"5"']),
  );
  await userEvent.click(await screen.findByRole("button", { name: "Use theirs" }));
  expect(closed.mock.calls.length).toBe(1);
});

it("shows the effect below the field that was changed last", async () => {
  serve({ "PUT /policies/careful": { id: "p" } });
  const rehearsed: Editing = {
    ...editing,
    change: (draft, seen) => ({
      ...editing.change(draft, seen),
      rehearse: () => Promise.resolve(<p>Two votes of {textOf(draft, "group")}.</p>),
    }),
  };
  show(<EditDialog of={rehearsed} onClose={vi.fn()} />);
  const effect = await screen.findByRole("heading", { name: "Effect" });
  const isAbove = (label: string): boolean =>
    Boolean(
      screen.getByRole("heading", { name: "Effect" }).compareDocumentPosition(screen.getByLabelText(label)) &
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  expect([effect.isConnected, isAbove("Group"), isAbove("Votes")]).toEqual([true, false, false]);
  await userEvent.type(screen.getByLabelText("Group"), "s");
  await screen.findByText("Two votes of approvers.");
  expect([isAbove("Group"), isAbove("Votes")]).toEqual([false, true]);
});
