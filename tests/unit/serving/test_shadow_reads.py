"""Live reads compared with what the next version would answer: where they differ, how many, and never in their way."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from migrations_app.adapters.shadow_reads import MOST_WAITING, SampledShadowReads
from migrations_app.engine.serving.shadowing.shadow_reading import ShadowReading
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.shadow_reads import Answered, AnsweredCall, ShadowReadComparison, ShadowReadSums
from tests.unit.serving.served_secrets import NEW, Secrets, home

SECRETS = "projects/p/secrets"
PLACE = home(NEW).schema
DOOR: JsonObject = {"title": "Door", "owner": "ada", "legacyEtag": "x1"}


@dataclass
class Shadowed:
    """The deployment, with every read compared as soon as it is asked for."""

    written: list[ShadowReadComparison] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.secrets = Secrets()
        reading = ShadowReading(self.secrets, self.secrets.store)
        self.shadows = SampledShadowReads(reading.compare, self.written.append, one_in=1, background=False)
        self.secrets.shadows = self.shadows
        for name in ("door", "gate"):
            self.secrets.call("POST", SECRETS, DOOR, id=name)

    def sums(self) -> dict[tuple[str, str, str], ShadowReadSums]:
        """Compare what waits, and give what was counted."""
        self.written.clear()
        self.shadows.settle()
        return {} if not self.written else self.written[0].sums


def test_an_answer_that_stays_the_same_is_counted_as_such() -> None:
    world = Shadowed()
    world.secrets.fill()
    world.secrets.call("GET", f"{SECRETS}/door")
    world.secrets.call("GET", SECRETS)

    assert world.sums() == {(PLACE, "Secret", ""): ShadowReadSums(compared=3)}


def test_an_answer_that_would_change_is_counted_by_the_field() -> None:
    world = Shadowed()
    world.secrets.fill(displayName="Gate")
    world.secrets.call("GET", f"{SECRETS}:batchGet", names=f"{SECRETS}/door")
    world.secrets.call("GET", f"{SECRETS}/gate")

    assert world.sums() == {
        (PLACE, "Secret", ""): ShadowReadSums(2, 2, f"{SECRETS}/door"),
        (PLACE, "Secret", "title"): ShadowReadSums(0, 2, f"{SECRETS}/door"),
    }


def test_what_is_not_level_yet_is_not_held_against_the_next_version() -> None:
    world = Shadowed()
    world.secrets.call("GET", f"{SECRETS}/door")
    assert world.sums() == {}
    world.secrets.fill()
    world.secrets.call("PATCH", f"{SECRETS}/door", {"title": "Gate"})
    world.secrets.call("GET", f"{SECRETS}/door")
    assert world.sums() == {}


def test_only_whole_answers_of_what_is_stored_are_compared() -> None:
    world = Shadowed()
    world.secrets.fill(displayName="Gate")
    world.secrets.call("GET", f"{SECRETS}/door", fieldMask="owner")
    world.secrets.call("GET", SECRETS, view="NAME")
    assert world.sums() == {}
    world.secrets.ahead = False
    world.secrets.call("GET", f"{SECRETS}/door")
    assert world.sums() == {}


def test_one_of_many_is_taken_and_never_more_than_can_wait() -> None:
    taken: list[Answered] = []
    answered = Answered("r", "s", "v", "T", ())
    sampled = SampledShadowReads(
        lambda each, _: taken.append(each), lambda _: None, one_in=3, background=False
    )
    for _ in range(7):
        sampled.note(answered)
    sampled.settle()
    assert len(taken) == 3
    taken.clear()
    for _ in range(3 * MOST_WAITING + 30):
        sampled.note(answered)
    sampled.settle()
    assert len(taken) == MOST_WAITING


def test_a_comparison_that_fails_fails_no_request(caplog: pytest.LogCaptureFixture) -> None:
    def _broken(answered: Answered | AnsweredCall, into: ShadowReadComparison) -> None:
        raise RuntimeError("the data database is gone")

    world = Shadowed()
    world.secrets.shadows = SampledShadowReads(_broken, world.written.append, one_in=1, background=False)
    answer = world.secrets.call("GET", f"{SECRETS}/door")
    world.secrets.shadows.settle()

    assert answer.status == 200
    assert world.written == []
    assert "Shadow reads cannot be compared just now." in caplog.text
