"""Several writes as one, and what an account made by declaring it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.db import transaction
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta, to_builtins
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.declarations.commands.keep_declared import keep_declared
from migrations_app.control.declarations.inner_requests import METHODS, InnerRequest, send_inner
from migrations_app.control.declarations.queries import declared_set
from migrations_app.control.registry.commands.forward_change import is_mirror
from migrations_app.kernel.errors import Conflict, Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message, verbatim
from migrations_app.web.contract import RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.problems import CONTENT_TYPE
from migrations_app.web.rest_view import SIGNED_IN, RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN

MOST_REQUESTS = 500


class InnerRequestSchema(RequestBody, frozen=True, kw_only=True):
    """One write, as it would be sent alone."""

    method: Annotated[str, one_of(METHODS)]
    path: Annotated[str, Meta(min_length=1, max_length=2000, description="The address with its parameters.")]
    body: Any = None
    if_match: Annotated[str, Meta(max_length=200)] = ""
    if_none_match: Annotated[str, Meta(max_length=200)] = ""


class BatchRequestsSchema(RequestBody, frozen=True, kw_only=True):
    """Writes in the order in which they are carried out."""

    requests: Annotated[list[InnerRequestSchema], Meta(min_length=1, max_length=MOST_REQUESTS)]


class InnerAnswerSchema(ResponseBody, frozen=True, kw_only=True):
    """What one write was answered."""

    status: int
    etag: str
    body: Any


class BatchAnswersSchema(ResponseBody, frozen=True, kw_only=True):
    """The answers, in the order of the writes."""

    answers: list[InnerAnswerSchema]


class DeclaredObjectSchema(RequestBody, frozen=True, kw_only=True):
    """An object that was made by declaring it, with what was declared of it."""

    kind: Annotated[str, Meta(min_length=1, max_length=40)]
    name: Annotated[str, Meta(min_length=1, max_length=1000)]
    spec: dict[str, Any]


class DeclaredObjectsSchema(RequestBody, frozen=True, kw_only=True):
    """All objects that were made under an owner label and are declared still."""

    objects: list[DeclaredObjectSchema]


class DeclaredSetSchema(ResponseBody, frozen=True, kw_only=True):
    """What an account made under an owner label."""

    owner: str
    objects: list[DeclaredObjectSchema]


class InnerRefusal(Exception):
    """One of several writes is refused, and so all are."""

    def __init__(self, index: int, answer: Response) -> None:
        super().__init__(index)
        self.index, self.answer = index, answer


class RequestsView(RestView):
    """`/requests:batch`."""

    # Each of the requests is decided about by its own endpoint.
    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    located = in_body
    secrets = frozenset({"secret"})

    @extend_schema(
        operation_id="send_requests",
        request=BatchRequestsSchema,
        parameters=[DRY_RUN],
        responses=BatchAnswersSchema,
    )
    def post(self, request: Request) -> Response:
        """Carry several writes out in one transaction: all of them, or none.

        A refusal is answered as the write itself would be, with `failed_request`, its place in the list.
        """
        asked = [
            InnerRequest(each.method, each.path, each.body, each.if_match, each.if_none_match)
            for each in read(BatchRequestsSchema, request.data).requests
        ]
        if is_mirror() and any(each.path.startswith("/meta/") for each in asked):
            raise Conflict(
                message(
                    "The registry of this installation is a copy: changes of it cannot be taken back here."
                ),
                code="registry-mirrored",
                remedy=message("Send them one by one, or to the installation that keeps the registry."),
            )

        def send_all() -> list[JsonObject]:
            with transaction.atomic():
                return [_sent(request, index, each) for index, each in enumerate(asked)]

        try:
            answers = rehearsed(is_dry_run(request), send_all)
        except InnerRefusal as refusal:
            return self._refused_as(refusal)
        return Response({"answers": answers})

    def _refused_as(self, refusal: InnerRefusal) -> Response:
        """Answer with the refusal; what was noted about it was taken back with all else, so note it again."""
        answer, body = refusal.answer, dict(refusal.answer.data or {})
        if answer.status_code == 403:
            denied = Denied(verbatim(str(body.get("detail", ""))), code=str(body.get("code", "denied")))
            self._refused = denied
            if not self._in_one:
                self._write_down()
        body["failed_request"] = refusal.index
        return Response(body, status=answer.status_code, content_type=CONTENT_TYPE)


def _sent(request: Request, index: int, asked: InnerRequest) -> JsonObject:
    answer = send_inner(request._request, asked)
    if answer.status_code >= 400:
        raise InnerRefusal(index, answer)
    return {"status": answer.status_code, "etag": answer.get("ETag", ""), "body": answer.data}


class DeclaredSetView(RestView):
    """`/declared-sets/{owner}`."""

    may: ClassVar[dict[str, str]] = dict.fromkeys(("GET", "PUT"), SIGNED_IN)
    located = in_body

    @extend_schema(operation_id="declared_set", responses=DeclaredSetSchema)
    def get(self, request: Request, owner: str) -> Response:
        """Tell what you made under an owner label by declaring it."""
        return Response(declared_set(self.actor, owner))

    @extend_schema(
        operation_id="keep_declared_set",
        request=DeclaredObjectsSchema,
        parameters=[DRY_RUN],
        responses=DeclaredSetSchema,
    )
    def put(self, request: Request, owner: str) -> Response:
        """Keep what you made under an owner label, in place of what was kept before."""
        objects = [to_builtins(each) for each in read(DeclaredObjectsSchema, request.data).objects]

        def keep() -> JsonObject:
            keep_declared(self.actor, owner, objects)
            return declared_set(self.actor, owner)

        return Response(rehearsed(is_dry_run(request), keep))


urlpatterns = [
    path("requests:batch", RequestsView.as_view()),
    path("declared-sets/<str:owner>", DeclaredSetView.as_view()),
]
