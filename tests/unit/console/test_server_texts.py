"""The catalogue of the server's texts is read from the code, and a text that is put together at run time is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.env import ROOT
from console.generated_pages.server_texts import keys_in, server_texts

HEAD = "from migrations_app.kernel.messages import counted, message as worded\n"

NO_MESSAGES = {
    "migrations_app/domain/conditions.py": "clock times in the zone that the rule itself names",
    "migrations_app/control/upgrades/commands/share_run_sheet.py": "the name of a file",
    "migrations_app/engine/serving/presentation.py": "values of resources",
}
"""Where modules that make messages format times for something else."""


def formatted_times(source: str) -> Iterator[int]:
    """Find where a module that makes messages writes a time for readers: the reader's zone is not known there."""
    if "kernel.messages import" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        spec = (
            ast.unparse(node.format_spec) if isinstance(node, ast.FormattedValue) and node.format_spec else ""
        )
        is_method = isinstance(node, ast.Attribute) and node.attr == "strftime"
        if isinstance(node, ast.expr) and (is_method or re.search("%[YmdHMS]", spec)):
            yield node.lineno


def test_a_time_that_is_formatted_for_a_message_is_noticed() -> None:
    made = (
        HEAD + 'until = f"{at:%Y-%m-%d %H:%M}"\nworded("Open until {until}.", until=until)\nat.strftime("%H")'
    )
    assert list(formatted_times(made)) == [2, 4]


def test_messages_send_instants_as_values_and_no_text_of_their_own_names_a_zone() -> None:
    modules = {
        str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "migrations_app").rglob("*.py")
    }
    formatted = {
        f"{path}:{line}"
        for path, text in modules.items()
        if path not in NO_MESSAGES
        for line in formatted_times(text)
    }
    assert not formatted, "send to_minute(at) or to_second(at) in a place whose name ends in _at"
    assert not [text for text in server_texts() if re.search(r"\} UTC\b", text)]


def test_every_form_of_a_message_is_found_by_its_key() -> None:
    source = (
        HEAD
        + 'a = worded("A {b}" " and c.", b=1) + counted(n, "{count} key", "{count} keys")\nmessage("other")'
    )
    assert list(keys_in(Path("a.py"), source)) == ["A {b} and c.", "{count} key|{count} keys"]


def test_a_message_that_is_not_written_out_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"a\.py:2: "):
        list(keys_in(Path("a.py"), HEAD + 'worded(f"A {b}")'))


def test_the_catalogue_has_the_sentences_of_checks_and_blockages() -> None:
    texts = server_texts()
    assert "The slowest shard is {behind} s behind." in texts
    assert "{count} worker cannot keep up.|{count} workers cannot keep up." in texts
    assert len(texts) == len({*texts})
