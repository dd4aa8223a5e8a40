"""Every address of the REST API × every method × every role: no account gets further than the role goes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.urls import URLPattern
from rest_framework.test import APIClient

from migrations_app.control.urls import UnknownAddressView, urlpatterns
from migrations_app.domain.access import PERMISSIONS, ROLES, roles_with
from migrations_app.web.rest_view import OPEN, SIGNED_IN, RestView
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
FILLED = {"int": "1", "uuid": str(uuid.UUID(int=1)), "slug": "x", "str": "x", "path": "x"}


@dataclass(frozen=True)
class Entrance:
    """One method of one address, and what it asks for."""

    path: str
    method: str
    permission: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _door(pattern: URLPattern) -> type[RestView]:
    view = getattr(pattern.callback, "cls", None)
    assert isinstance(view, type), f"{pattern} is no view"
    assert issubclass(view, RestView), f"{pattern} is not a RestView"
    return view


def _entrances() -> Iterator[Entrance]:
    for pattern in urlpatterns:
        door = _door(pattern)
        if door is UnknownAddressView:
            continue
        route = str(pattern.pattern)
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: FILLED[found[1] or "str"], route)
        for method in METHODS:
            if hasattr(door, method.lower()):
                assert method in door.may, f"{door.__name__}.may does not say who may {method}"
                yield Entrance(f"/api/v1/{path}", method, door.may[method])


ENTRANCES = sorted(set(_entrances()), key=str)


def _send(client: APIClient, entrance: Entrance) -> int:
    return int(getattr(client, entrance.method.lower())(entrance.path, {}, format="json").status_code)


def test_every_entrance_asks_for_a_permission_that_exists() -> None:
    unknown = {
        str(each): each.permission
        for each in ENTRANCES
        if each.permission not in (*PERMISSIONS, OPEN, SIGNED_IN)
    }
    assert unknown == {}
    opened = {str(each) for each in ENTRANCES if each.permission == OPEN}
    assert opened == {
        "GET /api/v1/report-keys",
        "GET /api/v1/session",
        "POST /api/v1/session",
        "DELETE /api/v1/session",
        "GET /api/v1/session/providers",
        "POST /api/v1/session/passkey",
        "POST /api/v1/session/passkey/ask",
    }


def test_no_page_is_shown_without_signing_in() -> None:
    cache.clear()
    client = APIClient()
    answers = {str(each): _send(client, each) for each in ENTRANCES if each.permission != OPEN}
    assert {name: status for name, status in answers.items() if status != 401} == {}
    assert len(answers) >= 15


@pytest.mark.parametrize("role", [role for role in ROLES if role != "admin"])
def test_a_role_is_refused_wherever_it_lacks_the_permission(role: str) -> None:
    cache.clear()
    client = client_of("ann", role)
    lacking = [
        each
        for each in ENTRANCES
        if each.permission not in (OPEN, SIGNED_IN) and role not in roles_with(each.permission)
    ]
    answers = {str(each): _send(client, each) for each in lacking}
    assert {name: status for name, status in answers.items() if status != 403} == {}
    assert answers


def test_a_token_without_scopes_for_it_is_refused_even_for_an_admin() -> None:
    cache.clear()
    client = client_of("root", "admin", scopes=("health.read",))
    others = [each for each in ENTRANCES if each.permission not in (OPEN, SIGNED_IN, "health.read")]
    answers = {str(each): _send(client, each) for each in others}
    assert {name: status for name, status in answers.items() if status != 403} == {}
