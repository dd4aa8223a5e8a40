"""Operations of session.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ADD_PASSKEY = Operation(
    "add_passkey", "POST", "/api/v1/session/passkeys", {201: "PasskeyAdded"}, sends_body=True
)
_ASK_NEW_PASSKEY = Operation(
    "ask_new_passkey", "POST", "/api/v1/session/passkeys/ask", {200: "PasskeyOptions"}
)
_ASK_PASSKEY = Operation("ask_passkey", "POST", "/api/v1/session/passkey/ask", {200: "PasskeyOptions"})
_CHANGE_PASSWORD = Operation("change_password", "PUT", "/api/v1/session/password", {204: ""}, sends_body=True)
_CHOOSE_ZONE = Operation(
    "choose_zone", "PUT", "/api/v1/session/zone", {204: ""}, sends_body=True, repeatable=True
)
_DROP_SECOND_FACTOR = Operation(
    "drop_second_factor", "POST", "/api/v1/session/totp/drop", {204: ""}, sends_body=True
)
_NAME_PASSKEY = Operation(
    "name_passkey", "PUT", "/api/v1/session/passkeys/{id}", {200: "Passkey"}, sends_body=True
)
_PASSKEYS = Operation("passkeys", "GET", "/api/v1/session/passkeys", {200: "PasskeyPage"})
_PROPOSE_SECOND_FACTOR = Operation("propose_second_factor", "POST", "/api/v1/session/totp", {200: "Proposal"})
_PROVE = Operation("prove", "POST", "/api/v1/session/proof", {204: ""}, sends_body=True)
_PROVE_BY_PASSKEY = Operation(
    "prove_by_passkey", "POST", "/api/v1/session/passkey/proof", {204: ""}, sends_body=True
)
_REMOVE_PASSKEY = Operation(
    "remove_passkey", "POST", "/api/v1/session/passkeys/{id}/remove", {204: ""}, sends_body=True
)
_REQUEST_ACCESS = Operation(
    "request_access",
    "POST",
    "/api/v1/session/access",
    {201: "AccessContact"},
    sends_body=True,
    repeatable=True,
)
_SECOND_FACTOR = Operation("second_factor", "GET", "/api/v1/session/totp", {200: "SecondFactor"})
_SESSION = Operation("session", "GET", "/api/v1/session", {200: "Session"})
_SET_SECOND_FACTOR = Operation(
    "set_second_factor", "PUT", "/api/v1/session/totp", {200: "SpareCodes"}, sends_body=True
)
_SIGN_IN = Operation("sign_in", "POST", "/api/v1/session", {200: "Session"}, sends_body=True)
_SIGN_IN_BY_PASSKEY = Operation(
    "sign_in_by_passkey", "POST", "/api/v1/session/passkey", {200: "Session"}, sends_body=True
)
_SIGN_IN_PROVIDERS = Operation(
    "sign_in_providers", "GET", "/api/v1/session/providers", {200: "SignInProviderPage"}
)
_SIGN_OUT = Operation("sign_out", "DELETE", "/api/v1/session", {204: ""})
_WAY_TO_ACCESS = Operation("way_to_access", "GET", "/api/v1/session/access", {200: "AccessContact"})


class SessionOperations(Sender):
    """Operations of session."""

    def add_passkey(
        self, body: models.NewPasskeyRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.PasskeyAdded]:
        """Keep the passkey that the browser made for what `/session/passkeys/ask` gave.

        `POST /api/v1/session/passkeys`.
        """
        return self._send(_ADD_PASSKEY, body=body, request_id=request_id)

    def ask_new_passkey(self, *, request_id: str = "") -> Response[models.PasskeyOptions]:
        """Begin to add one, within five minutes of showing who one is.

        `POST /api/v1/session/passkeys/ask`.
        """
        return self._send(_ASK_NEW_PASSKEY, request_id=request_id)

    def ask_passkey(self, *, request_id: str = "") -> Response[models.PasskeyOptions]:
        """Ask the browser for one's own passkey; without a session, for any account's.

        `POST /api/v1/session/passkey/ask`.
        """
        return self._send(_ASK_PASSKEY, request_id=request_id)

    def change_password(
        self, body: models.NewPasswordRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Change one's own password; this session goes on, every other one ends.

        `PUT /api/v1/session/password`.
        """
        return self._send(_CHANGE_PASSWORD, body=body, request_id=request_id)

    def choose_zone(
        self,
        body: models.ShownZoneRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Choose the time zone that the console shows, in every browser one signs in with.

        `PUT /api/v1/session/zone`.
        """
        return self._send(
            _CHOOSE_ZONE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def drop_second_factor(
        self, body: models.CodeRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Give it up, for a code that it shows or a spare one.

        `POST /api/v1/session/totp/drop`.
        """
        return self._send(_DROP_SECOND_FACTOR, body=body, request_id=request_id)

    def name_passkey(
        self, id: int, body: models.PasskeyNameRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Passkey]:
        """Give it another name.

        `PUT /api/v1/session/passkeys/{id}`.
        """
        return self._send(_NAME_PASSKEY, path={"id": id}, body=body, request_id=request_id)

    def passkeys(self, *, request_id: str = "") -> Response[models.PasskeyPage]:
        """List one's own passkeys.

        `GET /api/v1/session/passkeys`.
        """
        return self._send(_PASSKEYS, request_id=request_id)

    def propose_second_factor(self, *, request_id: str = "") -> Response[models.Proposal]:
        """Make a secret.

        `POST /api/v1/session/totp`.
        """
        return self._send(_PROPOSE_SECOND_FACTOR, request_id=request_id)

    def prove(
        self, body: models.PasswordConfirmationRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Show again that it is you, for a critical decision within five minutes.

        `POST /api/v1/session/proof`.
        """
        return self._send(_PROVE, body=body, request_id=request_id)

    def prove_by_passkey(
        self, body: models.PasskeyAnswerRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Show again that it is you, for a critical decision within five minutes.

        `POST /api/v1/session/passkey/proof`.
        """
        return self._send(_PROVE_BY_PASSKEY, body=body, request_id=request_id)

    def remove_passkey(
        self,
        id: int,
        body: models.RemovePasskeyRequest | Mapping[str, Any] | None = None,
        *,
        request_id: str = "",
    ) -> Response[None]:
        """Remove it, for one's passkey or a code.

        `POST /api/v1/session/passkeys/{id}/remove`.
        """
        return self._send(_REMOVE_PASSKEY, path={"id": id}, body=body, request_id=request_id)

    def request_access(
        self,
        body: models.NewAccessRequestRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AccessContact]:
        """Ask for access; it stands on the overview of those who manage it.

        `POST /api/v1/session/access`.
        """
        return self._send(
            _REQUEST_ACCESS,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def second_factor(self, *, request_id: str = "") -> Response[models.SecondFactor]:
        """Tell whether one is set up.

        `GET /api/v1/session/totp`.
        """
        return self._send(_SECOND_FACTOR, request_id=request_id)

    def session(self, *, request_id: str = "") -> Response[models.Session]:
        """Tell who is signed in, and what a page needs to begin.

        `GET /api/v1/session`.
        """
        return self._send(_SESSION, request_id=request_id)

    def set_second_factor(
        self, body: models.CodeRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.SpareCodes]:
        """Set it up by showing its code.

        `PUT /api/v1/session/totp`.
        """
        return self._send(_SET_SECOND_FACTOR, body=body, request_id=request_id)

    def sign_in(
        self, body: models.SignInRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Session]:
        """Sign in with a name and a password.

        `POST /api/v1/session`.
        """
        return self._send(_SIGN_IN, body=body, request_id=request_id)

    def sign_in_by_passkey(
        self, body: models.PasskeySignInRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Session]:
        """Sign in with a local account's passkey, which takes the place of password and second factor.

        `POST /api/v1/session/passkey`.
        """
        return self._send(_SIGN_IN_BY_PASSKEY, body=body, request_id=request_id)

    def sign_in_providers(self, *, request_id: str = "") -> Response[models.SignInProviderPage]:
        """Tell whether the identity providers answer, as asked at most every 15 seconds.

        `GET /api/v1/session/providers`.
        """
        return self._send(_SIGN_IN_PROVIDERS, request_id=request_id)

    def sign_out(self, *, request_id: str = "") -> Response[None]:
        """Sign out; harmless without a session.

        `DELETE /api/v1/session`.
        """
        return self._send(_SIGN_OUT, request_id=request_id)

    def way_to_access(self, *, request_id: str = "") -> Response[models.AccessContact]:
        """Tell who could give you access, and what became of asking.

        `GET /api/v1/session/access`.
        """
        return self._send(_WAY_TO_ACCESS, request_id=request_id)


class AsyncSessionOperations(AsyncSender):
    """Operations of session, awaited."""

    async def add_passkey(
        self, body: models.NewPasskeyRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.PasskeyAdded]:
        """Keep the passkey that the browser made for what `/session/passkeys/ask` gave.

        `POST /api/v1/session/passkeys`.
        """
        return await self._send(_ADD_PASSKEY, body=body, request_id=request_id)

    async def ask_new_passkey(self, *, request_id: str = "") -> Response[models.PasskeyOptions]:
        """Begin to add one, within five minutes of showing who one is.

        `POST /api/v1/session/passkeys/ask`.
        """
        return await self._send(_ASK_NEW_PASSKEY, request_id=request_id)

    async def ask_passkey(self, *, request_id: str = "") -> Response[models.PasskeyOptions]:
        """Ask the browser for one's own passkey; without a session, for any account's.

        `POST /api/v1/session/passkey/ask`.
        """
        return await self._send(_ASK_PASSKEY, request_id=request_id)

    async def change_password(
        self, body: models.NewPasswordRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Change one's own password; this session goes on, every other one ends.

        `PUT /api/v1/session/password`.
        """
        return await self._send(_CHANGE_PASSWORD, body=body, request_id=request_id)

    async def choose_zone(
        self,
        body: models.ShownZoneRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Choose the time zone that the console shows, in every browser one signs in with.

        `PUT /api/v1/session/zone`.
        """
        return await self._send(
            _CHOOSE_ZONE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def drop_second_factor(
        self, body: models.CodeRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Give it up, for a code that it shows or a spare one.

        `POST /api/v1/session/totp/drop`.
        """
        return await self._send(_DROP_SECOND_FACTOR, body=body, request_id=request_id)

    async def name_passkey(
        self, id: int, body: models.PasskeyNameRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Passkey]:
        """Give it another name.

        `PUT /api/v1/session/passkeys/{id}`.
        """
        return await self._send(_NAME_PASSKEY, path={"id": id}, body=body, request_id=request_id)

    async def passkeys(self, *, request_id: str = "") -> Response[models.PasskeyPage]:
        """List one's own passkeys.

        `GET /api/v1/session/passkeys`.
        """
        return await self._send(_PASSKEYS, request_id=request_id)

    async def propose_second_factor(self, *, request_id: str = "") -> Response[models.Proposal]:
        """Make a secret.

        `POST /api/v1/session/totp`.
        """
        return await self._send(_PROPOSE_SECOND_FACTOR, request_id=request_id)

    async def prove(
        self, body: models.PasswordConfirmationRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Show again that it is you, for a critical decision within five minutes.

        `POST /api/v1/session/proof`.
        """
        return await self._send(_PROVE, body=body, request_id=request_id)

    async def prove_by_passkey(
        self, body: models.PasskeyAnswerRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[None]:
        """Show again that it is you, for a critical decision within five minutes.

        `POST /api/v1/session/passkey/proof`.
        """
        return await self._send(_PROVE_BY_PASSKEY, body=body, request_id=request_id)

    async def remove_passkey(
        self,
        id: int,
        body: models.RemovePasskeyRequest | Mapping[str, Any] | None = None,
        *,
        request_id: str = "",
    ) -> Response[None]:
        """Remove it, for one's passkey or a code.

        `POST /api/v1/session/passkeys/{id}/remove`.
        """
        return await self._send(_REMOVE_PASSKEY, path={"id": id}, body=body, request_id=request_id)

    async def request_access(
        self,
        body: models.NewAccessRequestRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.AccessContact]:
        """Ask for access; it stands on the overview of those who manage it.

        `POST /api/v1/session/access`.
        """
        return await self._send(
            _REQUEST_ACCESS,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def second_factor(self, *, request_id: str = "") -> Response[models.SecondFactor]:
        """Tell whether one is set up.

        `GET /api/v1/session/totp`.
        """
        return await self._send(_SECOND_FACTOR, request_id=request_id)

    async def session(self, *, request_id: str = "") -> Response[models.Session]:
        """Tell who is signed in, and what a page needs to begin.

        `GET /api/v1/session`.
        """
        return await self._send(_SESSION, request_id=request_id)

    async def set_second_factor(
        self, body: models.CodeRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.SpareCodes]:
        """Set it up by showing its code.

        `PUT /api/v1/session/totp`.
        """
        return await self._send(_SET_SECOND_FACTOR, body=body, request_id=request_id)

    async def sign_in(
        self, body: models.SignInRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Session]:
        """Sign in with a name and a password.

        `POST /api/v1/session`.
        """
        return await self._send(_SIGN_IN, body=body, request_id=request_id)

    async def sign_in_by_passkey(
        self, body: models.PasskeySignInRequest | Mapping[str, Any], *, request_id: str = ""
    ) -> Response[models.Session]:
        """Sign in with a local account's passkey, which takes the place of password and second factor.

        `POST /api/v1/session/passkey`.
        """
        return await self._send(_SIGN_IN_BY_PASSKEY, body=body, request_id=request_id)

    async def sign_in_providers(self, *, request_id: str = "") -> Response[models.SignInProviderPage]:
        """Tell whether the identity providers answer, as asked at most every 15 seconds.

        `GET /api/v1/session/providers`.
        """
        return await self._send(_SIGN_IN_PROVIDERS, request_id=request_id)

    async def sign_out(self, *, request_id: str = "") -> Response[None]:
        """Sign out; harmless without a session.

        `DELETE /api/v1/session`.
        """
        return await self._send(_SIGN_OUT, request_id=request_id)

    async def way_to_access(self, *, request_id: str = "") -> Response[models.AccessContact]:
        """Tell who could give you access, and what became of asking.

        `GET /api/v1/session/access`.
        """
        return await self._send(_WAY_TO_ACCESS, request_id=request_id)
