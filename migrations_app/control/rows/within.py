"""How far a permission reaches, as a condition on rows."""

from __future__ import annotations

import re
from fnmatch import translate

from django.db.models import Q

from migrations_app.domain.reach import Reach

NOTHING = Q(pk__in=[])
ANY = Q()
_MAGIC = re.compile(r"[*?\[]")


def within(reach: Reach, service: str = "service", region: str = "region") -> Q:
    """Choose the rows that a permission reaches, by the columns that name their service and their region.

    A column left empty is not there, one whose value is empty does not bind the row: as `Reach.covers` has it.
    """
    found = NOTHING
    for services, regions in sorted(reach.pairs):
        one = _like(service, services) & _like(region, regions)
        if not one:
            # Said apart: to Django a condition that says nothing adds nothing, also to `or`.
            return ANY
        found |= one
    return found


def _like(column: str, glob: str) -> Q:
    """Choose the rows where a column is empty or matches a glob."""
    if not column or glob == "*":
        return ANY
    exact = _MAGIC.search(glob) is None
    matches = Q(**{column: glob}) if exact else Q(**{f"{column}__regex": regex_of(glob)})
    return matches | Q(**{column: ""})


def regex_of(glob: str) -> str:
    """Write a glob as PostgreSQL's regular expressions have it; it matches as `fnmatch.fnmatchcase` does."""
    # `(?s:…)\Z`, where what follows a star is an atomic group, and an empty set never matches.
    body = translate(glob)[len("(?s:") : -len(r")\Z")]
    return f"^{body.replace('(?>.*?', '(?:.*').replace('(?!)', '(?!x)x')}$"
