"""The reasons of candidates come in phrases."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest

from migrations_app.control.schemas.queries.candidate_reasons import reason_message
from migrations_app.domain.conversion.proposals import evidence, mentions
from migrations_app.kernel.messages import Phrase, verbatim


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the types are equal", Phrase("the types are equal")),
        ("the types have 80% in common", Phrase("the types have {share} in common", {"share": "80%"})),
        ("both have wire number 3", Phrase("both have wire number {number}", {"number": "3"})),
        (
            f"Secret.labels {evidence.SAME_CHANGE}",
            Phrase("{place} changes by the same words", {"place": "Secret.labels"}),
        ),
    ],
)
def test_a_reason_comes_in_its_phrase(text: str, phrase: Phrase) -> None:
    assert reason_message(text).phrases == (phrase,)
    assert str(reason_message(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        evidence.OPPOSITES,
        evidence.ADDED_WORDS,
        evidence.OTHER_FORM,
        evidence.SHARED_WORDS,
        evidence.ONLY_DOCUMENT,
        evidence.NAMED,
        evidence.SYNONYMS,
        *(f"the documents {say}" for say in evidence.AGREEING),
        mentions.DEFINED,
        mentions.SAME_SLOT,
        mentions.OWN_VALUES,
        mentions.OWN_PHRASE,
    ],
)
def test_every_named_reason_is_in_the_catalogue(text: str) -> None:
    assert reason_message(text).phrases == (Phrase(text),)


def written_reasons(module: ModuleType) -> list[str]:
    """List the reasons that a module yields as plain texts, each with a weight before it."""
    values = [
        node.value for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Yield)
    ]
    seconds = [value.elts[1] for value in values if isinstance(value, ast.Tuple)]
    texts = [str(second.value) for second in seconds if isinstance(second, ast.Constant)]
    return [text for text in texts if " " in text]


@pytest.mark.parametrize("text", [*written_reasons(evidence), *written_reasons(mentions)])
def test_every_written_reason_is_in_the_catalogue(text: str) -> None:
    words = reason_message(text)
    assert words != verbatim(text)
    assert str(words) == text


def test_a_reason_that_is_not_known_stays_as_it_is() -> None:
    assert reason_message("a remark of its own") == verbatim("a remark of its own")
