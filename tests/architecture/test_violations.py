"""What is refused, and what is wrong with an input, is said by messages: a plain text would stay in English in every language."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import migrations_app
from console.env import ROOT
from migrations_app.kernel.errors import SwitchyardError

PLACES = {"Violation": (1, 2)}
"""Of the arguments of a violation, its message and its remedy; of an error, its message is the first."""
NAMED = ("message", "remedy")
PLAIN_ATTRIBUTES = frozenset({"message", "remedy", "sentence", "reason", "detail", "advice"})
"""Of errors, violations and decisions, what is the text alone: their `words` and `remedy_words` are the messages."""
MESSAGES_BY_SUCH_NAMES = frozenset(
    {
        "control/upgrades/commands/release_switch.py",
        "domain/registry/rules.py",
        "domain/switch/guards.py",
    }
)
"""Where a value has a message under such a name."""
VERBATIM = frozenset(
    {
        "control/access/validation_messages.py",
        "control/declarations/endpoints.py",
        "control/definition_changes/commands/rule_on_change.py",
        "control/registry/endpoints.py",
        "domain/constraints/stuck.py",
        "domain/conversion/metadata/findings.py",
        "domain/conversion/proposals/locations.py",
        "domain/registry/documents.py",
        "domain/schema/advice.py",
        "domain/schema/check.py",
        "domain/schema/findings.py",
        "domain/schema/loaders/jsonschema_types.py",
        "domain/schema/loaders/parts.py",
        "domain/schema/loaders/protoc.py",
        "domain/schema/located.py",
        "domain/switch/facts.py",
        "engine/methods/messages.py",
        "engine/registry/meta_client.py",
        "engine/service_hooks/answers.py",
        "engine/switch/live.py",
        "engine/switch/switch_attempt.py",
        "ports/regions/peer_requests.py",
        "web/problems.py",
    }
)
"""Who may take a text as it is: places and names, and what libraries, peers and hooks say. The list may only shrink."""


@cache
def error_names() -> frozenset[str]:
    """Name every error of Switchyard that takes its message as its first argument."""
    for module in pkgutil.walk_packages(migrations_app.__path__, "migrations_app."):
        if ".migrations." not in module.name and "generated" not in module.name:
            importlib.import_module(module.name)
    names, kinds = {"Violation"}, [SwitchyardError]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__init__.__qualname__.partition(".")[0] in ("SwitchyardError", "Denied", "Busy"):
            names.add(kind.__name__)
    return frozenset(names)


def plain_texts(source: str, names: frozenset[str]) -> Iterator[int]:
    """Find the lines of errors and violations whose message or remedy is a text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            said = [node.args[place] for place in PLACES.get(node.func.id, (0,)) if place < len(node.args)]
            said += [named.value for named in node.keywords if named.arg in NAMED]
            yield from (node.lineno for text in said if _is_text(text))


def _is_text(text: ast.expr) -> bool:
    match text:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.IfExp():
            return _is_text(text.body) or _is_text(text.orelse)
        case ast.BoolOp():
            return any(map(_is_text, text.values))
        case ast.BinOp():
            return _is_text(text.left) or _is_text(text.right)
        case ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Attribute(attr=attribute):
            return attribute in PLAIN_ATTRIBUTES
    return False


def test_every_refusal_and_violation_is_said_by_a_message() -> None:
    root, names = ROOT / "migrations_app", error_names()
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).as_posix() not in MESSAGES_BY_SUCH_NAMES
        for line in plain_texts(path.read_text(), names)
    ]
    assert found == []


def test_texts_are_taken_as_they_are_where_there_is_no_message() -> None:
    root = ROOT / "migrations_app"
    users = {path.relative_to(root).as_posix() for path in root.rglob("*.py") if _takes_texts(path)}
    assert users - {"kernel/messages.py", "kernel/wordings.py"} == VERBATIM


def _takes_texts(path: Path) -> bool:
    return "verbatim(" in path.read_text()


def test_plain_texts_are_found() -> None:
    source = (
        "Violation('a', 'A text.')\n"
        "Violation('a', f'{b}')\n"
        "Violation('a', message('A text.'), 'Mend it.')\n"
        "Violation('a', message('A text.') + error.words, NOTHING, 'code')\n"
        "Violation('a', words, remedy='Mend it.')\n"
        "Conflict(f'{a} is taken.', code='taken')\n"
        "Conflict(message('It is taken.'), code='taken', remedy='Choose another.')\n"
        "Conflict(message('It is taken.'), code='taken')\n"
        "Conflict(error.message, code='taken')\n"
        "Conflict(str(error))\n"
        "Conflict(words if a else 'It is taken.')\n"
        "Other('A text.')\n"
    )
    names = frozenset({"Violation", "Conflict"})
    assert list(plain_texts(source, names)) == [1, 2, 3, 5, 6, 7, 9, 10, 11]
