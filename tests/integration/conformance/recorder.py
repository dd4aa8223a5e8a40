"""Requests to the API, with what was answered and in what the answers differ from their declaration."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from django.db import transaction
from rest_framework.test import APIClient

from tests.integration.conformance.openapi import PROBLEM, body_of, deviations, request_schema, takes_tag

INVALID: tuple[Any, ...] = ({"nonsense": 1}, [1])
"""No operation knows the field, and none reads a list."""


class Recorder:
    """Sends requests for one client and notes each answer under its operation."""

    def __init__(self, client: APIClient) -> None:
        self.client = client
        self.statuses: dict[str, list[int]] = defaultdict(list)
        self.deviations: dict[str, set[str]] = defaultdict(set)
        self.empty: set[str] = set()

    def send(
        self,
        operation: str,
        body: Any = None,
        *,
        query: str = "",
        url: str = "",
        tag: str = "*",
        **parts: object,
    ) -> Any:
        """Send a request; give the decoded answer, or None where it is no JSON."""
        method, path = operation.split(" ")
        cache.clear()
        raw = (
            {"data": "{", "content_type": "application/json"}
            if body is MALFORMED
            else {"data": body, "format": "json"}
        )
        response = getattr(self.client, method.lower())(
            (url or path.format(**parts)) + query,
            headers={"If-Match": tag} if takes_tag(operation) else {},
            **raw,
        )
        status, content = int(response.status_code), body_of(response)
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        self.statuses[operation].append(status)
        self.deviations[operation].update(deviations(operation, status, kind, content))
        answer = json.loads(content) if kind.endswith(("/json", "+json")) else None
        if method == "GET" and isinstance(answer, dict) and answer.get("items") == []:
            self.empty.add(operation)
        if status >= 400 and kind != PROBLEM:
            self.deviations[operation].add(f"{status} is {kind!r}, not {PROBLEM}")
        return answer

    def send_invalid(self, operation: str, *, url: str = "", **parts: object) -> list[int]:
        """Send bodies that the operation must refuse, each taken back; give their statuses."""
        if request_schema(operation) is None:
            return []
        before = len(self.statuses[operation])
        for body in (*INVALID, MALFORMED):
            with transaction.atomic():
                self.send(operation, body, url=url, **parts)
                transaction.set_rollback(True)
        sent = self.statuses[operation][before:]
        del self.statuses[operation][before:]
        return sent

    def differing(self) -> Mapping[str, list[str]]:
        """List the operations whose answers differ from their declaration."""
        return {operation: sorted(each) for operation, each in self.deviations.items() if each}

    def unanswered(self) -> dict[str, list[int]]:
        """List the GET operations that were never answered with 200."""
        return {
            operation: statuses
            for operation, statuses in self.statuses.items()
            if operation.startswith("GET ") and 200 not in statuses
        }


MALFORMED = object()
