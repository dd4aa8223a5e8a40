"""Bad input is refused with its code, the place, and what mends it; nothing is written."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from tests.unit.serving.served_secrets import Secrets

SECRETS = "projects/p/secrets"
DOOR = f"{SECRETS}/door"
BODY: JsonObject = {"title": "Door"}
DEEP = b'{"labels":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def one(verb: str, **given: Json) -> Json:
    """A batch whose second write is this one."""
    return {"requests": [{"create": {"name": f"{SECRETS}/first", "resource": BODY}}, {verb: given}]}


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "place"),
    [
        ("PUT", "projects/-/secrets/door", BODY, "name", "name"),
        ("PATCH", "projects/-/secrets/door", BODY, "name", "name"),
        ("DELETE", "projects/-/secrets/door", None, "name", "name"),
        ("PUT", f"{SECRETS}/-", BODY, "name", "name"),
        ("POST", "projects/-/secrets", BODY, "name", "parent"),
        ("POST", SECRETS, {**BODY, "name": f"{SECRETS}/-"}, "name", "name"),
        (
            "POST",
            ":batchWrite",
            one("delete", name="projects/-/secrets/door"),
            "name",
            "requests[1].delete.name",
        ),
        (
            "POST",
            ":batchWrite",
            one("create", name="nowhere", resource=BODY),
            "name",
            "requests[1].create.name",
        ),
        (
            "POST",
            ":batchWrite",
            one("update", name=SECRETS, resource=BODY),
            "name",
            "requests[1].update.name",
        ),
        ("PUT", f"{SECRETS}/x", BODY, "name", "name"),
        ("PUT", f"{SECRETS}/e%CC%81tude", BODY, "name", "name"),
        ("PUT", f"{SECRETS}/%E2%80%AEdoor", BODY, "name", "name"),
        ("PUT", f"{SECRETS}/{'x' * 2000}", BODY, "name", "name"),
        ("PUT", f"{SECRETS}/%FFdoor", BODY, "address", None),
        ("PUT", DOOR, {**BODY, "name": f"{SECRETS}/gate"}, "name", None),
        ("PUT", DOOR, {"title": 7}, "document", "title"),
        ("PUT", DOOR, {"labels": {"team": 7}}, "document", 'labels{"team"}'),
        ("PUT", DOOR, {"labels": {"a": {"b": {"c": 1}}}}, "document", 'labels{"a"}'),
        ("PUT", DOOR, {"rotation": "SOMETIMES"}, "document", "rotation"),
        ("PUT", DOOR, {"rotationPeriod": "an hour"}, "document", "rotationPeriod"),
        ("PUT", DOOR, [], "document", ""),
        ("PUT", DOOR, b'{"title": "a", "title": "b"}', "json-duplicate-key", "title"),
        ("PUT", DOOR, b'{"labels": {"k": "1", "k": "2"}}', "json-duplicate-key", "k"),
        ("PUT", DOOR, b'{"title": "' + b"x" * (4 << 20) + b'"}', "body-too-large", None),
        ("PUT", DOOR, DEEP, "json-syntax", None),
        ("PUT", DOOR, b'{"title": "\\u0000"}', "text-nul", None),
        ("PUT", DOOR, b'{"title": "\\ud800"}', "json-syntax", None),
        ("PUT", DOOR, b'{"title": "\xff"}', "json-syntax", None),
        ("PUT", DOOR, b'{"title": NaN}', "json-syntax", None),
    ],
)
def test_what_cannot_be_written_is_refused_with_its_place(
    method: str, path: str, body: Json | bytes, code: str, place: str | None
) -> None:
    secrets = Secrets()
    secrets.call("POST", SECRETS, BODY, id="door")
    before = secrets.stored()
    query = {"allowMissing": "true"} if method == "PUT" else {}
    with pytest.raises(SwitchyardError) as refused:
        secrets.call(method, path, body, None, **query)

    assert refused.value.code == code
    assert [each.path for each in refused.value.violations] == ([] if place is None else [place])
    assert refused.value.remedy or place not in ("name", "parent")
    assert secrets.stored() == before == [f"{DOOR}@1"]


def test_an_id_that_is_not_allowed_says_how_ids_are_written() -> None:
    with pytest.raises(SwitchyardError) as refused:
        Secrets().call("PUT", f"{SECRETS}/x", BODY, allowMissing="true")
    assert "has 'x' for {secret}, which is written " in refused.value.message
    assert refused.value.remedy == "Name one resource: projects/{project}/secrets/{secret}."


@pytest.mark.parametrize(("method", "body"), [("PUT", BODY), ("PATCH", BODY), ("DELETE", None)])
def test_a_stale_etag_writes_nothing_and_tells_what_is_there(method: str, body: Json) -> None:
    secrets = Secrets()
    secrets.call("POST", SECRETS, BODY, id="door")
    for sent, code in (('"9"', "revision-conflict"), ('W/"9"', "revision-conflict"), ("nine", "etag")):
        with pytest.raises(SwitchyardError) as refused:
            secrets.call(method, DOOR, body, {"if-match": sent})
        assert refused.value.code == code
    assert secrets.stored() == [f"{DOOR}@1"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"filter": "title = 1; DROP TABLE x"}, "filter-syntax"),
        ({"orderBy": "title; DROP TABLE x"}, "filter-syntax"),
        ({"filter": "x' OR 1=1 --"}, "filter-syntax"),
        ({"filter": 'nothing = "x"'}, "filter-path"),
        ({"fieldMask": "nothing; DROP"}, "mask"),
        ({"pageToken": "'; DROP TABLE x"}, "page-token"),
        ({"pageSize": "1; DROP"}, "query"),
    ],
)
def test_sql_in_a_question_is_no_question(query: dict[str, str], code: str) -> None:
    with pytest.raises(SwitchyardError) as refused:
        Secrets().call("GET", SECRETS, None, None, **query)
    assert refused.value.code == code
