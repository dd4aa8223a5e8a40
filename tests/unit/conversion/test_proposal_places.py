"""Proposals name file and line of both sides, also in files that define several kinds in several versions."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import proposals
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.schema.folder import read_files
from tests.unit.conversion.services import folder

SERVICE = b"""
service: issuers.example.com
versions:
  - {version: v1, ordinal: 10, sources: [{kind: crd, path: crds.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: crd, path: crds.yaml}]}
"""


def definition(kind: str, indent: int) -> str:
    """Write a definition of two versions, whose `spec.url` the second one calls `uri`."""
    lines = [
        f"kind: CustomResourceDefinition  # {kind}",
        "spec:",
        f"  names: {{kind: {kind}}}",
        "  versions:",
    ]
    for version, field in (("v1", "url"), ("v2", "uri")):
        lines += [
            f"  - name: {version}",
            "    schema:",
            "      openAPIV3Schema:",
            "        type: object",
            "        properties:",
            "          spec:",
            "            type: object",
            "            properties:",
            f"              {field}: {{type: string}}  # {kind} {version}",
        ]
    return "\n".join(" " * indent + line for line in lines)


STREAM = "\n---\n".join(definition(kind, 0) for kind in ("ClusterIssuer", "Issuer"))
LIST = "kind: List\nitems:\n" + "\n".join(
    "- " + definition(kind, 2).lstrip() for kind in ("ClusterIssuer", "Issuer")
)


@pytest.mark.parametrize("text", [STREAM, LIST], ids=["stream", "list"])
def test_a_field_is_found_in_the_definition_and_version_that_it_is_of(text: str) -> None:
    (found,) = proposals(read_files({"service.yaml": SERVICE, "crds.yaml": text.encode()}))

    places = {each.owner: each.places for each in found.lines if each.op == "rename"}
    rows = text.splitlines()
    assert places == {
        f"{kind}.spec": tuple(
            f"crds.yaml:{next(number for number, row in enumerate(rows, 1) if row.endswith(f'# {kind} {version}'))}"
            for version in ("v1", "v2")
        )
        for kind in ("ClusterIssuer", "Issuer")
    }


def test_what_stays_open_names_file_and_line_of_both_sides() -> None:
    given = folder(
        "Thing:\n  fields:\n    name: string\n    size: string\n    gone_shade: string",
        "Thing:\n  fields:\n    name: string\n    grown_shade: string\n    size: {map: string}",
        "[]",
    )
    (found,) = proposals(given)

    places = {each.code: each.message.rpartition(" (")[2] for each in found.open}
    rows = {path: given.files[path].decode().splitlines() for path in ("old.yaml", "new.yaml")}
    lines = {
        (path, field): next(
            number for number, row in enumerate(text, 1) if row.strip().startswith(f"{field}:")
        )
        for path, text in rows.items()
        for field in ("size", "gone_shade", "grown_shade")
        if any(row.strip().startswith(f"{field}:") for row in text)
    }
    assert places == {
        "E-TYPE": f"old.yaml:{lines['old.yaml', 'size']} → new.yaml:{lines['new.yaml', 'size']})",
        "E-UNASSESSED": f"new.yaml:{lines['new.yaml', 'grown_shade']})",
    }
    assert f"(old.yaml:{lines['old.yaml', 'size']} → new.yaml:{lines['new.yaml', 'size']})" in edge_text(
        found
    )
