"""Bad input: whatever is sent to the resource API of an example, the answer is one that its description allows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import requests
import schemathesis
from django.conf import settings as django_settings
from hypothesis import HealthCheck, given, settings

from console.cli.sample_data import SampleData
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.folder import read_folder
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.directory import Served
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.store import Layout, Namespace
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.openapi import openapi
from migrations_app.resource_api.requests import ResourceApi
from migrations_app.web.problems import problem_of, translate

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/service.yaml"))
TRIES = int(os.environ.get("SWITCHYARD_FUZZ_EXAMPLES", "3"))
ALL_VERSIONS = "SWITCHYARD_FUZZ_EXAMPLES" in os.environ


class OneDeployment:
    """A directory of one deployment."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def served(self, region: str, service: str) -> Served:
        """Give it."""
        return self._served

    def forget(self, region: str, service: str) -> None:
        """Know no better."""


@pytest.fixture
def databases() -> Iterator[Databases]:
    """Connections to the data databases."""
    made = Databases(django_settings.SWITCHYARD.data_url, patience_seconds=5)
    yield made
    made.close()


def _api(databases: Databases, alias: str, folder: str, version: str) -> tuple[ResourceApi, JsonObject]:
    found = read_folder(EXAMPLES / folder)
    schema = found.schemas[version]
    # One version alone needs no edges, and so none of their hooks.
    compiled = CompiledService(found, {})
    deployment = f"services/{schema.service}/deployments/here"
    home = Namespace(deployment, version, alias, f"fuzz_{version}")
    store, fence = PostgresStore(databases), PostgresFence(databases)
    store.prepare(home, [Layout(short) for short in schema.resources])
    fence.open_first(FenceLocation.of(home), version)
    directory = OneDeployment(Served(deployment, schema.service, "here", version, compiled, {version: home}))
    servers = ResourceServers(directory, Router(directory, store, fence), PostgresFeed(databases))
    return ResourceApi(servers), openapi(schema, "here")


def _answer(api: ResourceApi, sent: requests.PreparedRequest) -> tuple[int, Any]:
    """Answer as the application does, without its threads."""
    path, _, query = str(sent.path_url).partition("?")
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body or b""
    headers = {key.lower(): str(value) for key, value in sent.headers.items()}
    request = ResourceRequest(str(sent.method), path, query, headers, body)
    try:
        watched = api.watcher(request, SYSTEM)
        if watched is not None:
            return 200, json.decode(json.encode(watched.watch.step() or {}))
        found = api.answer(request, SYSTEM)
    except Exception as error:
        problem = problem_of(translate(error), instance=path)
        if problem.status >= 500:
            raise
        return problem.status, problem.body
    return found.status, json.decode(json.encode(found.document))


def _count(api: ResourceApi, base: str, sample: str) -> None:
    """See that what is stored can be read at all."""
    assert _answer(api, requests.Request("GET", f"http://test{base}/{sample}").prepare())[0] in (200, 404)


def _versions() -> list[tuple[str, str]]:
    found = []
    for folder in FOLDERS:
        versions = list(read_folder(EXAMPLES / folder).schemas)
        found += [(folder, version) for version in (versions if ALL_VERSIONS else versions[-1:])]
    return found


@pytest.mark.parametrize(("folder", "version"), _versions())
def test_no_input_breaks_the_resources_of_an_example(
    databases: Databases, data_database: str, folder: str, version: str
) -> None:
    api, document = _api(databases, data_database, folder, version)
    base = document["servers"][0]["url"]  # type: ignore[index,call-overload]
    for sample in SampleData(read_folder(EXAMPLES / folder).schemas[version], 5).samples(10):
        body = json.encode(sample.document)
        url = f"http://test{base}/{sample.name}?allowMissing=true"
        status, answer = _answer(api, requests.Request("PUT", url, data=body).prepare())
        assert status in (200, 409), answer
        _count(api, str(base), sample.name)
    schema = schemathesis.openapi.from_dict(dict(document))
    asked = 0
    for each in schema.get_all_operations():
        operation = each.ok()

        @settings(max_examples=TRIES, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
        @given(case=operation.as_strategy())
        def attempt(case: schemathesis.Case) -> None:
            kwargs = case.as_transport_kwargs(base_url=f"http://test{base}")
            kwargs.pop("cookies", None)
            status, answer = _answer(api, requests.Request(**kwargs).prepare())
            assert isinstance(answer, dict)
            if status >= 400:
                assert answer["code"]
                assert answer["detail"]
                return
            told = document["paths"][case.path][case.method.lower()]["responses"]  # type: ignore[index,call-overload]
            (form,) = [*told[str(status)].get("content", {}).values()][:1] or [{}]  # type: ignore[index,union-attr,call-overload]
            shape = form.get("schema")
            if shape and not (case.query or {}).keys() & {"fieldMask", "view"}:
                whole = {**shape, "components": document["components"]}
                jsonschema_rs.validator_for(whole).validate(answer)

        attempt()
        asked += 1
    assert asked >= 7
