"""Edge files as trees of values that know their lines."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, EdgeInvalid
from migrations_app.domain.schema import located
from migrations_app.domain.schema.findings import without_place
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import WordedMessage, message


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A value of an edge file with the line where it begins."""

    value: Json
    line: int
    children: dict[str, YamlNode] | list[YamlNode]

    def child(self, key: str) -> YamlNode | None:
        """Find the value of a key."""
        return self.children.get(key) if isinstance(self.children, dict) else None

    def items(self) -> list[tuple[str, YamlNode]]:
        """List keys and values; nothing when this is no mapping."""
        return list(self.children.items()) if isinstance(self.children, dict) else []

    def elements(self) -> list[YamlNode]:
        """List the elements; nothing when this is no sequence."""
        return self.children if isinstance(self.children, list) else []


def read_tree(text: str, file: str) -> YamlNode:
    """Read one YAML document.

    Raises: EdgeInvalid with the line.
    """
    try:
        read = located.read_yaml(text, file)
    except Invalid as error:
        line = error.nouns.get("line")
        place = EdgeFileLine(file, line if isinstance(line, int) else 0)
        raise EdgeInvalid(
            [EdgeFinding(error.code, _sentence(error.words, place), place, error.remedy_words)]
        ) from error
    return _node(read, read.value, ())


def _sentence(words: WordedMessage, place: EdgeFileLine) -> WordedMessage:
    return message("The file") + without_place(words, str(place), place.file)


def _node(read: located.Located, value: Json, steps: tuple[str | int, ...]) -> YamlNode:
    line = read.line(*steps)
    if isinstance(value, dict):
        return YamlNode(value, line, {key: _node(read, below, (*steps, key)) for key, below in value.items()})
    if isinstance(value, list):
        return YamlNode(
            value, line, [_node(read, below, (*steps, index)) for index, below in enumerate(value)]
        )
    return YamlNode(value, line, {})
