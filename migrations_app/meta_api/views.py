"""The views of the Meta API: one for each form of address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.sign_in.senders import senders_first
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.forward_change import ForwardedChange, forward_change, is_mirror
from migrations_app.control.registry.commands.save_registered import (
    create_registered,
    target_of,
    update_registered,
)
from migrations_app.control.registry.queries.lists import (
    CollectionPage,
    CollectionQuery,
    collection_page,
    one,
    some,
)
from migrations_app.domain.access import Target, is_write, reach_of
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind, ids
from migrations_app.domain.registry.redaction import redact
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message as worded
from migrations_app.meta_api.errors import answer
from migrations_app.meta_api.options import read_options
from migrations_app.meta_api.requests import (
    DEFAULT_PAGE,
    LARGEST_PAGE,
    ListToken,
    RequestedChange,
    answered,
    bound,
    change,
    flag,
    number,
    seal,
    shown,
    unseal,
)
from migrations_app.meta_api.shapes import LISTING, changing, listed, listing, message
from migrations_app.web.methods import SAFE
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed
from migrations_app.web.preconditions import shown as with_tag
from migrations_app.web.rest_view import OPEN, RestView

OF_READ = ("fieldMask", "view")
OF_LIST = ("filter", "orderBy", "pageSize", "pageToken", "includePagingInfo", *OF_READ)
OF_UPDATE = ("updateMask", "cas", "allowMissing", "responseMask")


def forwarded(change: Callable[..., Response]) -> Callable[..., Response]:
    """Let a method make its change in the registry that is mirrored, where one is, and else here."""

    @wraps(change)
    def handle(view: MetaView, request: Request, **given: str) -> Response:
        return view.forward(request) if is_mirror() else change(view, request, **given)

    return handle


class MetaView(RestView):
    """A view of the Meta API over one kind; the name comes from the address."""

    kind: ClassVar[RegistryKind] = RegistryKind.REGION
    # The options of each method: the fields of the published request beside the name and the body.
    asks: ClassVar[Mapping[str, Sequence[str]]] = {}
    # Methods that take If-Match.
    conditional: ClassVar[Sequence[str]] = ()
    query: Mapping[str, Any] = {}
    dry_run: bool = False

    def read_parameters(self, request: Request) -> None:
        """Read the options of the query; a condition that the method does not know is refused.

        Raises: Invalid (`parameter`, `dry-run`, `if-match`).
        """
        method = str(request.method)
        if method == "OPTIONS":
            return
        names = self.asks.get("GET" if method == "HEAD" else method, ())
        changes = is_write(self.may.get(method, ""))
        self.query = read_options(request, names, changes=changes)
        self.dry_run = changes and is_dry_run(request)
        if method not in (*SAFE, *self.conditional) and "If-Match" in request.headers:
            raise Invalid(
                worded("{method} takes no If-Match here.", method=method),
                code="if-match",
                remedy=worded("Leave it out; PUT and DELETE of a name take one."),
            )

    def expected(self, request: Request) -> str:
        """Read the resource version that If-Match names, `*` for any, nothing without it.

        Raises: Invalid (`if-match`).
        """
        if request.headers.get("If-Match", "").strip() == "*":
            return "*"
        return expected_tag(request, required=False) or ""

    def forward(self, request: Request) -> Response:
        """Send a change to the registry that is mirrored, and give its answer."""
        method = str(request.method)
        path = request.get_full_path().removeprefix("/meta/v1/")
        change = ForwardedChange(
            method, path, request.data or None, request.headers.get("If-Match", ""), self.dry_run
        )
        return Response(
            forward_change(self.actor, self.may[method], self.kind, self.changed(request), change)
        )

    def changed(self, request: Request) -> Target:
        """Name what a change is about that is passed on."""
        return target_of(self.kind, self.name())

    def get_view_name(self) -> str:
        """Name the view where it describes itself (OPTIONS)."""
        return self.kind.value

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Take the service tokens of other installations as well."""
        return senders_first(super().get_authenticators())

    def get_exception_handler(self) -> Any:
        """Answer errors in the Meta API's words."""
        return answer

    def change(self, request: Request) -> RequestedChange:
        """Read the change that the body and the query ask for.

        Raises: Invalid (`message-shape`, `field-mask`, `option`, `parameter`).
        """
        return change(self.kind, self.query, request.data, self.asks[str(request.method)])

    def name(self) -> str:
        """Write the full name that the address speaks of."""
        given = self.kwargs
        if self.kind in (RegistryKind.REGION, RegistryKind.SERVICE):
            return f"{self.kind.value}/{given['id']}"
        return f"services/{given['service']}/{self.kind.value}/{given['id']}"

    def parent(self) -> str:
        """Name the parent that the address speaks of; empty at the top."""
        return f"services/{self.kwargs['service']}" if "service" in self.kwargs else ""

    def locate(self) -> Sequence[Target]:
        """Read from the address which name of the registry the request acts upon."""
        try:
            return [target_of(self.kind, self.name())] if "id" in self.kwargs else []
        except Invalid:
            return []

    def around(self) -> Target:
        """Name the service that the address speaks of."""
        return Target(self.kind.value.rstrip("s"), self.parent(), self.kwargs.get("service", "").strip("-"))

    def target(self) -> Target:
        """Name what is acted upon."""
        here = super().target()
        return Target(self.kind.value.rstrip("s"), here.id[:400], here.service, here.region)


