"""Which service and region a key of work is about."""

from __future__ import annotations

import re

from migrations_app.models.upgrades import Upgrade

_DEPLOYMENT = re.compile(r"services/([^/]+)/deployments/([^/]+)")


def place_of_work(key: str) -> tuple[str, str]:
    """Read the service and region that a key is about; empty where it is about none."""
    named = _DEPLOYMENT.match(key)
    if named is not None:
        return named[1], named[2]
    of = Upgrade.objects.filter(pk=key.partition("/")[0]).values_list("service", "region").first()
    return of or ("", "")
