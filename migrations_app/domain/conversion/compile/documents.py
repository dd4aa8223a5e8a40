"""Where generated text finds a document and puts it: a dict, or structs that leave untouched parts undecoded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from migrations_app.domain.conversion.bag import BAG


class Document(Protocol):
    """The source and target document of one generated function."""

    def begin(self, *, bagged: bool) -> Iterator[str]:
        """Write what comes first; of a bagged document `b` becomes the entries of the bag."""
        ...

    def take(self, key: str, name: str) -> str:
        """Write how the value of a key leaves the document into a variable."""
        ...

    def look(self, key: str, name: str) -> str:
        """Write how the value of a key is read while it stays."""
        ...

    def unknown(self, keys: list[str], version: str) -> Iterator[str]:
        """Write how keys that the source does not know make room for those of the target."""
        ...

    def returned(self, table: str, keys: list[str]) -> Iterator[str]:
        """Write how keys come back from the bag that made room once."""
        ...

    def end(self, values: Mapping[str, str], name: str, *, fills: bool) -> Iterator[str]:
        """Write how the values in variables become the target, and return it; `fills` says there may be a bag."""
        ...


class DictDocument:
    """A dict: copied once; what changes leaves the copy and comes back under its new key."""

    def begin(self, *, bagged: bool) -> Iterator[str]:
        """Copy the document and its bag."""
        yield "t = s.copy()"
        if bagged:
            yield f"del t[{BAG!r}]"
            yield "b = entries(s)"

    def take(self, key: str, name: str) -> str:
        """Pop the key."""
        return f"{name} = t.pop({key!r}, A)"

    def look(self, key: str, name: str) -> str:
        """Read the key."""
        return f"{name} = t.get({key!r}, A)"

    def unknown(self, keys: list[str], version: str) -> Iterator[str]:
        """Stash keys of the target that mean nothing in the source."""
        for key in keys:
            yield f"if {key!r} in t:"
            yield f"    b[{f'?{key}@{version}'!r}] = entry(t.pop({key!r}))"

    def returned(self, table: str, keys: list[str]) -> Iterator[str]:
        """Take such keys out of the bag again."""
        yield "if b:"
        yield f"    give_back(t, b, {table})"

    def end(self, values: Mapping[str, str], name: str, *, fills: bool) -> Iterator[str]:
        """Write the variables that hold something."""
        for key, value in values.items():
            yield f"if {value} is not A:"
            yield f"    t[{key!r}] = {value}"
        if fills:
            yield "if b:"
            yield "    seal(t, b)"
        yield f"return {name}t"


class ShownDocument(DictDocument):
    """A dict that is shown and never converted back: what its version cannot show is left out."""

    def unknown(self, keys: list[str], version: str) -> Iterator[str]:
        """Leave them out."""
        for key in keys:
            yield f"t.pop({key!r}, None)"

    def end(self, values: Mapping[str, str], name: str, *, fills: bool) -> Iterator[str]:
        """Write the variables that hold something, and no bag."""
        return super().end(values, name, fills=False)
