"""Answers that are written while they are read, so that their size costs no memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import cast

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse


class Streamed(StreamingHttpResponse):
    """An answer whose parts are fetched one at a time, in a thread: Django alone would gather them all first."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the parts as they are fetched."""
        parts = cast(Iterator[bytes], self.streaming_content)
        fetch = sync_to_async(lambda: next(parts, None))
        while (part := await fetch()) is not None:
            yield part
