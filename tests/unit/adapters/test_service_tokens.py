"""Service tokens say who asks, to one audience, for a minute."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass

import jwt
import pytest

from migrations_app.adapters.service_tokens import (
    CLOCKS_APART_SECONDS,
    LIFE_SECONDS,
    ServiceKeys,
    ServiceTokens,
)
from migrations_app.adapters.used_tokens.memory import MemoryUsedTokens
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.ports.regions.peers import Peer

EU, US = Peer("secrets.example.com", "eu"), Peer("iam.example.com", "us")
CALL = ("POST", "/apis/us/iam.example.com/mixin/resourceShadows:doThis")
SECRET = "a secret of at least thirty-two characters"


@dataclass
class Now:
    at: float = 1_000_000.0

    def __call__(self) -> float:
        return self.at


def _refusal(tokens: ServiceTokens, token: str, audience: Peer = US) -> str:
    with pytest.raises(Denied) as refused:
        tokens.check(token, audience, *CALL)
    assert refused.value.code == "service-token"
    return refused.value.message


def test_a_token_tells_the_deployment_and_whom_it_asks_for() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US, *CALL, {"name": "ada"})
    caller = tokens.check(token, US, *CALL)
    assert (caller.peer, caller.on_behalf) == (EU, {"name": "ada"})
    assert tokens.recognizes(token)
    assert not tokens.recognizes("swy_0123456789")
    assert SECRET not in token


def test_a_token_is_good_for_its_audience_alone() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US, *CALL)
    for other in (Peer(US.service, "eu"), Peer("audit.example.com", "us"), EU):
        assert "another audience" in _refusal(tokens, token, other)


def test_a_token_runs_out_and_is_not_taken_from_the_future() -> None:
    now = Now()
    tokens = ServiceTokens(ServiceKeys.of(SECRET), now)
    token = tokens.sign(EU, US, *CALL)
    now.at += LIFE_SECONDS + CLOCKS_APART_SECONDS - 1
    assert tokens.check(tokens.sign(EU, US, *CALL), US, *CALL).peer == EU
    assert "used before" not in _refusal(tokens, token, EU)
    now.at += 1
    assert "expired" in _refusal(tokens, token)
    now.at -= LIFE_SECONDS + 2 * CLOCKS_APART_SECONDS + 1
    assert "expired" in _refusal(tokens, token)


def test_a_key_of_another_region_cannot_sign_for_this_one() -> None:
    eu, us = ServiceKeys.of(SECRET), ServiceKeys.of("another " + SECRET)
    here = ServiceTokens(ServiceKeys.of(SECRET, trusted={"us": us.public}), Now())
    theirs = ServiceTokens(ServiceKeys.of("another " + SECRET, trusted={"eu": eu.public}), Now())
    mine = Peer("iam.example.com", "eu")
    assert here.check(theirs.sign(US, mine, *CALL), mine, *CALL).peer == US
    assert "signature" in _refusal(here, theirs.sign(EU, mine, *CALL), mine)
    assert theirs.check(here.sign(EU, US, *CALL), US, *CALL).peer == EU


def test_what_is_altered_unsigned_or_no_token_is_refused() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    head, body, signature = tokens.sign(EU, US, *CALL).split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = (
        base64.urlsafe_b64encode(json.dumps(claims | {"iss": US.deployment}).encode()).decode().rstrip("=")
    )
    unsigned = jwt.encode(claims, "", algorithm="none")
    shared = jwt.encode(claims, ServiceKeys.of(SECRET).public, algorithm="HS256")
    long_lived = jwt.encode(
        claims | {"exp": claims["exp"] + 1}, ServiceKeys.of(SECRET).private, algorithm="EdDSA"
    )
    for bad in (
        f"{head}.{forged}.{signature}",
        unsigned,
        shared,
        long_lived,
        "a.b.c",
        "",
        "x" * 5000,
        "..",
        head,
    ):
        _refusal(tokens, bad)


def test_a_given_key_is_32_bytes_of_base64() -> None:
    own = base64.urlsafe_b64encode(bytes(range(32))).decode()
    assert ServiceKeys.of(SECRET, own).public == ServiceKeys.of("other", own).public
    assert ServiceKeys.of(SECRET).public != ServiceKeys.of(SECRET, own).public
    for bad in ("short", "é" * 40, own + own):
        with pytest.raises(Invalid) as refused:
            ServiceKeys.of(SECRET, bad)
        assert refused.value.code == "service-key"


def test_a_token_is_taken_once_and_kept_until_it_ends() -> None:
    now = Now()
    used = MemoryUsedTokens(now)
    first, second = (ServiceTokens(ServiceKeys.of(SECRET), now, used) for _ in range(2))
    token = first.sign(EU, US, *CALL)
    assert second.check(token, US, *CALL).peer == EU
    for each in (first, second):
        assert "used before" in _refusal(each, token)
    now.at += LIFE_SECONDS + CLOCKS_APART_SECONDS - 1
    assert "used before" in _refusal(first, token)
    now.at += 1
    assert "expired" in _refusal(first, token)


@pytest.mark.parametrize(
    "call",
    [
        ("GET", CALL[1]),
        ("PUT", CALL[1]),
        ("post", CALL[1]),
        ("POST", f"{CALL[1]}2"),
        ("POST", "/apis/us/iam.example.com/v1/things"),
        ("POST", ""),
    ],
)
def test_a_token_is_good_for_one_method_and_path_and_is_not_spent_by_others(call: tuple[str, str]) -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US, *CALL)
    with pytest.raises(Denied, match="another call"):
        tokens.check(token, US, *call)
    assert tokens.check(token, US, *CALL).peer == EU


def test_a_path_may_be_escaped_otherwise_on_the_way() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US, "PUT", "/apis/us/s/v1/things/gr%C3%B6%C3%9Fe~1")
    assert tokens.check(token, US, "PUT", "/apis/us/s/v1/things/gr%c3%b6%c3%9fe%7E1").peer == EU


@pytest.mark.parametrize("claim", ["iat", "exp", "jti", "iss", "aud", "htm", "htu", "act"])
@pytest.mark.parametrize(
    "value",
    [
        "now",
        "",
        None,
        True,
        1.5,
        float("nan"),
        float("inf"),
        -1,
        1 << 70,
        [],
        {},
        "1000000",
        "\ud800",
        "x" * 70,
        0,
    ],
)
def test_a_well_signed_token_with_claims_of_any_form_is_taken_or_refused(claim: str, value: object) -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    keys = ServiceKeys.of(SECRET)
    good = jwt.decode(tokens.sign(EU, US, *CALL), options={"verify_signature": False})
    token = jwt.PyJWS().encode(json.dumps(good | {claim: value}).encode(), keys.private, algorithm="EdDSA")
    if claim == "act" or (claim == "jti" and isinstance(value, str) and 1 <= len(value) <= 64):
        assert tokens.check(token, US, *CALL).peer == EU
    else:
        _refusal(tokens, token)