class CollectionView(MetaView):
    """`{parent}/deployments`: List and Create."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    asks = {"GET": OF_LIST, "POST": ("parent", "responseMask")}

    def get(self, request: Request, **_: str) -> Response:
        """List a page of the collection."""
        asked = self.query
        wanted = CollectionQuery(self.kind, self.parent(), asked.get("filter", ""), asked.get("orderBy", ""))
        size = number(asked, "pageSize", DEFAULT_PAGE, LARGEST_PAGE)
        binding = bound(request, self.kind.value, wanted.parent, wanted.filter, wanted.order_by)
        token = unseal(asked.get("pageToken", ""), binding)
        found = collection_page(
            self.actor, wanted, size=size, offset=token.offset, after=token.after, before=token.before
        )
        cut = shown(self.kind, asked)
        body: JsonObject = {
            self.kind.value: [cut(each) for each in found.items],
            **page_tokens(found, binding),
        }
        if flag(asked, "includePagingInfo"):
            body |= {"currentOffset": found.offset, "totalResultsCount": found.total}
        return Response(body)

    def changed(self, request: Request) -> Target:
        """Name what is to be created; only the body tells."""
        return target_of(self.kind, _name_in(self.change(request)))

    @forwarded
    def post(self, request: Request, **_: str) -> Response:
        """Create the resource in the body."""
        asked = self.change(request)
        name = _name_in(asked)
        ids(self.kind, name)
        if self.parent() not in ("", "services/-") and not name.startswith(f"{self.parent()}/"):
            raise Invalid(
                worded("{name} is not under {parent}.", name=name, parent=self.parent()),
                code="name-mismatch",
            )
        saved = create_registered(self.actor, self.kind, name, asked.body, dry_run=self.dry_run)
        value = redact(document(saved.value), reach_of(self.actor, "registry.read"))
        return versioned(request, answered(asked, {}, value), value)


class MemberView(MetaView):
    """`{name}`: Get, Update, Delete."""

    may: ClassVar[dict[str, str]] = {
        "GET": "registry.read",
        "PUT": "registry.write",
        "DELETE": "registry.write",
    }
    asks = {"GET": OF_READ, "PUT": OF_UPDATE, "DELETE": ("allowMissing",)}
    conditional = ("PUT", "DELETE")

    def get(self, request: Request, **_: str) -> Response:
        """Read one."""
        found = one(self.actor, self.kind, self.name())
        return versioned(request, shown(self.kind, self.query)(found), found)

    @forwarded
    def put(self, request: Request, **_: str) -> Response:
        """Update one, by mask and under a condition when these are given."""
        asked = self.change(request)
        saved = update_registered(
            self.actor,
            self.kind,
            self.name(),
            asked.body,
            mask=asked.mask,
            allow_missing=asked.allow_missing,
            condition=asked.condition,
            expected=self.expected(request),
            dry_run=self.dry_run,
        )
        reach = reach_of(self.actor, "registry.read")
        before = redact(document(saved.before), reach) if saved.before else {}
        after = redact(document(saved.value), reach)
        return versioned(request, answered(asked, before, after), after)

    @forwarded
    def delete(self, request: Request, **_: str) -> Response:
        """Delete one."""
        allow_missing, expected = flag(self.query, "allowMissing"), self.expected(request)
        rehearsed(
            self.dry_run,
            lambda: delete_registered(
                self.actor, self.kind, self.name(), allow_missing=allow_missing, expected=expected
            ),
        )
        return Response({})


class BatchGetView(MetaView):
    """`/meta/v1/deployments:batchGet?names=…&names=…`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}
    asks = {"GET": ("names", *OF_READ)}

    def get(self, request: Request, **_: str) -> Response:
        """Read several; what does not exist is listed under `missing`."""
        found, missing = some(self.actor, self.kind, self.query.get("names", []))
        cut = shown(self.kind, self.query)
        body: JsonObject = {self.kind.value: [cut(each) for each in found]}
        if missing:
            body["missing"] = [*missing]
        return Response(body)


