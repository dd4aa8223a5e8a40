"""What is done with single keys that a version does not know, by their canonical paths: beside what is done with all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from migrations_app.domain.schema.types import UnknownKeys

EACH, ENTRIES = "[]", "{}"


@dataclass(frozen=True, slots=True)
class KeyStrategies:
    """Strategies of keys of one resource type, such as `lid.shade` or `parts[].note`; hashable, as caches are by it.

    A strategy counts only while the definition does not know the key: a known one is read as its type says.
    """

    entries: tuple[tuple[str, UnknownKeys], ...] = ()
    _above: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        above = {"", *(prefix for path, _ in self.entries for prefix in _prefixes(path))}
        object.__setattr__(self, "_above", frozenset(above))

    @classmethod
    def of(cls, entries: Iterable[tuple[str, UnknownKeys]]) -> KeyStrategies:
        """Make them of paths and strategies, in an order that does not depend on theirs."""
        return cls(tuple(sorted(entries)))

    def within(self, at: str | None) -> dict[str, UnknownKeys]:
        """Give the strategies of the keys of an object, by key; `at` is the object's path, None of one without any."""
        if at is None:
            return {}
        own = ((path.rpartition("."), strategy) for path, strategy in self.entries)
        return {key: strategy for (object_path, _, key), strategy in own if object_path == at}

    def below(self, at: str | None, part: str) -> str | None:
        """Give the path of a part of a value, `[]` of a list's items and `{}` of a map's values; None where none is."""
        if at is None:
            return None
        path = f"{at}{part}" if part in (EACH, ENTRIES) else (f"{at}.{part}" if at else part)
        return path if path in self._above else None


NO_KEY_STRATEGIES = KeyStrategies()


def _prefixes(path: str) -> Iterable[str]:
    """List the paths of the values that hold a key, the marks of lists and maps each on its own."""
    object_path = path.rpartition(".")[0]
    while object_path:
        yield object_path
        marked = object_path.endswith((EACH, ENTRIES))
        object_path = object_path[:-2] if marked else object_path.rpartition(".")[0]
