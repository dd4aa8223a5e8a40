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
    is_service_token,
)
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.ports.peers import Peer

EU, US = Peer("secrets.example.com", "eu"), Peer("iam.example.com", "us")
SECRET = "a secret of at least thirty-two characters"


@dataclass
class Now:
    at: float = 1_000_000.0

    def __call__(self) -> float:
        return self.at


def _refusal(tokens: ServiceTokens, token: str, audience: Peer = US) -> str:
    with pytest.raises(Denied) as refused:
        tokens.check(token, audience)
    assert refused.value.code == "service-token"
    return refused.value.message


def test_a_token_tells_the_deployment_and_whom_it_asks_for() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US, {"name": "ada"})
    caller = tokens.check(token, US)
    assert (caller.peer, caller.on_behalf) == (EU, {"name": "ada"})
    assert is_service_token(token)
    assert SECRET not in token


def test_a_token_is_good_for_its_audience_alone() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    token = tokens.sign(EU, US)
    for other in (Peer(US.service, "eu"), Peer("audit.example.com", "us"), EU):
        assert "another deployment" in _refusal(tokens, token, other)


def test_a_token_runs_out_and_is_not_taken_from_the_future() -> None:
    now = Now()
    tokens = ServiceTokens(ServiceKeys.of(SECRET), now)
    token = tokens.sign(EU, US)
    now.at += LIFE_SECONDS + CLOCKS_APART_SECONDS - 1
    assert tokens.check(token, US).peer == EU
    now.at += 1
    assert "run out" in _refusal(tokens, token)
    now.at -= LIFE_SECONDS + 2 * CLOCKS_APART_SECONDS + 1
    assert "run out" in _refusal(tokens, token)


def test_a_key_of_another_region_cannot_sign_for_this_one() -> None:
    eu, us = ServiceKeys.of(SECRET), ServiceKeys.of("another " + SECRET)
    here = ServiceTokens(ServiceKeys.of(SECRET, trusted={"us": us.public}), Now())
    theirs = ServiceTokens(ServiceKeys.of("another " + SECRET, trusted={"eu": eu.public}), Now())
    mine = Peer("iam.example.com", "eu")
    assert here.check(theirs.sign(US, mine), mine).peer == US
    assert "signature" in _refusal(here, theirs.sign(EU, mine), mine)
    assert theirs.check(here.sign(EU, US), US).peer == EU


def test_what_is_altered_unsigned_or_no_token_is_refused() -> None:
    tokens = ServiceTokens(ServiceKeys.of(SECRET), Now())
    head, body, signature = tokens.sign(EU, US).split(".")
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
