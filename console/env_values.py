"""The texts of settings, from variables, files and a running installation, as values; a wrong one is refused with what mends it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from migrations_app.adapters.databases import parts_of_address

POSTGRESQL = ("postgresql", "postgres")
_WHOLE = {
    "SWITCHYARD_ANCHOR_SECONDS": (86_400, "number of seconds"),
    "SWITCHYARD_TRACE_PERCENT": (100, "share in percent"),
    "SWITCHYARD_PROOF_PERCENT": (100, "share in percent"),
    "SWITCHYARD_THROTTLE_COMMIT_MS": (60_000, "number of milliseconds"),
    "SWITCHYARD_PASSWORD_HASHES": (64, "number of hashes"),
    "SWITCHYARD_SIGN_INS_PER_MINUTE": (100_000, "number of attempts"),
    "SWITCHYARD_SESSION_HOURS": (720, "number of hours"),
    "SWITCHYARD_SESSION_IDLE_MINUTES": (1_440, "number of minutes"),
    "SWITCHYARD_GROUPS_HOURS": (720, "number of hours"),
    "SWITCHYARD_CONNECTIONS": (100_000, "number of connections"),
    "SWITCHYARD_RESOURCE_RATE": (999_999, "number of requests"),
    "SWITCHYARD_ANONYMOUS_RATE": (999_999, "number of requests"),
    "SWITCHYARD_SOCKETS": (10_000, "number of streams"),
}


_DEPLOYMENT = re.compile(r"services/[^/=\s]+/deployments/[^/=\s]+")


class WrongEnvironment(SystemExit):
    """A setting is wrong: one sentence says which, and what mends it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(f"switchyard: {sentence}")
        self.sentence = sentence


