"""The tests' own servers are the real ones, of the versions that the product brings."""

from __future__ import annotations

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection


@pytest.mark.django_db
def test_the_control_database_is_postgresql_18() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        (version,) = cursor.fetchone()
    assert int(version) // 10_000 == 18


def test_the_broker_is_valkey_9() -> None:
    with redis.Redis.from_url(settings.SWITCHYARD.redis_url) as client:
        assert client.info("server")["valkey_version"].split(".")[0] == "9"


def test_a_data_database_is_empty_and_reached_by_its_alias(data_database: str) -> None:
    with psycopg.connect(settings.SWITCHYARD.data_url(data_database)) as data:
        found = data.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert found == (0,)
