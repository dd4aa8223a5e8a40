"""The verdict on a deletion in one sentence, in English and in the phrases that other languages word."""

from __future__ import annotations

import pytest

from migrations_app.engine.serving.references.nodes import (
    DeletionCheck,
    ReferenceEdge,
    ReferenceNode,
    UnavailableDeployment,
)
from migrations_app.kernel.errors import Missing, NotFound
from migrations_app.kernel.messages import message

DOOR = ReferenceNode("secrets.example.com", "eu-1", "secrets/door")
SILENT = UnavailableDeployment("apps.example.com", "us-1", message("It is frozen."))


def _referring(count: int, *regions: str) -> tuple[ReferenceEdge, ...]:
    places = regions or ("eu-1",)
    return tuple(
        ReferenceEdge(
            f"//apps.example.com/{places[at % len(places)]}/apps/{at}", DOOR.id, "BLOCK", "door", "v1"
        )
        for at in range(count)
    )


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        (DeletionCheck(DOOR, _referring(1), (), (), ()), "Blocked by 1 reference in 1 deployment."),
        (
            DeletionCheck(DOOR, _referring(3, "eu-1", "us-1"), (), (), (SILENT,)),
            "Blocked by at least 3 references in 2 deployments.",
        ),
        (DeletionCheck(DOOR, (), (), (), (SILENT,)), "Unknown: 1 deployment did not answer."),
        (DeletionCheck(DOOR, (), (), (), ()), "Safe now."),
        (DeletionCheck(DOOR, (), (DOOR,), (), ()), "Safe now; 1 more resource would be deleted."),
        (DeletionCheck(DOOR, (), (), _referring(2), ()), "Safe now; 2 references would be cleared."),
        (
            DeletionCheck(DOOR, (), (DOOR, DOOR), _referring(1), ()),
            "Safe now; 2 more resources would be deleted and 1 reference would be cleared.",
        ),
    ],
)
def test_the_verdict_is_one_sentence_whose_numbers_are_values(check: DeletionCheck, sentence: str) -> None:
    assert str(check.sentence) == sentence
    assert not any(digit in phrase.key for phrase in check.sentence.phrases for digit in "0123456789")


def test_why_a_deployment_did_not_answer_keeps_the_phrases_of_its_error() -> None:
    worded = Missing(message("There is no {type}.", type="App"))
    assert UnavailableDeployment.after("apps.example.com", "eu-1", worded).reason.phrases == worded.phrases
    plain = UnavailableDeployment.after("apps.example.com", "eu-1", NotFound("There is no App."))
    assert [(each.key, each.values) for each in plain.reason.phrases] == [
        ("{text}", {"text": "There is no App."})
    ]
