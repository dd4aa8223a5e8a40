"""New migrations let processes of the version before go on: they add, and what is not used any more leaves a version later."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from console.env import ROOT
from tests.structure.expand_contract import LABEL, faults

FIRST = 69
"""Migrations before this number were there before the rule: processes of older versions are stopped for them."""
Q = models.Q


def released_versions() -> dict[str, bool]:
    """Read from the changelog which versions there are, and whether each was released."""
    headings = re.findall(r"(?m)^## (\S+) \(([^)]+)\)$", (ROOT / "CHANGELOG.md").read_text())
    assert headings
    return {version: state != "unreleased" for version, state in headings}


def test_new_migrations_let_processes_of_the_version_before_go_on() -> None:
    loader = MigrationLoader(None)
    found = []
    for key in sorted(key for key in loader.graph.nodes if key[0] == LABEL):
        if int(key[1][:4]) >= FIRST:
            before = loader.project_state([key], at_end=False)
            found += [
                f"{key[1]}: {fault}" for fault in faults(loader.graph.nodes[key], before, released_versions())
            ]
    assert found == [], "docs/how-to/upgrade-switchyard.md has the rule"


def tables() -> ProjectState:
    """Make the tables that the migrations below change."""
    state = ProjectState()
    migrations.CreateModel(
        "Note",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("text", models.CharField(max_length=10)),
            ("state", models.CharField(max_length=10, db_default="new")),
            ("size", models.IntegerField(null=True)),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=["text"], name="note_text"),
                models.CheckConstraint(condition=Q(state__in=["new"]), name="note_state"),
            ]
        },
    ).state_forwards(LABEL, state)
    return state


def faults_of(*operations: Any, **attributes: Any) -> list[str]:
    made = type("Migration", (migrations.Migration,), {"operations": [*operations], **attributes})
    return list(faults(made("0099_made", LABEL), tables(), {"0.9.0": True, "1.0.0": False}))


ANY = models.CheckConstraint(condition=Q(state__in=["new", "old"]), name="note_state")


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ([migrations.RemoveField("note", "size")], "old processes still read it"),
        ([migrations.DeleteModel("Note")], "old processes still read it"),
        ([migrations.RenameField("note", "size", "length")], "old processes still read it"),
        ([migrations.RenameModel("Note", "Remark")], "old processes still read it"),
        ([migrations.AlterModelTable("Note", "remark")], "old processes still read it"),
        ([migrations.AddField("note", "kind", models.CharField(default="", max_length=5))], "insert rows without it"),
        ([migrations.AlterField("note", "size", models.IntegerField())], "may write null"),
        ([migrations.AlterField("note", "text", models.CharField(max_length=5))], "may write longer values"),
        ([migrations.AlterField("note", "text", models.IntegerField())], "the old type"),
        ([migrations.AlterField("note", "text", models.CharField(max_length=10, unique=True))], "a second row"),
        ([migrations.AlterField("note", "state", models.CharField(max_length=10))], "insert rows without it"),
        ([migrations.AlterField("note", "text", models.CharField(max_length=10, db_column="t"))], "its old name"),
        ([migrations.RemoveConstraint("note", "note_text")], "may upsert by it"),
        ([migrations.AddConstraint("note", models.CheckConstraint(condition=Q(size__gte=0), name="c"))], "what it refuses"),
        ([migrations.AddConstraint("note", models.UniqueConstraint(fields=["size"], name="c"))], "what it refuses"),
        ([migrations.RunSQL("UPDATE switchyard_note SET size = 0")], "beside_old_processes"),
        ([migrations.RunPython(migrations.RunPython.noop)], "beside_old_processes"),
        ([migrations.RunSQL("ALTER TABLE switchyard_note DROP COLUMN size")], "remove or rename"),
        ([migrations.AlterUniqueTogether("note", {("text", "size")})], "is not known"),
        ([migrations.SeparateDatabaseAndState([], [])], "is not known"),
    ],
)  # fmt: skip
def test_what_breaks_old_processes_is_refused(operations: list[Any], said: str) -> None:
    (fault,) = faults_of(*operations)
    assert said in fault


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.CreateModel("Mark", [("id", models.BigAutoField(primary_key=True))])],
        [migrations.AddField("note", "kind", models.CharField(max_length=5, null=True))],
        [migrations.AddField("note", "kind", models.CharField(db_default="", max_length=5))],
        [migrations.AlterField("note", "text", models.CharField(max_length=20))],
        [migrations.AlterField("note", "text", models.CharField(max_length=10, null=True))],
        [migrations.AddIndex("note", models.Index(fields=["size"], name="note_size"))],
        [migrations.RemoveConstraint("note", "note_state"), migrations.AddConstraint("note", ANY)],
        [
            migrations.AddField("note", "kind", models.IntegerField(db_default=0)),
            migrations.AddConstraint("note", models.CheckConstraint(condition=Q(kind__gte=0) | Q(kind=-1), name="c")),
        ],
        [
            migrations.CreateModel("Mark", [("id", models.BigAutoField(primary_key=True))]),
            migrations.AddField("mark", "kind", models.IntegerField()),
        ],
    ],
)  # fmt: skip
def test_what_old_processes_do_not_notice_is_free(operations: list[Any]) -> None:
    assert faults_of(*operations) == []


def test_statements_by_hand_are_free_with_a_reason_unless_they_remove() -> None:
    update = migrations.RunSQL("UPDATE switchyard_note SET size = 0 WHERE size IS NULL")
    assert faults_of(update, beside_old_processes="Old processes read 0 as they read null.") == []
    drop = migrations.RunSQL("ALTER TABLE switchyard_note DROP COLUMN size")
    assert "remove or rename" in faults_of(drop, beside_old_processes="It is small.")[0]


def test_a_later_version_removes_what_a_released_one_used_last() -> None:
    removal = migrations.RemoveField("note", "size")
    assert faults_of(removal, contracts="0.9.0") == []
    for version in ("1.0.0", "0.8.0"):
        unreleased, still = faults_of(removal, contracts=version)
        assert f"contracts = {version!r} is not a released version" in unreleased
        assert "old processes still read it" in still
