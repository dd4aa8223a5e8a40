"""The keys that shared run sheets are signed with: the installation's own, and those it had before."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from migrations_app.kernel.signed_files import FileSigningKey


@dataclass(frozen=True, slots=True)
class ReportKey:
    """A public key; files are signed with the current one."""

    key: str
    current: bool


def signing_key() -> FileSigningKey:
    """Give the key that files are signed with now."""
    return FileSigningKey(settings.SECRET_KEY, settings.SWITCHYARD.report_key)


def report_keys() -> list[ReportKey]:
    """List the public keys, the current one first; files that were signed with an earlier one stay verifiable."""
    current = signing_key().public
    earlier = [key for key in settings.SWITCHYARD.earlier_report_keys if key != current]
    return [ReportKey(current, True), *(ReportKey(key, False) for key in earlier)]
