"""A stream of JSON objects taken apart: one a line, or the elements of an array that never ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKS = re.compile(rb'[{}"\\]')


class ObjectSplitter:
    """Finds where objects begin and end, whatever stands between them."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._read = self._depth = 0
        self._in_text = False

    @property
    def waiting(self) -> int:
        """How many bytes of an object are there that has not ended."""
        return len(self._rest) if self._depth else 0

    def feed(self, part: bytes) -> Iterator[bytes]:
        """Take a part, and give the objects that end in it."""
        self._rest += part
        start = 0
        while (mark := _MARKS.search(self._rest, self._read)) is not None:
            self._read = mark.end()
            if self._in_text:
                if mark[0] == b"\\":
                    # What is escaped ends no text; it may be in the next part.
                    self._read += 1
                self._in_text = mark[0] != b'"'
            elif mark[0] == b'"':
                self._in_text = self._depth > 0
            elif mark[0] == b"{":
                start = mark.start() if self._depth == 0 else start
                self._depth += 1
            elif mark[0] == b"}" and self._depth:
                self._depth -= 1
                if self._depth == 0:
                    yield bytes(self._rest[start : mark.end()])
                    start = mark.end()
        self._drop(start if self._depth else len(self._rest))

    def _drop(self, count: int) -> None:
        """Forget what is told, and what stands between objects."""
        self._read = max(self._read, len(self._rest)) - count
        del self._rest[:count]
