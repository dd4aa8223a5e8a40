"""Settings are read once, typed, and refused with a sentence that says what mends them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from console.env import Env, WrongEnvironment, read_env

DATABASE = {"DATABASE_URL": "postgresql://u:p@db:5432/switchyard"}


def test_defaults_serve_one_machine() -> None:
    env = read_env(DATABASE)
    assert (env.port, env.bind, env.environment, env.tls) == (0, "127.0.0.1", "local", False)
    assert env.hosts == ("localhost", "127.0.0.1", "[::1]")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SWITCHYARD_PORT", "80x", "SWITCHYARD_PORT='80x' is not a port; give a number from 1 to 65535."),
        ("SWITCHYARD_PORT", "70000", "SWITCHYARD_PORT='70000' is not a port; give a number from 1 to 65535."),
        (
            "SWITCHYARD_PEER_SECONDS",
            "0",
            "SWITCHYARD_PEER_SECONDS='0' is no time to wait; give seconds from 0.1 to 60.",
        ),
        (
            "SWITCHYARD_PROOF_PERCENT",
            "101",
            "SWITCHYARD_PROOF_PERCENT='101' is no share in percent; give a whole one from 1 to 100.",
        ),
        (
            "SWITCHYARD_THROTTLE_COMMIT_MS",
            "0",
            "SWITCHYARD_THROTTLE_COMMIT_MS='0' is no number of milliseconds; give a whole one from 1 to 60000.",
        ),
        (
            "SWITCHYARD_PASSWORD_HASHES",
            "0",
            "SWITCHYARD_PASSWORD_HASHES='0' is no number of hashes; give a whole one from 1 to 64.",
        ),
        ("SWITCHYARD_PORT", "²", "SWITCHYARD_PORT='²' is not a port; give a number from 1 to 65535."),
        (
            "SWITCHYARD_TLS",
            "perhaps",
            "SWITCHYARD_TLS='perhaps' is neither `true` nor `false`; write one of them.",
        ),
        ("REDIS_URL", "http://x", "REDIS_URL is not an address of the kind redis://…; correct it."),
        ("SWITCHYARD_LOG_FORMAT", "xml", "SWITCHYARD_LOG_FORMAT='xml' is not one of text, json; choose one."),
        (
            "SWITCHYARD_SECRET_KEY",
            "short",
            "SWITCHYARD_SECRET_KEY is too short; give at least 32 random characters.",
        ),
        (
            "SWITCHYARD_META_SENDER",
            "south",
            "SWITCHYARD_META_SENDER='south' is no deployment; write `services/…/deployments/…`.",
        ),
        (
            "SWITCHYARD_META_NAME",
            "a b",
            "SWITCHYARD_META_NAME='a b' is no name of a registry; write up to 100 letters, digits, `.`, `_`, `-`.",
        ),
        (
            "SWITCHYARD_META_SENDERS",
            "services/a/deployments/b",
            (
                "SWITCHYARD_META_SENDERS holds 'services/a/deployments/b'; write `services/…/deployments/…=account`, each "
                "sender once, parted by spaces."
            ),
        ),
        (
            "SWITCHYARD_DATA_URLS",
            "eu-1",
            "SWITCHYARD_DATA_URLS holds 'eu-1'; write `alias=postgresql://…`, parted by spaces.",
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_remedy(name: str, value: str, sentence: str) -> None:
    with pytest.raises(WrongEnvironment) as refusal:
        read_env(DATABASE | {name: value})
    assert refusal.value.sentence == sentence
    assert refusal.value.code == f"switchyard: {sentence}"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"TOKEN": "swy_x", "SENDER": "services/a/deployments/b", "AUDIENCE": "north"},
            (
                "SWITCHYARD_META_TOKEN and SWITCHYARD_META_SENDER are both set; take one of them out: the mirror asks "
                "with the token of an account, or signs as a deployment."
            ),
        ),
        (
            {"SENDER": "services/a/deployments/b"},
            "Set SWITCHYARD_META_SENDER and SWITCHYARD_META_AUDIENCE both, or neither.",
        ),
        (
            {"SENDERS": "services/a/deployments/b=mirror"},
            (
                "SWITCHYARD_META_SENDERS is set without SWITCHYARD_META_NAME; set it to what their "
                "SWITCHYARD_META_AUDIENCE says."
            ),
        ),
    ],
)
def test_settings_of_the_meta_api_that_do_not_go_together_are_refused(
    given: dict[str, str], sentence: str
) -> None:
    with pytest.raises(WrongEnvironment) as refusal:
        read_env(DATABASE | {f"SWITCHYARD_META_{name}": value for name, value in given.items()})
    assert refusal.value.sentence == sentence


def test_no_refusal_repeats_a_password() -> None:
    with pytest.raises(WrongEnvironment) as refusal:
        read_env({"DATABASE_URL": "mysql://u:canary@db/x"})
    assert "canary" not in str(refusal.value)


def test_a_region_without_a_database_of_its_own_uses_the_default() -> None:
    env = read_env(DATABASE | {"SWITCHYARD_DATA_URLS": "default=postgresql:///d eu-1=postgresql:///e"})
    assert (env.data_url("eu-1"), env.data_url("us-1")) == ("postgresql:///e", "postgresql:///d")


def test_an_unknown_data_database_is_refused_with_the_line_to_add() -> None:
    with pytest.raises(WrongEnvironment, match="add `eu-1=postgresql://…` to SWITCHYARD_DATA_URLS"):
        read_env(DATABASE).data_url("eu-1")


def test_a_second_shell_finds_a_running_installation_by_its_home(tmp_path: Path) -> None:
    (tmp_path / "environment").write_text("DATABASE_URL=postgresql:///running\nSWITCHYARD_PORT=8003\n")
    env = read_env({"SWITCHYARD_HOME": str(tmp_path)})
    assert (env.database_url, env.port) == ("postgresql:///running", 8003)


def test_the_own_database_url_wins_over_a_running_installation(tmp_path: Path) -> None:
    (tmp_path / "environment").write_text("DATABASE_URL=postgresql:///running\nSWITCHYARD_PORT=8003\n")
    env = read_env(DATABASE | {"SWITCHYARD_HOME": str(tmp_path)})
    assert (env.database_url, env.port) == (DATABASE["DATABASE_URL"], 0)


@pytest.mark.parametrize("field", fields(Env), ids=lambda field: field.name)
def test_every_setting_is_documented_in_its_metadata(field) -> None:  # type: ignore[no-untyped-def]
    assert field.metadata["name"].isupper()
    assert field.metadata["doc"].endswith(".")


def test_a_process_that_needs_a_setting_names_the_first_that_is_missing() -> None:
    env = read_env(DATABASE)
    env.needs("DATABASE_URL")
    with pytest.raises(WrongEnvironment) as refusal:
        env.needs("DATABASE_URL", "REDIS_URL", "SWITCHYARD_SECRET_KEY")
    assert refusal.value.sentence.startswith("REDIS_URL is not set. Set it")


@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "SWITCHYARD_SECRET_KEY", "SWITCHYARD_DATA_URLS", "SWITCHYARD_PORT"]
)
def test_every_setting_may_stand_in_a_file(name: str, tmp_path: Path) -> None:
    texts = {
        "DATABASE_URL": "postgresql://u:p@db/x",
        "SWITCHYARD_SECRET_KEY": "s" * 40,
        "SWITCHYARD_DATA_URLS": "default=postgresql://u:p@db/y",
        "SWITCHYARD_PORT": "8123",
    }
    path = tmp_path / "value"
    path.write_text(texts[name] + "\n")
    assert read_env({f"{name}_FILE": str(path)}) == read_env({name: texts[name]})
    path.write_text("")
    with pytest.raises(WrongEnvironment, match="which is empty"):
        read_env({f"{name}_FILE": str(path)})
    path.unlink()
    with pytest.raises(WrongEnvironment, match=f"{name}_FILE names .* cannot be read"):
        read_env({f"{name}_FILE": str(path)})
