"""The base class of every REST view: permission first, repeated requests once, refusals written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from migrations_app.domain.access import EVERYTHING, Actor, Target, is_write, require, require_within
from migrations_app.domain.operations import AnswerClaim
from migrations_app.kernel.errors import Denied, Invalid, SwitchyardError
from migrations_app.kernel.json import digest
from migrations_app.kernel.messages import message
from migrations_app.web.callers import actor_of_request
from migrations_app.web.deprecations import Going
from migrations_app.web.endpoint_ports import endpoint_ports
from migrations_app.web.methods import LONGEST_KEY, SAFE
from migrations_app.web.methods import OPEN as OPEN
from migrations_app.web.methods import SIGNED_IN as SIGNED_IN
from migrations_app.web.operation_contracts import check_request, contract_of
from migrations_app.web.preconditions import is_dry_run
from migrations_app.web.problems import answer
from migrations_app.web.rendering import FastJson
from migrations_app.web.throttles import PerActor

Located = Callable[[Mapping[str, Any]], Sequence[Target]]
"""Reads from the parts of an address what a request acts upon; nothing where there is no such thing."""


def everywhere(_: Mapping[str, Any]) -> Sequence[Target]:
    """Say of what belongs to no place that changing it takes a role bound to none."""
    return (EVERYTHING,)


def in_body(_: Mapping[str, Any]) -> Sequence[Target]:
    """Say that only the body tells the place: the action decides about it."""
    return ()


class RestView(APIView):
    """A REST view. `may` names the permission of each method, or `OPEN` or `SIGNED_IN`; no entry, no entrance.

    `located` says what an address is about. A request that may change something is decided about that before its
    body is read; without it only who may do it everywhere gets in. The action or query decides again.
    A request with an Idempotency-Key is one transaction together with its stored answer.
    """

    permission_classes = ()
    throttle_classes = (PerActor,)
    renderer_classes: tuple[type[BaseRenderer], ...] = (FastJson,)
    may: ClassVar[Mapping[str, str]] = {}
    located: ClassVar[Located] = staticmethod(everywhere)
    # Off where the answer must not be kept, and a refusal must not undo what was noted about it.
    answers_once: ClassVar[bool] = True
    # Keys of the answer, at any depth, whose values are not kept: a repeat is answered with "" in their place.
    secrets: ClassVar[frozenset[str]] = frozenset()
    # Methods that go away, each with its last day; every answer of them says so.
    going: ClassVar[Mapping[str, Going]] = {}
    _claim: AnswerClaim | None = None
    _targets: Sequence[Target] | None = None
    _refused: Denied | None = None
    _in_one: bool = False
    _counting: Sequence[BaseThrottle] = ()

    @property
    def actor(self) -> Actor:
        """Give who asks."""
        return actor_of_request(self.request)

    def locate(self) -> Sequence[Target]:
        """Read from the address what the request acts upon."""
        return type(self).located(self.kwargs)

    def around(self) -> Target:
        """Name what the address tells of the place where only the body tells all of it."""
        return EVERYTHING

    def target(self) -> Target:
        """Name the address for the ledger, with the place it is about as far as it tells."""
        places = {(each.service, each.region) for each in self._targets or ()}
        service, region = places.pop() if len(places) == 1 else ("", "")
        return Target(type(self).__name__.lower(), self.request.path, service, region)

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Ask the authenticators that the application connected."""
        return [each() for each in endpoint_ports().authenticators]

    def get_exception_handler(self) -> Any:
        """Answer errors by the one map."""
        return answer

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks; after a failure the request counts without an actor while it is answered."""
        try:
            request.user  # noqa: B018 -- reading it authenticates
        except SwitchyardError:
            request._not_authenticated()  # type: ignore[attr-defined]
            raise

    def check_permissions(self, request: Request) -> None:
        """Ask for the permission that `may` names.

        Raises: Denied (`unauthenticated`, `denied`).
        """
        method = request.method or "GET"
        needed = self.may.get("GET" if method == "HEAD" else method)
        if needed == OPEN or method == "OPTIONS":
            return
        actor = actor_of_request(request)
        if not actor.name:
            raise Denied(message("Sign in, or send a token."), code="unauthenticated")
        if needed is None:
            self.http_method_not_allowed(request)
        elif needed != SIGNED_IN:
            self._decide(actor, needed, changes=method not in SAFE)

    def _decide(self, actor: Actor, needed: str, *, changes: bool) -> None:
        """Refuse who may do it nowhere, and what is changed beyond their reach, before anything else is told."""
        self._targets = self.locate() if changes else ()
        require_within(actor, needed, self.around() if is_write(needed) else EVERYTHING)
        for target in self._targets:
            require(actor, needed, target)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let a request with an Idempotency-Key run once, in one transaction with its answer."""
        if request.method in SAFE or not self.answers_once or not request.headers.get("Idempotency-Key"):
            response = super().dispatch(request, *args, **kwargs)
            self._note_rehearsal(response)
            return response
        self._in_one = True
        with transaction.atomic():
            response = super().dispatch(request, *args, **kwargs)
            if response.status_code >= 400:
                transaction.set_rollback(True)
            elif self._claim is not None and isinstance(response, Response):
                body = without_secrets(response.data, self.secrets)
                endpoint_ports().keep_answer(self._claim, response.status_code, _headers(response), body)
        self._write_down()
        self._note_rehearsal(response)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, ask for permission, and look whether this was answered before.

        Raises: Denied · Invalid (`dry-run`, `idempotency-key`, and those of `read_parameters`).
        """
        super().initial(request, *args, **kwargs)
        self.read_parameters(request)
        if request.method not in SAFE:
            # Before anything is done: after the answer it would be too late to refuse.
            is_dry_run(request)
        key = request.headers.get("Idempotency-Key", "")
        if request.method in SAFE or not key or not self.answers_once or not self.actor.name:
            return
        if len(key) > LONGEST_KEY or not key.isprintable():
            raise Invalid(
                message("The Idempotency-Key is too long."),
                code="idempotency-key",
                remedy=message("Send a UUID."),
            )
        asked = digest([request.method, request.get_full_path(), request.data])
        self._claim, kept = endpoint_ports().claim_answer(self.actor.name, key, asked)
        if kept is not None:
            raise _Answered(kept.status, kept.headers, kept.body)

    def read_parameters(self, request: Request) -> None:
        """Refuse what the declaration of the method does not name: parameters, conditions, a body.

        Raises: Invalid (`parameter`, `dry-run`, `if-match`, `invalid`).
        """
        if request.method != "OPTIONS" and hasattr(self, str(request.method).lower()):
            check_request(request, contract_of(type(self), str(request.method)))

    def get_throttles(self) -> list[BaseThrottle]:
        """Remember who counts, to tell afterwards how much is left."""
        self._counting = throttles = super().get_throttles()
        return throttles

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Tell with every answer how many requests are left, and whether this call goes away."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        going = self.going.get(request.method or "")
        for name, value in going.headers().items() if going else ():
            finished[name] = value
        for throttle in self._counting:
            if isinstance(throttle, PerActor):
                for name, value in throttle.headers().items():
                    finished[name] = value
        return finished

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error; a refused change is noted in the ledger."""
        if isinstance(exc, _Answered):
            self._claim = None
            return Response(exc.body, status=exc.status, headers=exc.headers)
        if isinstance(exc, Denied) and self.request.method not in SAFE and self.actor.name:
            self._refused = exc
            # Within the one transaction the note would be taken back with the refused change.
            if not self._in_one:
                self._write_down()
        return super().handle_exception(exc)

    def _note_rehearsal(self, response: HttpResponseBase) -> None:
        """A rehearsal keeps nothing but this note: what was rehearsed is in the address."""
        method, request = str(self.request.method), self.request
        if method in SAFE or response.status_code >= 400 or not isinstance(request, Request):
            return
        if is_dry_run(request) and self.actor.name:
            permission = self.may.get(method, "")
            action = method.lower() if permission in ("", OPEN, SIGNED_IN) else permission
            endpoint_ports().note_rehearsal(self.actor, action, self.target())

    def _write_down(self) -> None:
        refused, self._refused = self._refused, None
        if refused is not None:
            endpoint_ports().note_refusal(self.actor, refused, self.target(), method=str(self.request.method))


def without_secrets(body: Any, secrets: frozenset[str]) -> Any:
    """Write an answer as it is kept: without the values under the keys of secrets."""
    if not secrets:
        return body
    if isinstance(body, Mapping):
        return {key: "" if key in secrets else without_secrets(value, secrets) for key, value in body.items()}
    return [without_secrets(each, secrets) for each in body] if isinstance(body, list | tuple) else body


class _Answered(Exception):
    """The request was answered before; this is that answer."""

    def __init__(self, status: int, headers: Mapping[str, str], body: object) -> None:
        super().__init__(status)
        self.status, self.body = status, body
        self.headers = {**headers, "Idempotency-Replayed": "true"}


def _headers(response: Response) -> dict[str, str]:
    return {name: response[name] for name in ("ETag", "Location") if name in response}
