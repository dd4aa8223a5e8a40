"""Methods that write are called where their resource is owned, whichever region is asked."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from migrations_app import wiring
from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.methods.threads import HandlerThreads
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.engine.methods.server import MethodServer
from migrations_app.kernel import json
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.forwarding import Forwarding
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.constraints.conftest import EU, FLEET, IAM, US, Fleet, fleet
from tests.integration.resource_api.conftest import files_of

__all__ = ["fleet"]
USER = "users/u"
METHOD = b"""
  methods:
    RenameUser: {response: User, verb: rename, resource: User}
"""


@dataclass
class Regions:
    """The API of both regions in one process, and the regions whose handler was called."""

    api: ResourceApi
    called: list[str]

    def call(self, region: str, method: str, path: str, body: Json) -> Response:
        """Make one request."""
        at = f"/apis/{region}/{IAM}/v1/{path}"
        return self.api.answer(ResourceRequest(method, at, "", {}, json.encode(body)), SYSTEM)


@pytest.fixture
def regions(fleet: Fleet) -> Regions:
    """A user, which EU owns by the service's policy; US has no copy of it."""
    files = files_of(FLEET / "iam")
    apply_service(SYSTEM, {**files, "v1.yaml": files["v1.yaml"].rstrip() + METHOD})
    for region in (EU, US):
        wiring.directory().forget(region, IAM)
    called: list[str] = []
    service = ServiceMethods(IAM, "v1")

    @service.method("RenameUser")
    def _rename(call: Call) -> JsonObject:
        called.append(call.region)
        return call.update("User", call.name, lambda _: {"fullName": call.request["to"]})

    servers = wiring.resource_servers()
    methods = MethodServer(servers, RegisteredHandlers.of([service]), HandlerThreads())
    forwarding = Forwarding(lambda _: True, wiring.http_peers(), 5.0)
    made = Regions(ResourceApi(servers, forwarding=forwarding, methods=methods), called)
    made.call(EU, "POST", "users", {"name": USER, "email": "u@x"})
    return made


def test_a_call_is_handed_on_to_the_region_that_owns_the_resource(regions: Regions, fleet: Fleet) -> None:
    renamed = regions.call(US, "POST", f"{USER}:rename", {"to": "Ada"})
    again = regions.call(EU, "POST", f"{USER}:rename", {"to": "Bea"})

    assert (renamed.status, renamed.headers["Switchyard-Region"], regions.called) == (200, EU, [EU, EU])
    assert "Switchyard-Region" not in again.headers
    assert isinstance(renamed.document, dict)
    assert (renamed.document["name"], renamed.document["fullName"]) == (USER, "Ada")
    assert fleet.find(IAM, US, "User", USER) is None


def test_what_no_region_has_is_missing(regions: Regions) -> None:
    with pytest.raises(Missing) as missing:
        regions.call(US, "POST", "users/nobody:rename", {"to": "Ada"})
    assert (missing.value.code, regions.called) == ("not-found", [])
