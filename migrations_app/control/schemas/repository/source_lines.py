"""The sources of the versions of a service, indexed by what they declare; kept until the definition changes."""

from __future__ import annotations

from functools import lru_cache

from migrations_app.adapters.conversions import compiled_service
from migrations_app.adapters.definitions import current_fingerprint
from migrations_app.domain.schema.source_lines import SourceLines

KEPT_VERSIONS = 16


def sources_of(service: str, version: str) -> SourceLines:
    """Give the sources of a version.

    Raises: Missing (`definition-missing`, `version`).
    """
    return _sources(service, version, current_fingerprint(service))


@lru_cache(maxsize=KEPT_VERSIONS)
def _sources(service: str, version: str, fingerprint: str | None) -> SourceLines:
    compiled = compiled_service(service)
    return SourceLines(compiled.schema(version), compiled.folder.files)
