"""Server streams of custom methods: message by message, in both versions, until their end or their caller's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import Answer, ServiceMethods
from migrations_app.kernel.errors import Conflict, Denied, InvariantBroken, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.exchange import ResourceRequest, Watched
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.unit.conversion.test_methods import METHODS, NEW, OLD, TYPES, lamps

SERVICE = "lamps.example.com"
LAMP = "rooms/hall/lamps/l1"
FADE = "    FadeLamp: {request: DimRequest, response: FadeStep, verb: fade, resource: Lamp, nameField: name, streaming: server}\n"
STEPS = "    FadeStep: {fields: {%s: i32, lamp: Lamp}}\n"


@pytest.fixture
def applied(db: None, data_database: str) -> str:
    """A database in a region that knows lamps that fade."""
    apply_lamps()
    return data_database


def apply_lamps() -> None:
    """Register a region, and lamps that fade."""
    old = OLD.replace("    DimRequest:", f"{STEPS % 'level'}    DimRequest:", 1) + FADE
    new = NEW.replace("    SetBrightnessRequest:", f"{STEPS % 'brightness'}    SetBrightnessRequest:", 1)
    new += FADE.replace("DimRequest", "SetBrightnessRequest")
    edge = TYPES + "  FadeStep: {ops: [{rename: {from: level, to: brightness}}]}\n" + METHODS
    apply_region(SYSTEM, REGION, "Belgium")
    apply_service(SYSTEM, dict(lamps(edge, old, new).folder.files))


def serve(database: str, answers: dict[str, Answer]) -> Iterator[Yard]:
    """Deploy lamps with one handler a version."""
    services = []
    for version, answer in answers.items():
        services.append(ServiceMethods(SERVICE, version))
        services[-1].method("FadeLamp")(answer)
    with deployed(database, SERVICE, "v1", RegisteredHandlers.of(services)) as made:
        made.call("POST", "rooms/hall/lamps", {"level": 3}, version="v1", id="l1")
        yield made


def fading(level: str) -> Answer:
    def _fade(call: Call) -> Iterator[JsonObject]:
        for step in range(3):
            yield {level: step, "lamp": {"name": call.name, level: step}}

    return _fade


def begin(ports: Yard, version: str = "v1", name: str = LAMP) -> Watched:
    at = f"/apis/{REGION}/{SERVICE}/{version}/{name}:fade"
    begun = ports.api.watcher(ResourceRequest("POST", at, "", {}, b"{}"), ports.actor)
    assert begun is not None
    return begun


def messages(begun: Watched) -> list[JsonObject]:
    """Take all messages of a stream."""
    found: list[JsonObject] = []
    while True:
        try:
            message = begun.watch.step()
        except StopIteration:
            return found
        if message is None:
            time.sleep(0.005)
        else:
            found.append(message)


def test_messages_are_converted_one_by_one_in_both_versions(applied: str) -> None:
    for ports in serve(applied, {"v1": fading("level"), "v2": fading("brightness")}):
        expected = [{"level": step, "lamp": {"name": LAMP, "level": step}} for step in range(3)]
        assert messages(begin(ports)) == expected
        ports.switch("v1", "v2")
        assert messages(begin(ports)) == expected
        there = f"houses/home/{LAMP}"
        assert messages(begin(ports, "v2", there))[2] == {
            "brightness": 2,
            "lamp": {"name": there, "brightness": 2},
        }


@pytest.mark.parametrize(
    ("wrong", "kind", "code"),
    [
        (lambda: ["no object"], InvariantBroken, "handler-response"),
        (lambda: [{"level": "high"}], InvariantBroken, "handler-response"),
        (lambda: 1 / 0, InvariantBroken, "handler-failed"),
        (lambda: (_ for _ in ()).throw(Conflict("No.", code="lamp-broken")), Conflict, "lamp-broken"),
    ],
)
def test_what_goes_wrong_in_a_stream_is_its_last_message(
    applied: str, wrong: Callable[[], list[JsonObject]], kind: type[SwitchyardError], code: str
) -> None:
    def _fade(call: Call) -> Iterator[JsonObject]:
        yield {"level": 1}
        yield from wrong()

    for ports in serve(applied, {"v1": _fade}):
        begun = begin(ports)
        with pytest.raises(kind) as ended:
            messages(begun)
        assert ended.value.code == code


def test_a_caller_that_goes_away_ends_the_stream_and_its_writes(applied: str) -> None:
    refused: list[str] = []
    ended = threading.Event()

    def _fade(call: Call) -> Iterator[JsonObject]:
        yield {"level": 1}
        going.wait(60)
        try:
            call.update("Lamp", call.name, lambda _: {"level": 9})
        except SwitchyardError as error:
            refused.append(error.code)
        finally:
            ended.set()

    going = threading.Event()
    for ports in serve(applied, {"v1": _fade}):
        begun = begin(ports)
        while begun.watch.step() is None:
            time.sleep(0.005)
        begun.close()
        going.set()
        assert ended.wait(60)
        assert refused == ["deadline-exceeded"]
        assert ports.call("GET", LAMP, version="v1").document["level"] == 3  # type: ignore[index,call-overload]


def test_a_stream_is_refused_before_it_begins(applied: str) -> None:
    for ports in serve(applied, {"v1": fading("level")}):
        ports.fill("v1", "v2")
        with pytest.raises(Conflict) as early:
            begin(ports, "v2", f"houses/home/{LAMP}")
        assert early.value.code == "read-only-before-switch"
        ports.actor = type(SYSTEM)(kind=SYSTEM.kind.USER, name="ada")
        with pytest.raises(Denied):
            begin(ports)
