"""What a service does with keys its version does not know: refuse them, drop them, or keep them."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Invalid, Missing
from tests.integration.resource_api.conftest import EXAMPLES, REGION, SERVICE, Yard, files_of

DOOR = "projects/p/secrets/door"


def _say(yard: Yard, unknown: str) -> None:
    files = files_of(EXAMPLES / "secrets")
    files["service.yaml"] += f"\nunknownKeys: {unknown}\n".encode()
    apply_service(SYSTEM, files)
    yard.servers.directory.forget(REGION, SERVICE)


def test_a_strict_service_refuses_them_with_their_paths(yard: Yard) -> None:
    _say(yard, "strict")
    with pytest.raises(Invalid) as refused:
        yard.call("POST", "projects/p/secrets", {"title": "x", "colour": "red", "size": {"a": 1}}, id="door")
    assert sorted(each.path for each in refused.value.violations) == ["colour", "size"]
    with pytest.raises(Missing):
        yard.call("GET", DOOR)


def test_a_service_that_passes_them_on_keeps_them(yard: Yard) -> None:
    _say(yard, "pass")
    yard.call("POST", "projects/p/secrets", {"title": "x", "colour": {"deep": ["red"]}}, id="door")
    assert yard.call("GET", DOOR).document["colour"] == {"deep": ["red"]}  # type: ignore[index,call-overload]
    yard.call("PATCH", DOOR, {"title": "y"})
    assert yard.call("GET", DOOR).document["colour"] == {"deep": ["red"]}  # type: ignore[index,call-overload]


def test_a_service_that_filters_drops_them_and_says_nothing(yard: Yard) -> None:
    _say(yard, "filter")
    made = yard.call("POST", "projects/p/secrets", {"title": "x", "colour": "red"}, id="door")
    assert "colour" not in made.document  # type: ignore[operator]
