"""Signing in and out, and who is signed in."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, ClassVar

from django.conf import settings
from django.contrib.auth import logout, update_session_auth_hash
from django.middleware.csrf import get_token
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
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
from migrations_app.web.contract import VERBATIM, Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import OPEN, SIGNED_IN, RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class SignedInAccountSchema(ResponseBody, frozen=True, kw_only=True):
    """Who is signed in."""

    name: str
    email: str
    kind: str
    roles: list[str]
    permissions: list[str]
    reach: Annotated[
        list[str],
        Meta(
            description="Where what they are shown lies, such as `* @ eu-*`; empty when nothing is left out."
        ),
    ]
    bounds: Annotated[
        dict[str, list[str]],
        Meta(description="Where each permission to change something holds that does not hold everywhere."),
    ]
    zone: Annotated[
        str, Meta(description="The time zone they chose to be shown, as `PUT /session/zone` takes it.")
    ]


class BreakGlassSessionSchema(ResponseBody, frozen=True, kw_only=True):
    """Why and when a person signed in by break-glass."""

    reason: str
    at: Instant


class SessionLimitsSchema(ResponseBody, frozen=True, kw_only=True):
    """When a session ends by itself."""

    hours: Annotated[int, Meta(description="So long after signing in.")]
    idle_minutes: Annotated[int, Meta(description="So long after a person last did something.")]


class SignInAddressSchema(ResponseBody, frozen=True, kw_only=True):
    """An identity provider, and where signing in by it begins."""

    id: str
    name: str
    url: str


class SessionSchema(ResponseBody, frozen=True, kw_only=True):
    """The session, also without a sign-in."""

    account: SignedInAccountSchema | None
    csrf_token: str
    server_time: Instant
    environment: str
    version: str
    providers: Annotated[
        list[SignInAddressSchema], Meta(description="Ways to sign in beside a name and a password.")
    ]
    local_sign_in: Annotated[
        str,
        one_of(
            ["on", "emergency", "off"], description="Whether a name and a password are enough, and for whom."
        ),
    ]
    passkey_host: Annotated[
        str, Meta(description="The host name under which passkeys work; empty where they do not.")
    ]
    session_limits: SessionLimitsSchema
    emergency: Annotated[
        BreakGlassSessionSchema | None, Meta(description="This session signed in by break-glass.")
    ]


class SignInSchema(RequestBody, frozen=True, kw_only=True):
    """A name, a password, and the code of a second factor where one is set up."""

    username: Annotated[str, Meta(min_length=1, max_length=150)]
    password: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)]
    totp: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    reason: Annotated[
        str,
        Meta(max_length=1000, description="Why an admin signs in by break-glass, in 20 characters or more."),
    ] = ""


class SessionView(RestView):
    """`/session`."""

    may: ClassVar[dict[str, str]] = {"GET": OPEN, "POST": OPEN, "DELETE": OPEN}
    answers_once = False

    @extend_schema(operation_id="session", responses=SessionSchema)
    def get(self, request: Request) -> Response:
        """Tell who is signed in, and what a page needs to begin."""
        return Response(session_now(request, self.actor))

    @extend_schema(operation_id="sign_in", request=SignInSchema, responses=SessionSchema)
    def post(self, request: Request) -> Response:
        """Sign in with a name and a password."""
        check_csrf(request)
        given = read(SignInSchema, request.data)
        name = given.username
        try:
            with sign_in_attempt(name, address_of(request), known_browser(request, name)):
                account = account_by_password(name, given.password)
                check_second_factor(account, given.totp or "")
                actor = let_in(request, account, "password", given.reason)
        except Denied as refused:
            note_turned_away(request, name, refused)
            raise
        response = Response(session_now(request, actor))
        remember_browser(request, response, name)
        return response

    @extend_schema(operation_id="sign_out", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Sign out; harmless without a session."""
        if self.actor.name:
            note_session(self.actor, "out", "done")
        logout(request._request)
        return Response(status=204)


class ProviderSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether an identity provider answers."""

    id: str
    answers: Annotated[bool | None, Meta(description="Null while unknown.")]
    since: Annotated[Instant | None, Meta(description="Since when it does not.")]


class ProvidersView(RestView):
    """`/session/providers`."""

    may: ClassVar[dict[str, str]] = {"GET": OPEN}

    @extend_schema(operation_id="sign_in_providers", responses=page_schema("SignInProvider", ProviderSchema))
    def get(self, request: Request) -> Response:
        """Tell whether the identity providers answer, as asked at most every 15 seconds."""
        return Response(everything(providers_now()))


class PasswordConfirmationSchema(RequestBody, frozen=True, kw_only=True):
    """The password of the signed-in person, and the code of a second factor where one is set up."""

    password: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)]
    totp: Annotated[str, Meta(max_length=20)] = ""


class ProofView(RestView):
    """`/session/proof`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="prove", request=PasswordConfirmationSchema, responses={204: None})
    def post(self, request: Request) -> Response:
        """Show again that it is you, for a critical decision within five minutes."""
        given = read(PasswordConfirmationSchema, request.data)
        check_password_rate(f"account:{self.actor.name}")
        with counted(OF_PROOF, self.actor.name):
            prove(self.actor, given.password, given.totp)
        remember_proof(request._request)
        return Response(status=204)


class NewPasswordSchema(RequestBody, frozen=True, kw_only=True):
    """The password until now, and the one from now on."""

    current: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)]
    new: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)]


class PasswordView(RestView):
    """`/session/password`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="change_password", request=NewPasswordSchema, responses={204: None})
    def put(self, request: Request) -> Response:
        """Change one's own password; this session goes on, every other one ends."""
        given = read(NewPasswordSchema, request.data)
        check_password_rate(f"account:{self.actor.name}")
        with counted(OF_PROOF, self.actor.name):
            account = change_own_password(self.actor, given.current, given.new)
        before = request.session.session_key
        update_session_auth_hash(request._request, account)
        renew_session(self.actor, before, request.session.session_key)
        return Response(status=204)


class ShownZoneSchema(RequestBody, frozen=True, kw_only=True):
    """The time zone to be shown."""

    zone: Annotated[
        str,
        one_of(
            SHOWN_ZONES,
            description="`utc`, `mine` for that of the browser, `region` for that of a page's region.",
        ),
    ]


class ShownZoneView(RestView):
    """`/session/zone`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}

    @extend_schema(
        operation_id="choose_zone", request=ShownZoneSchema, parameters=[DRY_RUN], responses={204: None}
    )
    def put(self, request: Request) -> Response:
        """Choose the time zone that the console shows, in every browser one signs in with."""
        given = read(ShownZoneSchema, request.data)
        rehearsed(is_dry_run(request), lambda: choose_zone(self.actor, given.zone))
        return Response(status=204)


class BrowserSessionSchema(ResponseBody, frozen=True, kw_only=True):
    """A browser that a person is signed in with."""

    id: int
    account: str
    at: Instant
    address: str
    agent: str
    how: str
    current: bool


class SessionsView(RestView):
    """`/sessions`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN}

    @extend_schema(
        operation_id="sessions",
        parameters=[
            OpenApiParameter("all", bool, description="Those of all accounts, for one that may see accounts.")
        ],
        responses=page_schema("BrowserSession", BrowserSessionSchema),
    )
    def get(self, request: Request) -> Response:
        """List where one is signed in, the newest first; with `?all=true` everybody."""
        everybody = request.query_params.get("all") == "true"
        found = sessions(self.actor, everybody=everybody, current=request.session.session_key or "")
        return Response(everything(found))


class OneSessionView(RestView):
    """`/sessions/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": SIGNED_IN}

    @extend_schema(operation_id="end_session", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: int) -> Response:
        """Sign a browser out; one's own, or any account's for accounts that manage access."""
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
    path("session", SessionView.as_view()),
    path("session/providers", ProvidersView.as_view()),
    path("session/proof", ProofView.as_view()),
    path("session/password", PasswordView.as_view()),
    path("session/zone", ShownZoneView.as_view()),
    path("sessions", SessionsView.as_view()),
    path("sessions/<int:id>", OneSessionView.as_view()),
]
