"""A token that a token makes is never wider than that one: scopes, networks, end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.access import PERMISSIONS, beyond
from migrations_app.domain.granting import TokenBounds, inherited
from migrations_app.kernel.errors import Invalid

START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPES = st.lists(st.sampled_from(["*", "upgrade.*", "upgrade.plan", "*.read"]), min_size=1, max_size=2)
NETWORKS = st.lists(
    st.sampled_from(["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "192.0.2.0/24", "::/0", "2001:db8::/32"]),
    max_size=2,
)
ENDS = st.none() | st.integers(1, 5).map(lambda days: START + timedelta(days=days))
BOUNDS = st.builds(TokenBounds, SCOPES.map(tuple), NETWORKS.map(tuple), ENDS)
ADDRESSES = ("10.1.2.3", "10.1.9.9", "10.200.0.1", "192.0.2.7", "203.0.113.1", "2001:db8::1", "2001:db9::1")


def usable_from(bounds: TokenBounds, address: str) -> bool:
    at = ip_address(address)
    return not bounds.networks or any(at in ip_network(each) for each in bounds.networks)


@given(wanted=BOUNDS, of=BOUNDS)
def test_a_made_token_may_do_nothing_that_its_maker_may_not(wanted: TokenBounds, of: TokenBounds) -> None:
    try:
        bounds = inherited(wanted, of)
    except Invalid:
        return
    assert not beyond(bounds.scopes, of.scopes)
    assert all(usable_from(of, each) for each in ADDRESSES if usable_from(bounds, each))
    assert of.expires_at is None or (bounds.expires_at is not None and bounds.expires_at <= of.expires_at)


@given(of=BOUNDS)
def test_what_is_left_open_is_taken_over(of: TokenBounds) -> None:
    assert inherited(TokenBounds(of.scopes), of) == of


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (TokenBounds(("*",)), "scope"),
        (TokenBounds(("token.own",), ("10.0.0.0/7",)), "network"),
        (TokenBounds(("token.own",), ("::/0",)), "network"),
        (TokenBounds(("token.own",), (), START + timedelta(days=3)), "expiry"),
    ],
)
def test_what_is_wider_is_refused_with_the_bound(wanted: TokenBounds, code: str) -> None:
    of = TokenBounds(("token.own", "fleet.read"), ("10.0.0.0/8",), START + timedelta(days=2))
    with pytest.raises(Invalid) as refused:
        inherited(wanted, of)
    assert refused.value.code == code
    assert refused.value.remedy


def test_every_permission_is_within_everything() -> None:
    assert not beyond(tuple(PERMISSIONS), ("*",))
