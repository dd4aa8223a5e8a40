"""Classes of background work and how worker time is divided between them when there is less time than work.

Weighted fair queueing by strides: a class that worked moves forward by the time it used divided by its share, and the
class that is furthest back is next. A class that had no work keeps no more than a bounded credit.
Source: Waldspurger & Weihl, Stride Scheduling, 1995.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message


class WorkClass(StrEnum):
    """What a slice of work is for."""

    SWITCH = "switch"
    CATCH_UP = "catch-up"
    CONSTRAINT_ANSWERS = "constraint-answers"
    BACKFILL = "backfill"
    VERIFICATION = "verification"
    READ_COPIES = "read-copies"
    UPKEEP = "upkeep"


FIRST = WorkClass.SWITCH
"""The class that goes before all others; it is not part of the shares."""
URGENT = frozenset({WorkClass.SWITCH, WorkClass.CATCH_UP})
"""The classes for which a part of the threads is kept."""
SHARES: Mapping[WorkClass, float] = MappingProxyType(
    {
        WorkClass.CATCH_UP: 40.0,
        WorkClass.CONSTRAINT_ANSWERS: 15.0,
        WorkClass.BACKFILL: 20.0,
        WorkClass.VERIFICATION: 10.0,
        WorkClass.READ_COPIES: 10.0,
        WorkClass.UPKEEP: 5.0,
    }
)
CREDIT = 1.0
"""How far behind the others a class may begin again after it had no work: seconds per point of its share."""
EXPECTED_SECONDS = 2.0
"""What a slice is charged when it begins, until it is known what it used; several threads choose at one moment."""


def starts(passed: Mapping[WorkClass, float | None]) -> dict[WorkClass, float]:
    """Tell where each of these classes, which all have due keys, starts; the least start is next.

    `passed` says how far each has come, None for one that never worked.
    """
    found: dict[WorkClass, float] = {}
    for work_class, own in passed.items():
        others = [each for other, each in passed.items() if other is not work_class and each is not None]
        least = min(others, default=0.0)
        found[work_class] = least if own is None else max(own, least - CREDIT)
    return found


def parse_shares(pairs: Mapping[str, str]) -> dict[WorkClass, float]:
    """Read shares as `class=number` pairs; classes that are not named keep their default.

    Raises: Invalid.
    """
    found = dict(SHARES)
    names = ", ".join(each.value for each in SHARES)
    for name, number in pairs.items():
        if name not in set(SHARES):
            raise Invalid(
                message("{name} is not a class of work; the classes are {names}.", name=name, names=names),
                code="setting-invalid",
            )
        try:
            share = float(number)
        except ValueError:
            share = 0.0
        if not 0.0 < share <= 1000.0:
            raise Invalid(
                message(
                    "The share of {name} is {number}; use a number above 0.", name=name, number=repr(number)
                ),
                code="setting-invalid",
            )
        found[WorkClass(name)] = share
    return found
