"""The resources that an answer returns."""

from __future__ import annotations

import random

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.read_sampling import LONGEST_PAGE, ReadSampler
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.exchange import Response

_PAGES = frozenset({"list", "batchGet", "search"})


def resources_in(
    schema: Schema, type_: str, method: str, response: Response
) -> tuple[JsonObject, ...] | None:
    """Give the resources that the answer to a read returns; None where the method returns none."""
    document = response.document
    if not isinstance(document, dict):
        return None
    if method == "get":
        return (document,)
    if method not in _PAGES:
        return None
    page = document.get(presenter_of(schema, type_).plural)
    return tuple(each for each in page if isinstance(each, dict)) if isinstance(page, list) else ()


def sampled(
    sampler: ReadSampler, schema: Schema, type_: str, method: str, client: str, response: Response | None
) -> tuple[JsonObject, ...] | None:
    """Give the resources of an answer to look at; None where it is not looked into."""
    resources = None if response is None else resources_in(schema, type_, method, response)
    stratum = (schema.service, schema.version, type_, method, client)
    if resources is None or not sampler.takes(stratum, len(resources)):
        return None
    return resources if len(resources) <= LONGEST_PAGE else tuple(random.sample(resources, LONGEST_PAGE))
