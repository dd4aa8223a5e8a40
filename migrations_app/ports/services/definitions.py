"""A service definition as it was applied: what conversions and the registry are given of the stored files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """The files of a service folder, named by their paths and contents together."""

    service: str
    fingerprint: str
    files: Mapping[str, bytes]
