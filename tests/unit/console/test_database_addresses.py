"""Addresses of databases are read as libpq reads them: sockets, escaped passwords, and several hosts of one server."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict

from console.env import WrongEnvironment, read_env
from console.settings import database
from migrations_app.adapters.database_roles import DatabaseAddress
from migrations_app.adapters.databases import url_for_reading

HOSTS = (
    "postgresql://app:p%40ss@db-a:5432,db-b:5433/control?target_session_attrs=read-write&connect_timeout=3"
)


def test_several_hosts_stay_several_for_django() -> None:
    settings = database(HOSTS)
    assert {name: settings[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "control",
        "USER": "app",
        "PASSWORD": "p@ss",
        "HOST": "db-a,db-b",
        "PORT": "5432,5433",
        "OPTIONS": {"target_session_attrs": "read-write", "connect_timeout": "3"},
    }


def test_a_socket_folder_is_the_host() -> None:
    settings = database("postgresql://app:secret@/?host=%2Ftmp%2Frun")
    assert (settings["NAME"], settings["HOST"], settings["PORT"]) == ("switchyard", "/tmp/run", "")
    assert settings["OPTIONS"] == {}


def test_roles_are_made_on_the_server_that_several_hosts_are() -> None:
    address = DatabaseAddress.of(HOSTS)
    assert (address.server, address.database) == (("db-a,db-b", "5432,5433"), "control")
    assert (address.role, address.password) == ("app", "p@ss")
    assert DatabaseAddress.of(address.in_database("data")).database == "data"
    assert DatabaseAddress.of("postgresql://u@h/d").server == ("h", "5432")


def test_sessions_that_only_read_ask_for_the_primary() -> None:
    asked = conninfo_to_dict(url_for_reading(HOSTS))
    assert asked == conninfo_to_dict(HOSTS) | {"target_session_attrs": "primary"}
    single = "postgresql://app:secret@db-a/control"
    assert url_for_reading(single) == single


@pytest.mark.parametrize("name", ["DATABASE_URL", "SWITCHYARD_OWNER_URL", "SWITCHYARD_DATA_URLS"])
def test_an_address_that_postgresql_does_not_understand_is_refused_without_its_password(name: str) -> None:
    address = "postgresql://app:canary%zz@db-a/control"
    with pytest.raises(WrongEnvironment) as refusal:
        read_env({name: f"eu-1={address}" if name == "SWITCHYARD_DATA_URLS" else address})
    assert refusal.value.sentence.startswith(f"{name} is not an address that PostgreSQL understands; write ")
    assert "canary" not in refusal.value.sentence
