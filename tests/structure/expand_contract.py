"""What a migration may do while processes of the version before still work on the tables: expand now, contract a version later.

docs/how-to/upgrade-switchyard.md states the rule. An operation that is not known here is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

LABEL = "switchyard"
FREE = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RenameIndex,
    migrations.RemoveIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)
"""Operations that no statement of an old process notices."""
REMOVING = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
BY_HAND = (migrations.RunSQL, migrations.RunPython)
REMOVING_SQL = re.compile(
    r"\b(DROP\s+(TABLE|COLUMN|SCHEMA|CONSTRAINT)|RENAME|TRUNCATE|SET\s+NOT\s+NULL|ALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE)\b",
    re.IGNORECASE,
)


def faults(migration: Any, before: ProjectState, released: Mapping[str, bool]) -> Iterator[str]:
    """Say of each operation of a migration what it would break in processes of the version before.

    Shape: `before` is the state that the migration begins with; `released` says of each version whether it was released.
    """
    contracts = getattr(migration, "contracts", "")
    reason = getattr(migration, "beside_old_processes", "")
    if contracts and not released.get(contracts, False):
        yield f"contracts = {contracts!r} is not a released version; name the last one that used what is removed."
        contracts = ""
    state, created, added, dropped = (
        before.clone(),
        set[str](),
        set[tuple[str, str]](),
        set[tuple[str, str]](),
    )
    for operation in migration.operations:
        after = state.clone()
        operation.state_forwards(LABEL, after)
        fault = _fault(operation, state, after, created, added, dropped)
        if fault and not (contracts and not isinstance(operation, BY_HAND)):
            yield f"{operation.describe()}: {fault}"
        if isinstance(operation, BY_HAND) and (sentence := _by_hand(operation, reason, bool(contracts))):
            yield f"{operation.describe()}: {sentence}"
        if isinstance(operation, migrations.CreateModel):
            created.add(operation.name_lower)
        if isinstance(operation, migrations.AddField):
            added.add((operation.model_name_lower, operation.name_lower))
        if isinstance(operation, migrations.RemoveConstraint):
            dropped.add((operation.model_name_lower, operation.name))
        state = after


def _fault(
    operation: Operation,
    before: ProjectState,
    after: ProjectState,
    created: set[str],
    added: set[tuple[str, str]],
    dropped: set[tuple[str, str]],
) -> str:
    if isinstance(operation, (*FREE, *BY_HAND)) or getattr(operation, "model_name_lower", "") in created:
        return ""
    if isinstance(operation, REMOVING):
        return (
            "old processes still read it. Leave it in the tables, and remove it in a later version with "
            "`contracts`, the version that used it last."
        )
    if isinstance(operation, migrations.AddField):
        return _added(operation.field)
    if isinstance(operation, migrations.AlterField):
        fields = (
            state.models[LABEL, operation.model_name_lower].fields[operation.name]
            for state in (before, after)
        )
        return _altered(*fields)
    if isinstance(operation, migrations.AddConstraint):
        names = {(operation.model_name_lower, name) for name in _columns_of(operation.constraint)}
        if (names and names <= added) or (operation.model_name_lower, operation.constraint.name) in dropped:
            return ""
        return "old processes may write what it refuses. Add it in a later version."
    if isinstance(operation, migrations.RemoveConstraint):
        constraints = before.models[LABEL, operation.model_name_lower].options.get("constraints", [])
        removed = next(each for each in constraints if each.name == operation.name)
        unique = isinstance(removed, models.UniqueConstraint)
        return "old processes may upsert by it. Remove it in a later version." if unique else ""
    return (
        "this kind of operation is not known to tests/structure/expand_contract.py; say there what it breaks."
    )


def _added(field: models.Field[Any, Any]) -> str:
    if field.many_to_many or field.null or field.has_db_default():
        return ""
    return "old processes insert rows without it. Give it null=True or a db_default."


def _altered(old: models.Field[Any, Any], new: models.Field[Any, Any]) -> str:
    checks: list[tuple[Callable[[], bool], str]] = [
        (lambda: old.null and not new.null, "old processes may write null. Fill it now, refuse null in a later version."),
        (lambda: new.unique and not old.unique, "old processes may write a second row of one value."),
        (lambda: old.has_db_default() and not new.has_db_default(), "old processes insert rows without it."),
        (lambda: old.db_column != new.db_column, "old processes read it by its old name."),
        (lambda: old.get_internal_type() != new.get_internal_type(), "old processes read and write the old type."),
        (lambda: (new.max_length or 1 << 30) < (old.max_length or 1 << 30), "old processes may write longer values."),
    ]  # fmt: skip
    return next((sentence for check, sentence in checks if check()), "")


def _by_hand(operation: Operation, reason: str, contracting: bool) -> str:
    text = str(getattr(operation, "sql", ""))
    if REMOVING_SQL.search(text) and not contracting:
        return "the statements remove or rename what old processes use. Do it in a later version, with `contracts`."
    if not reason and not contracting:
        return "say in `beside_old_processes` of the migration why processes of the version before go on beside it."
    return ""


def _columns_of(constraint: models.BaseConstraint) -> set[str]:
    if isinstance(constraint, models.UniqueConstraint):
        return {name.lower() for name in constraint.fields}
    return set(_names_in(getattr(constraint, "condition", models.Q())))


def _names_in(condition: models.Q) -> Iterator[str]:
    for child in condition.children:
        if isinstance(child, models.Q):
            yield from _names_in(child)
        elif isinstance(child, tuple):
            yield str(child[0]).partition("__")[0].lower()
