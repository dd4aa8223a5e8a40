"""Operations of access.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ACCESS_REQUESTS = Operation("access_requests", "GET", "/api/v1/access/requests", {200: "AccessRequestPage"})
_ACCOUNTS = Operation("accounts", "GET", "/api/v1/access/accounts", {200: "AccountPage"})
_APPLY_BINDING = Operation(
    "apply_binding",
    "PUT",
    "/api/v1/access/bindings",
    {200: "Binding", 201: "Binding"},
    sends_body=True,
    repeatable=True,
)
_BIND_ROLE = Operation(
    "bind_role", "POST", "/api/v1/access/bindings", {201: "Binding"}, sends_body=True, repeatable=True
)
_BINDING = Operation("binding", "GET", "/api/v1/access/bindings/{binding}", {200: "Binding"})
_BINDINGS = Operation("bindings", "GET", "/api/v1/access/bindings", {200: "BindingPage"})
_CHANGE_ACCOUNT = Operation(
    "change_account",
    "PATCH",
    "/api/v1/access/accounts/{name}",
    {200: "Account"},
    sends_body=True,
    repeatable=True,
)
_CHANGE_ROLE = Operation(
    "change_role",
    "PUT",
    "/api/v1/access/roles/{role}",
    {200: "Role", 201: "Role"},
    sends_body=True,
    repeatable=True,
)
_CREATE_ACCOUNT = Operation(
    "create_account", "POST", "/api/v1/access/accounts", {201: "Account"}, sends_body=True, repeatable=True
)
_DECIDE_ACCESS = Operation(
    "decide_access", "POST", "/api/v1/access/requests/{id}", {204: ""}, sends_body=True, repeatable=True
)
_DELETE_ROLE = Operation("delete_role", "DELETE", "/api/v1/access/roles/{role}", {204: ""}, repeatable=True)
_EXPLAIN_ACCESS = Operation(
    "explain_access", "POST", "/api/v1/access/explain", {200: "Explanation"}, sends_body=True, repeatable=True
)
_MAKE_ROLE = Operation(
    "make_role", "POST", "/api/v1/access/roles", {201: "Role"}, sends_body=True, repeatable=True
)
_REBIND_ROLE = Operation(
    "rebind_role",
    "PUT",
    "/api/v1/access/bindings/{binding}",
    {200: "Binding"},
    sends_body=True,
    repeatable=True,
)
_ROLE = Operation("role", "GET", "/api/v1/access/roles/{role}", {200: "Role"})
_ROLES = Operation("roles", "GET", "/api/v1/access/roles", {200: "RolePage"})
_TEST_GROUPS = Operation(
    "test_groups", "POST", "/api/v1/access/groups", {200: "GroupGrants"}, sends_body=True
)
_UNBIND_ROLE = Operation(
    "unbind_role", "DELETE", "/api/v1/access/bindings/{binding}", {204: ""}, repeatable=True
)


class AccessOperations(Sender):
    """Operations of access."""

    def access_requests(self, *, request_id: str = "") -> Response[models.AccessRequestPage]:
        """List who asks for access and has no answer yet.

        `GET /api/v1/access/requests`.
        """
        return self._send(_ACCESS_REQUESTS, request_id=request_id)

    def accounts(self, *, request_id: str = "") -> Response[models.AccountPage]:
        """List the accounts.

        `GET /api/v1/access/accounts`.
        """
        return self._send(_ACCOUNTS, request_id=request_id)

    def apply_binding(
        self,
        body: models.NewBindingRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role; where the subject holds it within this scope, only its end and its conditions
        change.

        `PUT /api/v1/access/bindings`.
        """
        return self._send(
            _APPLY_BINDING,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def bind_role(
        self,
        body: models.NewBindingRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role.

        `POST /api/v1/access/bindings`.
        """
        return self._send(
            _BIND_ROLE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def binding(self, binding: int, *, request_id: str = "") -> Response[models.Binding]:
        """Show a role binding.

        `GET /api/v1/access/bindings/{binding}`.
        """
        return self._send(_BINDING, path={"binding": binding}, request_id=request_id)

    def bindings(self, *, request_id: str = "") -> Response[models.BindingPage]:
        """List the role bindings.

        `GET /api/v1/access/bindings`.
        """
        return self._send(_BINDINGS, request_id=request_id)

    def change_account(
        self,
        name: str,
        body: models.PatchedChangeAccountRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Account]:
        """Open or close an account, give it a new password, or take away the second factors that it
        lost.

        `PATCH /api/v1/access/accounts/{name}`.
        """
        return self._send(
            _CHANGE_ACCOUNT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def change_role(
        self,
        role: str,
        body: models.RoleRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Role]:
        """Make a role, or change one that was made: at once, for everybody who holds it.

        `PUT /api/v1/access/roles/{role}`.
        """
        return self._send(
            _CHANGE_ROLE,
            path={"role": role},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def create_account(
        self,
        body: models.NewAccountRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Account]:
        """Create an account.

        `POST /api/v1/access/accounts`.
        """
        return self._send(
            _CREATE_ACCOUNT,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def decide_access(
        self,
        id: str,
        body: models.AccessDecisionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Give who asked a role, or refuse with an answer.

        `POST /api/v1/access/requests/{id}`.
        """
        return self._send(
            _DECIDE_ACCESS,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delete_role(
        self,
        role: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a role away that no account holds and no policy asks.

        `DELETE /api/v1/access/roles/{role}`.
        """
        return self._send(
            _DELETE_ROLE,
            path={"role": role},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def explain_access(
        self,
        body: models.AccessQuestionRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Explanation]:
        """Explain a decision.

        `POST /api/v1/access/explain`.
        """
        return self._send(_EXPLAIN_ACCESS, body=body, idempotency_key=idempotency_key, request_id=request_id)

    def make_role(
        self,
        body: models.NewRoleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Role]:
        """Make a role, of permissions that you hold everywhere yourself.

        `POST /api/v1/access/roles`.
        """
        return self._send(
            _MAKE_ROLE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def rebind_role(
        self,
        binding: int,
        body: models.BindingBoundsRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role other bounds.

        `PUT /api/v1/access/bindings/{binding}`.
        """
        return self._send(
            _REBIND_ROLE,
            path={"binding": binding},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def role(self, role: str, *, request_id: str = "") -> Response[models.Role]:
        """Show a role.

        `GET /api/v1/access/roles/{role}`.
        """
        return self._send(_ROLE, path={"role": role}, request_id=request_id)

    def roles(self, *, request_id: str = "") -> Response[models.RolePage]:
        """List the roles.

        `GET /api/v1/access/roles`.
        """
        return self._send(_ROLES, request_id=request_id)

    def test_groups(
        self, body: models.GroupsRequest | Mapping[str, Any] | None = None, *, request_id: str = ""
    ) -> Response[models.GroupGrants]:
        """Tell which roles an account with these groups, or with this token of the provider, would hold.

        `POST /api/v1/access/groups`.
        """
        return self._send(_TEST_GROUPS, body=body, request_id=request_id)

    def unbind_role(
        self,
        binding: int,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a role away.

        `DELETE /api/v1/access/bindings/{binding}`.
        """
        return self._send(
            _UNBIND_ROLE,
            path={"binding": binding},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncAccessOperations(AsyncSender):
    """Operations of access, awaited."""

    async def access_requests(self, *, request_id: str = "") -> Response[models.AccessRequestPage]:
        """List who asks for access and has no answer yet.

        `GET /api/v1/access/requests`.
        """
        return await self._send(_ACCESS_REQUESTS, request_id=request_id)

    async def accounts(self, *, request_id: str = "") -> Response[models.AccountPage]:
        """List the accounts.

        `GET /api/v1/access/accounts`.
        """
        return await self._send(_ACCOUNTS, request_id=request_id)

    async def apply_binding(
        self,
        body: models.NewBindingRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role; where the subject holds it within this scope, only its end and its conditions
        change.

        `PUT /api/v1/access/bindings`.
        """
        return await self._send(
            _APPLY_BINDING,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def bind_role(
        self,
        body: models.NewBindingRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role.

        `POST /api/v1/access/bindings`.
        """
        return await self._send(
            _BIND_ROLE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def binding(self, binding: int, *, request_id: str = "") -> Response[models.Binding]:
        """Show a role binding.

        `GET /api/v1/access/bindings/{binding}`.
        """
        return await self._send(_BINDING, path={"binding": binding}, request_id=request_id)

    async def bindings(self, *, request_id: str = "") -> Response[models.BindingPage]:
        """List the role bindings.

        `GET /api/v1/access/bindings`.
        """
        return await self._send(_BINDINGS, request_id=request_id)

    async def change_account(
        self,
        name: str,
        body: models.PatchedChangeAccountRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Account]:
        """Open or close an account, give it a new password, or take away the second factors that it
        lost.

        `PATCH /api/v1/access/accounts/{name}`.
        """
        return await self._send(
            _CHANGE_ACCOUNT,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def change_role(
        self,
        role: str,
        body: models.RoleRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Role]:
        """Make a role, or change one that was made: at once, for everybody who holds it.

        `PUT /api/v1/access/roles/{role}`.
        """
        return await self._send(
            _CHANGE_ROLE,
            path={"role": role},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def create_account(
        self,
        body: models.NewAccountRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Account]:
        """Create an account.

        `POST /api/v1/access/accounts`.
        """
        return await self._send(
            _CREATE_ACCOUNT,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def decide_access(
        self,
        id: str,
        body: models.AccessDecisionRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Give who asked a role, or refuse with an answer.

        `POST /api/v1/access/requests/{id}`.
        """
        return await self._send(
            _DECIDE_ACCESS,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delete_role(
        self,
        role: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a role away that no account holds and no policy asks.

        `DELETE /api/v1/access/roles/{role}`.
        """
        return await self._send(
            _DELETE_ROLE,
            path={"role": role},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def explain_access(
        self,
        body: models.AccessQuestionRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Explanation]:
        """Explain a decision.

        `POST /api/v1/access/explain`.
        """
        return await self._send(
            _EXPLAIN_ACCESS, body=body, idempotency_key=idempotency_key, request_id=request_id
        )

    async def make_role(
        self,
        body: models.NewRoleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Role]:
        """Make a role, of permissions that you hold everywhere yourself.

        `POST /api/v1/access/roles`.
        """
        return await self._send(
            _MAKE_ROLE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def rebind_role(
        self,
        binding: int,
        body: models.BindingBoundsRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Binding]:
        """Give a role other bounds.

        `PUT /api/v1/access/bindings/{binding}`.
        """
        return await self._send(
            _REBIND_ROLE,
            path={"binding": binding},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def role(self, role: str, *, request_id: str = "") -> Response[models.Role]:
        """Show a role.

        `GET /api/v1/access/roles/{role}`.
        """
        return await self._send(_ROLE, path={"role": role}, request_id=request_id)

    async def roles(self, *, request_id: str = "") -> Response[models.RolePage]:
        """List the roles.

        `GET /api/v1/access/roles`.
        """
        return await self._send(_ROLES, request_id=request_id)

    async def test_groups(
        self, body: models.GroupsRequest | Mapping[str, Any] | None = None, *, request_id: str = ""
    ) -> Response[models.GroupGrants]:
        """Tell which roles an account with these groups, or with this token of the provider, would hold.

        `POST /api/v1/access/groups`.
        """
        return await self._send(_TEST_GROUPS, body=body, request_id=request_id)

    async def unbind_role(
        self,
        binding: int,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a role away.

        `DELETE /api/v1/access/bindings/{binding}`.
        """
        return await self._send(
            _UNBIND_ROLE,
            path={"binding": binding},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
