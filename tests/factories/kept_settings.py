"""Searches all of this process for texts: `python -m tests.factories.kept_settings` prints its settings and where the texts are.

The texts are settings of the process that forked this one, each given backwards, so that the arguments do not have them.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator

import django
from django.conf import settings
from django.db import connection


def places(text: str) -> Iterator[str]:
    """Name the kind of each container, and the key, where a text is part of a value."""
    for kept in gc.get_objects():
        if isinstance(kept, dict):
            yield from (
                f"dict {key!r}" for key, value in [*kept.items()] if type(value) is str and text in value
            )
        elif type(kept) in (list, tuple, set, frozenset):
            yield from (type(kept).__name__ for value in kept if type(value) is str and text in value)


def main() -> None:
    """Take the settings, and print what they say and what is left of others."""
    had_views = "console.urls" in sys.modules
    django.setup()
    own = [settings.SECRET_KEY, connection.settings_dict["NAME"], settings.SWITCHYARD.redis_url]
    gc.unfreeze()
    gc.collect()
    left = [place for given in sys.argv[1:] for place in places(given[::-1])]
    print(json.dumps({"had_views": had_views, "own": own, "left": left}))


if __name__ == "__main__":
    main()
