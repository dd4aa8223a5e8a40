"""The lines of sources that declare a type or a field, in every language of sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.env import ROOT
from migrations_app.domain.schema.folder import read_folder
from migrations_app.domain.schema.source_lines import MOST_LINES, SourceExcerpt, SourceLines

EXAMPLES = ROOT / "examples"


def lines_of(folder: Path, version: str) -> SourceLines:
    read = read_folder(folder)
    return SourceLines(read.schemas[version], read.files)


def found(folder: str, version: str, path: str) -> SourceExcerpt:
    excerpt = lines_of(EXAMPLES / folder, version).find(path)
    assert excerpt is not None, path
    whole = (EXAMPLES / folder / excerpt.file).read_text().splitlines()
    assert whole[excerpt.line - 1].strip() == excerpt.lines[0].strip()
    return excerpt


@pytest.mark.parametrize(
    ("folder", "version", "path", "first"),
    [
        ("secrets", "v1", "Secret.display_name", "display_name: string"),
        ("secrets", "v1alpha2", "Secret.legacyEtag", "legacy_etag: string"),
        ("secrets", "v1", "Rotation.mode", "mode: {type: {enum: [NONE, ON_DEMAND, SCHEDULED]}}"),
        ("secrets", "v1", "Secret names", "Secret:"),
        ("secrets", "v1", "Secret.owners[]", "owners: string[]"),
        ("backups", "v1alpha1", "Backup.spec.source", "source: {type: string}"),
        ("backups", "v1beta1", "Backup.spec.sources", "sources:"),
        (
            "cloud-tasks",
            "v2",
            "Task.app_engine_http_request",
            "AppEngineHttpRequest app_engine_http_request = 2;",
        ),
        ("cloud-tasks", "v2", "Queue.rate_limits", "RateLimits rate_limits = 3;"),
    ],
)
def test_a_place_is_found_as_its_author_wrote_it(folder: str, version: str, path: str, first: str) -> None:
    assert found(folder, version, path).lines[0].startswith(first)


def test_a_long_declaration_is_cut_and_says_so() -> None:
    excerpt = found("cloud-tasks", "v2", "Task")
    assert excerpt.lines[0].startswith("message Task {")
    assert len(excerpt.lines) == MOST_LINES
    assert excerpt.left_out > 0


def test_a_version_does_not_show_lines_of_another() -> None:
    assert lines_of(EXAMPLES / "secrets", "v1").find("Secret.title") is None
    assert lines_of(EXAMPLES / "backups", "v1alpha1").find("Backup.spec.sources") is None
    assert lines_of(EXAMPLES / "secrets", "v1").find("") is None


def test_every_field_of_the_examples_is_found() -> None:
    for folder, version in (("secrets", "v1alpha2"), ("delivery", "v2"), ("cloud-tasks", "v2beta3")):
        read = read_folder(EXAMPLES / folder)
        schema = read.schemas[version]
        lines = SourceLines(schema, read.files)
        types = [name for name in schema.types if "." not in name]
        missing = [name for name in types if lines.find(name) is None]
        assert missing == [], f"{folder} {version}"
