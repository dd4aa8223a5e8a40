"""Resource types that split in several and merge into one: documents, names, filters, references, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.typed import Typed, TypedConverter
from migrations_app.domain.filters import bind, parse, write
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "delivery"
HTTP, HTTP_NEW = "projects/p/targets/http-a", "projects/p/httpTargets/http-a"
QUEUE, QUEUE_NEW = "projects/p/targets/queue-b", "projects/p/queueTargets/queue-b"


@pytest.fixture(scope="module")
def delivery() -> CompiledService:
    return compile_service(read_folder(FOLDER))


@pytest.fixture(scope="module")
def typed(delivery: CompiledService) -> TypedConverter:
    return delivery.typed("v1", "v2")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (HTTP, {"kind": "HTTP", "address": "u"}, Typed("HttpTarget", HTTP_NEW, {"url": "u"})),
        (
            QUEUE,
            {"kind": "QUEUE", "address": "q", "depth": 3},
            Typed("QueueTarget", QUEUE_NEW, {"queue": "q", "depth": 3}),
        ),
    ],
)
def test_a_resource_becomes_one_of_the_part_its_field_names(
    typed: TypedConverter, name: str, old: JsonObject, new: Typed
) -> None:
    assert typed.types("Target") == ("HttpTarget", "QueueTarget")
    assert typed.forward("Target", name, old) == new
    assert typed.backward(new.type, new.name, new.body) == Typed("Target", name, old)


def test_a_second_symbol_of_a_part_is_remembered(typed: TypedConverter) -> None:
    stored = typed.forward("Target", HTTP, {"kind": "HTTPS", "address": "u"})

    assert stored.type == "HttpTarget"
    assert typed.get(*stored).body == {"kind": "HTTPS", "address": "u"}


def test_a_resource_that_no_part_claims_is_refused(typed: TypedConverter) -> None:
    with pytest.raises(NoImage, match="has no type"):
        typed.forward("Target", HTTP, {"kind": "CARRIER_PIGEON"})


def test_two_types_merge_and_part_again(typed: TypedConverter) -> None:
    mail = typed.create("EmailChannel", "projects/p/emailChannels/mail-x", {"title": "T", "mailbox": "a@b"})

    assert mail == Typed(
        "Channel", "projects/p/channels/mail-x", {"title": "T", "kind": "EMAIL", "address": "a@b"}
    )
    assert typed.get(*mail) == Typed(
        "EmailChannel", "projects/p/emailChannels/mail-x", {"title": "T", "mailbox": "a@b"}
    )
    page = typed.get("Channel", "projects/p/channels/page-x", {"kind": "PAGER", "address": "1", "retries": 2})
    assert page == Typed("PagerChannel", "projects/p/pagerChannels/page-x", {"number": "1", "retries": 2})


def test_an_update_keeps_what_its_client_cannot_see(typed: TypedConverter) -> None:
    stored = Typed("HttpTarget", HTTP_NEW, {"url": "u", "timeout": 9})

    after = typed.put("Target", HTTP, {"kind": "HTTP", "address": "v"}, stored)

    assert after == Typed("HttpTarget", HTTP_NEW, {"url": "v", "timeout": 9})


def test_an_update_that_would_make_it_another_part_needs_an_id_of_that_part(typed: TypedConverter) -> None:
    stored = Typed("HttpTarget", HTTP_NEW, {"url": "u"})

    with pytest.raises(NoImage):
        typed.put("Target", HTTP, {"kind": "QUEUE", "address": "q"}, stored)


def test_a_filter_asks_each_part_only_what_it_can_answer(
    delivery: CompiledService, typed: TypedConverter
) -> None:
    asked = bind(parse('kind = "QUEUE" AND address = "q"'), delivery.schema("v1"), "Target")

    made = typed.filter("Target", asked)

    assert {part: write(each.pushed) for part, each in made.items()} == {
        "HttpTarget": '(url = "q")',
        "QueueTarget": '(queue = "q")',
    }
    assert (made["HttpTarget"].how, made["QueueTarget"].how) == ("residual", "exact")


def test_names_and_references_become_those_of_the_part(typed: TypedConverter) -> None:
    rule: JsonObject = {
        "target": QUEUE,
        "channels": ["projects/p/pagerChannels/page-x", "projects/p/emailChannels/mail-y"],
    }

    made = typed.forward("Rule", "projects/p/rules/r", rule)

    assert typed.names("Target", QUEUE) == (("QueueTarget", QUEUE_NEW),)
    assert made.body == {
        "target": QUEUE_NEW,
        "channels": ["projects/p/channels/page-x", "projects/p/channels/mail-y"],
    }
    assert typed.backward(*made).body == rule


def test_a_request_for_one_type_of_a_split_says_so(delivery: CompiledService) -> None:
    with pytest.raises(Conflict, match="HttpTarget, QueueTarget") as refused:
        delivery.converter("Target", "v1", "v2")

    assert refused.value.code == "conversion-fork"
    assert delivery.converter("HttpTarget", "v2", "v1").target_type == "Target"


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        (b"by: kind, into: {HttpTarget: [HTTP, HTTPS]", b"by: sort, into: {HttpTarget: [HTTP]", "E-FORK", "has no field 'sort'"),
        (b"into: {HttpTarget: [HTTP, HTTPS]", b"into: {HttpTarget: [HTTP]", "E-FORK", "No part of Target claims HTTPS."),
        (b"[HTTP, HTTPS]", b"[HTTP, HTTPS, QUEUE]", "E-FORK", "Two parts of Target claim QUEUE."),
        (b"{HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}", b"{HttpTarget: [HTTP]}", "E-FORK", "at least two parts"),
        (b"QueueTarget: [QUEUE]}}", b"QeueTarget: [QUEUE]}}", "E-FORK", "no resource type QeueTarget"),
    ],
)  # fmt: skip
def test_a_fork_that_cannot_be_is_named_with_its_line(old: bytes, new: bytes, code: str, said: str) -> None:
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.yaml")}
    edge = files["edges/v1-v2.yaml"]
    assert old in edge
    files["edges/v1-v2.yaml"] = edge.replace(old, new)

    with pytest.raises(EdgeInvalid) as refused:
        compile_service(read_files(files))

    found = [each for each in refused.value.findings if each.code == code]
    assert said in found[0].message
    assert str(found[0].place) == "edges/v1-v2.yaml:4"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            b"removed: [Receipt]",
            b"removed: [Receipt, Target]",
            4,
            "Resources of Target of v1 would have two routes. It is removed. It is split by kind.",
        ),
        (
            b"added: [Schedule]",
            b"added: [Schedule, Channel]",
            6,
            "Resources of Channel of v2 would have two routes. It is added. Other types are merged into it.",
        ),
        (
            b"removed: [Receipt]",
            b"renamed: {PagerChannel: Schedule}",
            6,
            "Resources of PagerChannel of v1 would have two routes. PagerChannel is renamed to Schedule. PagerChannel is merged into Channel.",
        ),
    ],
)
def test_an_edge_that_sends_a_type_two_ways_is_refused(old: bytes, new: bytes, line: int, said: str) -> None:
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.yaml")}
    files["edges/v1-v2.yaml"] = files["edges/v1-v2.yaml"].replace(old, new)

    with pytest.raises(EdgeInvalid) as refused:
        compile_service(read_files(files))

    (found,) = [each for each in refused.value.findings if each.message == said]
    assert (found.code, str(found.place)) == ("E-FORK", f"edges/v1-v2.yaml:{line}")


def test_parts_whose_resources_could_share_a_name_are_refused() -> None:
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.yaml")}
    files["v1.yaml"] = files["v1.yaml"].replace(b'"mail-', b'"page-')

    with pytest.raises(EdgeInvalid) as refused:
        compile_service(read_files(files))

    assert [(each.code, each.message) for each in refused.value.findings] == [
        ("E-BIJECTION", "A EmailChannel and a PagerChannel could have one name as Channel.")
    ]
