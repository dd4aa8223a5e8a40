"""Python runs this at the start of every process of a test run: whatever makes a secret notes it in one file.

`PYTHONPATH` brings it to the processes that tests start, `tests.plugin` to the test process itself. A secret is noted
when it is made, so one that was refused (a row with a name that is taken) counts as well.

Hashes of passwords cost little in these processes: the product's take 64 MiB and a tenth of a second of processor time
each, and a run of the tests makes thousands. `tests/integration/access/test_password_hashing.py` tests the product's.
"""

from __future__ import annotations

import base64
import importlib.abc
import os
import secrets
import sys
from collections.abc import Callable
from typing import Any

RECORD = "TEST_SECRETS_FILE"
SHORTEST = 12
"""Of a text that is searched for; a shorter one could stand in a log by accident."""


def note(value: str | bytes) -> None:
    """Add a secret to the file of this test run; bytes in each form in which they are written."""
    path = os.environ.get(RECORD)
    if not path:
        return
    if isinstance(value, bytes):
        texts = [value.hex(), base64.b32encode(value).decode(), base64.b64encode(value).decode()]
        texts.append(base64.urlsafe_b64encode(value).decode())
    else:
        texts = [value]
    lines = "".join(f"{text.rstrip('=')}\n" for text in texts if len(text) >= SHORTEST and "\n" not in text)
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:  # the run has ended and taken its folder away
        return
    try:
        os.write(file, lines.encode())
    finally:
        os.close(file)


def _wrap(holder: Any, name: str, *arguments: int | str) -> None:
    """Let a function of a module or class note what it gives, and the named arguments."""
    made = getattr(holder, name)

    def noting(*args: Any, **kwargs: Any) -> Any:
        value = made(*args, **kwargs)
        for argument in arguments:
            taken = kwargs.get(argument) if isinstance(argument, str) else dict(enumerate(args)).get(argument)
            if taken is not None:
                note(taken.decode() if isinstance(taken, bytes) else taken)
        if isinstance(value, str | bytes):
            note(value.decode() if isinstance(value, bytes) and arguments else value)
        return value

    setattr(holder, name, noting)


def _password_hashes(module: Any) -> None:
    _wrap(module, "hash_secret", 0)


def _session_keys(module: Any) -> None:
    _wrap(module.SessionBase, "_get_new_session_key")


def _signed_tokens(module: Any) -> None:
    _wrap(module.PyJWT, "encode")
    module.encode = module._jwt_global_obj.encode


def _cheap_hashes(module: Any) -> None:
    hasher = module.BoundedArgon2Hasher
    hasher.product_costs = {name: getattr(hasher, name) for name in ("time_cost", "memory_cost")}
    hasher.time_cost, hasher.memory_cost = 1, 8


MAKERS: dict[str, Callable[[Any], None]] = {
    "argon2.low_level": _password_hashes,
    "django.contrib.sessions.backends.base": _session_keys,
    "jwt.api_jwt": _signed_tokens,
    "migrations_app.control.access.sign_in.password_hashing": _cheap_hashes,
}
"""Modules that make secrets or hash them, wrapped as soon as they are imported. Ids come of `token_hex`, which is left alone."""


def _running(run: Callable[[Any], None], wrap: Callable[[Any], None]) -> Callable[[Any], None]:
    def run_and_wrap(module: Any) -> None:
        run(module)
        wrap(module)

    return run_and_wrap


class _Wrapping(importlib.abc.MetaPathFinder):
    """Lets the others find a module and wraps its makers after it has run."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in MAKERS:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader.exec_module = _running(spec.loader.exec_module, MAKERS[name])  # type: ignore[method-assign]
                return spec
        return None


def install() -> None:
    """Wrap every maker of secrets in this process."""
    for name in ("token_urlsafe", "token_bytes"):
        _wrap(secrets, name)
    for name, wrap in MAKERS.items():
        if name in sys.modules:
            wrap(sys.modules[name])
    sys.meta_path.insert(0, _Wrapping())


if os.environ.get(RECORD):
    install()
