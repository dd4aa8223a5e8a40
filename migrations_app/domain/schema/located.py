"""YAML and JSON text read within bounds, every value with the line it stands on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

import yaml

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import WordedMessage, message, verbatim

Steps: TypeAlias = "tuple[str | int, ...]"

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,400})")
_HEX = re.compile(r"0x[0-9a-fA-F]{1,16}")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]{1,3})?")
_WORDS: Mapping[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


@dataclass(frozen=True, slots=True)
class TextLimits:
    """How big a text may be before it is refused unread or half read."""

    bytes: int = 16_000_000
    nodes: int = 600_000
    depth: int = 64


LIMITS = TextLimits()


@dataclass(frozen=True, slots=True)
class Located:
    """A value read from a file, and the lines its parts stand on."""

    value: Json
    file: str = ""
    lines: Mapping[Steps, int] = field(default_factory=dict)

    def line(self, *steps: str | int) -> int:
        """Find the line of a part, or of the nearest part around it; 0 when the reader kept no lines."""
        for length in range(len(steps), -1, -1):
            found = self.lines.get(steps[:length])
            if found is not None:
                return found
        return 0

    def below(self, *steps: str | int) -> Located:
        """Take a part of the value with its own lines; the part must exist."""
        value = self.value
        for step in steps:
            value = value[step]  # type: ignore[index]
        size = len(steps)
        kept = {path[size:]: line for path, line in self.lines.items() if path[:size] == steps}
        return Located(value, self.file, kept)


def read_yaml(text: bytes | str, file: str = "", limits: TextLimits = LIMITS) -> Located:
    """Read one YAML document.

    Only plain data: no aliases, anchors, merge keys or tags; `yes`, `on` and dates stay text; a key
    that occurs twice is refused.

    Raises: Invalid (`E-SYNTAX`, `E-DUPLICATE`, `E-ALIAS`, `E-LIMIT`) naming file and line.
    """
    documents = read_yaml_documents(text, file, limits)
    if len(documents) > 1:
        _refuse("E-SYNTAX", message("holds several documents where one is expected."), file, 0)
    return documents[0] if documents else Located(None, file)


def read_yaml_documents(
    text: bytes | str, file: str = "", limits: TextLimits = LIMITS
) -> tuple[Located, ...]:
    """Read a stream of YAML documents divided by `---`.

    Raises: as `read_yaml`.
    """
    _check_size(text, file, limits)
    reader = _YamlReader(file, limits)
    try:
        return tuple(reader.documents(yaml.parse(text, Loader=yaml.CSafeLoader)))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        _refuse(
            "E-SYNTAX",
            message("is not YAML: {problem}.", problem=problem),
            file,
            mark.line + 1 if mark else 0,
        )
    except UnicodeDecodeError as error:
        _refuse("E-SYNTAX", message("is not UTF-8: {reason}.", reason=error.reason), file, 0)


def read_json(text: bytes | str, file: str = "", limits: TextLimits = LIMITS) -> Located:
    """Read JSON text; a key that occurs twice, NaN and excessive depth are refused.

    Raises: Invalid (`E-SYNTAX`, `E-DUPLICATE`, `E-LIMIT`) naming the file.
    """
    _check_size(text, file, limits)
    try:
        pairs = _JsonPairs(file, limits)
        value: Json = json.loads(text, object_pairs_hook=pairs, parse_constant=pairs.constant)
    except json.JSONDecodeError as error:
        _refuse("E-SYNTAX", message("is not JSON: {msg}.", msg=error.msg), file, error.lineno)
    except RecursionError:
        _refuse("E-LIMIT", message("is nested too deeply."), file, 0)
    except ValueError as error:
        _refuse("E-SYNTAX", message("is not JSON: {error}.", error=str(error)), file, 0)
    _check_depth(value, file, limits)
    return Located(value, file)


def read_text(text: bytes | str, file: str, limits: TextLimits = LIMITS) -> Located:
    """Read JSON when the file's name says so, else YAML."""
    return read_json(text, file, limits) if file.endswith(".json") else read_yaml(text, file, limits)


def _refuse(code: str, problem: WordedMessage, file: str, line: int) -> NoReturn:
    place = f"{file}:{line}" if line else file
    raise Invalid(
        (verbatim(place) or message("The text")) + problem,
        code=code,
        file=file,
        line=line,
    )


