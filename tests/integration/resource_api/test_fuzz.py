"""Bad input: whatever is sent to the resource API of an example, the answer is one that its description allows.

Every version of every example is served by the application of the web process, and asked by its own OpenAPI document: with
generated valid and invalid input, and with what no generator makes. SWITCHYARD_FUZZ_EXAMPLES=50 tries more of each.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import requests
import schemathesis
from django.conf import settings as django_settings
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from console.cli.sample_data import SampleData
from migrations_app import wiring
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel import json
from migrations_app.resource_api.app import by_prefix
from tests.factories.access import make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.asgi import Received, Sent, exchange
from tests.integration.resource_api.conftest import files_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # Threads of the application draw random numbers too, while an input is made; what fails is replayed all the same.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
]
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/service.yaml"))
TRIES = int(os.environ.get("SWITCHYARD_FUZZ_EXAMPLES", "2"))
ALL_VERSIONS = "SWITCHYARD_FUZZ_EXAMPLES" in os.environ
REGION = "eu-west1"
PARTIAL = {"fieldMask", "field_mask", "view"}


@dataclass(slots=True)
class Served:
    """One version of a deployment, and what it says of itself."""

    ask: Callable[[Sent], Received]
    token: str
    base: str = ""
    document: Any = None

    def request(self, prepared: requests.PreparedRequest) -> Sent:
        """Take a request as a generator made it."""
        path, _, query = str(prepared.path_url).partition("?")
        body = (
            prepared.body.encode("utf-8", "surrogatepass")
            if isinstance(prepared.body, str)
            else prepared.body
        )
        headers = {
            key: str(value) for key, value in prepared.headers.items() if key.lower() != "content-length"
        }
        return Sent(str(prepared.method), path, query, headers, body or b"")

    def send(self, sent: Sent) -> Received:
        """Send a request as an operator."""
        return self.ask(replace(sent, headers={**sent.headers, "authorization": f"Bearer {self.token}"}))

    def check(self, sent: Sent, template: str = "", method: str = "") -> Received:
        """Send a request; its answer is no error of ours, and as the description has it."""
        answer = self.send(sent)
        said = (sent, answer)
        # A method without code to answer it is said to be one; everything else beyond 499 is an error of ours.
        assert answer.status < 500 or answer.document.get("code") == "method-not-served", said
        assert answer.headers["x-request-id"], said
        if answer.status >= 400:
            assert answer.kind == "application/problem+json", said
            if sent.method != "HEAD":
                problem = answer.document
                assert problem["code"], said
                assert problem["detail"], said
                assert problem["request_id"] == answer.headers["x-request-id"], said
        elif template:
            self._is_described(answer, template, method, sent.query)
        return answer

    def _is_described(self, answer: Received, template: str, method: str, query: str) -> None:
        described = self.document["paths"][template][method]["responses"]
        assert str(answer.status) in described, (template, method, answer)
        content = described[str(answer.status)].get("content", {})
        if content:
            assert answer.kind in content, (template, method, answer)
        form = content.get(answer.kind, {}).get("schema")
        asked = {each.partition("=")[0] for each in query.split("&")}
        if form and not asked & PARTIAL and answer.body:
            whole = {**form, "components": self.document["components"]}
            errors = [
                each.message for each in jsonschema_rs.validator_for(whole).iter_errors(answer.document)
            ]
            assert errors == [], (template, method, answer)


@pytest.fixture
def application(transactional_db: None, data_database: str) -> Iterator[Served]:
    """The application, and the token of an account that may do everything with resources."""
    wiring.resource_servers.cache_clear()
    app = by_prefix(None)
    make_account("olga", "operator", "admin")
    with asyncio.Runner() as runner:
        yield Served(lambda sent: runner.run(exchange(app, sent)), token_of("olga"))
    end_notes()
    wiring.resource_servers.cache_clear()
    wiring.databases().close(data_database)


def serve(folder: str, version: str, database: str) -> str:
    """Serve an example in a version, and name the service."""
    definition = read_folder(EXAMPLES / folder)
    apply_region(SYSTEM, REGION)
    for imported in IMPORTED.get(folder, ()):
        serve(imported, [*read_folder(EXAMPLES / imported).schemas][-1], database)
    apply_service(SYSTEM, {_renamed(path): _renamed(content) for path, content in _files(folder)})
    service = definition.schemas[version].service
    name = f"services/{service}/deployments/{REGION}"
    apply_deployment(SYSTEM, name, {"currentVersion": _renamed(version)}, database=database)
    return service


def _files(folder: str) -> list[tuple[str, bytes]]:
    return [*files_of(EXAMPLES / folder).items()]


def _renamed(text: Any) -> Any:
    """Write the names of versions as the registry knows them."""
    for before, after in VERSIONS.items():
        text = (
            text.replace(before.encode(), after.encode())
            if isinstance(text, bytes)
            else text.replace(before, after)
        )
    return text


VERSIONS = {
    "v20140601preview": "v5beta1",
    "v20140101": "v4",
    "v20130101": "v3",
    "v20120101": "v2",
    "v20110101": "v1",
}
"""What versions are called here that the registry has no names for: those of the example of another project."""
EXTENSIONS = {"person": "examples.person.hooks", "cloud-tasks": "examples.cloud-tasks.methods"}
"""The code that an example comes with."""
IMPORTED = {"cloud-tasks": ("cloud-kms",)}
"""The examples that an example imports."""


def wrong_requests(served: Served, sent: Sent, method: str, token: str) -> Iterator[tuple[Sent, set[int]]]:
    """Make of a request what no generator makes, each with the statuses that may come of it."""
    refused = {400, 401, 403, 404, 405, 409, 410, 412, 415, 501}
    for other in ("OPTIONS", "HEAD", "TRACE", "PATCH", "PURGE"):
        if other.lower() != method:
            yield replace(sent, method=other, body=b""), {*refused, 200}
    yield replace(sent, path=f"{sent.path}/"), {*refused, 200, 201}
    yield replace(sent, path=f"{sent.path}//%00%ff%ed%a0%80"), refused
    if method in ("post", "put", "patch"):
        for kind in (
            "text/plain",
            "application/xml",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
        ):
            yield replace(sent, headers={**sent.headers, "content-type": kind}, body=b"a=1"), {415}
        typed = {**sent.headers, "content-type": "application/json"}
        for body in (
            b'{"x":"\\ud800"}',
            b'{"\\udfff":1}',
            b"\xed\xa0\x80",
            b"[" * 9000,
            b"{",
            b"null",
            b'"x"',
        ):
            yield replace(sent, headers=typed, body=body), refused
    for tag in ('"99999"', 'W/"1"', "x", '"\xe9"', '""', '"1","2"'):
        yield replace(sent, headers={**sent.headers, "if-match": tag}), {*refused, 200, 428}
    for more in (
        f"pageToken={token}",
        "pageToken=%ff",
        "pageSize=-1",
        "filter=%ed%a0%80",
        "bogus=1",
        "dryRun=perhaps",
    ):
        query = "&".join(filter(None, (sent.query, more)))
        yield replace(sent, query=query), {*refused, 200} if "pageToken" in more else refused


def _versions() -> list[tuple[str, str]]:
    found = []
    for folder in FOLDERS:
        versions = list(read_folder(EXAMPLES / folder).schemas)
        found += [(folder, version) for version in (versions if ALL_VERSIONS else versions[-1:])]
    return found


def fill(served: Served, folder: str, version: str) -> None:
    """Write some resources, and see that they can be read."""
    for sample in SampleData(read_folder(EXAMPLES / folder).schemas[version], 5).samples(10):
        typed = {"content-type": "application/json"}
        path = f"{served.base}/{sample.name}"
        written = served.send(Sent("PUT", path, "allowMissing=true", typed, json.encode(sample.document)))
        assert written.status in (200, 201, 409), written
        assert served.send(Sent("GET", path)).status in (200, 404)


def foreign_token(served: Served, templates: list[str]) -> str:
    """Find the token of a second page, of any list that has one."""
    for template in templates:
        answer = served.send(Sent("GET", f"{served.base}{template}".replace("{parent}", "-"), "pageSize=1"))
        token = answer.document.get("nextPageToken") if answer.status == 200 else ""
        if token:
            return str(token)
    return "AAAA"


@pytest.mark.parametrize(("folder", "version"), _versions())
def test_no_input_breaks_the_resources_of_an_example(
    application: Served, data_database: str, folder: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    extensions = (EXTENSIONS[folder],) if folder in EXTENSIONS else ()
    monkeypatch.setattr(
        django_settings, "SWITCHYARD", replace(django_settings.SWITCHYARD, extensions=extensions)
    )
    served = application
    service = serve(folder, version, data_database)
    served.base = f"/apis/{REGION}/{service}/{_renamed(version)}"
    described = served.send(Sent("GET", f"{served.base}/openapi.json"))
    assert described.status == 200, described
    served.document = described.document
    fill(served, folder, version)
    operations = [each.ok() for each in schemathesis.openapi.from_dict(served.document).get_all_operations()]
    token = foreign_token(served, [each.path for each in operations if each.method == "get"])
    asked = 0
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            asked += attempts(served, operation, mode, token)
    assert asked >= 7 * TRIES


def attempts(served: Served, operation: Any, mode: GenerationMode, token: str) -> int:
    """Ask an operation with generated input, and once with what no generator makes; tell how often."""
    count, wrong = 0, mode is GenerationMode.POSITIVE

    @settings(max_examples=TRIES, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
    @given(case=operation.as_strategy(generation_mode=mode))
    def attempt(case: Any) -> None:
        nonlocal count, wrong
        kwargs = case.as_transport_kwargs(base_url=f"http://test{served.base}")
        kwargs.pop("cookies", None)
        try:
            sent = served.request(requests.Request(**kwargs).prepare())
        except (requests.RequestException, UnicodeError, ValueError):
            # An HTTP client refuses to send it.
            return
        count += 1
        served.check(sent, operation.path, operation.method)
        if wrong:
            wrong = False
            for request, allowed in wrong_requests(served, sent, operation.method, token):
                answer = served.check(request)
                assert answer.status in allowed, (request, answer)

    # An operation without input has no wrong input.
    with suppress(Unsatisfiable):
        attempt()
    return count
