"""What an operation takes is read from its declaration, and what is near to a parameter that there is not is named."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from migrations_app.kernel.errors import Invalid
from migrations_app.web.operation_contracts import check_request, contract_of
from migrations_app.web.preconditions import is_dry_run
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH

REQUESTS = APIRequestFactory()


class ThingsView(APIView):
    """A list, and a change that has a dry run and a condition."""

    @extend_schema(parameters=[OpenApiParameter("page_size", int), OpenApiParameter("service__in", str)])
    def get(self, request: Request) -> Response:
        """List."""
        return Response([])

    @extend_schema(request=None, parameters=[IF_MATCH, DRY_RUN])
    def put(self, request: Request) -> Response:
        """Change."""
        return Response({})

    @extend_schema(request=str)
    def post(self, request: Request) -> Response:
        """Make."""
        return Response({})


def _checked(method: str, query: str = "", body: object = None, **headers: str) -> Request:
    request = Request(REQUESTS.generic(method, f"/things?{query}", headers=headers))
    if body is not None:
        request = Request(getattr(REQUESTS, method.lower())(f"/things?{query}", body, format="json"))
        request._full_data = body  # type: ignore[attr-defined]
    check_request(request, contract_of(ThingsView, method))
    return request


def _refused(method: str, query: str = "", body: object = None, **headers: str) -> Invalid:
    with pytest.raises(Invalid) as refused:
        _checked(method, query, body, **headers)
    return refused.value


def test_a_contract_has_the_parameters_headers_and_body_of_the_declaration() -> None:
    got = [contract_of(ThingsView, method) for method in ("GET", "PUT", "POST")]
    assert [sorted(each.parameters) for each in got] == [["page_size", "service__in"], ["dry_run"], []]
    assert [sorted(each.headers) for each in got] == [[], ["if-match"], []]
    assert [each.has_body for each in got] == [False, False, True]
    assert contract_of(ThingsView, "HEAD") is contract_of(ThingsView, "GET")


@pytest.mark.parametrize(
    "query", ["page_size=3", "pageSize=3", "pageSize=3&page_size=3", "page_size=3&page_size=3"]
)
def test_each_spelling_is_read_under_the_declared_name(query: str) -> None:
    assert _checked("GET", query).query_params.get("page_size") == "3"


def test_a_query_in_the_declared_names_stays_as_it_was_sent() -> None:
    assert _checked("GET", "service__in=a,b&page_size=1").query_params == QueryDict(
        "service__in=a,b&page_size=1"
    )


@pytest.mark.parametrize("word", ["dry_run", "dryRun", "validateOnly", "validate_only"])
def test_each_word_of_a_dry_run_is_one(word: str) -> None:
    assert is_dry_run(_checked("PUT", f"{word}=true"))
    assert not is_dry_run(_checked("PUT", f"{word}=false"))
    refused = _refused("POST", f"{word}=true")
    assert (refused.code, refused.message) == ("dry-run", "POST has no dry run here.")


def test_words_of_a_dry_run_that_differ_are_refused() -> None:
    with pytest.raises(Invalid) as refused:
        is_dry_run(_checked("PUT", "dryRun=true&validate_only=false"))
    assert refused.value.code == "dry-run"


def test_a_parameter_that_there_is_not_is_refused_with_the_nearest_ones() -> None:
    refused = _refused("GET", "pagesize=3&colour=red")
    assert (refused.code, refused.message) == ("parameter", "There is no query parameter 'pagesize' here.")
    assert refused.remedy == "Did you mean page_size? The parameters are page_size, service__in."
    assert [each.path for each in refused.violations] == ["pagesize", "colour"]
    assert _refused("POST", "x=1").remedy == "There are no parameters here."


def test_two_values_of_one_parameter_are_refused() -> None:
    for query in ("page_size=1&pageSize=2", "page_size=1&page_size=2"):
        refused = _refused("GET", query)
        assert (refused.code, refused.violations[0].path) == ("parameter", "page_size")


def test_a_condition_that_is_not_declared_is_refused_and_a_declared_one_is_not() -> None:
    assert _checked("PUT", **{"If-Match": '"1"'}).headers["If-Match"] == '"1"'
    for method, header in (("POST", "If-Match"), ("PUT", "If-None-Match"), ("PUT", "If-Unmodified-Since")):
        refused = _refused(method, **{header: '"1"'})
        assert (refused.code, refused.violations[0].path) == ("if-match", header)
    assert _checked("GET", **{"If-None-Match": '"1"'}).query_params == QueryDict()


def test_a_body_is_refused_where_none_is_declared_but_an_empty_object_is_not() -> None:
    assert _checked("PUT", body={}).query_params == QueryDict()
    refused = _refused("PUT", body={"colour": "red"})
    assert (refused.code, refused.violations[0].path) == ("invalid", "colour")
    assert _refused("PUT", body=[1]).code == "invalid"
