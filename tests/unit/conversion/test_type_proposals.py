"""Which resource types `propose` takes for renamed, and which it leaves to a person."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from migrations_app.domain.conversion.proposals.suggestion import Section
from migrations_app.domain.schema.folder import read_files

_EVERY = ["status", "created_at", "created_by", "labels"]
_DISK = ["size_gib", "encryption_key", "snapshot_policy", "source_image"]
_OTHERS = {"Alert": ["threshold"], "Report": ["period"], "Quota": ["limit"]}


def types_of(old: dict[str, list[str]], new: dict[str, list[str]]) -> EdgeProposal:
    """Propose what becomes of resource types, beside others that stay; every one has some fields in common."""
    head = (
        "service: things.example.com\nversions:\n"
        "  - {version: v1, ordinal: 10, sources: [{kind: ir, path: old.yaml}]}\n"
        "  - {version: v2, ordinal: 20, sources: [{kind: ir, path: new.yaml}]}\n"
    )
    files = {"service.yaml": head}
    for path, given in (("old.yaml", old), ("new.yaml", new)):
        types, resources = "", ""
        for name, fields in {**_OTHERS, **given}.items():
            texts = ", ".join(
                f'{each}: {{type: string, description: "Says the {each} of it."}}' for each in fields
            )
            plain = ", ".join(f"{each}: string" for each in ["name", *_EVERY])
            types += f"    {name}: {{fields: {{{plain}, {texts}}}}}\n"
            resources += f"    {name}: {{}}\n"
        files[path] = f"schema:\n  types:\n{types}  resources:\n{resources}"
    (found,) = proposals(read_files({path: text.encode() for path, text in files.items()}))
    return found


def renamed(found: EdgeProposal) -> list[tuple[str, str]]:
    return [(each.owner, each.target) for each in found.lines if each.section is Section.RENAMED]


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [("Disk", "DiskInstance", _DISK[:3]), ("GalleryDisk", "Disk", _DISK[:3]), ("Property", "Value", _DISK)],
)
def test_a_type_that_keeps_the_fields_few_others_have_is_renamed(
    old: str, new: str, fields: list[str]
) -> None:
    assert renamed(types_of({old: _DISK}, {new: fields})) == [(old, new)]


@pytest.mark.parametrize(("new", "expected"), [("DiskPermission", True), ("DiskWindow", False)])
def test_half_of_the_fields_are_enough_where_names_differ_by_words_of_one_meaning(
    new: str, expected: bool
) -> None:
    found = types_of({"DiskAccess": _DISK}, {new: [*_DISK[:2], "host", "pool", "zone", "owner"]})

    assert (renamed(found) == [("DiskAccess", new)]) is expected
    assert expected or [each.target for each in found.doubts if each.section is Section.RENAMED] == [new]


def test_fields_that_every_type_has_rename_none() -> None:
    assert renamed(types_of({"Disk": ["size_gib"]}, {"DiskInstance": ["host"]})) == []


def test_a_type_that_is_split_is_left_to_a_person() -> None:
    found = types_of({"Disk": _DISK}, {"BootDisk": [*_DISK, "host"], "DataDisk": [*_DISK, "pool"]})

    assert renamed(found) == []
    assert [each.owner for each in found.doubts if each.section is Section.RENAMED] == ["Disk"]


def test_a_type_that_is_merged_into_one_that_stays_is_left_to_a_person() -> None:
    assert (
        renamed(types_of({"Disk": _DISK, "BootDisk": _DISK}, {"Disk": _DISK, "DiskInstance": ["host"]})) == []
    )


def test_the_form_of_a_type_for_requests_is_no_rival_of_it() -> None:
    found = types_of({"Property": _DISK}, {"Value": _DISK, "ValueCreate": _DISK})

    assert renamed(found) == [("Property", "Value")]
