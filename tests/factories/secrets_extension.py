"""An extension of the secrets example: hooks, of which some misbehave, and a data task."""

from __future__ import annotations

import threading

from migrations_app.domain.conversion.hooks import Hooks
from migrations_app.domain.sync import DataTask
from migrations_app.kernel.json import JsonObject

released = threading.Event()
"""Set by a test at its end, so that what hangs may go."""


def convert(old: JsonObject, made: JsonObject) -> JsonObject:
    """Convert as declared; but not what is called `Hangs`, `Raises` or `Leaves`."""
    match old.get("title"):
        case "Hangs":
            released.wait(60)
        case "Raises":
            raise ValueError("no")
        case "Leaves":
            raise SystemExit(1)
    return made


def keep(old: JsonObject, made: JsonObject) -> JsonObject:
    """Convert back as declared."""
    return made


def tidy(name: str, secret: JsonObject) -> JsonObject:
    """Give a secret a title without spaces around it."""
    return {**secret, "title": str(secret.get("title", "")).strip()}


HOOKS = Hooks(objects={"secrets.example.com v1alpha2-v1 Secret": (convert, keep)})
DATA_TASKS = (DataTask("secrets.example.com", "v1alpha2", "v1alpha2.1", "tidy-titles", {"Secret": tidy}),)
