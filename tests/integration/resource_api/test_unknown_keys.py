"""What a service does with keys its version does not know: refuse them, drop them, or keep them."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.models.registry import Service
from tests.integration.resource_api.conftest import EXAMPLES, REGION, SERVICE, Yard, files_of

DOOR = "projects/p/secrets/door"


def _say(ports: Yard, unknown: str) -> None:
    files = files_of(EXAMPLES / "secrets")
    files["service.yaml"] += f"\nunknownKeys: {unknown}\n".encode()
    apply_service(SYSTEM, files)
    ports.servers.directory.forget(REGION, SERVICE)


def test_a_strict_service_refuses_them_with_their_paths(ports: Yard) -> None:
    _say(ports, "strict")
    with pytest.raises(Invalid) as refused:
        ports.call("POST", "projects/p/secrets", {"title": "x", "colour": "red", "size": {"a": 1}}, id="door")
    assert sorted(each.path for each in refused.value.violations) == ["colour", "size"]
    with pytest.raises(Missing):
        ports.call("GET", DOOR)


def test_a_service_that_passes_them_on_keeps_them(ports: Yard) -> None:
    _say(ports, "pass")
    ports.call("POST", "projects/p/secrets", {"title": "x", "colour": {"deep": ["red"]}}, id="door")
    assert ports.call("GET", DOOR).document["colour"] == {"deep": ["red"]}  # type: ignore[index,call-overload]
    ports.call("PATCH", DOOR, {"title": "y"})
    assert ports.call("GET", DOOR).document["colour"] == {"deep": ["red"]}  # type: ignore[index,call-overload]


def test_a_service_that_filters_drops_them_and_names_them(ports: Yard) -> None:
    _say(ports, "filter")
    made = ports.call("POST", "projects/p/secrets", {"title": "x", "colour": "red", 'é"\r\n': 1}, id="door")
    assert "colour" not in made.document  # type: ignore[operator]
    assert made.headers["Warning"] == (
        '299 - "Ignored, because this version does not know them: colour, ????"'
    )
    plain = ports.call("PUT", DOOR, {"title": "y"})
    assert "Warning" not in plain.headers
    changed = {"update": {"name": DOOR, "resource": {"title": "z", "size": 1}}}
    batch = ports.call("POST", ":batchWrite", {"requests": [changed]})
    assert batch.headers["Warning"].endswith('not know them: requests[0]: size"')


def test_a_write_of_which_nothing_is_known_is_refused(ports: Yard) -> None:
    _say(ports, "filter")
    with pytest.raises(Invalid) as created:
        ports.call("POST", "projects/p/secrets", {"colour": "red", "size": 1}, id="door")
    assert [(each.path, each.message) for each in created.value.violations] == [
        ("colour", "is not known"),
        ("size", "is not known"),
    ]
    ports.call("POST", "projects/p/secrets", {"title": "x"}, id="door")
    with pytest.raises(Invalid):
        ports.call("PUT", DOOR, {"colour": "red"})
    assert ports.call("GET", DOOR).document["title"] == "x"  # type: ignore[index,call-overload]


def test_a_new_service_that_says_nothing_is_strict_and_stays_so(ports: Yard) -> None:
    for further in (b"", b"\n# applied again\n"):
        files = files_of(EXAMPLES / "secrets")
        files["service.yaml"] += further
        apply_service(SYSTEM, files)
        ports.servers.directory.forget(REGION, SERVICE)
        with pytest.raises(Invalid) as refused:
            ports.call("POST", "projects/p/secrets", {"title": "x", "colour": "red"}, id="door")
        assert [each.path for each in refused.value.violations] == ["colour"]


def test_a_service_that_was_there_before_goes_on_dropping_them_with_a_warning(ports: Yard) -> None:
    Service.objects.filter(pk=SERVICE).update(unknown_keys="")
    files = files_of(EXAMPLES / "secrets")
    files["service.yaml"] += b"\n# applied again\n"
    apply_service(SYSTEM, files)
    ports.servers.directory.forget(REGION, SERVICE)
    made = ports.call("POST", "projects/p/secrets", {"title": "x", "colour": "red"}, id="door")
    assert made.headers["Warning"].endswith('not know them: colour"')


_SERVICE = b"service: plain.example.com\nversions: [{version: v1, ordinal: 1, sources: [{kind: ir, path: v1.yaml}]}]\n"
_SCHEMA = "schema:\n  types:\n    A: TYPE\n  resources: {A: {patterns: ['as/{a}']}}\n"


@pytest.mark.parametrize(
    ("type_", "expected"),
    [("{fields: {name: string}}", "strict"), ("{unknown: pass, fields: {name: string}}", "")],
)
def test_what_a_source_says_of_unknown_keys_counts(db: None, type_: str, expected: str) -> None:
    apply_service(SYSTEM, {"service.yaml": _SERVICE, "v1.yaml": _SCHEMA.replace("TYPE", type_).encode()})
    assert Service.objects.get(pk="plain.example.com").unknown_keys == expected
