"""Give the run sheet of an upgrade as of a moment as a signed file; that it was shared is an entry of the audit log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.control.upgrades.queries.upgrades import find
from migrations_app.control.upgrades.run_sheet.document import RunSheet
from migrations_app.control.upgrades.run_sheet.keys import signing_key
from migrations_app.control.upgrades.run_sheet.page import as_page
from migrations_app.control.upgrades.run_sheet.recorded import run_sheet
from migrations_app.control.upgrades.run_sheet.text import as_text
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

FORMATS: Mapping[str, tuple[str, Callable[[RunSheet], str]]] = {
    "html": ("text/html; charset=utf-8", as_page),
    "md": ("text/markdown; charset=utf-8", as_text),
}
"""The media type of each format, and what writes it."""


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A signed file."""

    name: str
    media_type: str
    content: bytes


def share_run_sheet(actor: Actor, upgrade_id: str, at: datetime | None, format: str) -> SharedFile:
    """Write and sign the run sheet as of a moment; None: now.

    Raises: Missing (`upgrade-missing`), Gone, Denied, Invalid (`sheet-format`, `sheet-moment`).
    """
    row = find(actor, upgrade_id)
    if format not in FORMATS:
        raise Invalid(
            message("There is no run sheet as {format}.", format=repr(format)),
            code="sheet-format",
            remedy=message("Use html or md."),
        )
    media_type, write = FORMATS[format]
    sheet = run_sheet(actor, row, at)
    key = signing_key()
    content = key.sign(write(sheet), sheet.subject)
    after: JsonObject = {"format": format, "as_of": sheet.as_of.isoformat(), "key": key.public}
    record(actor, "upgrade.share", target_of(row), "done", after=after)
    name = f"{row.service}-{row.region}-{row.pk}-{sheet.as_of:%Y%m%dT%H%M%SZ}.{format}"
    return SharedFile(name, media_type, content)
