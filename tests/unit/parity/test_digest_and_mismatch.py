"""What a digest notices, and how each difference is named."""

from __future__ import annotations

import itertools

from migrations_app.domain.parity import EMPTY, ComparedSide, Digest, MismatchKind, compare, digest_of

PAIRS = [("a", 1), ("b", 2), ("c", 1)]


def test_the_order_does_not_matter_and_every_change_does() -> None:
    digest = digest_of(PAIRS)
    assert digest.count == 3
    assert all(digest_of(order) == digest for order in itertools.permutations(PAIRS))
    assert digest_of([("a", 2), ("b", 2), ("c", 1)]) != digest
    # Swapped revisions leave the count and any sum of revisions as they were.
    assert digest_of([("a", 2), ("b", 1), ("c", 1)]) != digest
    # A pair twice would cancel under XOR.
    assert digest_of([*PAIRS, ("d", 1), ("d", 1)]) != digest


def test_digests_add_and_subtract() -> None:
    whole, part = digest_of(PAIRS), digest_of(PAIRS[:1])
    assert part.plus(digest_of(PAIRS[1:])) == whole
    assert whole.minus(part) == digest_of(PAIRS[1:])
    assert whole.minus(whole) == EMPTY == Digest(0, 0, 0)


def side(uid: str = "u", revision: int = 3, **body: int) -> ComparedSide:
    return ComparedSide(uid, revision, dict(body))


def test_each_difference_has_its_name() -> None:
    expected = side(x=1)
    found = {
        MismatchKind.MISSING: None,
        MismatchKind.STALE: side(revision=2, x=1),
        MismatchKind.AHEAD: side(revision=4, x=1),
        MismatchKind.CONTENT: side(x=2),
        MismatchKind.IDENTITY: side(uid="v", x=1),
    }
    for kind, held in found.items():
        mismatch = compare("Queue", "q", "q", expected, held)
        assert mismatch is not None
        assert mismatch.kind is kind
    extra = compare("Queue", "q", "", None, expected)
    assert extra is not None
    assert extra.sentence == "Queue q is only in the target (revision 3)"


def test_equal_sides_agree_whatever_the_order_of_keys() -> None:
    assert compare("Queue", "q", "q", side(x=1, y=2), side(y=2, x=1)) is None
    assert compare("Queue", "q", "q", None, None) is None


def test_true_and_one_differ_in_content() -> None:
    mismatch = compare("Queue", "q", "q", side(x=1), side(x=True))
    assert mismatch is not None
    assert mismatch.kind is MismatchKind.CONTENT
    assert compare("Queue", "q", "q", ComparedSide("u", 3, {"x": 1.0}), side(x=1)) is None
