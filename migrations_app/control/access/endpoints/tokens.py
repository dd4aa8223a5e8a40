"""Tokens: made, listed and revoked; a secret is shown once."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.control.access.commands.revoke_token import revoke_token
from migrations_app.control.access.queries.access import tokens
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class TokenSchema(ResponseBody, frozen=True, kw_only=True):
    """A token, without its secret."""

    id: str
    account: str
    name: str
    scopes: list[str]
    networks: list[str]
    created_by: str
    created_at: Instant
    expires_at: Instant | None
    last_used_at: Instant | None
    last_used_from: str | None
    revoked_at: Instant | None


class TokenWithSecretSchema(TokenSchema, frozen=True, kw_only=True):
    """A new token with its secret, which is never shown again."""

    secret: str


class NewTokenSchema(RequestBody, frozen=True, kw_only=True):
    """What a token shall be able to do, from where and until when."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    account: Annotated[str, Meta(min_length=1, max_length=150)] | UnsetType = UNSET
    scopes: (
        Annotated[
            list[Annotated[str, Meta(min_length=1, max_length=64)]],
            Meta(
                min_length=1,
                max_length=50,
                description="Everything, or what the token that asks carries, when left out.",
            ),
        ]
        | UnsetType
    ) = UNSET
    networks: Annotated[list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(max_length=50)] = []
    expires_at: Instant | UnsetType | None = UNSET


class TokensView(RestView):
    """`/tokens`."""

    may: ClassVar[dict[str, str]] = {"GET": "token.own", "POST": "token.own"}
    secrets = frozenset({"secret"})

    @extend_schema(
        operation_id="tokens",
        parameters=[
            OpenApiParameter("all", bool, description="Those of all accounts, for one that may see accounts.")
        ],
        responses=page_schema("Token", TokenSchema),
    )
    def get(self, request: Request) -> Response:
        """List own tokens; with `?all=true` everybody's."""
        everybody = request.query_params.get("all") == "true"
        return Response(everything(tokens(self.actor, everybody=everybody)))

    @extend_schema(
        operation_id="issue_token",
        request=NewTokenSchema,
        parameters=[DRY_RUN],
        responses={201: TokenWithSecretSchema},
    )
    def post(self, request: Request) -> Response:
        """Make a token."""
        given = read(NewTokenSchema, request.data)
        dry_run = is_dry_run(request)
        issued = rehearsed(
            dry_run,
            lambda: issue_token(
                self.actor,
                given.account or self.actor.name,
                given.name,
                scopes=tuple(given.scopes) if given.scopes else None,
                networks=tuple(given.networks),
                expires_at=given.expires_at or None,
            ),
        )
        return Response({**issued.token, "secret": "" if dry_run else issued.secret}, status=201)


class TokenView(RestView):
    """`/tokens/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": "token.own"}

    @extend_schema(operation_id="revoke_token", parameters=[DRY_RUN], responses={200: TokenSchema})
    def delete(self, request: Request, token: str) -> Response:
        """Revoke a token."""
        return Response(rehearsed(is_dry_run(request), lambda: revoke_token(self.actor, token)))


urlpatterns = [
    path("tokens", TokensView.as_view()),
    path("tokens/<slug:token>", TokenView.as_view()),
]
