"""Turns what PostgreSQL raises in a data database into the errors of the ports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors

from migrations_app.kernel.errors import (
    AlreadyExists,
    Conflict,
    DatabaseBusy,
    Frozen,
    Invalid,
    InvariantBroken,
    NamespaceMissing,
    NotActive,
    RevisionConflict,
    Stale,
    SwitchyardError,
)
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import StoredResource

_WAIT = (
    errors.LockNotAvailable,
    errors.DeadlockDetected,
    errors.QueryCanceled,
    errors.TransactionTimeout,
    errors.IdleInTransactionSessionTimeout,
    errors.TooManyConnections,
    errors.DiskFull,
    errors.OutOfMemory,
)


@contextmanager
def translated(namespace: Namespace) -> Iterator[None]:
    """Raise the ports' errors for those of the database."""
    try:
        yield
    except psycopg.Error as error:
        raise _translate(namespace, error) from error


def refuse_copy(namespace: Namespace, found: StoredResource | None) -> None:
    """Refuse to write what another region owns.

    Raises: Conflict (`read-copy`) naming the owner.
    """
    if found is not None and found.owning_region not in namespace.own:
        raise Conflict(
            message(
                "{name} is a read copy of what {owning_region} owns.",
                name=found.name,
                owning_region=found.owning_region,
            ),
            code="read-copy",
            remedy=message("Write it in {owning_region}.", owning_region=found.owning_region),
            name=found.name,
            owner=found.owning_region,
        )


def _translate(namespace: Namespace, error: psycopg.Error) -> SwitchyardError:
    told: dict[str, Any] = {"deployment": namespace.deployment, "version": namespace.version}
    fenced = _fenced(error, told)
    if fenced is not None:
        return fenced
    if isinstance(error, errors.UntranslatableCharacter | errors.CharacterNotInRepertoire):
        return Invalid(message("A text holds the character U+0000, which cannot be stored."), code="text-nul")
    if isinstance(error, errors.ProgramLimitExceeded):
        return Invalid(message("A name or document is larger than can be stored."), code="too-large")
    if isinstance(error, errors.UndefinedTable | errors.InvalidSchemaName):
        return NamespaceMissing(
            message(
                "{deployment} has no namespace prepared for {version} and this type.",
                deployment=namespace.deployment,
                version=namespace.version,
            ),
            **told,
        )
    if isinstance(error, errors.UniqueViolation):
        return AlreadyExists(message("Something with this name exists already."), **told)
    if isinstance(error, (*_WAIT, psycopg.OperationalError)):
        return DatabaseBusy(
            message(
                "The data database {database} is busy: {answer}.",
                database=namespace.database,
                answer=_first(error),
            )
        )
    return InvariantBroken(
        message("The data database refused a statement: {first}.", first=_first(error)),
        code="statement-refused",
        **told,
    )


def _fenced(error: psycopg.Error, told: dict[str, Any]) -> SwitchyardError | None:
    deployment, version = told["deployment"], told["version"]
    match error.sqlstate:
        case "SYF01":
            return Frozen(
                message("Writes of {deployment} pause while its version changes.", deployment=deployment),
                retry_after_seconds=0.2,
            )
        case "SYF02":
            active = error.diag.message_detail or ""
            return NotActive(
                message("{deployment} is not written in {version}.", deployment=deployment, version=version),
                active=active,
                **told,
            )
        case "SYF03":
            return InvariantBroken(
                message("Writers of resources use READ COMMITTED."), code="isolation-too-high"
            )
        case "SYF04":
            return Stale(
                message("The fence changed; the replication token of this replicator is no longer valid."),
                code="warrant-void",
                **told,
            )
        case "SYF05":
            return Frozen(
                message("The database of {deployment} is not open yet.", deployment=deployment),
                retry_after_seconds=0.5,
            )
        case "SYR01":
            return RevisionConflict(message("The resource was deleted meanwhile."), found=0)
        case "SYR02":
            return InvariantBroken(message("An update did not raise the revision."), code="revision-stuck")
    return None


def _first(error: psycopg.Error) -> str:
    return (error.diag.message_primary or str(error)).splitlines()[0] if str(error) else type(error).__name__
