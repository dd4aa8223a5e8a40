"""How an answer is written: the system parameters that any client of a protobuf service may send, and what they ask for.

Source: Google's "System parameters" of its APIs: `$alt`, `$fields`, `$prettyPrint`, which may be written without `$`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote_plus

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import WordedMessage, message

_NAMES: Mapping[str, str] = {
    f"{dollar}{name}": name for name in ("alt", "fields", "prettyPrint") for dollar in ("$", "")
}
_CLIENT, _PROBLEM, _JSON = "x-goog-api-client", "application/problem+json", "application/json"
_ENCODINGS = {"": False, "enum-encoding=string": False, "enum-encoding=int": True}


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How an answer is written; the parameters as they were sent, which `check` reads.

    `google_errors`: errors are `{"error": {...}}` · `basic`: without what is large or sensitive.
    """

    google_errors: bool = False
    alt: str = "json"
    pretty_print: str = "false"
    fields: str = ""
    basic: bool = False
    repeated: str = ""

    @property
    def numbers(self) -> bool:
        """Whether symbols of enums are written as numbers."""
        return _ENCODINGS.get(self.alt.partition(";")[2], False)

    @property
    def is_pretty(self) -> bool:
        """Whether the answer is indented."""
        return self.pretty_print == "true"

    @property
    def changes_documents(self) -> bool:
        """Whether a document is answered otherwise than it is."""
        return bool(self.fields) or self.basic or self.numbers

    def check(self) -> None:
        """Refuse values that are not understood.

        Raises: Invalid (`query`).
        """
        kind, _, encoding = self.alt.partition(";")
        if self.repeated:
            raise _wrong(
                self.repeated, message("occurs twice, with different values"), message("Send it once.")
            )
        if kind != "json" or encoding not in _ENCODINGS:
            raise _wrong("$alt", _is(self.alt), message("Use json, or json;enum-encoding=int."))
        if self.pretty_print not in ("true", "false"):
            raise _wrong("prettyPrint", _is(self.pretty_print), message("Use true or false."))
        parse_fields(self.fields)


def read_form(headers: Mapping[str, str], query: str) -> tuple[AnswerForm, str]:
    """Take the system parameters out of a query; gives the form and the rest of the query. Nothing is refused here."""
    given: dict[str, str] = {}
    rest, repeated = [], ""
    for part in query.split("&") if query else []:
        sent, _, value = part.partition("=")
        name = _NAMES.get(unquote_plus(sent))
        if name is None:
            rest.append(part)
            continue
        text = unquote_plus(value)
        if given.setdefault(name, text) != text:
            repeated = name
    accepts = headers.get("accept", "")
    wanted = _JSON in accepts and _PROBLEM not in accepts
    form = AnswerForm(
        google_errors=_PROBLEM not in accepts and ("alt" in given or wanted or _CLIENT in headers),
        alt=given.get("alt", "json"),
        pretty_print=given.get("prettyPrint", "false"),
        fields=given.get("fields", ""),
        repeated=repeated,
    )
    return form, "&".join(rest)


FieldTree = dict[str, "FieldTree"]
"""What of a document is asked for: keys with what is asked for below them; nothing below means all of it."""


def parse_fields(text: str) -> FieldTree:
    """Read a partial response as `$fields` writes it: `name,rateLimits/burst,tasks(name,view)`.

    Raises: Invalid (`query`) naming the place.
    """
    tokens = list(_tokens(text))
    if not tokens:
        return {}
    tree, end = _selection(tokens, 0)
    if end < len(tokens):
        raise _unread(tokens, end)
    return tree


def _tokens(text: str) -> Iterator[str]:
    word = ""
    for letter in text:
        if letter in ",()/.":
            if word.strip():
                yield word.strip()
            yield "/" if letter == "." else letter
            word = ""
        else:
            word += letter
    if word.strip():
        yield word.strip()


def _selection(tokens: list[str], start: int, depth: int = 0) -> tuple[FieldTree, int]:
    tree: FieldTree = {}
    at = start
    while True:
        below, first = tree, True
        while first or (at < len(tokens) and tokens[at] == "/"):
            at += 0 if first else 1
            if at >= len(tokens) or tokens[at] in ",()/":
                raise _unread(tokens, at)
            below = below.setdefault(tokens[at], {})
            at, first = at + 1, False
        if at < len(tokens) and tokens[at] == "(" and depth < 20:
            inner, at = _selection(tokens, at + 1, depth + 1)
            if at >= len(tokens) or tokens[at] != ")":
                raise _unread(tokens, at)
            below.update(inner)
            at += 1
        if at >= len(tokens) or tokens[at] != ",":
            return tree, at
        at += 1


def _unread(tokens: list[str], at: int) -> Invalid:
    before = "".join(tokens[:at])[-40:]
    return _wrong(
        "$fields",
        message("cannot be read after {text}", text=repr(before)),
        message("Such as name,rateLimits(maxBurstSize)."),
    )


def _is(value: str) -> WordedMessage:
    return message("is {value}", value=repr(value[:40]))


def _wrong(name: str, what: WordedMessage, remedy: WordedMessage) -> Invalid:
    return Invalid(
        message("The parameter {name}:", name=name) + what,
        code="query",
        remedy=remedy,
        violations=(Violation(name, what),),
    )
