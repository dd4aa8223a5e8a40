"""Serving resources in every version: from the active namespace, as is or converted."""
