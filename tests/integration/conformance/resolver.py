"""What the URL resolver answers below /api/v1: every address, and the methods that its view has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.views import APIView

from migrations_app.control.urls import UnknownAddressView
from migrations_app.web.operation_contracts import OperationContract, contract_of
from tests.integration.upgrades.scope_requests import METHODS

API = "api/v1/"
PARTS = {"int": "1", "uuid": "00000000-0000-0000-0000-000000000000"}


@dataclass(frozen=True)
class Served:
    """One method of one address below /api/v1."""

    method: str
    route: str
    view: type[APIView] | None

    def __str__(self) -> str:
        path = re.sub(r"<(?:[a-z]+:)?([a-z]+)>", r"{\1}", self.route)
        return f"{self.method} /{API}{path}"

    @property
    def path(self) -> str:
        """An address of this form; what it names need not be there."""
        return f"/{API}" + re.sub(
            r"<(?:([a-z]+):)?[a-z]+>", lambda part: PARTS.get(part[1] or "", "x"), self.route
        )

    @property
    def contract(self) -> OperationContract:
        """What the method takes."""
        assert self.view is not None, self
        return contract_of(self.view, self.method)


def served() -> list[Served]:
    """List every method of every address, as the resolver has them; the last, of no address, is left out."""
    return sorted(_within("", get_resolver("console.urls").url_patterns), key=str)


def _within(prefix: str, patterns: list[URLPattern | URLResolver]) -> Iterator[Served]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _within(route, pattern.url_patterns)
        elif route.startswith(API):
            yield from _methods(route.removeprefix(API), pattern.callback)


def _methods(route: str, callback: Any) -> Iterator[Served]:
    view = getattr(callback, "cls", None)
    if view is UnknownAddressView:
        return
    for method in METHODS:
        if (view is None and method == "GET") or hasattr(view, method.lower()):
            yield Served(method, route, view)
