"""Laws of whole types over made-up documents: split, merged, dropped, added and hidden, there and back.

`SWITCHYARD_LAW_DOCUMENTS` says how many documents of each (100 when it is not set), `SWITCHYARD_LAW_SEED` where they begin.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.split_types import OtherPart
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject, canonical

DOCUMENTS = int(os.environ.get("SWITCHYARD_LAW_DOCUMENTS", "100"))
SEED = int(os.environ.get("SWITCHYARD_LAW_SEED", "0"))


@pytest.fixture(scope="module")
def delivery() -> CompiledService:
    return compile_service(read_folder(Path(__file__).resolve().parents[3] / "examples" / "delivery"))


def documents(compiled: CompiledService, version: str, type_: str) -> Iterator[tuple[str, JsonObject]]:
    schema = compiled.schema(version)
    for seed in range(SEED, SEED + DOCUMENTS):
        yield Exemplars(schema, seed).resource(schema.resource(type_))


@pytest.mark.parametrize(
    ("source", "target", "type_", "becomes"),
    [
        ("v1", "v2", "Target", {"HttpTarget", "QueueTarget"}),
        ("v1", "v2", "EmailChannel", {"Channel"}),
        ("v1", "v2", "PagerChannel", {"Channel"}),
        ("v2", "v1", "Channel", {"EmailChannel", "PagerChannel"}),
        ("v2", "v1", "HttpTarget", {"Target"}),
        ("v2", "v1", "QueueTarget", {"Target"}),
    ],
)
def test_a_resource_has_one_route_at_most_and_comes_back_as_it_was(
    delivery: CompiledService, source: str, target: str, type_: str, becomes: set[str]
) -> None:
    typed, seen, hidden = delivery.stored.typed(source, target), set[str](), 0
    for name, body in documents(delivery, source, type_):
        taken = []
        for route in typed.routes(type_):
            try:
                made = route.forward(name, body)
            except OtherPart:
                continue
            except NoImage:
                continue
            taken.append((route.target_type, made.name, made.body))
        assert len(taken) <= 1, body
        if not taken:
            hidden += 1
            with pytest.raises(NoImage):
                typed.forward(type_, name, body)
            continue
        found = typed.forward(type_, name, body)
        assert (found.type, found.name, found.body) == taken[0]
        back = typed.backward(*found)
        assert (back.type, back.name, canonical(back.body)) == (type_, name, canonical(body))
        # What the name alone says never contradicts the document.
        assert typed.names(type_, name) == ((found.type, found.name),)
        seen.add(found.type)
    assert seen == becomes
    assert hidden < DOCUMENTS


@pytest.mark.parametrize(("source", "target", "type_"), [("v1", "v2", "Receipt"), ("v2", "v1", "Schedule")])
def test_what_a_version_does_not_have_is_kept_untouched(
    delivery: CompiledService, source: str, target: str, type_: str
) -> None:
    typed, kept = delivery.stored.typed(source, target), f"{type_}@{source}"
    for name, body in documents(delivery, source, type_):
        assert typed.forward(type_, name, body) == (kept, name, body)
        assert typed.backward(kept, name, body) == (type_, name, body)
    found = kept_type(kept)
    assert found in delivery.stored.kept(target)


def test_what_a_version_cannot_name_is_hidden_and_nothing_else(delivery: CompiledService) -> None:
    typed, hidden = delivery.stored.typed("v2", "v1"), 0
    for name, body in documents(delivery, "v2", "Rule"):
        if "/zones/" in name:
            hidden += 1
            assert typed.names("Rule", name) == ()
            with pytest.raises(NoImage):
                typed.forward("Rule", name, body)
            continue
        made = typed.forward("Rule", name, body)
        assert (made.type, made.name) == ("Rule", name)
        back = typed.backward(*made)
        assert (back.type, back.name, canonical(back.body)) == ("Rule", name, canonical(body))
    assert 0 < hidden < DOCUMENTS
