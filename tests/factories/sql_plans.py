"""Conversions for the database to do, as the contracts of stores need them."""

from __future__ import annotations

from typing import Never

from migrations_app.adapters.conversions import Pushed
from migrations_app.kernel.json import JsonObject


def sql_plan(name: str = "name", body: str = "body", unsure: str = "false") -> Pushed:
    """Give a conversion by these expressions, whose documents refer to nothing."""
    return Pushed(name, body, (), unsure)


def not_converted(name: str, body: JsonObject) -> Never:
    """Stand for the conversion of resources that a plan is unsure about, where it is sure about all of them."""
    raise AssertionError(f"The database was to convert {name}.")
