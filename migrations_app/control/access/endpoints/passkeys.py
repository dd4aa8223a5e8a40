"""Passkeys: one's own, coming in by one, and showing one before a critical decision."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.keep_passkeys import (
    add_passkey,
    ask_new_passkey,
    ask_own_passkey,
    name_passkey,
    remove_passkey,
)
from migrations_app.control.access.commands.show_passkey import account_by_passkey, prove_by_passkey
from migrations_app.control.access.endpoints.session import SessionSchema, session_now
from migrations_app.control.access.queries.passkeys import passkeys
from migrations_app.control.access.sign_in.admission import let_in, note_turned_away
from migrations_app.control.access.sign_in.attempts import OF_FACTOR, counted
from migrations_app.control.access.sign_in.authentication import check_csrf
from migrations_app.control.access.sign_in.known_browsers import remember_browser
from migrations_app.control.access.sign_in.proof import remember_proof
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, read
from migrations_app.web.rest_view import OPEN, SIGNED_IN, RestView
from migrations_app.web.shared_schemas import everything, page_schema

ASKED = "passkey_asked"


class PasskeySchema(ResponseBody, frozen=True, kw_only=True):
    """A passkey as its owner sees it."""

    id: int
    name: str
    created_at: Instant
    last_used_at: Instant | None


class PasskeyOptionsSchema(ResponseBody, frozen=True, kw_only=True):
    """What the browser is asked, as WebAuthn's JSON has it."""

    publicKey: dict[str, Any]


class PasskeyNameSchema(RequestBody, frozen=True, kw_only=True):
    """What the owner calls it."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]


class NewPasskeySchema(PasskeyNameSchema, frozen=True, kw_only=True):
    """The passkey that the browser made, as WebAuthn's JSON has it."""

    answer: dict[str, Any]


class PasskeyAddedSchema(PasskeySchema, frozen=True, kw_only=True):
    """A new passkey, with codes for the day it is lost where there were none; each works once, and they are shown once."""

    recovery_codes: list[str]


class PasskeyAnswerSchema(RequestBody, frozen=True, kw_only=True):
    """What the browser answered with, as WebAuthn's JSON has it."""

    answer: dict[str, Any]


class PasskeySignInSchema(PasskeyAnswerSchema, frozen=True, kw_only=True):
    """A passkey, and why an admin signs in by break-glass where that is needed."""

    reason: Annotated[str, Meta(max_length=1000)] = ""


class RemovePasskeySchema(RequestBody, frozen=True, kw_only=True):
    """What shows a second factor now: one's own passkey, or a code of the authenticator or a recovery code."""

    answer: dict[str, Any] | UnsetType = UNSET
    code: Annotated[str, Meta(max_length=20)] = ""


class PasskeysView(RestView):
    """`/session/passkeys`."""

    may: ClassVar[dict[str, str]] = dict.fromkeys(("GET", "POST"), SIGNED_IN)
    answers_once = False

    @extend_schema(operation_id="passkeys", responses=page_schema("Passkey", PasskeySchema))
    def get(self, request: Request) -> Response:
        """List one's own passkeys."""
        return Response(everything(passkeys(self.actor)))

    @extend_schema(operation_id="add_passkey", request=NewPasskeySchema, responses={201: PasskeyAddedSchema})
    def post(self, request: Request) -> Response:
        """Keep the passkey that the browser made for what `/session/passkeys/ask` gave."""
        given = read(NewPasskeySchema, request.data)
        added = add_passkey(self.actor, given.name, _asked(request), given.answer)
        return Response({**added.passkey, "recovery_codes": added.spare_codes}, status=201)


class NewPasskeyView(RestView):
    """`/session/passkeys/ask`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="ask_new_passkey", request=None, responses=PasskeyOptionsSchema)
    def post(self, request: Request) -> Response:
        """Begin to add one, within five minutes of showing who one is."""
        asked = ask_new_passkey(self.actor)
        request.session[ASKED] = asked.kept
        return Response(asked.options)


class OnePasskeyView(RestView):
    """`/session/passkeys/{id}`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="name_passkey", request=PasskeyNameSchema, responses=PasskeySchema)
    def put(self, request: Request, id: int) -> Response:
        """Give it another name."""
        return Response(name_passkey(self.actor, id, read(PasskeyNameSchema, request.data).name))


class RemovePasskeyView(RestView):
    """`/session/passkeys/{id}/remove`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="remove_passkey", request=RemovePasskeySchema, responses={204: None})
    def post(self, request: Request, id: int) -> Response:
        """Remove it, for one's passkey or a code."""
        given = read(RemovePasskeySchema, request.data)
        with counted(OF_FACTOR, self.actor.name):
            remove_passkey(self.actor, id, given.code, _asked(request), given.answer or None)
        return Response(status=204)


class AskPasskeyView(RestView):
    """`/session/passkey/ask`."""

    may: ClassVar[dict[str, str]] = {"POST": OPEN}
    answers_once = False

    @extend_schema(operation_id="ask_passkey", request=None, responses=PasskeyOptionsSchema)
    def post(self, request: Request) -> Response:
        """Ask the browser for one's own passkey; without a session, for any account's."""
        check_csrf(request)
        asked = ask_own_passkey(self.actor)
        request.session[ASKED] = asked.kept
        return Response(asked.options)


class PasskeySignInView(RestView):
    """`/session/passkey`."""

    may: ClassVar[dict[str, str]] = {"POST": OPEN}
    answers_once = False

    @extend_schema(operation_id="sign_in_by_passkey", request=PasskeySignInSchema, responses=SessionSchema)
    def post(self, request: Request) -> Response:
        """Sign in with a local account's passkey, which takes the place of password and second factor."""
        check_csrf(request)
        given = read(PasskeySignInSchema, request.data)
        name = ""
        try:
            account = account_by_passkey(_asked(request), given.answer)
            name = account.username
            actor = let_in(request, account, "passkey", given.reason)
        except Denied as refused:
            note_turned_away(request, str(refused.nouns.get("account", name)), refused)
            raise
        response = Response(session_now(request, actor))
        remember_browser(request, response, name)
        return response


class PasskeyProofView(RestView):
    """`/session/passkey/proof`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="prove_by_passkey", request=PasskeyAnswerSchema, responses={204: None})
    def post(self, request: Request) -> Response:
        """Show again that it is you, for a critical decision within five minutes."""
        prove_by_passkey(self.actor, _asked(request), read(PasskeyAnswerSchema, request.data).answer)
        remember_proof(request._request)
        return Response(status=204)


def _asked(request: Request) -> JsonObject:
    # Taken out before anything is checked: what was asked is answered once, rightly or wrongly.
    return request.session.pop(ASKED, {})


urlpatterns = [
    path("session/passkey", PasskeySignInView.as_view()),
    path("session/passkey/ask", AskPasskeyView.as_view()),
    path("session/passkey/proof", PasskeyProofView.as_view()),
    path("session/passkeys", PasskeysView.as_view()),
    path("session/passkeys/ask", NewPasskeyView.as_view()),
    path("session/passkeys/<int:id>", OnePasskeyView.as_view()),
    path("session/passkeys/<int:id>/remove", RemovePasskeyView.as_view()),
]
