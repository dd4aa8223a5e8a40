"""Operations of references.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_FIND_RESOURCES = Operation("find_resources", "GET", "/api/v1/references/search", {200: "ResourceMatches"})
_REFERENCE_GROUP_MEMBERS = Operation(
    "reference_group_members", "GET", "/api/v1/references/groups/members", {200: "GroupMemberPage"}
)
_REFERENCE_GROUPS = Operation(
    "reference_groups", "GET", "/api/v1/references/groups", {200: "ReferenceGroups"}
)
_REFERENCES = Operation("references", "GET", "/api/v1/references", {200: "References"})
_REFERENCES_BUILDING = Operation(
    "references_building", "GET", "/api/v1/references/building", {200: "FillingVersionPage"}
)


class ReferencesOperations(Sender):
    """Operations of references."""

    def find_resources(
        self,
        *,
        region: str | None = None,
        service: str | None = None,
        text: str | None = None,
        type: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ResourceMatches]:
        """Find resources by name, kind, deployment or version, to look at what refers to them.

        `GET /api/v1/references/search`.
        """
        return self._send(
            _FIND_RESOURCES,
            query={"region": region, "service": service, "text": text, "type": type, "version": version},
            request_id=request_id,
        )

    def reference_group_members(
        self,
        *,
        direction: Literal["in", "out"],
        field: str,
        kind: Literal["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"],
        name: str,
        region: str,
        service: str,
        type: str,
        cursor: str | None = None,
        limit: int | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.GroupMemberPage]:
        """List the single references of a group.

        `GET /api/v1/references/groups/members`.
        """
        return self._send(
            _REFERENCE_GROUP_MEMBERS,
            query={
                "cursor": cursor,
                "direction": direction,
                "field": field,
                "kind": kind,
                "limit": limit,
                "name": name,
                "region": region,
                "service": service,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_reference_group_members(
        self,
        *,
        direction: Literal["in", "out"],
        field: str,
        kind: Literal["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"],
        name: str,
        region: str,
        service: str,
        type: str,
        limit: int | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Iterator[models.GroupMember]:
        """Give every item of `reference_group_members`, page after page."""
        return self._pages(
            _REFERENCE_GROUP_MEMBERS,
            query={
                "direction": direction,
                "field": field,
                "kind": kind,
                "limit": limit,
                "name": name,
                "region": region,
                "service": service,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    def reference_groups(self, *, name: str, request_id: str = "") -> Response[models.ReferenceGroups]:
        """Count what refers to a resource and what it refers to, by deployment, type, field and rule.

        `GET /api/v1/references/groups`.
        """
        return self._send(_REFERENCE_GROUPS, query={"name": name}, request_id=request_id)

    def references(
        self,
        *,
        name: str,
        depth: int | None = None,
        direction: Literal["both", "in", "out"] | None = None,
        limit: int | None = None,
        request_id: str = "",
    ) -> Response[models.References]:
        """Show what refers to a resource and what it refers to.

        `GET /api/v1/references`.
        """
        return self._send(
            _REFERENCES,
            query={"depth": depth, "direction": direction, "limit": limit, "name": name},
            request_id=request_id,
        )

    def references_building(
        self,
        *,
        region: str | None = None,
        service: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.FillingVersionPage]:
        """Tell how far the references are of versions that are copied to and not served yet.

        `GET /api/v1/references/building`.
        """
        return self._send(
            _REFERENCES_BUILDING,
            query={"region": region, "service": service, "version": version},
            request_id=request_id,
        )


class AsyncReferencesOperations(AsyncSender):
    """Operations of references, awaited."""

    async def find_resources(
        self,
        *,
        region: str | None = None,
        service: str | None = None,
        text: str | None = None,
        type: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.ResourceMatches]:
        """Find resources by name, kind, deployment or version, to look at what refers to them.

        `GET /api/v1/references/search`.
        """
        return await self._send(
            _FIND_RESOURCES,
            query={"region": region, "service": service, "text": text, "type": type, "version": version},
            request_id=request_id,
        )

    async def reference_group_members(
        self,
        *,
        direction: Literal["in", "out"],
        field: str,
        kind: Literal["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"],
        name: str,
        region: str,
        service: str,
        type: str,
        cursor: str | None = None,
        limit: int | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.GroupMemberPage]:
        """List the single references of a group.

        `GET /api/v1/references/groups/members`.
        """
        return await self._send(
            _REFERENCE_GROUP_MEMBERS,
            query={
                "cursor": cursor,
                "direction": direction,
                "field": field,
                "kind": kind,
                "limit": limit,
                "name": name,
                "region": region,
                "service": service,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    def iter_reference_group_members(
        self,
        *,
        direction: Literal["in", "out"],
        field: str,
        kind: Literal["BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK"],
        name: str,
        region: str,
        service: str,
        type: str,
        limit: int | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.GroupMember]:
        """Give every item of `reference_group_members`, page after page."""
        return self._pages(
            _REFERENCE_GROUP_MEMBERS,
            query={
                "direction": direction,
                "field": field,
                "kind": kind,
                "limit": limit,
                "name": name,
                "region": region,
                "service": service,
                "type": type,
                "version": version,
            },
            request_id=request_id,
        )

    async def reference_groups(self, *, name: str, request_id: str = "") -> Response[models.ReferenceGroups]:
        """Count what refers to a resource and what it refers to, by deployment, type, field and rule.

        `GET /api/v1/references/groups`.
        """
        return await self._send(_REFERENCE_GROUPS, query={"name": name}, request_id=request_id)

    async def references(
        self,
        *,
        name: str,
        depth: int | None = None,
        direction: Literal["both", "in", "out"] | None = None,
        limit: int | None = None,
        request_id: str = "",
    ) -> Response[models.References]:
        """Show what refers to a resource and what it refers to.

        `GET /api/v1/references`.
        """
        return await self._send(
            _REFERENCES,
            query={"depth": depth, "direction": direction, "limit": limit, "name": name},
            request_id=request_id,
        )

    async def references_building(
        self,
        *,
        region: str | None = None,
        service: str | None = None,
        version: str | None = None,
        request_id: str = "",
    ) -> Response[models.FillingVersionPage]:
        """Tell how far the references are of versions that are copied to and not served yet.

        `GET /api/v1/references/building`.
        """
        return await self._send(
            _REFERENCES_BUILDING,
            query={"region": region, "service": service, "version": version},
            request_id=request_id,
        )
