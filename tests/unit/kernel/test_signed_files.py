"""Signed files: what is verified is what was signed, byte by byte."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.signed_files import FileSigningKey, is_public_key, verify_file

KEY = FileSigningKey("a secret of the installation, 32 letters")
FILE = KEY.sign("# Run sheet\n\nä <!-- a comment -->\n", "upgrade/u1 2026-03-01T14:00:00Z")


def test_a_signed_file_is_verified_and_says_what_it_is() -> None:
    signature = verify_file(FILE, [KEY.public])
    assert (signature.subject, signature.key) == ("upgrade/u1 2026-03-01T14:00:00Z", KEY.public)
    assert is_public_key(KEY.public)


@pytest.mark.parametrize("change", [0x01, 0x20, 0x80])
def test_a_change_of_any_byte_is_noticed(change: int) -> None:
    for at in range(len(FILE)):
        changed = bytearray(FILE)
        changed[at] ^= change
        with pytest.raises(Invalid):
            verify_file(bytes(changed), [KEY.public])


def test_bytes_that_are_added_or_removed_are_noticed() -> None:
    for at in range(len(FILE)):
        with pytest.raises(Invalid):
            verify_file(FILE[:at] + FILE[at + 1 :], [KEY.public])
    for other in (
        FILE + b"\n",
        b" " + FILE,
        FILE + b"<p>More</p>\n",
        FILE + FILE.splitlines(keepends=True)[-1],
    ):
        with pytest.raises(Invalid):
            verify_file(other, [KEY.public])


def test_a_file_of_another_installation_is_refused_by_its_key() -> None:
    other = FileSigningKey("another secret of 32 letters or so")
    with pytest.raises(Invalid) as refused:
        verify_file(other.sign("text", "upgrade/u1 now"), [KEY.public])
    assert refused.value.code == "signature-key-unknown"
    with pytest.raises(Invalid) as unsigned:
        verify_file(b"", [KEY.public])
    assert unsigned.value.code == "signature-missing"


def test_a_given_key_is_used_and_one_that_is_none_is_refused() -> None:
    own = FileSigningKey("", "A" * 43)
    assert own.public == FileSigningKey("any", "A" * 43 + "=").public != KEY.public
    with pytest.raises(Invalid) as refused:
        FileSigningKey("", "short")
    assert refused.value.code == "file-key"
    assert not is_public_key("A" * 42 + "B")