def _pairs(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        alias, sign, url = part.partition("=")
        if not sign or not alias or not url:
            raise WrongEnvironment(f"{name} holds {part!r}; write `alias=postgresql://…`, parted by spaces.")
        found[alias] = _url(name, url, POSTGRESQL)
    return found


def _peers(name: str, text: str, *, urls: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        region, sign, value = part.partition("=")
        if not sign or not region or not value:
            raise WrongEnvironment(f"{name} holds {part!r}; write `region=value`, parted by spaces.")
        found[region] = _url(name, value, ("http", "https")) if urls else value
    return found


def _backends(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        place, sign, url = part.partition("=")
        if not sign or not url or not re.fullmatch(r"[^/@]+/[^/@]+(@[^/@]+)?", place):
            raise WrongEnvironment(
                f"{name} holds {part!r}; write `service/version=https://…` or `service/version@region=https://…`, "
                "parted by spaces."
            )
        found[place] = _url(name, url, ("http", "https"))
    return found


def _shares(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        work_class, sign, share = part.partition("=")
        if not sign or not work_class or not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", share):
            raise WrongEnvironment(f"{name} holds {part!r}; write `class=number`, parted by spaces.")
        found[work_class] = share
    return found


def _deployment(name: str, text: str) -> str:
    if not _DEPLOYMENT.fullmatch(text):
        raise WrongEnvironment(f"{name}={text!r} is no deployment; write `services/…/deployments/…`.")
    return text


def _registry_name(name: str, text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", text):
        raise WrongEnvironment(
            f"{name}={text!r} is no name of a registry; write up to 100 letters, digits, `.`, `_`, `-`."
        )
    return text


def _senders(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        sender, sign, account = part.partition("=")
        if not sign or not account or not _DEPLOYMENT.fullmatch(sender) or sender in found:
            raise WrongEnvironment(
                f"{name} holds {part!r}; write `services/…/deployments/…=account`, each sender once, parted by spaces."
            )
        found[sender] = account
    return found


def _headers(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split():
        header, sign, value = part.partition("=")
        if not sign or not value or not re.fullmatch(r"[A-Za-z0-9-]+", header):
            # The part itself may hold a credential.
            raise WrongEnvironment(f"{name} holds something other than `name=value` pairs parted by spaces.")
        found[header] = value
    return found


def _url(name: str, text: str, schemes: tuple[str, ...]) -> str:
    if text and text.partition("://")[0] not in schemes:
        raise WrongEnvironment(f"{name} is not an address of the kind {schemes[0]}://…; correct it.")
    if text and schemes == POSTGRESQL:
        try:
            parts_of_address(text)
        except ValueError:
            raise WrongEnvironment(
                f"{name} is not an address that PostgreSQL understands; write postgresql://user:password@host:port/name, "
                "with special characters of the password as %XX, and several hosts parted by commas."
            ) from None
    return text


def _networks(name: str, text: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for part in found:
        try:
            ip_network(part)
        except ValueError as error:
            raise WrongEnvironment(
                f"{name} holds {part!r}; write networks such as `10.20.0.0/16` or `fd00:1::/64`, parted by commas."
            ) from error
    return found


def _anchors(name: str, text: str) -> tuple[str, ...]:
    places = tuple(part.strip() for part in text.split(",") if part.strip())
    for place in places:
        if not re.fullmatch(r"file(:/.+)?|(post|put):https?://[^\s/]+.*", place):
            raise WrongEnvironment(
                f"{name} holds {place!r}; write `file`, `file:/folder`, `post:https://…` or `put:https://…`."
            )
    return places


def _public_keys(name: str, text: str) -> tuple[str, ...]:
    keys = tuple(part.strip() for part in text.split(",") if part.strip())
    for key in keys:
        if not re.fullmatch(r"[A-Za-z0-9_-]{43}", key):
            raise WrongEnvironment(
                f"{name} holds {key!r}; write public keys as `swy report keys` prints them, parted by commas."
            )
    return keys


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise WrongEnvironment(f"{name}={text!r} is not a port; give a number from 1 to 65535.")
    return int(text)


def _whole(name: str, text: str, most: int, what: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text) or int(text) > most:
        raise WrongEnvironment(f"{name}={text!r} is no {what}; give a whole one from 1 to {most}.")
    return int(text)


def _seconds(name: str, text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text) or not 0.1 <= float(text) <= 60:
        raise WrongEnvironment(f"{name}={text!r} is no time to wait; give seconds from 0.1 to 60.")
    return float(text)


def _truth(name: str, text: str) -> bool:
    truths = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if text.lower() not in truths:
        raise WrongEnvironment(f"{name}={text!r} is neither `true` nor `false`; write one of them.")
    return truths[text.lower()]


def _choice(name: str, text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise WrongEnvironment(f"{name}={text!r} is not one of {', '.join(choices)}; choose one.")
    return text


_READERS: Mapping[str, Callable[[str, str], object]] = {
    "SWITCHYARD_ANCHORS": _anchors,
    "SWITCHYARD_DATA_URLS": _pairs,
    "SWITCHYARD_EARLIER_REPORT_KEYS": _public_keys,
    "SWITCHYARD_EGRESS_NETWORKS": _networks,
    "SWITCHYARD_META_AUDIENCE": _registry_name,
    "SWITCHYARD_META_NAME": _registry_name,
    "SWITCHYARD_META_SENDER": _deployment,
    "SWITCHYARD_META_SENDERS": _senders,
    "SWITCHYARD_METHOD_BACKENDS": _backends,
    "SWITCHYARD_OTLP_HEADERS": _headers,
    "SWITCHYARD_TRUSTED_PROXIES": _networks,
    "SWITCHYARD_WORK_SHARES": _shares,
}


def value_of(name: str, text: str, default: object) -> object:
    """Read the text of a variable as its setting needs it.

    Raises: WrongEnvironment.
    """
    if name in ("DATABASE_URL", "SWITCHYARD_OWNER_URL", "REDIS_URL"):
        return _url(name, text, POSTGRESQL if name != "REDIS_URL" else ("redis", "rediss", "unix"))
    if name in _READERS:
        return _READERS[name](name, text)
    if name == "SWITCHYARD_MAIL_URL":
        return _url(name, text, ("smtp", "smtps"))
    if name == "SWITCHYARD_META_URL":
        return _url(name, text, ("http", "https", "grpc", "grpcs"))
    if name in (
        "SWITCHYARD_META_PAGES_URL",
        "SWITCHYARD_PUBLIC_URL",
        "SWITCHYARD_OTLP_URL",
        "SWITCHYARD_SENTRY_DSN",
    ):
        return _url(name, text, ("http", "https"))
    if name in ("SWITCHYARD_META_KEYS", "SWITCHYARD_PEER_KEYS", "SWITCHYARD_PEER_URLS"):
        return _peers(name, text, urls=name == "SWITCHYARD_PEER_URLS")
    if name == "SWITCHYARD_LOG_LEVEL":
        return _choice(name, text.upper(), ("DEBUG", "INFO", "WARNING", "ERROR"))
    if name == "SWITCHYARD_LOCAL_SIGN_IN":
        return _choice(name, text.lower(), ("on", "emergency", "off"))
    if name == "SWITCHYARD_LOG_FORMAT":
        return _choice(name, text, ("text", "json"))
    if name in _WHOLE:
        return _whole(name, text, *_WHOLE[name])
    if name == "SWITCHYARD_SECRET_KEY" and len(text) < 32:
        raise WrongEnvironment(f"{name} is too short; give at least 32 random characters.")
    if isinstance(default, bool):
        return _truth(name, text)
    if isinstance(default, int):
        return _number(name, text)
    if isinstance(default, float):
        return _seconds(name, text)
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if isinstance(default, Path):
        return Path(text).expanduser().absolute()
    return text


def running_installation(home: Path) -> dict[str, str]:
    """What a running `make up` says of itself, so that a second shell finds its servers."""
    try:
        lines = (home / "environment").read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def text_of_file(name: str, environ: Mapping[str, str]) -> str:
    """Read a setting from the file that `<name>_FILE` names, so that a secret need not stand in the environment.

    Raises: WrongEnvironment.
    """
    path = environ.get(f"{name}_FILE", "")
    if not path:
        return ""
    try:
        text = Path(path).read_text().strip()
    except (OSError, UnicodeError) as error:
        raise WrongEnvironment(f"{name}_FILE names {path!r}, which cannot be read ({error}).") from None
    if not text:
        raise WrongEnvironment(f"{name}_FILE names {path!r}, which is empty; write the value into it.")
    return text


def setting(name: str, doc: str, default: Any = "") -> Any:
    """Declare a setting: its variable, its documentation, its default."""
    described = {"name": name, "doc": doc}
    if default is dict:
        return field(default_factory=dict, metadata=described)
    return field(default=default, metadata=described)


def check_sign_in(local: str, issuer: str) -> None:
    """Refuse settings that leave no way in.

    Raises: WrongEnvironment.
    """
    if local != "on" and not issuer:
        raise WrongEnvironment(
            f"SWITCHYARD_LOCAL_SIGN_IN={local} leaves no way in without single sign-on; "
            "set SWITCHYARD_OIDC_ISSUER, or leave it `on`."
        )


def check_meta(token: str, sender: str, audience: str, senders: Mapping[str, str], name: str) -> None:
    """Refuse settings of the Meta API that say two things, or half of one.

    Raises: WrongEnvironment.
    """
    if token and sender:
        raise WrongEnvironment(
            "SWITCHYARD_META_TOKEN and SWITCHYARD_META_SENDER are both set; take one of them out: the mirror asks "
            "with the token of an account, or signs as a deployment."
        )
    if bool(sender) != bool(audience):
        raise WrongEnvironment("Set SWITCHYARD_META_SENDER and SWITCHYARD_META_AUDIENCE both, or neither.")
    if senders and not name:
        raise WrongEnvironment(
            "SWITCHYARD_META_SENDERS is set without SWITCHYARD_META_NAME; set it to what their "
            "SWITCHYARD_META_AUDIENCE says."
        )
