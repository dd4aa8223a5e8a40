"""Names parse to ids and back, in one canonical form or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.resources.id_patterns import compile_id_pattern
from migrations_app.domain.resources.names import (
    FullName,
    Pattern,
    canonical_name,
    covers,
)
from migrations_app.kernel.errors import Invalid

SECRET = Pattern.parse("projects/{project}/secrets/{secret}", {"secret": "[a-z][a-z0-9-]{0,28}[a-z0-9]"})
REGIONAL = Pattern.parse("projects/{project}/regions/{region}/secrets/{secret}")


def test_a_name_is_taken_apart_and_put_together() -> None:
    ids = SECRET.match("projects/p0/secrets/db-password")

    assert ids == {"project": "p0", "secret": "db-password"}
    assert SECRET.format(ids) == "projects/p0/secrets/db-password"


@pytest.mark.parametrize(
    "name",
    [
        "projects/p0/secrets/Upper",
        "projects/p0/secrets/",
        "projects/p0/secrets/ok-but/more",
        "projects/p0/secrets/ok\n",
        "/projects/p0/secrets/ok",
        "projects//secrets/ok",
        "projects/../secrets/ok",
        "projects/-/secrets/ok",
    ],
)
def test_matching_is_anchored_and_takes_no_other_spelling(name: str) -> None:
    assert SECRET.match(name) is None


def test_the_wildcard_is_taken_only_when_asked_for() -> None:
    wild = "projects/-/secrets/-"

    assert SECRET.match(wild) is None
    assert SECRET.match(wild, wildcards=True) == {"project": "-", "secret": "-"}
    assert SECRET.format({"project": "p", "secret": "-"}, wildcards=True) == "projects/p/secrets/-"
    with pytest.raises(Invalid):
        SECRET.format({"project": "p", "secret": "-"})


def test_an_id_that_would_not_parse_back_is_not_formatted() -> None:
    with pytest.raises(Invalid, match="not a name of"):
        SECRET.format({"project": "a/secrets/b", "secret": "ok-ok"})
    with pytest.raises(Invalid, match="needs secret"):
        SECRET.format({"project": "a"})


def test_an_id_pattern_may_span_slashes() -> None:
    pattern = Pattern.parse("resources/{resource}", {"resource": "[a-z][a-z0-9.]{0,60}/[A-Z][A-Za-z]{0,60}"})

    assert pattern.match("resources/devices.example.com/Device") == {"resource": "devices.example.com/Device"}
    assert pattern.match("resources/Device") is None


def test_an_id_that_starts_with_the_wildcard_is_an_id() -> None:
    assert REGIONAL.match("projects/-x/regions/r/secrets/s") == {
        "project": "-x",
        "region": "r",
        "secret": "s",
    }


def test_parents_collections_and_singletons() -> None:
    parent = REGIONAL.parent()

    assert parent is not None
    assert parent.text == "projects/{project}/regions/{region}"
    assert Pattern.parse("projects/{project}").parent() is None
    assert REGIONAL.collection == "secrets"
    settings_pattern = Pattern.parse("projects/{project}/settings")
    assert settings_pattern.is_singleton
    assert settings_pattern.collection == "settings"


def test_two_variables_may_share_a_segment() -> None:
    pattern = Pattern.parse("pairs/{left}~{right}", {"left": "[a-z]+", "right": "[a-z]+"})

    assert pattern.match("pairs/a~b") == {"left": "a", "right": "b"}
    assert pattern.match("pairs/ab") is None
    assert Pattern.parse("pairs/{left}~{right}").match("pairs/-~-") is None
    assert Pattern.parse("pairs/{left}~{right}").match("pairs/-~-", wildcards=True) == {
        "left": "-",
        "right": "-",
    }
    assert Pattern.parse("pairs/{left}~{right}").match("pairs/-~é") == {"left": "-", "right": "é"}


def test_the_rest_of_a_name_does_not_begin_with_the_wildcard() -> None:
    pattern = Pattern.parse("files/{path=**}")

    assert pattern.match("files/a/b.txt") == {"path": "a/b.txt"}
    assert pattern.match("files/-a/b") == {"path": "-a/b"}
    for name in ("files/-", "files/-/b", "files/", "files"):
        assert pattern.match(name) is None
    assert pattern.match("files/-", wildcards=True) == {"path": "-"}


def test_overlap_is_found_by_shape() -> None:
    assert not SECRET.may_overlap(REGIONAL)
    assert SECRET.may_overlap(Pattern.parse("projects/{p}/secrets/{s}"))
    assert not SECRET.may_overlap(Pattern.parse("projects/{p}/keys/{s}"))
    assert not SECRET.may_overlap(Pattern.parse("projects/{p}/secrets/UPPER"))


def test_a_wild_name_covers_the_names_below_it() -> None:
    assert covers("projects/-/secrets/s", "projects/p/secrets/s")
    assert not covers("projects/-/secrets/s", "projects/p/secrets/t")
    assert not covers("projects/-", "projects/p/secrets/s")


@pytest.mark.parametrize(
    "name", ["", "a b", "a/", "a//b", "a/./b", "cafe\u0301", "a\u200bb", "a\x00", "a\ud800", "x" * 1025]
)
def test_a_second_spelling_is_refused_not_mended(name: str) -> None:
    with pytest.raises(Invalid):
        canonical_name(name)


def test_full_names_carry_their_service() -> None:
    full = FullName.parse("//secrets.example.com/projects/p/secrets/s")

    assert (full.service, full.name) == ("secrets.example.com", "projects/p/secrets/s")
    assert str(full) == "//secrets.example.com/projects/p/secrets/s"
    for wrong in ["secrets.example.com/a", "//secrets.example.com", "///a", "//S/a"]:
        with pytest.raises(Invalid):
            FullName.parse(wrong)


@pytest.mark.parametrize("text", ["", "a/{b", "{a}/{a}", "/a/{b}", "a//{b}", "{1}"])
def test_a_text_that_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        Pattern.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(?=a)b",
        "(?i)a",
        "a^b",
        r"(a)\1",
        r"a\Z",
        r"\Qa\E",
        r"\C",
        "[a",
        "[[a]",
        "[a--b]",
        "(a{99}){99}",
        "a" * 300,
    ],
)
def test_an_id_pattern_that_ids_cannot_have_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        compile_id_pattern(text)


@pytest.mark.parametrize(
    "text", [r"[\w][\w.-]{0,127}", "^[a-z]+$", "[a-z]([a-z0-9-]{0,61})?[a-z0-9]", r"[\w./-]{1,256}", "a|b"]
)
def test_the_id_patterns_of_real_services_are_taken(text: str) -> None:
    assert not compile_id_pattern(text).fullmatch("a" * 1000 + "!")


IDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="/"), min_size=1)


@settings(max_examples=200, deadline=None)
@given(IDS, IDS, IDS)
def test_what_formats_parses_back(project: str, region: str, secret: str) -> None:
    ids = {"project": project, "region": region, "secret": secret}
    try:
        name = REGIONAL.format(ids)
    except Invalid:
        return
    assert REGIONAL.match(name) == ids
    assert canonical_name(name) == name


def test_ids_that_may_hold_slashes_overlap_only_where_they_can() -> None:
    ids = {"log": r"[\w./-]{1,128}", "plan": "[a-z.-]{1,8}"}
    bucket = Pattern.parse("projects/{project}/buckets/{bucket}/logs/{log}", ids)

    assert not bucket.may_overlap(Pattern.parse("projects/{project}/logs/{log}", ids))
    assert Pattern.parse("logs/{log}", ids).may_overlap(Pattern.parse("logs/{a}/parts/{b}"))
    assert not Pattern.parse("plans/{plan}", ids).may_overlap(Pattern.parse("plans/{a}/parts/{b}"))


SHAPES = st.lists(
    st.sampled_from(["a", "b", "{x}", "{y}", "{z}"]), min_size=1, max_size=4, unique_by=lambda text: text
).map("/".join)
BODIES = st.sampled_from(["[ab]+", "[ab/]{1,5}", "a", "[^/]+", ".+", "[a-c]{1,2}"])


@settings(max_examples=200, deadline=None)
@given(SHAPES, SHAPES, BODIES, BODIES, st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map("/".join))
def test_shapes_that_share_a_name_are_known_to_overlap(
    left: str, right: str, one: str, other: str, name: str
) -> None:
    first = Pattern.parse(left, dict.fromkeys("xyz", one))
    second = Pattern.parse(right, dict.fromkeys("xyz", other))

    if first.match(name) is not None and second.match(name) is not None:
        assert first.may_overlap(second)
        assert second.may_overlap(first)
