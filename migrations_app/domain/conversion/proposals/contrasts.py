"""Names that definitions keep apart: what an object has side by side are two fields, and no rename of one another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from migrations_app.domain.conversion.proposals.words import words
from migrations_app.domain.schema.ir import Schema

_Name = tuple[str, ...]
_MOST = 400  # names that have the word looked for; of a commoner one no more are looked at


class SiblingContrasts:
    """Finds objects of either version that have two fields which differ as the names of a pair do."""

    def __init__(self, schemas: Iterable[Schema]) -> None:
        self._holders: dict[_Name, set[str]] = defaultdict(set)
        self._with_word: dict[str, set[_Name]] = defaultdict(set)
        self._kept: dict[tuple[_Name, _Name], str] = {}
        for index, schema in enumerate(schemas):
            for owner, given in schema.objects():
                for field in given.fields:
                    name = words(field.name)
                    self._holders[name].add(f"{index} {owner}")
                    for word in name:
                        self._with_word[word].add(name)

    def find(self, old: Sequence[str], new: Sequence[str]) -> str:
        """Name an object that has both names, or two that differ by the same words in the same place; nothing if none has."""
        start = 0
        while start < min(len(old), len(new)) and old[start] == new[start]:
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
            end += 1
        gone, come = tuple(old[start : len(old) - end]), tuple(new[start : len(new) - end])
        whole = not gone or not come
        key = (tuple(old), tuple(new)) if whole else (gone, come)
        if key not in self._kept:
            self._kept[key] = self._both(*key) if whole else self._differing(gone, come)
        return self._kept[key]

    def _differing(self, gone: _Name, come: _Name) -> str:
        """Look for two fields of one object of which one has other words where the other one has these."""
        for name in sorted(self._with_word.get(gone[0], ()))[:_MOST]:
            for at in range(len(name) - len(gone) + 1):
                if name[at : at + len(gone)] == gone:
                    found = self._both(name, (*name[:at], *come, *name[at + len(gone) :]))
                    if found:
                        return found
        return ""

    def _both(self, old: _Name, new: _Name) -> str:
        both = self._holders.get(old, set()) & self._holders.get(new, set())
        return min(both).partition(" ")[2] if both else ""
