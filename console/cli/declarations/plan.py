"""What applying documents would come to: rehearsed by the console as one, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from console.cli.client import ConsoleClient, ConsoleProblem
from console.cli.declarations.documents import DeclaredDocument, DocumentsRefused
from console.cli.declarations.kinds import BatchWrite, Json, KeptObject, ObjectKind
from console.cli.declarations.registry_kinds import PLACING
from console.cli.declarations.table import BY_KIND, KINDS

BATCH = "/api/v1/requests:batch"
MOST_WRITES = 500
BATCH_SECONDS = 300.0
UNCOMPARED = ("url", "multiRegionPolicy", *PLACING)
"""What may differ from what was declared although the object was not changed."""


class ObjectOutcome(StrEnum):
    """What becomes of an object."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    DELETED = "deleted"
    KEPT = "kept"


@dataclass(slots=True)
class PlannedChange:
    """One object: as it is, as it is declared, and what becomes of it."""

    kind: ObjectKind
    name: str
    document: DeclaredDocument | None
    before: KeptObject | None
    write: BatchWrite | None
    outcome: ObjectOutcome = ObjectOutcome.UNCHANGED
    after: Json = field(default_factory=dict)
    reason: str = ""

    @property
    def label(self) -> str:
        """Name the object with its kind."""
        return f"{self.kind.kind} {self.name}"

    @property
    def differs(self) -> bool:
        """Tell whether the console's object is not what is declared."""
        return self.outcome is not ObjectOutcome.UNCHANGED


class ChangeRefused(Exception):
    """The console refuses a change; `place` says where it is declared."""

    def __init__(self, problem: ConsoleProblem, change: PlannedChange) -> None:
        super().__init__(str(problem))
        self.problem, self.change = problem, change

    def lines(self) -> list[str]:
        """Tell the refusal with the lines of the fields that it names."""
        document, body = self.change.document, self.problem.body
        if document is None:
            return [f"{self.change.label} cannot be removed: {self.problem}"]
        violations = [
            f"{document.at(_path(each['path']))}: {each['path']}: {each['message']}"
            for each in body.get("errors") or ()
        ]
        return violations or [f"{document.place}: {self.change.label}: {self.problem}"]


def _path(path: str) -> str:
    return f"spec.{path.removeprefix('deployment.')}"


@dataclass(frozen=True, slots=True)
class Ownership:
    """Under which label objects are noted as made, and whether those are removed that are declared no longer."""

    owner: str = ""
    prune: bool = False


def plan_changes(
    client: ConsoleClient, documents: list[DeclaredDocument], ownership: Ownership
) -> list[PlannedChange]:
    """Find out what becomes of each object, and have the console rehearse all of it.

    Raises: DocumentsRefused, ChangeRefused, Problem.
    """
    changes = _declared(client, documents)
    if ownership.prune:
        changes += _pruned(client, changes, ownership.owner)
    writes = [each for each in changes if each.write is not None]
    if len(writes) > MOST_WRITES:
        raise DocumentsRefused(
            [f"These are {len(writes)} objects; at most {MOST_WRITES} are applied as one."]
        )
    for change, answer in zip(writes, send(client, writes, dry_run=True), strict=True):
        _judge(change, answer)
    return changes


def carry_out(client: ConsoleClient, changes: list[PlannedChange]) -> None:
    """Write what differs, all of it or nothing.

    Raises: ChangeRefused, Problem.
    """
    send(client, [each for each in changes if each.write is not None and each.differs], dry_run=False)


def send(client: ConsoleClient, changes: list[PlannedChange], *, dry_run: bool) -> list[Json]:
    """Send the writes of changes as one.

    Raises: ChangeRefused for the write that is refused, Problem.
    """
    if not changes:
        return []
    client.http.timeout = BATCH_SECONDS
    body = {"requests": [each.write.as_json() for each in changes if each.write is not None]}
    try:
        answers: list[Json] = client.ask("POST", BATCH, body, dry_run=dry_run).body["answers"]
    except ConsoleProblem as problem:
        index = problem.body.get("failed_request")
        if index is None:
            raise
        raise ChangeRefused(problem, changes[index]) from problem
    return answers


def _declared(client: ConsoleClient, documents: list[DeclaredDocument]) -> list[PlannedChange]:
    """Compare documents with the table of kinds, and read what the console has of each."""
    problems: list[str] = []
    named = [each for document in documents if (each := _named(document, problems)) is not None]
    places: dict[tuple[str, str], DeclaredDocument] = {}
    for document, kind, name in named:
        if (before := places.setdefault((kind.kind, name), document)) is not document:
            problems.append(f"{document.place}: {kind.kind} {name} is declared already in {before.place}.")
    if problems:
        raise DocumentsRefused(problems)
    changes = []
    for document, kind, name in sorted(named, key=lambda each: KINDS.index(each[1])):
        kept = kind.find(client, name)
        refusal = kind.refusal(document, kept)
        if refusal:
            problems.append(f"{document.place}: {kind.kind} {name}: {refusal}.")
        else:
            changes.append(PlannedChange(kind, name, document, kept, kind.write(document, name, kept)))
    if problems:
        raise DocumentsRefused(problems)
    return changes


