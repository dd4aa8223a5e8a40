"""The permissions to call custom methods: one for all of them, and one for each."""

from __future__ import annotations

METHOD = "resource.method"
"""Calls every custom method; `resource.method:<Name>` calls one."""


def method_permission(permission: str) -> str:
    """Give the permission of all custom methods for that of one; others as they are."""
    return METHOD if permission.startswith(f"{METHOD}:") else permission