@extend_schema(exclude=True)
class UnknownMetaAddressView(MetaView):
    """Every other address: an error in the Meta API's words instead of a page."""

    may: ClassVar[dict[str, str]] = dict.fromkeys((*SAFE, "POST", "PUT", "PATCH", "DELETE"), OPEN)
    answers_once = False

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Say so to every caller.

        Raises: Missing (`missing`).
        """
        raise Missing(
            worded("There is no method at this address."),
            remedy=worded("The methods are listed in docs/reference/meta-api.md."),
        )


def versioned(request: Request, body: JsonObject, whole: JsonObject) -> Response:
    """Answer with a document, or a part of it, and the resource version of all of it as its ETag."""
    metadata = whole.get("metadata")
    version = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    return with_tag(request, body, version) if version else Response(body)


def _name_in(asked: RequestedChange) -> str:
    name = asked.body.get("name")
    if not isinstance(name, str) or not name:
        raise Invalid(
            worded("The resource has no name."), code="name-pattern", remedy=worded("Send its full name.")
        )
    return name


def page_tokens(found: CollectionPage, binding: str) -> JsonObject:
    """Write the tokens of the pages before and after a stretch."""
    shown_tokens: dict[str, Json] = {}
    end = found.offset + len(found.items)
    if found.items and end < found.total:
        last = str(found.items[-1]["name"])
        shown_tokens["nextPageToken"] = seal(ListToken(after=last, offset=end), binding)
    if found.items and found.offset > 0:
        first = str(found.items[0]["name"])
        shown_tokens["prevPageToken"] = seal(ListToken(before=first, offset=0), binding)
    return shown_tokens


def described(kind: RegistryKind, view: type[MetaView]) -> type[MetaView]:
    """Make the view of one kind, with its part of the OpenAPI schema."""
    title = kind.value.capitalize()
    methods: dict[str, Any] = {"kind": kind, "__doc__": view.__doc__}
    made: type[MetaView] = type(f"{title}{view.__name__}", (view,), methods)
    schemas = {
        ("CollectionView", "get"): extend_schema(
            operation_id=f"meta_list_{kind.value}", parameters=LISTING, responses={200: listed(kind)}
        ),
        ("CollectionView", "post"): extend_schema(
            operation_id=f"meta_create_{kind.value}",
            request=changing(kind),
            parameters=listing("dryRun", "responseMask"),
            responses={200: message(kind)},
        ),
        ("MemberView", "get"): extend_schema(
            operation_id=f"meta_get_{kind.value}",
            parameters=listing("fieldMask", "view"),
            responses={200: message(kind)},
        ),
        ("MemberView", "put"): extend_schema(
            operation_id=f"meta_update_{kind.value}",
            request=changing(kind),
            parameters=listing("updateMask", "allowMissing", "responseMask", "cas", "dryRun", "If-Match"),
            responses={200: message(kind)},
        ),
        ("MemberView", "delete"): extend_schema(
            operation_id=f"meta_delete_{kind.value}",
            parameters=listing("allowMissing", "dryRun", "If-Match"),
            responses={200: {"type": "object"}},
        ),
        ("BatchGetView", "get"): extend_schema(
            operation_id=f"meta_batch_get_{kind.value}",
            parameters=listing("names", "fieldMask", "view"),
            responses={200: listed(kind)},
        ),
    }
    for (owner, method), describe in schemas.items():
        if owner == view.__name__:
            setattr(made, method, describe(own_method(getattr(view, method))))
    return made


def own_method(method: Any) -> Any:
    """Copy a method, so that one kind's description does not overwrite another's."""

    def handle(self: MetaView, request: Request, **given: str) -> Response:
        answered_by: Response = method(self, request, **given)
        return answered_by

    handle.__name__, handle.__doc__ = method.__name__, method.__doc__
    return handle