def _named(
    document: DeclaredDocument, problems: list[str]
) -> tuple[DeclaredDocument, ObjectKind, str] | None:
    """Find the kind and the name of a document; every field that its kind does not have is told."""
    kind = BY_KIND.get(document.kind)
    if kind is None:
        known = ", ".join(each.kind for each in KINDS)
        problems.append(f"{document.at('kind')}: there is no kind {document.kind!r}; the kinds are {known}.")
        return None
    for name in document.spec:
        if name not in kind.fields:
            problems.append(
                f"{document.at(f'spec.{name}')}: there is no field {name!r} of {kind.kind};"
                f" it has {', '.join(kind.fields)}."
            )
    try:
        return document, kind, kind.name_of(document)
    except ValueError as error:
        problems.append(f"{document.at('name')}: {error}.")
        return None


def _pruned(client: ConsoleClient, declared: list[PlannedChange], owner: str) -> list[PlannedChange]:
    """Find what was made under the label and is declared no longer; what was made or changed otherwise stays."""
    names = {(each.kind.kind, each.name) for each in declared}
    changes = []
    for entry in declared_objects(client, owner):
        kind = BY_KIND.get(entry["kind"])
        if kind is None or (entry["kind"], entry["name"]) in names:
            continue
        kept = kind.find(client, entry["name"])
        if kept is None:
            continue
        change = PlannedChange(kind, entry["name"], None, kept, None)
        if fingerprint(kept) == entry["spec"]:
            change.write, change.outcome = kind.remove(kept), ObjectOutcome.DELETED
        else:
            change.outcome = ObjectOutcome.KEPT
            change.reason = "It was changed or made again otherwise since it was applied; remove it by hand."
        changes.append(change)
    return sorted(changes, key=lambda each: -KINDS.index(each.kind))


def _judge(change: PlannedChange, answer: Json) -> None:
    """Read from the console's answer what became of an object."""
    if change.outcome is ObjectOutcome.DELETED:
        return
    body: Any = answer["body"]
    if change.kind.kind == "Service" and "fingerprint" in body:
        change.after = {"versions": body["versions"], "fingerprint": body["fingerprint"]}
        changed = bool(body["changed"])
    else:
        after = change.kind.keep(body.get("raw", body) if change.kind.kind == "Deployment" else body)
        before = change.before
        change.after = _kept_fields(before) | after.spec
        changed = before is None or change.after != before.spec
        # Of its address, a webhook shows the end alone.
        changed = changed or (
            change.kind.kind == "Webhook" and before is not None and after.version != before.version
        )
    if change.before is None:
        change.outcome = ObjectOutcome.CREATED
    elif changed:
        change.outcome = ObjectOutcome.CHANGED


def _kept_fields(before: KeptObject | None) -> Json:
    """Give what is known of an object and no answer to a write shows."""
    return {name: value for name, value in before.spec.items() if name == "database"} if before else {}


def fingerprint(kept: KeptObject) -> Json:
    """Write down by what an object is known again as the very one that was applied."""
    spec = {name: value for name, value in kept.spec.items() if name not in UNCOMPARED}
    return {"spec": spec, "maker": kept.maker}


def declared_objects(client: ConsoleClient, owner: str) -> list[Json]:
    """Read what this account made under a label."""
    found: list[Json] = client.get(f"/api/v1/declared-sets/{owner}")["objects"]
    return found


def note_made(client: ConsoleClient, changes: list[PlannedChange], owner: str) -> None:
    """Note under the label what was created, and how what was created earlier is now."""
    before = declared_objects(client, owner)
    known = {(entry["kind"], entry["name"]): entry for entry in before}
    gone = {(each.kind.kind, each.name) for each in changes if each.outcome is ObjectOutcome.DELETED}
    for change in changes:
        key = (change.kind.kind, change.name)
        made = change.outcome is ObjectOutcome.CREATED or (key in known and change.document is not None)
        kept = change.kind.find(client, change.name) if made and change.kind.removable else None
        if kept is not None:
            known[key] = {"kind": key[0], "name": key[1], "spec": fingerprint(kept)}
    objects = [entry for key, entry in sorted(known.items()) if key not in gone]
    if objects != before:
        client.ask("PUT", f"/api/v1/declared-sets/{owner}", {"objects": objects})
