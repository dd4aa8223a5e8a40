"""The basic actions of a resource type: which a version opts out of, and which are not converted for the next one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from migrations_app.domain.schema.ir import ResourceDefinition, VersioningHint
from migrations_app.kernel.json import Json

ACTIONS: Mapping[str, str] = {
    "BatchGet": "batchGet",
    "Create": "create",
    "Delete": "delete",
    "Get": "get",
    "List": "list",
    "Search": "search",
    "Update": "update",
    "Watch": "watch",
}
"""The actions as sources begin their names, and as the resource API calls them."""


def opted_out(resource: ResourceDefinition) -> frozenset[str]:
    """Tell which actions a resource type opts out of.

    `optOuts.basicActions` lists them, `resourceChange` means watches, `standardCrudAccess` all: what is left are the
    service's own methods. So does `nameField`: what has no name cannot be addressed.
    """
    given = _opt_outs(resource)
    if given.get("standardCrudAccess") is True or given.get("nameField") is True:
        return frozenset(ACTIONS.values())
    listed = given.get("basicActions")
    found = set(_actions([str(each) for each in listed] if isinstance(listed, list) else []))
    if given.get("resourceChange") is True:
        found.add("watch")
    return frozenset(found)


def has_metadata(resource: ResourceDefinition) -> bool:
    """Tell whether resources of a type show metadata: `optOuts.metadataField` says that they do not."""
    return _opt_outs(resource).get("metadataField") is not True


def has_constraints(resource: ResourceDefinition) -> bool:
    """Tell whether references of a type are enforced: `optOuts.dbConstraints` says that they are not."""
    return _opt_outs(resource).get("dbConstraints") is not True


def has_paging(resource: ResourceDefinition) -> bool:
    """Tell whether lists of a type come in pages: `optOuts.paging` says that they are answered whole."""
    return _opt_outs(resource).get("paging") is not True


def not_converted(hint: VersioningHint) -> frozenset[str]:
    """Tell which actions of an old version are not converted once the next one is active."""
    if hint.skip_access:
        return frozenset(ACTIONS.values())
    watches = ("watch",) if hint.skip_changes else ()
    return frozenset((*_actions(hint.skip_basic_actions), *watches))


def _actions(names: list[str] | tuple[str, ...]) -> list[str]:
    """Read names such as `CreateBox` and `{Create}Box`."""
    found = (re.match(r"\{?(BatchGet|[A-Z][a-z]+)", name) for name in names)
    return [ACTIONS[each[1]] for each in found if each is not None and each[1] in ACTIONS]


def _opt_outs(resource: ResourceDefinition) -> Mapping[str, Json]:
    given = resource.options.get("optOuts")
    return given if isinstance(given, dict) else {}
