"""Long polls: an answer that waits until there is something new to tell, or the time is over."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable

from django.db import connection
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

LONGEST_SECONDS = 60.0
EVERY_SECONDS = 0.25
# Each waiting request holds a thread; a request that comes when all are taken is answered at once.
PLACES = threading.BoundedSemaphore(64)

WAIT = OpenApiParameter("wait", str, description="Wait up to so long for news, such as `30s`; at most 60 s.")
IF_REV_GT = OpenApiParameter(
    "if_rev_gt", int, description="With `wait`: news is a revision greater than this."
)


def seen_rev(request: Request) -> int | None:
    """Read the revision after which there is news, if the caller waits for one.

    Raises: Invalid (`if-rev-gt`).
    """
    text = request.query_params.get("if_rev_gt", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Invalid(
            message("if_rev_gt is {text}.", text=repr(text)),
            code="if-rev-gt",
            remedy=message("Send the revision you have."),
        )
    return int(text)


def wait_until(request: Request, news: Callable[[], bool]) -> None:
    """Return as soon as there is news, or the time that `wait` allows is over.

    Raises: Invalid (`wait`), and whatever `news` raises.
    """
    end = time.monotonic() + _seconds(request)
    if not PLACES.acquire(blocking=False):
        return
    try:
        while not news() and time.monotonic() < end:
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(EVERY_SECONDS)
    finally:
        PLACES.release()


def _seconds(request: Request) -> float:
    text = request.query_params.get("wait", "0")
    found = re.fullmatch(r"([0-9]{1,3})s?", text)
    if found is None or int(found[1]) > LONGEST_SECONDS:
        raise Invalid(
            message("wait is {text}.", text=repr(text)),
            code="wait",
            remedy=message(
                "Use 0 to {longest_seconds}, in seconds.", longest_seconds=f"{LONGEST_SECONDS:.0f}"
            ),
        )
    return float(found[1])
