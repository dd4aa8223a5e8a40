"""The contract of the search index, checked on PostgreSQL and in memory."""

from __future__ import annotations

import pytest

from migrations_app.adapters.search.memory import MemorySearch
from migrations_app.adapters.search.postgres import PostgresSearch
from migrations_app.domain.schema.words import asked_words, words_of
from migrations_app.ports.search import Search, SearchEntry, SearchTerms
from migrations_app.ports.store import ABSENT
from tests.contract.conftest import World


@pytest.fixture
def search(world: World) -> Search:
    """The index of the world's store."""
    return PostgresSearch(world.databases) if world.databases else MemorySearch(world.store)


def index(world: World, search: Search, name: str, text: str, revision: int | None = None) -> None:
    found = world.store.read(world.old).get("Secret", name)
    at = revision if revision is not None else found.revision if found else 1
    search.put(world.old, "Secret", [SearchEntry(name, at, tuple(words_of(text)))])


def find(
    world: World, search: Search, phrase: str, parent: str = "", after: str = "", limit: int = 9
) -> list[str]:
    return [*search.find(world.old, SearchTerms("Secret", asked_words(phrase), parent, after, limit))]


def test_what_holds_every_word_is_found_in_the_order_of_names(world: World, search: Search) -> None:
    texts = {
        "p/a/s/2": "Grüne Tür, ada@example.com",
        "p/b/s/1": "grüne wand",
        "p/a/s/1": "TÜR grüne x_y-z/w.q",
    }
    for name, text in texts.items():
        world.write(name, ABSENT)
        index(world, search, name, text)

    assert find(world, search, "GRÜNE") == ["p/a/s/1", "p/a/s/2", "p/b/s/1"]
    assert find(world, search, "tür grüne") == ["p/a/s/1", "p/a/s/2"]
    assert find(world, search, "tür wand") == []
    assert find(world, search, "grü* w*") == ["p/a/s/1", "p/b/s/1"]
    assert find(world, search, "ada@example.com") == ["p/a/s/2"]
    assert find(world, search, "z q y") == ["p/a/s/1"]
    assert find(world, search, "grüne", parent="p/a") == ["p/a/s/1", "p/a/s/2"]
    assert find(world, search, "grüne", parent="p/-") == ["p/a/s/1", "p/a/s/2", "p/b/s/1"]
    assert find(world, search, "grüne", after="p/a/s/1", limit=1) == ["p/a/s/2"]
    for nasty in ("' | !nope", "a & b:*", "\\' OR 1=1 --"):
        assert find(world, search, nasty) == []


def test_only_newer_revisions_replace_what_is_known(world: World, search: Search) -> None:
    world.write("s/1", ABSENT)
    index(world, search, "s/1", "new", revision=5)
    index(world, search, "s/1", "old", revision=4)
    assert (find(world, search, "new"), find(world, search, "old")) == (["s/1"], [])
    index(world, search, "s/1", "", revision=6)
    assert find(world, search, "new") == []


def test_what_is_behind_and_what_is_lost_is_told(world: World, search: Search) -> None:
    for number in range(4):
        world.write(f"s/{number}", ABSENT)
        index(world, search, f"s/{number}", "word")
    assert search.behind(world.old, "Secret") == ()
    world.write("s/1")
    world.write("s/9", ABSENT)
    assert sorted(search.behind(world.old, "Secret")) == ["s/1", "s/9"]
    assert len(search.behind(world.old, "Secret", 1)) == 1

    world.delete("s/2")
    world.delete("s/3")
    search.remove(world.old, "Secret", ["s/0", "s/2"])
    assert find(world, search, "word") == ["s/0", "s/1", "s/3"]
    assert search.remove_lost(world.old, "Secret") == 1
    assert find(world, search, "word") == ["s/0", "s/1"]
    assert search.find(world.old, SearchTerms("Project", ("word",))) == ()
