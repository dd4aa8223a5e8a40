"""Makes a process that does nothing but schedules fast: fewer collections, and values that are filled plainly."""

from __future__ import annotations

import dataclasses
import gc
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, field, make_dataclass
from types import ModuleType
from typing import Any

_COPIES: dict[type, Callable[[Any], Any] | None] = {}


def hurry() -> None:
    """Let garbage wait for `tidy`, and let frozen values be built without a call for each field.

    What is frozen stays so in every test: a schedule only builds many more values than it looks at.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and module.__name__.startswith("migrations_app."):
            for found in list(vars(module).values()):
                if isinstance(found, type) and found.__module__ == module.__name__ and _is_frozen(found):
                    _thaw(found)
            if vars(module).get("replace") is dataclasses.replace:
                vars(module)["replace"] = _replaced


def tidy() -> None:
    """Collect what was left lying; between parts, not within them."""
    gc.collect()


def _is_frozen(found: type) -> bool:
    parameters = vars(found).get("__dataclass_params__")
    return parameters is not None and bool(parameters.frozen)


def _thaw(frozen: Any) -> None:
    twin = make_dataclass(
        frozen.__name__,
        [(each.name, each.type, _copied(each)) for each in frozen.__dataclass_fields__.values()],
        namespace={"__post_init__": frozen.__post_init__} if hasattr(frozen, "__post_init__") else {},
    )
    frozen.__init__ = vars(twin)["__init__"]
    frozen.__setattr__ = object.__setattr__


def _replaced(value: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace` for values that take their fields as they are."""
    known = type(value)
    if known not in _COPIES:
        _COPIES[known] = None if hasattr(known, "__post_init__") else _copier(known)
    copy = _COPIES[known]
    if copy is None:
        return dataclasses.replace(value, **changes)
    twin = copy(value)
    for name, changed in changes.items():
        setattr(twin, name, changed)
    return twin


def _copier(known: type) -> Callable[[Any], Any]:
    fields = "".join(f"; twin.{name} = value.{name}" for name in known.__dataclass_fields__)  # type: ignore[attr-defined]
    names: dict[str, Any] = {"new": object.__new__, "known": known}
    exec(f"def copy(value):\n    twin = new(known){fields}\n    return twin", names)
    made: Callable[[Any], Any] = names["copy"]
    return made


def _copied(of: Field[Any]) -> Any:
    known: dict[str, Any] = {"init": of.init, "kw_only": of.kw_only}
    if of.default is not MISSING:
        known["default"] = of.default
    if of.default_factory is not MISSING:
        known["default_factory"] = of.default_factory
    return field(**known)
