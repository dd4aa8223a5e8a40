"""Deletions that cascade, unset, and are refused, in one transaction."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict, Invalid, Missing, SwitchyardError
from tests.factories.remembered import remembered
from tests.integration.resource_api.conftest import REGION, Yard

SERVICE = "notes.example.com"
FOLDER = {
    "service.yaml": b"""
service: notes.example.com
displayName: Notes
versions:
  - {version: v1, stage: stable, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}
""",
    "v1.yaml": b"""
schema:
  types:
    Book: {fields: {name: string, title: string}}
    Note:
      fields:
        name: string
        book: {type: {reference: Book}, constraints: {onDelete: cascade}}
        also: {type: {list: {reference: Book}}, constraints: {onDelete: unset}}
    Seal:
      fields:
        name: string
        note: {type: {reference: Note}, constraints: {wins: block}}
  resources:
    Book: {patterns: ["books/{book}"]}
    Note: {patterns: ["notes/{note}"]}
    Seal: {patterns: ["seals/{seal}"]}
""",
}
PLACE = (REGION, SERVICE, "v1")


@pytest.fixture
def notes(ports: Yard) -> Yard:
    """Two books; a note in the first, that also mentions both."""

    def apply() -> None:
        apply_service(SYSTEM, FOLDER)
        name = f"services/{SERVICE}/deployments/{REGION}"
        apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=ports.database)

    remembered("notes", [ports.database], apply)
    put(ports, "Book", "books/a")
    put(ports, "Book", "books/b")
    put(ports, "Note", "notes/n", book="books/a", also=["books/b", "books/a", "books/b"])
    return ports


def put(ports: Yard, type_: str, name: str, **body: object) -> None:
    request = WriteRequest("create", type_, name, body=dict(body))  # type: ignore[arg-type]
    ports.servers.writing.write(*PLACE, [request])


def delete(ports: Yard, type_: str, name: str) -> None:
    ports.servers.writing.write(*PLACE, [WriteRequest("delete", type_, name)])


def document(ports: Yard, type_: str, name: str) -> dict[str, object]:
    found = dict(ports.servers.reading.get(*PLACE, type_, name).document)
    found.pop("metadata")
    return dict(found)


def test_references_that_may_be_cleared_are(notes: Yard) -> None:
    delete(notes, "Book", "books/b")
    assert document(notes, "Note", "notes/n") == {"name": "notes/n", "book": "books/a", "also": ["books/a"]}
    assert notes.servers.reading.get(*PLACE, "Note", "notes/n").revision > 1


def test_a_deletion_takes_along_what_cascades(notes: Yard) -> None:
    delete(notes, "Book", "books/a")
    for type_, name in (("Book", "books/a"), ("Note", "notes/n")):
        with pytest.raises(Missing):
            document(notes, type_, name)
    assert document(notes, "Book", "books/b") == {"name": "books/b"}


def test_a_cascade_that_meets_a_blocking_reference_is_refused_whole(notes: Yard) -> None:
    put(notes, "Seal", "seals/s", note="notes/n")
    with pytest.raises(Conflict) as refused:
        delete(notes, "Book", "books/a")
    assert refused.value.code == "deletion-blocked"
    assert document(notes, "Note", "notes/n")["book"] == "books/a"


def test_a_reference_made_while_its_target_is_deleted_never_dangles(notes: Yard) -> None:
    def referring(number: int) -> None:
        put(notes, "Seal", f"seals/s{number}", note=f"notes/x{number}")

    for number in range(6):
        put(notes, "Note", f"notes/x{number}", book="books/a")
    with ThreadPoolExecutor(4) as pool:
        for number in range(6):
            runs = [
                pool.submit(referring, number),
                pool.submit(delete, notes, "Note", f"notes/x{number}"),
            ]
            failed = [run.exception() for run in runs if run.exception()]
            assert len(failed) == 1
            assert isinstance(failed[0], SwitchyardError)
            seal_stands = _exists(notes, "Seal", f"seals/s{number}")
            assert seal_stands is _exists(notes, "Note", f"notes/x{number}")


def test_a_resource_type_that_a_definition_adds_can_be_written_at_once(notes: Yard) -> None:
    added = FOLDER["v1.yaml"].replace(b"  resources:", b"    Shelf: {fields: {name: string}}\n  resources:")
    added += b'    Shelf: {patterns: ["shelves/{shelf}"]}\n'
    apply_service(SYSTEM, {**FOLDER, "v1.yaml": added})
    notes.servers.directory.forget(REGION, SERVICE)
    put(notes, "Shelf", "shelves/s")
    assert document(notes, "Shelf", "shelves/s") == {"name": "shelves/s"}


@pytest.mark.parametrize(
    ("before", "after", "path", "message"),
    [
        (
            "title: string",
            "title: {type: {reference: Book}, constraints: {onDelete: weak}}",
            "Book.title",
            "title refers to nothing in what is stored, and refers to notes.example.com/Book (weak) from now on.",
        ),
        (
            "book: {type: {reference: Book}, constraints: {onDelete: cascade}}",
            "book: string",
            "Note.book",
            "book refers to notes.example.com/Book (cascade) in what is stored, and refers to nothing from now on.",
        ),
        (
            "{onDelete: cascade}",
            "{onDelete: unset}",
            "Note.book",
            (
                "book refers to notes.example.com/Book (cascade) in what is stored, "
                "and refers to notes.example.com/Book (unset) from now on."
            ),
        ),
        (
            "{list: {reference: Book}}",
            "{list: {reference: Note}}",
            "Note.also[]",
            (
                "also[] refers to notes.example.com/Book (unset) in what is stored, "
                "and refers to notes.example.com/Note (unset) from now on."
            ),
        ),
    ],
)
def test_what_is_stored_does_not_begin_or_cease_to_refer(
    notes: Yard, before: str, after: str, path: str, message: str
) -> None:
    changed = FOLDER["v1.yaml"].replace(before.encode(), after.encode())
    with pytest.raises(Invalid) as refused:
        apply_service(SYSTEM, {**FOLDER, "v1.yaml": changed})
    (found,) = refused.value.violations
    assert (refused.value.code, found.path) == ("references-in-place", f"{SERVICE}/{path}")
    assert found.message == message


def test_a_field_that_a_definition_adds_may_refer_at_once(notes: Yard) -> None:
    added = FOLDER["v1.yaml"].replace(
        b"title: string}", b"title: string, first: {type: {reference: Note}, constraints: {wins: block}}}"
    )
    apply_service(SYSTEM, {**FOLDER, "v1.yaml": added})
    notes.servers.directory.forget(REGION, SERVICE)
    put(notes, "Book", "books/c", first="notes/n")
    with pytest.raises(SwitchyardError, match=r"books/c"):
        delete(notes, "Note", "notes/n")


def _exists(ports: Yard, type_: str, name: str) -> bool:
    try:
        document(ports, type_, name)
    except Missing:
        return False
    return True
