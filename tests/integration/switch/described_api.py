"""curl, which knows nothing but the OpenAPI document that a console serves: addresses, parameters, bodies, answers."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import yaml
from jsonschema_rs import Draft202012Validator


@dataclass(frozen=True, slots=True)
class Curled:
    """An answer that is as the document says."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def tag(self) -> str:
        """Give the ETag."""
        return self.headers.get("etag", "")


class DescribedApi:
    """Calls operations by their ids; what the document does not say is not sent, and not accepted as an answer."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        served = self._curl("GET", "/api/v1/schema", {"Accept": "application/vnd.oai.openapi"})
        self._document = yaml.load(served.body, yaml.CSafeLoader)
        self._operations = {
            operation["operationId"]: (path, method.upper(), operation)
            for path, item in self._document["paths"].items()
            for method, operation in item.items()
            if isinstance(operation, dict) and "operationId" in operation
        }

    def call(
        self,
        operation: str,
        body: Any = None,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        tag: str = "",
        may_refuse: tuple[int, ...] = (),
    ) -> Curled:
        """Call an operation; refusals other than those that are expected fail the test."""
        template, method, described = self._operations[operation]
        names = {self._resolved(each)["name"] for each in described.get("parameters", ())}
        assert {*(path or {}), *(query or {})} <= names, operation
        headers = {}
        if tag:
            assert "If-Match" in names, operation
            headers["If-Match"] = tag
        if "Idempotency-Key" in names and "dry_run" not in (query or {}):
            headers["Idempotency-Key"] = str(uuid4())
        if body is not None:
            schema = described["requestBody"]["content"]["application/json"]["schema"]
            assert self._errors(schema, body) == [], operation
        address = template.format_map({name: quote(value, safe="") for name, value in (path or {}).items()})
        answer = self._curl(method, address + (f"?{urlencode(query)}" if query else ""), headers, body)
        assert answer.status < 400 or answer.status in may_refuse, (operation, answer)
        form = self._resolved(described["responses"][str(answer.status)])["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        assert self._errors(form[kind]["schema"], answer.body) == [], operation
        return answer

    def wait(self, begun: Curled, seconds: float = 240.0) -> None:
        """Follow the operation that an answer names until it is done, as often as Retry-After says."""
        named = begun.headers["location"].rpartition("/")[2]
        ends = time.monotonic() + seconds
        while True:
            seen = self.call("operation", path={"id": named}, query={"wait": "20s"})
            if seen.body["state"] == "done":
                return
            assert seen.body["state"] == "running", seen.body
            assert time.monotonic() < ends, seen.body
            time.sleep(float(seen.headers["retry-after"]))

    def _resolved(self, described: Any) -> Any:
        while "$ref" in described:
            name = described["$ref"]
            described = self._document
            for part in name.removeprefix("#/").split("/"):
                described = described[part]
        return described

    def _errors(self, schema: Any, value: Any) -> list[str]:
        whole = {**schema, "components": self._document["components"]}
        return [error.message for error in Draft202012Validator(whole).iter_errors(value)]

    def _curl(self, method: str, address: str, headers: Mapping[str, str], body: Any = None) -> Curled:
        command = ["curl", "-sS", "-i", "-X", method, "--max-time", "60", self._url + address]
        sent = {"Authorization": f"Bearer {self._token}", **headers}
        if body is not None:
            sent["Content-Type"] = "application/json"
            command += ["--data-binary", "@-"]
        for name, value in sent.items():
            command += ["-H", f"{name}: {value}"]
        done = subprocess.run(
            command, input=json.dumps(body).encode(), capture_output=True, check=True, timeout=90
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        named = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        read = json.loads(content) if "json" in named.get("content-type", "") else content.decode()
        return Curled(int(first.split()[1]), named, read)