def _line_of(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


def _check_size(text: bytes | str, file: str, limits: TextLimits) -> None:
    if len(text) > limits.bytes:
        _refuse(
            "E-LIMIT",
            message("has {count} bytes, {bytes} are allowed.", count=len(text), bytes=limits.bytes),
            file,
            0,
        )


def _check_depth(value: Json, file: str, limits: TextLimits) -> None:
    level: list[Json] = [value]
    for _ in range(limits.depth + 1):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    _refuse("E-LIMIT", message("is nested deeper than {depth}.", depth=limits.depth), file, 0)


class _JsonPairs:
    """Builds objects from pairs, counting them and refusing what JSON does not define."""

    def __init__(self, file: str, limits: TextLimits) -> None:
        self._file, self._limits, self._nodes = file, limits, 0

    def __call__(self, items: list[tuple[str, Json]]) -> Json:
        self._nodes += len(items)
        if self._nodes > self._limits.nodes:
            _refuse(
                "E-LIMIT", message("has more than {nodes} values.", nodes=self._limits.nodes), self._file, 0
            )
        found = dict(items)
        if len(found) != len(items):
            names = [key for key, _ in items]
            twice = next(key for key in names if names.count(key) > 1)
            _refuse("E-DUPLICATE", message("holds the key {key} twice.", key=repr(twice)), self._file, 0)
        return found

    def constant(self, name: str) -> NoReturn:
        """Refuse NaN and the infinities."""
        _refuse("E-SYNTAX", message("has {name}, which is not JSON.", name=name), self._file, 0)


class _YamlReader:
    """Builds values from parser events, so that nothing is expanded before it is counted."""

    def __init__(self, file: str, limits: TextLimits) -> None:
        self._file, self._limits, self._nodes = file, limits, 0
        self._lines: dict[Steps, int] = {}

    def documents(self, events: Iterator[yaml.Event]) -> Iterator[Located]:
        """Read the documents of a stream one by one."""
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._lines = {}
                value = self._node(next(events), events, ())
                yield Located(value, self._file, self._lines)

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], steps: Steps) -> Json:
        line = _line_of(event)
        self._admit(event, line, steps)
        self._lines.setdefault(steps, line)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, line)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(events, steps)
        return self._mapping(events, steps)

    def _admit(self, event: yaml.Event, line: int, steps: Steps) -> None:
        self._nodes += 1
        if self._nodes > self._limits.nodes:
            self._refuse("E-LIMIT", message("has more than {nodes} values.", nodes=self._limits.nodes), line)
        if len(steps) > self._limits.depth:
            self._refuse("E-LIMIT", message("is nested deeper than {depth}.", depth=self._limits.depth), line)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self._refuse("E-ALIAS", message("uses an anchor or alias; write the value out."), line)
        if getattr(event, "tag", None) not in _TEXT_TAGS:
            self._refuse(
                "E-SYNTAX",
                message(
                    "uses the tag {getattr}; only plain data is read.", getattr=getattr(event, "tag", "")
                ),
                line,
            )

    def _sequence(self, events: Iterator[yaml.Event], steps: Steps) -> Json:
        items: list[Json] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, events, (*steps, len(items))))
        return items

    def _mapping(self, events: Iterator[yaml.Event], steps: Steps) -> Json:
        found: dict[str, Json] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = _line_of(event)
            self._admit(event, line, steps)
            if not isinstance(event, yaml.ScalarEvent):
                self._refuse("E-SYNTAX", message("has a key that is not text."), line)
            key: str = event.value
            if key in found:
                self._refuse("E-DUPLICATE", message("holds the key {key} twice.", key=repr(key)), line)
            if key == "<<" and event.implicit[0]:
                self._refuse("E-ALIAS", message("uses a merge key; write the values out."), line)
            self._lines[(*steps, key)] = line
            found[key] = self._node(next(events), events, (*steps, key))
        return found

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> Json:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text):
            return int(text)
        if _HEX.fullmatch(text):
            return int(text, 16)
        if _FLOAT.fullmatch(text):
            return float(text)
        if text.lower() in (".nan", ".inf", "-.inf", "+.inf"):
            self._refuse("E-SYNTAX", message("has {text}, which JSON cannot say; quote it.", text=text), line)
        return text

    def _refuse(self, code: str, problem: WordedMessage, line: int) -> NoReturn:
        _refuse(code, problem, self._file, line)
