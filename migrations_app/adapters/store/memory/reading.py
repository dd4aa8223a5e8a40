"""Readings of the store in memory."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cmp_to_key
from itertools import islice

from migrations_app.adapters.memory_constraints import MemoryConstraints
from migrations_app.adapters.memory_database import (
    Key,
    MemoryNamespace,
)
from migrations_app.adapters.store.listing import name_pattern, opened, parent_pattern, sealed
from migrations_app.adapters.store.ordering import beyond, compare, value_at
from migrations_app.kernel.errors import NamespaceMissing
from migrations_app.kernel.linear_regex import LinearPattern
from migrations_app.kernel.messages import message
from migrations_app.ports.fence import FenceState
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.referrer_queries import (
    ReferenceTarget,
    ReferrerCount,
    ReferrerPage,
    ReferrerRow,
)
from migrations_app.ports.store import (
    Listing,
    Query,
    Reference,
    Referrer,
    Shadow,
    StoredResource,
)


class MemoryReading(ABC):
    """Reads the contents that `_view` gives."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace

    @abstractmethod
    def _view(self) -> MemoryNamespace: ...

    @property
    @abstractmethod
    def constraints(self) -> MemoryConstraints:
        """The rows of the deployment's dealings with others."""

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource."""
        return self._of(type).get((type, name))

    def batch_get(self, type: str, names: Sequence[str]) -> dict[str, StoredResource]:
        """Read those of the names that exist."""
        found = self._of(type)
        return {name: found[type, name] for name in names if (type, name) in found}

    def present(self, type: str, names: Sequence[str]) -> set[str]:
        """Tell which of the names exist."""
        found = self._of(type)
        return {name for name in names if (type, name) in found}

    def list(self, query: Query) -> Listing:
        """List resources of a type."""
        pattern = re.compile(parent_pattern(query.parent)) if query.parent else None
        called = re.compile(name_pattern(query.named)) if query.named else None
        found = [
            resource
            for (type_, name), resource in self._of(query.type).items()
            if type_ == query.type
            and (pattern is None or pattern.match(name))
            and (called is None or called.match(name))
        ]
        found.sort(key=cmp_to_key(lambda one, other: compare(query.order, one, other)))
        total = len(found) if query.total else None
        if query.after:
            keys, name = opened(query)
            found = [resource for resource in found if beyond(query.order, resource, keys, name)]
        if query.beyond:
            found = [resource for resource in found if resource.name.encode() > query.beyond.encode()]
        if query.before:
            found = [each for each in reversed(found) if each.name.encode() < query.before.encode()]
        page = found[: query.limit]
        more = ""
        if len(found) > query.limit:
            last = page[-1]
            more = sealed(query, [value_at(order, last) for order in query.order], last.name)
        return Listing(tuple(page), more, total)

    def references(self, type: str, name: str) -> tuple[Reference, ...]:
        """Tell what a resource refers to."""
        return self._view().references.get((type, name), ())

    def references_of(self, type: str, names: Sequence[str]) -> dict[str, tuple[Reference, ...]]:
        """Tell what several resources refer to."""
        found = {name: self._view().references.get((type, name), ()) for name in names}
        return {name: each for name, each in found.items() if each}

    def referrers(
        self, service: str, name: str, *, limit: int = 1000, kinds: Sequence[str] = ()
    ) -> tuple[Referrer, ...]:
        """Tell who refers to a resource."""
        found = [
            Referrer(source, source_name, reference)
            for (source, source_name), references in sorted(self._view().references.items())
            for reference in references
            if (reference.target_service, reference.target_name) == (service, name)
            and (not kinds or reference.kind.value in kinds)
        ]
        return tuple(found[:limit])

    def referrer_counts(self, target: ReferenceTarget, most: int) -> tuple[ReferrerCount, ...]:
        """Count who refers to a resource."""
        counts = Counter(
            (type_, reference.path, reference.kind)
            for (type_, _), _, reference in islice(self._referring(target), most)
        )
        return tuple(ReferrerCount(*key, count) for key, count in sorted(counts.items()))

    def referrer_page(self, target: ReferenceTarget, page: ReferrerPage) -> tuple[ReferrerRow, ...]:
        """List who refers to a resource."""
        pattern = LinearPattern(page.pattern)
        rows = [
            ReferrerRow(name, ordinal, reference.path)
            for (type_, name), ordinal, reference in self._referring(target)
            if (type_, reference.kind) == (page.type, page.kind)
            and pattern.fullmatch(reference.path)
            and (name.encode(), ordinal) > (page.after[0].encode(), page.after[1])
        ]
        rows.sort(key=lambda row: (row.name.encode(), row.ordinal))
        return tuple(rows[: page.limit])

    def _referring(self, target: ReferenceTarget) -> Iterator[tuple[Key, int, Reference]]:
        matching, located = set(target.matching), set(target.located)
        for key, references in self._view().references.items():
            for ordinal, reference in enumerate(references):
                if reference.target_service != target.service or reference.target_name not in matching:
                    continue
                if reference.target_name in located or reference.target_region in ("", target.region):
                    yield key, ordinal, reference

    def referrers_of(
        self,
        service: str,
        names: Sequence[str],
        kinds: Sequence[str],
        *,
        each: int,
        most: int,
        staying: bool = False,
    ) -> tuple[Referrer, ...]:
        """Tell who refers to any of these."""
        found: list[Referrer] = []
        for name in dict.fromkeys(names):
            mine = self.referrers(service, name, limit=1_000_000, kinds=kinds)
            found += [one for one in mine if not (staying and self._is_leaving(one))][:each]
        return tuple(found[:most])

    def _is_leaving(self, referrer: Referrer) -> bool:
        return self.constraints.barred(referrer.type, referrer.name) is not None

    def shadows(self, type: str, names: Sequence[str]) -> dict[str, Shadow]:
        """Read the shadows of those of the resources that exist."""
        found = {name: self.shadow(type, name) for name in names if self.get(type, name) is not None}
        return {name: shadow for name, shadow in found.items() if shadow is not None}

    def shadow(self, type: str, name: str) -> Shadow | None:
        """Read a shadow: a resource without one has that of a fresh resource."""
        resource = self.get(type, name)
        if resource is None:
            return self.constraints.barred(type, name)
        found = self.constraints.shadow_of(resource.uid)
        return replace(found or Shadow(type, name), type=type, name=name, uid=resource.uid)

    def _of(self, type_: str) -> dict[Key, StoredResource]:
        return self._of_view(self._view(), type_)

    def _of_view(self, view: MemoryNamespace, type_: str) -> dict[Key, StoredResource]:
        if type_ not in view.layouts:
            raise NamespaceMissing(
                message(
                    "{deployment} has no namespace prepared for {type}.",
                    deployment=self._namespace.deployment,
                    type=type_,
                ),
            )
        return view.resources


class MemoryLooks(MemoryReading):
    """Reads what is there at each call."""

    def __init__(
        self,
        namespace: Namespace,
        view: Callable[[], MemoryNamespace],
        constraints: Callable[[], MemoryConstraints],
    ) -> None:
        super().__init__(namespace)
        self._look, self._constraint_rows = view, constraints

    def _view(self) -> MemoryNamespace:
        return self._look()

    @property
    def constraints(self) -> MemoryConstraints:
        """The rows of the deployment's dealings with others."""
        return self._constraint_rows()


class MemorySnapshot(MemoryReading):
    """Reads a copy that was taken at one instant."""

    def __init__(
        self,
        namespace: Namespace,
        kept: MemoryNamespace,
        constraints: MemoryConstraints,
        fence: FenceState,
    ) -> None:
        super().__init__(namespace)
        self._kept, self._constraints, self._fence = kept, constraints, fence

    def _view(self) -> MemoryNamespace:
        return self._kept

    @property
    def constraints(self) -> MemoryConstraints:
        """The rows of the deployment's dealings with others."""
        return self._constraints

    @property
    def fence(self) -> FenceState:
        """The fence as of this snapshot."""
        return self._fence
