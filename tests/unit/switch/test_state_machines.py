"""Every state machine: its table is sound, and what it refuses it names."""

from __future__ import annotations

from enum import StrEnum
from string import ascii_uppercase
from typing import Any

import pytest

from console.generated_pages.state_machines_page import MACHINES, state_machines_page
from migrations_app.domain.state_machine import StateMachine, lettered
from migrations_app.domain.switch.states import ShardState
from migrations_app.kernel.errors import InvariantBroken

NEVER_STORED = {ShardState.SWITCHING, ShardState.UNKNOWN}
Machine = StateMachine[Any, Any]
every_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=list(MACHINES))


class Light(StrEnum):
    """A state of a lamp."""

    OFF = "off"
    ON = "on"


class Press(StrEnum):
    """What is done to it."""

    SWITCH = "switch"


LAMP = StateMachine(
    "A lamp", Light, (Light.OFF,), lettered([(Light.OFF, Press.SWITCH, Light.ON, "it burns")])
)


def test_all_nine_are_on_the_page() -> None:
    text = state_machines_page()
    assert len(MACHINES) == text.count("stateDiagram-v2") == 9
    for title, machine in MACHINES.items():
        assert f"## {title}\n" in text
        assert machine.table() in text


@every_machine
def test_letters_are_unique_and_in_order(machine: Machine) -> None:
    letters = [row.letter for row in machine.transitions]
    assert letters == [*ascii_uppercase, "AA", "AB"][: len(letters)]


@every_machine
def test_one_event_leads_to_one_place(machine: Machine) -> None:
    pairs = [(row.source, row.event) for row in machine.transitions]
    assert len(pairs) == len(set(pairs))


@every_machine
def test_every_state_can_be_reached_and_every_event_is_met(machine: Machine) -> None:
    reached = set(machine.initial)
    while grown := {row.target for row in machine.transitions if row.source in reached} - reached:
        reached |= grown
    assert set(machine.states) - reached == NEVER_STORED & set(machine.states)
    events = type(machine.transitions[0].event)
    assert {row.event for row in machine.transitions} == set(events)


@every_machine
def test_what_the_table_does_not_have_is_refused(machine: Machine) -> None:
    table = {(row.source, row.event): row.target for row in machine.transitions}
    for state in machine.states:
        for event in type(machine.transitions[0].event):
            if (state, event) in table:
                assert machine.after(state, event) is table[state, event]
                machine.check_step(state, table[state, event])
            else:
                with pytest.raises(InvariantBroken):
                    machine.after(state, event)


def test_a_refusal_names_the_thing_its_state_and_what_it_met() -> None:
    with pytest.raises(InvariantBroken, match=r"A lamp in state on met switch\."):
        LAMP.after(Light.ON, Press.SWITCH)
    with pytest.raises(
        InvariantBroken, match=r"A lamp was moved from on to off, which its table does not have\."
    ):
        LAMP.check_step(Light.ON, Light.OFF)
    with pytest.raises(InvariantBroken, match=r"A lamp was made to on, which its table does not have\."):
        LAMP.check_step(None, Light.ON)


def test_a_diagram_shows_where_it_begins_and_ends() -> None:
    assert LAMP.mermaid() == "stateDiagram-v2\n    [*] --> off\n    off --> on: A switch\n    on --> [*]"
