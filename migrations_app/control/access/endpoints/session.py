"""Signing in and out, and who is signed in."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import logout, update_session_auth_hash
from django.middleware.csrf import get_token
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.change_password import change_own_password
from migrations_app.control.access.commands.check_password import account_by_password
from migrations_app.control.access.commands.choose_zone import choose_zone
from migrations_app.control.access.commands.keep_sessions import end_session, renew_session
from migrations_app.control.access.commands.note_session import note_session
from migrations_app.control.access.commands.prove import prove
from migrations_app.control.access.commands.set_second_factor import check_second_factor
from migrations_app.control.access.queries.access import about
from migrations_app.control.access.queries.passkeys import where_passkeys_work
from migrations_app.control.access.queries.sessions import sessions
from migrations_app.control.access.sign_in.admission import EMERGENCY, let_in, note_turned_away
from migrations_app.control.access.sign_in.attempts import (
    OF_PROOF,
    check_password_rate,
    counted,
    sign_in_attempt,
)
from migrations_app.control.access.sign_in.authentication import check_csrf
from migrations_app.control.access.sign_in.identity_provider import providers_now
from migrations_app.control.access.sign_in.known_browsers import known_browser, remember_browser
from migrations_app.control.access.sign_in.proof import remember_proof
from migrations_app.domain.access import SHOWN_ZONES, Actor
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.web.callers import address_of
from migrations_app.web.doors import OPEN, SIGNED_IN, Door
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.shapes import DRY_RUN, StrictShape, everything, page_shape, read


class SignedInShape(serializers.Serializer[Any]):
    """Who is signed in."""

    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    permissions = serializers.ListField(child=serializers.CharField())
    reach = serializers.ListField(
        child=serializers.CharField(),
        help_text="Where what they are shown lies, such as `* @ eu-*`; empty when nothing is left out.",
    )
    bounds = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Where each permission to change something holds that does not hold everywhere.",
    )
    zone = serializers.CharField(
        allow_blank=True, help_text="The time zone they chose to be shown, as `PUT /session/zone` takes it."
    )


class SignInEmergencyShape(serializers.Serializer[Any]):
    """Why and when somebody signed in by break-glass."""

    reason = serializers.CharField()
    at = serializers.DateTimeField()


class SessionLimitsShape(serializers.Serializer[Any]):
    """When a session ends by itself."""

    hours = serializers.IntegerField(help_text="So long after signing in.")
    idle_minutes = serializers.IntegerField(help_text="So long after a person last did something.")


class SessionShape(serializers.Serializer[Any]):
    """The session, also when nobody is signed in."""

    account = SignedInShape(allow_null=True)
    csrf_token = serializers.CharField()
    server_time = serializers.DateTimeField()
    environment = serializers.CharField()
    version = serializers.CharField()
    providers = serializers.ListField(child=serializers.DictField())
    local_sign_in = serializers.ChoiceField(
        ["on", "emergency", "off"], help_text="Whether a name and a password are enough, and for whom."
    )
    passkey_host = serializers.CharField(
        allow_blank=True, help_text="The host name under which passkeys work; empty where they do not."
    )
    session_limits = SessionLimitsShape()
    emergency = SignInEmergencyShape(allow_null=True, help_text="This session broke the glass to sign in.")


class SignInShape(StrictShape):
    """A name, a password, and the code of a second factor where one is set up."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    totp = serializers.CharField(max_length=20, required=False, allow_blank=True)
    reason = serializers.CharField(
        max_length=1000,
        required=False,
        allow_blank=True,
        default="",
        help_text="Why an admin breaks the glass to sign in, in 20 characters or more.",
    )


class SessionDoor(Door):
    """`/session`."""

    may: ClassVar[dict[str, str]] = {"GET": OPEN, "POST": OPEN, "DELETE": OPEN}
    answers_once = False

    @extend_schema(operation_id="session", responses=SessionShape)
    def get(self, request: Request) -> Response:
        """Tell who is signed in, and what a page needs to begin."""
        return Response(session_now(request, self.actor))

    @extend_schema(operation_id="sign_in", request=SignInShape, responses=SessionShape)
    def post(self, request: Request) -> Response:
        """Sign in with a name and a password."""
        check_csrf(request)
        given = read(SignInShape, request.data)
        name = given["username"]
        try:
            with sign_in_attempt(name, address_of(request), known_browser(request, name)):
                account = account_by_password(name, given["password"])
                check_second_factor(account, given.get("totp", ""))
                actor = let_in(request, account, "password", given["reason"])
        except Denied as refused:
            note_turned_away(request, name, refused)
            raise
        response = Response(session_now(request, actor))
        remember_browser(request, response, name)
        return response

    @extend_schema(operation_id="sign_out", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Sign out; harmless when nobody is signed in."""
        if self.actor.name:
            note_session(self.actor, "out", "done")
        logout(request._request)
        return Response(status=204)


class ProviderShape(serializers.Serializer[Any]):
    """Whether an identity provider answers."""

    id = serializers.CharField()
    answers = serializers.BooleanField(allow_null=True, help_text="Null while nobody knows yet.")
    since = serializers.DateTimeField(allow_null=True, help_text="Since when it does not.")


class ProvidersDoor(Door):
    """`/session/providers`."""

    may: ClassVar[dict[str, str]] = {"GET": OPEN}

    @extend_schema(operation_id="sign_in_providers", responses=page_shape("SignInProvider", ProviderShape))
    def get(self, request: Request) -> Response:
        """Tell whether the identity providers answer, as asked at most every 15 seconds."""
        return Response(everything(providers_now()))


class ProofShape(StrictShape):
    """The password of whoever is signed in, and the code of a second factor where one is set up."""

    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    totp = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class ProofDoor(Door):
    """`/session/proof`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="prove", request=ProofShape, responses={204: None})
    def post(self, request: Request) -> Response:
        """Show again that it is you, for a critical decision within five minutes."""
        given = read(ProofShape, request.data)
        check_password_rate(f"account:{self.actor.name}")
        with counted(OF_PROOF, self.actor.name):
            prove(self.actor, given["password"], given["totp"])
        remember_proof(request._request)
        return Response(status=204)


