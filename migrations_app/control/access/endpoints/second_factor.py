"""The second factor of the account that is signed in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from qrcode.main import QRCode
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.set_second_factor import (
    drop_second_factor,
    propose_second_factor,
    set_second_factor,
)
from migrations_app.control.access.queries.access import second_factor_of
from migrations_app.control.access.sign_in.attempts import OF_FACTOR, counted
from migrations_app.web.contract import RequestBody, ResponseBody, read
from migrations_app.web.rest_view import SIGNED_IN, RestView

PROPOSED = "totp_secret"


class SecondFactorSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether signing in asks for a code, and how many spare codes are left."""

    is_set: bool
    recovery_codes_left: int


class ProposalSchema(ResponseBody, frozen=True, kw_only=True):
    """A secret to enter into an authenticator, and the rows of the QR code that holds it (1 is dark)."""

    secret: str
    uri: str
    qr: list[str]


class CodeSchema(RequestBody, frozen=True, kw_only=True):
    """The code that the authenticator shows."""

    code: Annotated[str, Meta(min_length=1, max_length=20)]


class SpareCodesSchema(ResponseBody, frozen=True, kw_only=True):
    """Codes for the day the authenticator is lost; each works once, and they are shown once."""

    recovery_codes: list[str]


class SecondFactorView(RestView):
    """`/session/totp`."""

    may: ClassVar[dict[str, str]] = dict.fromkeys(("GET", "POST", "PUT"), SIGNED_IN)
    answers_once = False

    @extend_schema(operation_id="second_factor", responses=SecondFactorSchema)
    def get(self, request: Request) -> Response:
        """Tell whether one is set up."""
        return Response(second_factor_of(self.actor))

    @extend_schema(operation_id="propose_second_factor", request=None, responses=ProposalSchema)
    def post(self, request: Request) -> Response:
        """Make a secret."""
        proposal = propose_second_factor(self.actor)
        request._request.session[PROPOSED] = proposal.secret
        return Response({"secret": proposal.secret, "uri": proposal.uri, "qr": _qr(proposal.uri)})

    @extend_schema(operation_id="set_second_factor", request=CodeSchema, responses=SpareCodesSchema)
    def put(self, request: Request) -> Response:
        """Set it up by showing its code."""
        secret = str(request._request.session.get(PROPOSED, ""))
        codes = set_second_factor(self.actor, secret, read(CodeSchema, request.data).code)
        del request._request.session[PROPOSED]
        return Response({"recovery_codes": codes})


class DropSecondFactorView(RestView):
    """`/session/totp/drop`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}
    answers_once = False

    @extend_schema(operation_id="drop_second_factor", request=CodeSchema, responses={204: None})
    def post(self, request: Request) -> Response:
        """Give it up, for a code that it shows or a spare one."""
        code = read(CodeSchema, request.data).code
        with counted(OF_FACTOR, self.actor.name):
            drop_second_factor(self.actor, code)
        return Response(status=204)


def _qr(text: str) -> list[str]:
    code = QRCode(border=4)
    code.add_data(text)
    return ["".join("1" if dark else "0" for dark in row) for row in code.get_matrix()]


urlpatterns = [
    path("session/totp", SecondFactorView.as_view()),
    path("session/totp/drop", DropSecondFactorView.as_view()),
]
