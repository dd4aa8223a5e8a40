"""A share of heavy work is taken without waiting, and given back whatever happens."""

from __future__ import annotations

import pytest

from migrations_app.engine.controller import Share


def test_no_more_than_so_many_take_part_at_once() -> None:
    share = Share(2)
    with share.taken() as first, share.taken() as second, share.taken() as third:
        assert (first, second, third) == (True, True, False)
    with share.taken() as again, share.taken() as too:
        assert (again, too) == (True, True)


def test_a_share_is_given_back_when_the_work_fails() -> None:
    share = Share(1)

    def fail() -> None:
        with share.taken() as free:
            assert free
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    with share.taken() as again:
        assert again


def test_of_no_shares_none_is_given_nor_given_back() -> None:
    share = Share(0)
    for _ in range(2):
        with share.taken() as free:
            assert not free


def test_asking_whether_all_are_taken_takes_none() -> None:
    share = Share(1)
    assert not share.is_full
    with share.taken() as free:
        assert free
        assert share.is_full
    assert not share.is_full