class NewPasswordShape(StrictShape):
    """The password until now, and the one from now on."""

    current = serializers.CharField(max_length=1000, trim_whitespace=False)
    new = serializers.CharField(max_length=1000, trim_whitespace=False)


class PasswordDoor(Door):
    """`/session/password`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="change_password", request=NewPasswordShape, responses={204: None})
    def put(self, request: Request) -> Response:
        """Change one's own password; this session goes on, every other one ends."""
        given = read(NewPasswordShape, request.data)
        check_password_rate(f"account:{self.actor.name}")
        with counted(OF_PROOF, self.actor.name):
            account = change_own_password(self.actor, given["current"], given["new"])
        before = request.session.session_key
        update_session_auth_hash(request._request, account)
        renew_session(self.actor, before, request.session.session_key)
        return Response(status=204)


class ShownZoneShape(StrictShape):
    """The time zone to be shown."""

    zone = serializers.ChoiceField(
        SHOWN_ZONES, help_text="`utc`, `mine` for that of the browser, `region` for that of a page's region."
    )


class ShownZoneDoor(Door):
    """`/session/zone`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}

    @extend_schema(
        operation_id="choose_zone", request=ShownZoneShape, parameters=[DRY_RUN], responses={204: None}
    )
    def put(self, request: Request) -> Response:
        """Choose the time zone that the console shows, in every browser one signs in with."""
        given = read(ShownZoneShape, request.data)
        rehearsed(is_dry_run(request), lambda: choose_zone(self.actor, given["zone"]))
        return Response(status=204)


class SignInsShape(serializers.Serializer[Any]):
    """A browser that somebody is signed in with."""

    id = serializers.IntegerField()
    account = serializers.CharField()
    at = serializers.DateTimeField()
    address = serializers.CharField(allow_blank=True)
    agent = serializers.CharField(allow_blank=True)
    how = serializers.CharField()
    current = serializers.BooleanField()


class SessionsDoor(Door):
    """`/sessions`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN}

    @extend_schema(
        operation_id="sessions",
        parameters=[OpenApiParameter("all", bool, description="Everybody's, for whoever may see accounts.")],
        responses=page_shape("SignIns", SignInsShape),
    )
    def get(self, request: Request) -> Response:
        """List where one is signed in, the newest first; with `?all=true` everybody."""
        everybody = request.query_params.get("all") == "true"
        found = sessions(self.actor, everybody=everybody, current=request.session.session_key or "")
        return Response(everything(found))


class OneSessionDoor(Door):
    """`/sessions/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": SIGNED_IN}

    @extend_schema(operation_id="end_session", responses={204: None})
    def delete(self, request: Request, id: int) -> Response:
        """Sign a browser out; one's own, or anybody's for whoever manages access."""
        rehearsed(is_dry_run(request), lambda: end_session(self.actor, id))
        return Response(status=204)


def session_now(request: Request, actor: Actor) -> JsonObject:
    """Tell who is signed in, and what a page needs to begin."""
    return {
        "account": about(actor) if actor.name else None,
        "csrf_token": get_token(request._request),
        "server_time": timezone.now().isoformat(),
        "environment": settings.SWITCHYARD.environment,
        "version": _version(),
        "providers": list(getattr(settings, "SIGN_IN_PROVIDERS", [])),
        "local_sign_in": settings.SWITCHYARD.local_sign_in,
        "passkey_host": where_passkeys_work(),
        "session_limits": {
            "hours": settings.SWITCHYARD.session_hours,
            "idle_minutes": settings.SWITCHYARD.session_idle_minutes,
        },
        "emergency": request.session.get(EMERGENCY) if actor.name else None,
    }


def _version() -> str:
    try:
        return version("switchyard")
    except PackageNotFoundError:
        return "development"


urlpatterns = [
    path("session", SessionDoor.as_view()),
    path("session/providers", ProvidersDoor.as_view()),
    path("session/proof", ProofDoor.as_view()),
    path("session/password", PasswordDoor.as_view()),
    path("session/zone", ShownZoneDoor.as_view()),
    path("sessions", SessionsDoor.as_view()),
    path("sessions/<int:id>", OneSessionDoor.as_view()),
]
