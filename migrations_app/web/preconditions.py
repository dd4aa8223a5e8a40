"""Which state the caller saw: strong ETags from revisions, If-Match, and rehearsals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.kernel.errors import Invalid, Stale
from migrations_app.kernel.json import Json, digest
from migrations_app.kernel.messages import message

T = TypeVar("T")
DRY_RUN_WORDS = ("dry_run", "dryRun", "validateOnly", "validate_only")
"""The spellings of the one parameter that asks for a rehearsal."""
SHOWN = 16
"""So many digits tell one representation of a revision from the next."""


def etag(rev: object) -> str:
    """Make the ETag of a revision or digest."""
    return f'"{rev}"'


def expected_tag(request: Request, *, required: bool = True) -> str | None:
    """Read what the one tag of If-Match names: a revision or a digest, without quotes and what was shown beside it.

    `*` and absence give nothing where not required.

    Raises: Invalid (`precondition-required`, `if-match`).
    """
    text = request.headers.get("If-Match", "").strip()
    if not text or text == "*":
        if required and not text:
            raise Invalid(
                message("This needs If-Match."),
                code="precondition-required",
                remedy=message("Send the ETag you were shown, so that no change is overwritten unseen."),
            )
        return None
    if len(text) < 3 or not (text.startswith('"') and text.endswith('"')) or "," in text:
        raise Invalid(
            message("If-Match must be one strong ETag."),
            code="if-match",
            remedy=message('Send If-Match: "<rev>".'),
        )
    return text[1:-1].partition(".")[0]


def expected_rev(request: Request, *, required: bool = True) -> int | None:
    """Read the revision of If-Match.

    Raises: Invalid (`precondition-required`, `if-match`).
    """
    tag = expected_tag(request, required=required)
    if tag is None:
        return None
    if not (tag.isascii() and tag.isdigit() and len(tag) < 19):
        raise Invalid(
            message("If-Match is not a revision."),
            code="if-match",
            remedy=message("Send the ETag you were shown."),
        )
    return int(tag)


def check_rev(expected: int | None, actual: int, current: Json = None, changed: Json = None) -> None:
    """Refuse when the caller saw another revision; `changed` tells who made it that, and when.

    Raises: Stale (`changed`) with the current representation.
    """
    if expected is not None and expected != actual:
        raise Stale(
            message("It was changed since you looked."),
            code="changed",
            remedy=message("Look at the current state and decide again."),
            current=current,
            changed=changed,
        )


def with_current_state(act: Callable[[], T], current: Callable[[], Json], changed: Callable[[], Json]) -> T:
    """Do it; a caller that is refused for what it saw is shown the thing as it is now, and who changed it.

    Raises: Stale with the current representation, and what `act` raises.
    """
    try:
        return act()
    except Stale as stale:
        now, who = current(), changed()
        raise Stale(
            stale.words, code=stale.code, remedy=stale.remedy_words, current=now, changed=who
        ) from stale


def shown(
    request: Request, body: Json, rev: object, *, alive: bool = False, status: int = 200, **headers: str
) -> Response:
    """Answer with a representation and its ETag; 304 when the caller already has it.

    `alive`: more is shown than what the revision names (progress, votes, ages), so that the tag names that
    too, after a dot; If-Match still compares the revision alone.
    """
    tag = etag(f"{rev}.{digest(body)[:SHOWN]}" if alive else rev)
    if request.method == "GET" and request.headers.get("If-None-Match", "").strip() == tag:
        return Response(status=304, headers={"ETag": tag})
    # A name in an address may hold what a header cannot.
    written = {name: quote(value, safe="/:") for name, value in headers.items()}
    return Response(body, status=status, headers={"ETag": tag, **written})


def is_dry_run(request: Request) -> bool:
    """Tell whether only a rehearsal is asked for.

    Raises: Invalid (`dry-run`).
    """
    given = [(word, text.lower()) for word in DRY_RUN_WORDS for text in request.query_params.getlist(word)]
    for word, text in given:
        if text not in {"true", "false"}:
            raise Invalid(
                message("{word} is {text}.", word=word, text=repr(text)),
                code="dry-run",
                remedy=message("Use true or false."),
            )
    values = {text for _, text in given}
    if len(values) > 1:
        raise Invalid(
            message("The dry run is both true and false."),
            code="dry-run",
            remedy=message(
                "Send one of {dry_run_words}: they are the same parameter.",
                dry_run_words=", ".join(DRY_RUN_WORDS),
            ),
        )
    return "true" in values


def rehearsed(dry_run: bool, act: Callable[[], T]) -> T:
    """Do it; or, in a dry run, do it in full within a transaction that is taken back, hints and all."""
    if not dry_run:
        return act()
    with transaction.atomic():
        result = act()
        transaction.set_rollback(True)
    return result
