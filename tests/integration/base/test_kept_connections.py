"""A kept connection to the control database is checked by its socket: no statement, and an ended session is noticed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.db import connection

from console.postgresql.base import DatabaseWrapper

WAIT_SECONDS = 60.0

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> Iterator[DatabaseWrapper]:
    other = connection.copy()
    assert isinstance(other, DatabaseWrapper)
    with other.cursor() as cursor:
        cursor.execute("SELECT 1")
    yield other
    other.close()


def _asked(query: str, pid: int) -> object:
    with connection.cursor() as cursor:
        cursor.execute(query, [pid])
        row = cursor.fetchone()
    return row[0] if row else None


def test_a_live_session_is_usable_and_is_sent_nothing(kept: DatabaseWrapper) -> None:
    pid = kept.connection.info.backend_pid
    last = "SELECT query_start FROM pg_stat_activity WHERE pid = %s"
    before = _asked(last, pid)
    assert kept.is_usable()
    assert (before is not None, _asked(last, pid)) == (True, before)


def test_a_session_that_the_server_ended_is_replaced(kept: DatabaseWrapper) -> None:
    pid = kept.connection.info.backend_pid
    assert _asked("SELECT pg_terminate_backend(%s)", pid) is True
    deadline = time.monotonic() + WAIT_SECONDS
    while kept.is_usable():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    kept.health_check_enabled, kept.health_check_done = True, False
    kept.close_if_health_check_failed()
    with kept.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone()[0] != pid


def test_a_connection_that_was_closed_here_is_not_usable(kept: DatabaseWrapper) -> None:
    kept.connection.close()
    assert not kept.is_usable()
