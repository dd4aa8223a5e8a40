"""The table of transitions: what it allows, that it is closed, and that the page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.switch.states import (
    FINAL,
    META_STAGES,
    NEW_SERVES,
    TRANSITIONS,
    UPGRADE,
    State,
    UpgradeEvent,
    can,
    transition,
)
from migrations_app.kernel.errors import Conflict

PAGE = Path(__file__).resolve().parents[3] / "docs" / "explanation" / "the-switch.md"


def test_the_new_version_serves_only_after_a_flip_or_a_person() -> None:
    into = {row.event for row in TRANSITIONS if row.target in NEW_SERVES and row.source not in NEW_SERVES}
    # RENEW ends a change of data in place: there both versions are the same.
    assert into == {UpgradeEvent.FLIP, UpgradeEvent.SETTLE_NEW, UpgradeEvent.RENEW}


def test_a_refused_event_says_the_state_in_words_and_where_what_is_possible_is_listed() -> None:
    with pytest.raises(Conflict) as caught:
        transition(State.COMPLETED, UpgradeEvent.REVERT)
    assert caught.value.code == "upgrade-state"
    assert caught.value.message == "The upgrade is complete. This action is not possible in that state."
    assert caught.value.remedy == "No action is possible."
    with pytest.raises(Conflict) as caught:
        transition(State.READY, UpgradeEvent.START)
    assert caught.value.remedy == "Its page and `swy upgrade show` list the actions that are possible now."


@settings(max_examples=150)
@given(st.lists(st.sampled_from(UpgradeEvent), max_size=30))
def test_any_history_ends_in_a_state_of_the_table(events: list[UpgradeEvent]) -> None:
    state = State.PLANNED
    for event in events:
        if can(state, event):
            state = transition(state, event).target
    assert state in META_STAGES
    assert (state in FINAL) == (not any(can(state, event) for event in UpgradeEvent))


def test_the_page_shows_this_very_table() -> None:
    text = PAGE.read_text()
    assert f"```mermaid\n{UPGRADE.mermaid()}\n```" in text
    assert UPGRADE.table() in text
