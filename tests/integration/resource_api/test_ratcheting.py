"""What was valid when it was stored: kept through a switch to a version that is stricter, and never in the way."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Invalid
from tests.integration.resource_api.conftest import EXAMPLES, REGION, SERVICE, Yard, files_of

NEW = f"projects/p/regions/{REGION}/secrets/door"
LOOSE = b"display_name: string"
STRICT = b'display_name: {type: string, constraints: {pattern: "^[A-Z][a-z]+$"}}'


def test_a_value_that_the_new_version_would_refuse_stays_until_it_is_changed(ports: Yard) -> None:
    files = files_of(EXAMPLES / "secrets")
    assert LOOSE in files["v1.yaml"]
    apply_service(SYSTEM, {**files, "v1.yaml": files["v1.yaml"].replace(LOOSE, STRICT)})
    ports.servers.directory.forget(REGION, SERVICE)
    ports.call("POST", "projects/p/secrets", {"title": "door-1", "owner": "ada"}, id="door")
    ports.switch()

    patched = ports.call("PATCH", NEW, {"owners": ["ada", "bob"]}, version="v1").document
    assert isinstance(patched, dict)
    whole = ports.call("PUT", NEW, {**patched, "owners": ["bob"]}, version="v1").document
    assert isinstance(whole, dict)
    assert (whole["displayName"], whole["owners"]) == ("door-1", ["bob"])

    with pytest.raises(Invalid) as refused:
        ports.call("PATCH", NEW, {"displayName": "door-2"}, version="v1")
    assert [each.path for each in refused.value.violations] == ["displayName"]
    kept = ports.call("GET", NEW, version="v1").document
    assert isinstance(kept, dict)
    assert kept["metadata"] == whole["metadata"]

    ports.call("PATCH", NEW, {"displayName": "Gate"}, version="v1")
    with pytest.raises(Invalid):
        ports.call("PATCH", NEW, {"displayName": "door-1"}, version="v1")
