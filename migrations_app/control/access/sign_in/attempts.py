"""Slows the guessing of passwords, codes and tokens down: counted for all processes, before anything is hashed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

from django.conf import settings

from migrations_app.adapters.rates.valkey import shared_rates
from migrations_app.control.access.repository.attempts import begin_attempt, count_failure, end_attempt
from migrations_app.control.access.sign_in.password_hashing import hash_slots
from migrations_app.domain.attempts import AttemptLimit, too_many_attempts
from migrations_app.kernel.errors import Denied, SecondFactorRequired
from migrations_app.web.callers import network_of

OF_ACCOUNT = AttemptLimit("sign-in-account", free=5)
OF_BROWSER = AttemptLimit("sign-in-browser", free=5)
# Many people may share an address.
OF_ADDRESS = AttemptLimit("sign-in-address", free=30, forgotten_after=timedelta(hours=1))
OF_PROOF = AttemptLimit("proof", free=5)
OF_FACTOR = AttemptLimit("factor", free=5)
OF_TOKENS = AttemptLimit("token", free=30, forgotten_after=timedelta(minutes=1))


@contextmanager
def sign_in_attempt(name: str, address: str, browser: str) -> Iterator[None]:
    """Count an attempt to sign in: of a browser that signed in before by itself, else of its account and address.

    So guesses from other places do not keep a person out of the browsers they use.
    Raises: Busy (`too-many-requests`, `password-hashing-busy`).
    """
    named = canonical_name(name)
    check_password_rate(f"browser:{browser}" if browser else f"address:{network_of(address)}")
    with ExitStack() as counts:
        # A flood beyond what can be hashed costs no query.
        counts.enter_context(hash_slots().place())
        if browser:
            counts.enter_context(counted(OF_BROWSER, f"{browser}:{named}"))
        else:
            # A success elsewhere says nothing of the guesses at other accounts that came from this address.
            counts.enter_context(counted(OF_ADDRESS, network_of(address), forgiving=False))
            counts.enter_context(counted(OF_ACCOUNT, named))
        yield


@contextmanager
def counted(limit: AttemptLimit, subject: str, *, forgiving: bool = True) -> Iterator[None]:
    """Count what is refused inside as a failure; with `forgiving` a success takes the earlier ones back.

    Raises: Busy (`too-many-requests`).
    """
    begin_attempt(limit, subject)
    try:
        yield
    except Denied as refused:
        # Asking for the second factor is a step of signing in and no failure; it does not take failures back either.
        end_attempt(limit, subject, failed=not isinstance(refused, SecondFactorRequired))
        raise
    except BaseException:
        end_attempt(limit, subject, failed=False)
        raise
    end_attempt(limit, subject, failed=False, forget=forgiving)


def check_password_rate(subject: str) -> None:
    """Count a password that is about to be hashed.

    Raises: Busy (`too-many-requests`).
    """
    spent = shared_rates().spend(f"password:{subject}", 60)
    if spent.count > settings.SWITCHYARD.sign_ins_per_minute:
        raise too_many_attempts(spent.resets_in_seconds)


def count_bad_token(address: str) -> None:
    """Count a token that is no good; a good one is never asked about here.

    Raises: Busy (`too-many-requests`) after too many from one address.
    """
    seconds = count_failure(OF_TOKENS, network_of(address))
    if seconds > 0:
        raise too_many_attempts(seconds)


def canonical_name(name: str) -> str:
    """Give the one form of a name that is counted, however it was typed."""
    return unicodedata.normalize("NFKC", name).casefold().strip()
