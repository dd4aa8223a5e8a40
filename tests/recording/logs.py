"""Searches logs for the secrets of a test run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.recording.sitecustomize import RECORD

_CHUNK = 4 << 20
_OVERLAP = 1024


def recorded() -> frozenset[bytes]:
    """Read the secrets that this run made so far."""
    try:
        return frozenset(Path(os.environ[RECORD]).read_bytes().split())
    except (KeyError, OSError):
        return frozenset()


def leaks(places: Iterable[tuple[str, bytes]], wanted: frozenset[bytes]) -> list[str]:
    """Name the places that hold a secret, with the beginning of each and what stands before it."""
    # One word in a log is compared with all secrets at once; what is longer than a word never is a secret of ours.
    longest = max(map(len, wanted), default=0)
    word = re.compile(rb"[A-Za-z0-9_$.+/=,-]{12,%d}" % max(longest + 64, 12))
    starts = frozenset(secret[:12] for secret in wanted)
    told = []
    for place, text in places:
        for match in word.finditer(text):
            found = next(_within(match[0], starts, wanted), None)
            if found is not None:
                before = text[max(0, match.start() - 100) : match.start()].decode(errors="replace")
                told.append(f"{place}: …{before.splitlines()[-1] if before else ''}{found[:8].decode()}…")
                break
    return told


def _within(text: bytes, starts: frozenset[bytes], wanted: frozenset[bytes]) -> Iterator[bytes]:
    for at in range(len(text) - 11):
        if text[at : at + 12] in starts:
            yield from (secret for secret in wanted if text.startswith(secret, at))


def contents(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Read files piece by piece; pieces overlap, so that nothing is cut in two unseen."""
    for path in paths:
        try:
            with path.open("rb") as file:
                last = b""
                while piece := file.read(_CHUNK):
                    yield str(path), last + piece
                    last = piece[-_OVERLAP:]
        except OSError:
            continue
