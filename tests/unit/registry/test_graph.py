"""The import graph: relevance, circles, ranks and whom a service concerns."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.services_info import services_info
from tests.unit.registry.pictures import fleet

LETTERS = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(LETTERS, st.frozensets(LETTERS, max_size=3), max_size=6)


def test_a_service_sees_those_below_and_above_but_no_neighbours() -> None:
    graph = ImportGraph(
        {"iam": frozenset(), "a": frozenset({"iam"}), "b": frozenset({"iam"})}, {"b": frozenset({"log"})}
    )
    assert graph.relevant("iam") == {"iam", "a", "b"}
    assert graph.relevant("a") == {"a", "iam"}
    assert graph.relevant("b") == {"b", "iam", "log"}


def test_services_info_names_the_service_and_all_it_concerns() -> None:
    info = services_info("secrets", fleet().graph())
    assert info.owning_service == "services/secrets"
    assert info.allowed_services == ("services/devices", "services/iam", "services/secrets")


def test_ranks_put_each_service_above_what_it_imports() -> None:
    assert fleet().graph().ranks() == {"iam": 0, "secrets": 1, "devices": 2}


@settings(max_examples=150, deadline=None)
@given(GRAPHS)
def test_a_circle_is_found_exactly_when_something_reaches_itself(imports: dict[str, frozenset[str]]) -> None:
    graph = ImportGraph(imports)
    circle = graph.cycle()
    assert bool(circle) == any(one in _reach(imports, one) for one in imports)
    if circle:
        assert circle[0] == circle[-1]
        assert all(after in imports[before] for before, after in pairwise(circle))
    else:
        ranks = graph.ranks()
        assert all(ranks[one] > ranks[below] for one, them in imports.items() for below in them)


@settings(max_examples=100, deadline=None)
@given(GRAPHS, LETTERS, LETTERS)
def test_relevance_is_mutual(imports: dict[str, frozenset[str]], one: str, other: str) -> None:
    graph = ImportGraph(imports)
    assert (one in graph.relevant(other)) == (other in graph.relevant(one))


def _reach(imports: dict[str, frozenset[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(imports.get(start, ()))
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting.extend(imports.get(one, ()))
    return seen
