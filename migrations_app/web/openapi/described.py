"""How the description of the API is made from its doors; imported before any door can be."""

from __future__ import annotations

from drf_spectacular.openapi import AutoSchema


class Described(AutoSchema):
    """The description of a call, which says when it goes away."""

    def is_deprecated(self) -> bool:
        """Tell whether the door says so of this method."""
        return self.method in getattr(self.view, "going", {})
