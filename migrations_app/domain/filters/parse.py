"""The one entry point to the dialects of filters."""

from __future__ import annotations

from migrations_app.domain.filters.aip160 import parse_aip160
from migrations_app.domain.filters.ast import Filter
from migrations_app.domain.filters.goten import parse_goten
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

_DIALECTS = {"goten": parse_goten, "aip160": parse_aip160}


def parse(text: str, dialect: str = "goten") -> Filter:
    """Parse a filter; empty text is the filter that holds for everything.

    Raises: Invalid (`filter-syntax`, `filter-dialect`).
    """
    parser = _DIALECTS.get(dialect)
    if parser is None:
        known = ", ".join(_DIALECTS)
        raise Invalid(
            message("There is no filter dialect {dialect}.", dialect=dialect),
            code="filter-dialect",
            remedy=message("Use {known}.", known=known),
        )
    return parser(text)
