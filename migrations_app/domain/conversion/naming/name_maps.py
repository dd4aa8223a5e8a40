"""How names of one resource type map between two versions: variants of patterns and rules for segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from enum import StrEnum
from functools import lru_cache

from migrations_app.domain.conversion.states import State, read
from migrations_app.domain.resources.names import WILDCARD, FullName, Pattern
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject


class NoImage(Conflict):
    """The resource cannot be named in the other version, so it is hidden there."""

    default_code = "no-image"


class Back(StrEnum):
    """What becomes of a name that the other side cannot produce."""

    HIDDEN = "hidden"
    BAG = "bag"


@dataclass(frozen=True, slots=True)
class NameSegment:
    """Where a segment that the other pattern lacks comes from; the first that is known counts."""

    field: tuple[str, ...] = ()
    table: Mapping[str, str] = default(default_factory=dict)
    by: str = ""
    const: str = ""
    same: str = ""  # the segment of the other pattern that it only calls otherwise

    def value(self, ids: Mapping[str, str], document: JsonObject | None) -> str:
        """Find the id; empty when it cannot be known here."""
        if self.same:
            return ids.get(self.same, "")
        if self.field and document is not None:
            found: State = read(document, self.field)
            if isinstance(found, str) and found:
                return found.rpartition("/")[2]
        if self.by and (found_by := self.table.get(ids.get(self.by, ""))):
            return found_by
        return self.const

    @property
    def is_static(self) -> bool:
        """Whether the name alone decides it."""
        return not self.field and bool(self.const or self.table or self.same)


@dataclass(frozen=True, slots=True)
class Variant:
    """One pattern of each side; `sets` fill segments of the new one, `unsets` those of the old one."""

    source: Pattern
    target: Pattern
    sets: Mapping[str, NameSegment] = default(default_factory=dict)
    unsets: Mapping[str, NameSegment] = default(default_factory=dict)
    back: Back = Back.HIDDEN
    there: Back = Back.HIDDEN

    def turned(self) -> Variant:
        """The variant read from the other side."""
        return Variant(self.target, self.source, self.unsets, self.sets, self.there, self.back)

    @property
    def is_plain(self) -> bool:
        """Whether names are the same text on both sides."""
        return self.source == self.target and not self.sets and not self.unsets

    def convert(self, ids: Mapping[str, str], document: JsonObject | None, *, wildcards: bool) -> str | None:
        """Build the other name; None when a segment cannot be known or the name is hidden there."""
        if wildcards:
            return self._wild(ids, document)
        made = {**ids}
        for name, segment in self.sets.items():
            made[name] = segment.value(ids, document)
            if not made[name]:
                return None
        if self.there is Back.HIDDEN and not self._is_image(ids, made):
            return None
        return self.target.format(made)

    def _is_image(self, ids: Mapping[str, str], made: Mapping[str, str]) -> bool:
        for name, segment in self.unsets.items():
            if segment.is_static and segment.value(made, None) != ids[name]:
                return False
        return True

    def _wild(self, ids: Mapping[str, str], document: JsonObject | None) -> str | None:
        made = {**ids}
        for name, segment in self.sets.items():
            made[name] = segment.value(ids, document) or WILDCARD
        for name, segment in self.unsets.items():
            wanted = segment.value(made, None)
            if self.there is Back.HIDDEN and wanted and ids[name] not in (WILDCARD, wanted):
                return None
        return self.target.format(made, wildcards=True)


class NameMap:
    """The names of one resource type, from one version to another.

    `unmapped` are the patterns of either side that are in no variant. Their names have no image: only where there are
    none may names be taken as they are.
    """

    def __init__(
        self,
        variants: tuple[Variant, ...],
        service: str = "",
        inverse: NameMap | None = None,
        *,
        unmapped: tuple[tuple[Pattern, ...], tuple[Pattern, ...]] = ((), ()),
    ) -> None:
        self.variants = variants
        self.service = service
        self._unmapped = unmapped[0]
        self.is_identity = not any(unmapped) and all(variant.is_plain for variant in variants)
        # Whether names alone do not decide all names, on either side.
        self.asks_documents = any(
            segment.field for each in variants for segment in (*each.sets.values(), *each.unsets.values())
        )
        self.inverse: NameMap = inverse or NameMap(
            tuple(v.turned() for v in variants), service, self, unmapped=(unmapped[1], unmapped[0])
        )

    @property
    def unmapped(self) -> tuple[Pattern, ...]:
        """The patterns here that no variant maps: their names have no image there."""
        return self._unmapped

    def find(self, name: str, document: JsonObject | None = None) -> str | None:
        """Convert a name; None when it is of no pattern here or has no image there."""
        if self.is_identity:
            return name
        if document is None or not self.asks_documents:
            return _converted_once(self, name)
        return self.convert(name, document)

    def convert(self, name: str, document: JsonObject | None) -> str | None:
        """Convert a name that is not the same on both sides."""
        if name.startswith("//"):
            return self._full(name)
        for variant in self.variants:
            ids = variant.source.match(name)
            if ids is not None:
                made = _converted(variant, ids, document)
                if made is not None:
                    return made
        if WILDCARD in name.split("/"):
            return self._wild(name)
        return None

    def knows(self, name: str) -> bool:
        """Tell whether a name is of one of the patterns here, with or without an image there."""
        patterns = (*(variant.source for variant in self.variants), *self._unmapped)
        return any(pattern.match(name) is not None for pattern in patterns)

    def wild(self, name: str) -> str | None:
        """Convert a name; whatever only the document decides becomes `-`."""
        return self.find(name) or self._wild(name)

    def _wild(self, name: str) -> str | None:
        for variant in self.variants:
            ids = variant.source.match(name, wildcards=True)
            if ids is not None and (made := _converted(variant, ids, None, wildcards=True)) is not None:
                return made
        return None

    def _full(self, name: str) -> str | None:
        full = FullName.parse(name)
        made = self.find(full.name) if full.service == self.service else full.name
        return None if made is None else f"//{full.service}/{made}"


@lru_cache(maxsize=16_384)
def _converted_once(names: NameMap, name: str) -> str | None:
    """Convert a name once where no document decides it: many resources refer to the same few."""
    return names.convert(name, None)


def _converted(
    variant: Variant, ids: Mapping[str, str], document: JsonObject | None, *, wildcards: bool = False
) -> str | None:
    try:
        return variant.convert(ids, document, wildcards=wildcards)
    except Invalid:
        return None  # an id that the other side's pattern does not allow has no image there


class HookedNameMap(NameMap):
    """A name map whose names registered code decides first."""

    def __init__(
        self,
        base: NameMap,
        there: Callable[[str, JsonObject | None], str | None],
        back: Callable[[str, JsonObject | None], str | None],
        inverse: NameMap | None = None,
    ) -> None:
        super().__init__(base.variants, base.service, inverse or base.inverse)
        self._unmapped = base._unmapped
        self._there = there
        self.is_identity = False
        self.asks_documents = True
        if inverse is None:
            self.inverse = HookedNameMap(base.inverse, back, there, self)

    def find(self, name: str, document: JsonObject | None = None) -> str | None:
        """Ask the code, then the variants."""
        return self._there(name, document) or super().find(name, document)


class ChainedNameMap(NameMap):
    """Names through several edges, one after the other."""

    def __init__(self, maps: tuple[NameMap, ...], inverse: NameMap | None = None) -> None:
        super().__init__(maps[0].variants, maps[0].service, inverse or maps[0].inverse)
        self._unmapped = maps[0]._unmapped
        self._maps = maps
        self.is_identity = all(each.is_identity for each in maps)
        self.asks_documents = any(each.asks_documents for each in maps)
        if inverse is None:
            self.inverse = ChainedNameMap(tuple(each.inverse for each in reversed(maps)), self)

    def find(self, name: str, document: JsonObject | None = None) -> str | None:
        """Ask one map after the other; only the first one's document is known."""
        found: str | None = name
        for each in self._maps:
            if found is None:
                return None
            found, document = each.find(found, document), None
        return found
