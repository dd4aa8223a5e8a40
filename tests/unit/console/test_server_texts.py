"""The catalogue of the server's texts is read from the code, and a text that is put together at run time is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.generated_pages.server_texts import keys_in, server_texts

HEAD = "from migrations_app.kernel.messages import counted, message as worded\n"


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
