"""Other words for commands: one verb works for every noun, and a noun in the singular as in the plural."""

from __future__ import annotations

from copy import copy
from difflib import get_close_matches
from typing import Any

from typer.core import TyperGroup

OTHER_VERB = {"get": "show", "show": "get", "create": "new", "new": "create", "remove": "delete"}
"""What one noun calls otherwise than another; the word that a noun has of its own is the one that its help shows."""
OTHER_NOUN = {
    "approval": "approvals",
    "emergency": "emergencies",
    "policy": "policies",
    "region": "regions",
    "reports": "report",
    "rollouts": "rollout",
    "token": "tokens",
    "upgrades": "upgrade",
    "waiver": "waivers",
    "window": "windows",
}
PAIRS = {
    "deployment": "deployments",
    "deployments": "deployment",
    "service": "services",
    "services": "service",
}
"""Nouns with commands of their own in either number: what one lacks the other has."""


class VerbGroup(TyperGroup):
    """The verbs of a noun, also by the words that other nouns have for them."""

    def get_command(self, context: Any, name: str) -> Any:
        """Find a command by its name, or by another word for it."""
        found = super().get_command(context, name)
        return found or super().get_command(context, OTHER_VERB.get(name, name))

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Take `list` as the noun alone, where that lists."""
        lists_alone = self.invoke_without_command and super().get_command(context, "list") is None
        if lists_alone and args[:1] == ["list"]:
            args = args[1:]
        return super().parse_args(context, args)


def nearest(name: str, names: list[str]) -> str:
    """Name the command that was meant; empty where none is near."""
    return next(iter(get_close_matches(name, names, 1)), "")


def copy_hidden(command: Any) -> Any:
    """Give a command that the help leaves out."""
    hidden = copy(command)
    hidden.hidden = True
    return hidden
