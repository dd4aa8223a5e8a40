"""The best one-to-one assignment of two sets, when every possible pair has a weight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

L = TypeVar("L", bound=Hashable)
R = TypeVar("R", bound=Hashable)
_MOST = 120


def assign(weights: Mapping[tuple[L, R], float]) -> list[tuple[L, R]]:
    """Choose pairs so that none shares a side with another and the sum of weights is the highest.

    Groups of more than some hundred places are assigned pair by pair, the heaviest first.
    """
    chosen: list[tuple[L, R]] = []
    for group in _groups(weights):
        lefts = list(dict.fromkeys(left for left, _ in group))
        rights = list(dict.fromkeys(right for _, right in group))
        if len(lefts) * len(rights) == 1:
            chosen += group
        elif max(len(lefts), len(rights)) > _MOST:
            chosen += _heaviest(group)
        else:
            chosen += _hungarian(group, lefts, rights)
    return chosen


def _groups(weights: Mapping[tuple[L, R], float]) -> Iterator[dict[tuple[L, R], float]]:
    """Part the pairs into groups that share no place."""
    by_left: dict[L, list[R]] = defaultdict(list)
    by_right: dict[R, list[L]] = defaultdict(list)
    for left, right in weights:
        by_left[left].append(right)
        by_right[right].append(left)
    seen: set[L] = set()
    for start in by_left:
        if start in seen:
            continue
        seen.add(start)
        waiting, members = [start], [start]
        while waiting:
            for right in by_left[waiting.pop()]:
                for left in by_right[right]:
                    if left not in seen:
                        seen.add(left)
                        waiting.append(left)
                        members.append(left)
        yield {(left, right): weights[left, right] for left in members for right in by_left[left]}


def _heaviest(group: Mapping[tuple[L, R], float]) -> list[tuple[L, R]]:
    lefts: set[L] = set()
    rights: set[R] = set()
    chosen: list[tuple[L, R]] = []
    for left, right in sorted(group, key=lambda pair: -group[pair]):
        if left not in lefts and right not in rights:
            lefts.add(left)
            rights.add(right)
            chosen.append((left, right))
    return chosen


def _hungarian(group: Mapping[tuple[L, R], float], lefts: list[L], rights: list[R]) -> list[tuple[L, R]]:
    """Assign by the Hungarian method; pairs without a weight count nothing and are left out.

    Source: H. W. Kuhn, The Hungarian method for the assignment problem, 1955; with potentials, O(n²·m).
    """
    size = max(len(lefts), len(rights))
    cost = [[0.0] * (size + 1) for _ in range(size + 1)]
    at_left = {left: index for index, left in enumerate(lefts, start=1)}
    at_right = {right: index for index, right in enumerate(rights, start=1)}
    for (left, right), weight in group.items():
        cost[at_left[left]][at_right[right]] = -weight
    of_column = _columns(cost, size)
    return [
        (lefts[row - 1], rights[column - 1])
        for column, row in enumerate(of_column)
        if 0 < row <= len(lefts) and 0 < column <= len(rights) and cost[row][column] < 0
    ]


def _columns(cost: list[list[float]], size: int) -> list[int]:
    """Find the row of every column in the assignment of least cost."""
    rows, columns = [0.0] * (size + 1), [0.0] * (size + 1)
    of_column, before = [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        of_column[0], column = row, 0
        least, used = [float("inf")] * (size + 1), [False] * (size + 1)
        while of_column[column]:
            used[column], at, delta, following = True, of_column[column], float("inf"), 0
            for other in range(1, size + 1):
                if used[other]:
                    continue
                reduced = cost[at][other] - rows[at] - columns[other]
                if reduced < least[other]:
                    least[other], before[other] = reduced, column
                if least[other] < delta:
                    delta, following = least[other], other
            for other in range(size + 1):
                if used[other]:
                    rows[of_column[other]] += delta
                    columns[other] -= delta
                else:
                    least[other] -= delta
            column = following
        while column:
            of_column[column] = of_column[before[column]]
            column = before[column]
    return of_column
