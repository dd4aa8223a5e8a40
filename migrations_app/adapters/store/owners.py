"""Owner references of a deployment, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast
from uuid import UUID

from migrations_app.ports.owners import OwneeCheck, OwnerLink


class PostgresOwners:
    """Reads and writes owner references with the statements that `kept` runs."""

    def __init__(self, kept: Any) -> None:
        self._kept = kept

    def of(self, uid: UUID) -> tuple[OwnerLink, ...]:
        """List those of a resource."""
        return self._links("owners_of", uid=uid)

    def due(self, limit: int) -> tuple[OwnerLink, ...]:
        """List those whose owner is to be asked."""
        return self._links("owners_due", limit=limit)

    def page(self, after: UUID, limit: int) -> tuple[OwnerLink, ...]:
        """List all in the order of their ids."""
        return self._links("owners_page", after=after, limit=limit)

    def owned_by(self, owner: str, uids: Sequence[UUID]) -> tuple[OwnerLink, ...]:
        """List those that were confirmed for these owners."""
        return self._links("owned_by", owner=owner, uids=list(uids))

    def owning(self, owner: str, uids: Sequence[UUID]) -> set[UUID]:
        """Tell which of these owners own anything here."""
        return {cast(UUID, row[0]) for row in self._kept.ask("owning", owner=owner, uids=list(uids))}

    def link(self, link: OwnerLink) -> None:
        """Note a new reference."""
        self._kept.run("link_owner", **asdict(link))

    def confirm(self, link: OwnerLink, ask_after_seconds: float) -> bool:
        """Write what the owner confirmed."""
        return bool(self._kept.run("confirm_owner", **asdict(link), seconds=ask_after_seconds))

    def ask_later(self, ref_id: UUID, seconds: float) -> None:
        """Ask the owner later."""
        self._kept.run("ask_owner_later", ref_id=ref_id, seconds=seconds)

    def hurry(self, owner: str, version: str) -> int:
        """Ask the owner again where another version of it is named."""
        return int(self._kept.run("hurry_owners", owner=owner, version=version))

    def recheck(self, owner: str, uids: Sequence[UUID]) -> int:
        """Ask again the owners that have to refer to what they own."""
        return int(self._kept.run("recheck_owners", owner=owner, uids=list(uids)))

    def checks(self, limit: int) -> tuple[OwneeCheck, ...]:
        """List the checks that others have not been asked for yet."""
        return tuple(OwneeCheck(*row) for row in self._kept.ask("ownee_checks", limit=limit))

    def note_checks(self, uid: UUID, *targets: str) -> None:
        """Note that deployments are to ask again about an owner."""
        self._kept.run("note_checks", uid=uid, targets=list(targets))

    def drop_checks(self, *checks: OwneeCheck) -> None:
        """Forget checks that were not noted again."""
        columns = {"uids": [each.uid for each in checks], "targets": [each.target for each in checks]}
        self._kept.run("drop_checks", **columns, times=[each.since for each in checks])

    def drop(self, ref_id: UUID) -> bool:
        """Forget a reference."""
        return bool(self._kept.run("drop_owner", ref_id=ref_id))

    def forget(self, *uids: UUID) -> None:
        """Forget all references of resources."""
        self._kept.run("forget_owners", uids=list(uids))

    def bar(self, ref_id: UUID) -> None:
        """Note that a reference was denied."""
        self._kept.run("bar_owner", ref_id=ref_id)

    def is_barred(self, ref_id: UUID) -> bool:
        """Tell whether a reference was denied."""
        return bool(self._kept.ask("is_barred_owner", ref_id=ref_id))

    def _links(self, statement: str, **asked: object) -> tuple[OwnerLink, ...]:
        rows = cast("list[tuple[Any, ...]]", self._kept.ask(statement, **asked))
        return tuple(OwnerLink(*row) for row in rows)
