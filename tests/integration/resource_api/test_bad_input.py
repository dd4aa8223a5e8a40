"""Bad input in the active and in the translated version: a clear error with its place, and nothing written."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest

from migrations_app.kernel import json
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.resource_api.bodies import MOST_BYTES
from migrations_app.resource_api.exchange import ResourceRequest
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

DEEP = b'{"labels":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_000 + b"}"


def cases(parent: str, title: str) -> list[tuple[str, str, dict[str, str], bytes, dict[str, str], str, str]]:
    """Give method, path, query, body and headers of each, and the code and first path of its error."""

    def _title(value: str) -> bytes:
        return f'{{"{title}": {value}}}'.encode()

    secrets, door = f"{parent}/secrets", f"{parent}/secrets/door"
    wild = f"{secrets}/-"
    batch = json.encode({"requests": [{"delete": {"name": wild}}]})
    second: Json = {"create": {"resource": {"name": f"{secrets}/other", title: 7}}}
    whole = json.encode({"requests": [{"create": {"resource": {"name": f"{secrets}/one"}}}, second]})
    return [
        ("POST", secrets, {"id": "aa"}, b" " * (MOST_BYTES + 1), {}, "body-too-large", ""),
        ("POST", secrets, {"id": "aa"}, DEEP, {}, "json-syntax", ""),
        ("POST", secrets, {"id": "aa"}, _title("7"), {}, "document", title),
        ("POST", secrets, {"id": "aa"}, _title('"a"')[:-1] + b"," + _title('"b"')[1:], {}, "json-duplicate-key", title),
        ("POST", secrets, {"id": "aa"}, _title('"a\\u0000"'), {}, "text-nul", ""),
        ("POST", secrets, {"id": "aa"}, _title('"\\ud800"'), {}, "json-syntax", ""),
        ("POST", secrets, {"id": "aa"}, _title("NaN"), {}, "json-syntax", ""),
        ("POST", secrets, {"id": "aa"}, b"[]", {}, "document", ""),
        ("POST", secrets, {"id": "tür"}, b"{}", {}, "name", "name"),
        ("POST", secrets, {"id": "a" * 5000}, b"{}", {}, "name", "name"),
        ("PUT", f"{secrets}/‮abc", {"allowMissing": "true"}, b"{}", {}, "name", "name"),
        ("GET", secrets, {"filter": "1=1; DROP TABLE x"}, b"", {}, "filter-syntax", ""),
        ("GET", secrets, {"filter": "\"'; DROP\" = 1"}, b"", {}, "filter-path", ""),
        ("GET", secrets, {"orderBy": "name; DROP TABLE x"}, b"", {}, "filter-syntax", ""),
        ("GET", secrets, {"filter": "(" * 3000 + "x = 1" + ")" * 3000}, b"", {}, "filter-syntax", ""),
        ("POST", secrets.replace("projects/p", "projects/-"), {}, b"{}", {}, "name", "parent"),
        ("PUT", wild, {"allowMissing": "true"}, b"{}", {}, "name", "name"),
        ("PATCH", wild, {}, b"{}", {}, "name", "name"),
        ("DELETE", wild, {}, b"", {}, "name", "name"),
        ("POST", ":batchWrite", {}, batch, {}, "name", "requests[0].delete.name"),
        ("POST", ":batchWrite", {}, whole, {}, "document", f"requests[1].create.resource.{title}"),
        ("PUT", door, {}, _title('"new"'), {"if-match": '"99"'}, "revision-conflict", ""),
        ("DELETE", door, {}, b"", {"if-match": '"99"'}, "revision-conflict", ""),
        ("DELETE", door, {}, b"", {"if-match": "seven"}, "etag", ""),
        ("PUT", door, {"updateMask": "no.such"}, _title('"new"'), {}, "mask", ""),
    ]  # fmt: skip


def test_each_is_refused_with_its_place_in_both_versions_and_nothing_is_written(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", {"title": "Door"}, id="door")
    ports.switch()
    for version, parent, title in (
        ("v1", f"projects/p/regions/{REGION}", "displayName"),
        ("v1alpha2", "projects/p", "title"),
    ):
        before = ports.call("GET", f"{parent}/secrets", version=version).document
        for method, path, query, body, headers, code, place in cases(parent, title):
            address = quote(f"/apis/{REGION}/{SERVICE}/{version}/{path}", safe="/:")
            request = ResourceRequest(method, address, urlencode(query), headers, body)
            with pytest.raises(SwitchyardError) as refused:
                ports.api.answer(request, ports.actor)
            said = (version, method, path, query, body[:60])
            assert refused.value.code == code, said
            assert not place or place in [each.path for each in refused.value.violations], said
        after = ports.call("GET", f"{parent}/secrets", version=version).document
        assert after == before


@pytest.mark.parametrize("verb", ["batchGet", "search", "purge"])
def test_the_description_of_a_version_has_no_methods(ports: Yard, verb: str) -> None:
    assert ports.call("GET", "openapi.json").status == 200
    with pytest.raises(SwitchyardError) as refused:
        ports.call("GET", f"openapi.json:{verb}")
    assert refused.value.code == "address"
