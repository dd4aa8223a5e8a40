"""What a deletion check says when there is more than it looks at."""

from __future__ import annotations

from migrations_app.domain.constraints.deletion import MOST_IN_A_CASCADE, IncomingReference, Thing, verdict

DOOR = Thing("Secret", "door")


def many(kind: str) -> list[IncomingReference]:
    return [
        IncomingReference(Thing("Grant", f"g{n}"), DOOR, kind, "secret") for n in range(MOST_IN_A_CASCADE + 1)
    ]


def test_more_blockers_than_are_looked_at_still_block() -> None:
    found = verdict(DOOR, lambda things: many("BLOCK") if DOOR in things else [])

    assert (found.complete, found.allowed, len(found.blockers)) == (False, False, MOST_IN_A_CASCADE + 1)


def test_of_a_cascade_that_is_too_large_nothing_is_called_a_blocker() -> None:
    found = verdict(DOOR, lambda things: [*many("CASCADE"), *many("BLOCK")] if DOOR in things else [])

    assert (found.complete, found.allowed, found.blockers) == (False, False, ())
