"""What a request of the Meta API asks for: masks, views, pages, conditions, answers wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from rest_framework.request import Request

from migrations_app.control.registry.commands.save_registered import Condition
from migrations_app.domain.registry.documents import TYPES, convert, document, tidy
from migrations_app.domain.registry.masks import MAX_PATHS, Path, changed_paths, check_paths, pick, read_mask
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import Invalid, PageTokenInvalid
from migrations_app.kernel.json import Json, JsonObject, digest
from migrations_app.kernel.messages import message
from migrations_app.meta_api.options import with_body
from migrations_app.web.callers import actor_of_request

DEFAULT_PAGE, LARGEST_PAGE = 100, 1000
SINGULAR = {
    RegistryKind.REGION: "region",
    RegistryKind.SERVICE: "service",
    RegistryKind.DEPLOYMENT: "deployment",
    RegistryKind.RESOURCE: "resource",
}
_ALL: tuple[Path, ...] = ()
_BASIC: tuple[Path, ...] = tuple(
    (key,)
    for key in [
        "name",
        "displayName",
        "title",
        "allVersions",
        "serviceName",
        "region",
        "currentVersion",
        "isDisabled",
        "upgradeState",
        "availableUpgrade",
        "pluralName",
        "fqn",
        "versions",
    ]
)
_DETAIL: tuple[Path, ...] = (
    *_BASIC,
    *(
        (key,)
        for key in [
            "multiRegionPolicy",
            "globalDomain",
            "labelledDomains",
            "leadingService",
            "importedServices",
            "usedServices",
            "importedVersions",
            "envRegistryGeneration",
            "automaticVersionSwitch",
            "publicDomain",
            "privateDomain",
            "localNetworkId",
            "location",
            "dbDataVersion",
            "dbLocationTag",
            "versionedInfos",
        ]
    ),
    ("metadata", "uuid"),
    ("metadata", "resourceVersion"),
    ("metadata", "createTime"),
    ("metadata", "updateTime"),
    ("metadata", "labels"),
    ("metadata", "tags"),
)
VIEWS: Mapping[str, tuple[Path, ...]] = {
    "NAME": (("name",),),
    "BASIC": _BASIC,
    "DETAIL": _DETAIL,
    "FULL": _ALL,
    "UNSPECIFIED": _ALL,
}


@dataclass(frozen=True, slots=True)
class ResponseSelection:
    """Which part of a document is answered; an empty mask is all of it."""

    mask: tuple[Path, ...] = ()

    def __call__(self, document: JsonObject) -> JsonObject:
        """Cut a document down to what was asked for."""
        return pick(document, self.mask)


def shown(kind: RegistryKind, asked: Mapping[str, Any]) -> ResponseSelection:
    """Read `fieldMask` and `view`; a mask adds to a named view.

    Raises: Invalid (`view`, `field-mask`).
    """
    mask = mask_of(kind, asked.get("fieldMask"))
    view = str(asked.get("view") or "")
    if view and view not in VIEWS:
        raise Invalid(
            message("There is no view {view}.", view=repr(view[:40])),
            code="view",
            remedy=message("Use {views}.", views=", ".join(VIEWS)),
        )
    if not view:
        return ResponseSelection(mask)
    chosen = VIEWS[view]
    return ResponseSelection((*chosen, *mask) if chosen else ())


def mask_of(kind: RegistryKind, value: Json) -> tuple[Path, ...]:
    """Read a field mask in either of its JSON forms.

    Raises: Invalid (`field-mask`).
    """
    if isinstance(value, dict):
        paths = value.get("paths")
        value = ",".join(str(each) for each in paths) if isinstance(paths, list) else ""
    if value is not None and not isinstance(value, str):
        raise Invalid(
            message("A field mask is text."),
            code="field-mask",
            remedy=message("Write paths parted by commas."),
        )
    found = read_mask(value)
    if len(found) > MAX_PATHS:
        raise Invalid(
            message("A field mask has at most {max_paths} paths.", max_paths=MAX_PATHS), code="field-mask"
        )
    return check_paths(found, TYPES[kind])


def flag(asked: Mapping[str, Any], key: str) -> bool:
    """Read a boolean option.

    Raises: Invalid (`option`).
    """
    value = asked.get(key)
    if value in (None, "", False, "false", "False", "FALSE", "0"):
        return False
    if value in (True, "true", "True", "TRUE", "1"):
        return True
    raise Invalid(
        message("{key} is {value}.", key=key, value=repr(str(value)[:40])),
        code="option",
        remedy=message("Use true or false."),
    )


def number(asked: Mapping[str, Any], key: str, default: int, largest: int) -> int:
    """Read a whole number from 0 to `largest`; 0 and absence are the default.

    Raises: Invalid (`option`).
    """
    value = asked.get(key)
    text = str(value) if value not in (None, "") and not isinstance(value, bool) else "0"
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= largest):
        raise Invalid(
            message("{key} is {text}.", key=key, text=repr(text[:40])),
            code="option",
            remedy=message("Use a number up to {largest}.", largest=largest),
        )
    return int(text) or default


@dataclass(frozen=True, slots=True)
class ListToken:
    """A place in a list: after or before a name that was seen, and the offset it had."""

    after: str = ""
    before: str = ""
    offset: int = 0


def bound(request: Request, *parts: Json) -> str:
    """Name what a token is bound to: who asks, where, and for what."""
    return digest([actor_of_request(request).name, *parts])[:16]


def seal(token: ListToken, binding: str) -> str:
    """Write a page token, signed."""
    return _pages().sign_object([binding, token.after, token.before, token.offset], compress=True)


def unseal(text: str, binding: str) -> ListToken:
    """Read a page token.

    Raises: Invalid (`page-token`) for one of another account, address or filter.
    """
    if not text:
        return ListToken()
    try:
        found, after, before, offset = _pages().unsign_object(text)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise _foreign() from error
    if found != binding:
        raise _foreign()
    return ListToken(str(after), str(before), int(offset))


def _pages() -> signing.Signer:
    """Sign without the time: the same place is the same token, so that a watcher is told when it moves only."""
    return signing.Signer(salt="switchyard.meta.page")


def _foreign() -> Invalid:
    return PageTokenInvalid(
        message("The page token does not belong to this list."),
        remedy=message(
            "Start without one; a token holds for one account, one list, one filter and one order."
        ),
    )


@dataclass(frozen=True, slots=True)
class ResponseMask:
    """Which part of a change's result is answered; read before anything is written."""

    skip: bool = False
    updated_only: bool = False
    paths: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestedChange:
    """A change that is asked for: the document, and under which conditions."""

    body: JsonObject
    mask: tuple[Path, ...] = ()
    allow_missing: bool = False
    condition: Condition | None = None
    answer: ResponseMask = ResponseMask()


def change(kind: RegistryKind, asked: Mapping[str, Any], sent: Any, names: Sequence[str]) -> RequestedChange:
    """Read a create or update: the resource itself, or an envelope around it with the options that there are.

    Raises: Invalid (`message-shape`, `field-mask`, `option`, `parameter`).
    """
    plain = tidy(sent)
    if not isinstance(plain, dict):
        raise Invalid(message("The body must be a JSON object."), code="message-shape")
    options: Mapping[str, Any] = asked
    body: Json = plain
    envelope = next((key for key in (SINGULAR[kind], "resource") if isinstance(plain.get(key), dict)), None)
    if envelope is not None or "cas" in plain:
        body = plain.get(envelope or "resource", {})
        more = {name: value for name, value in plain.items() if name != (envelope or "resource")}
        options = with_body(asked, more, names)
    if not isinstance(body, dict):
        raise Invalid(message("The resource must be a JSON object."), code="message-shape")
    return RequestedChange(
        body,
        mask_of(kind, options.get("updateMask")),
        flag(options, "allowMissing"),
        _condition(kind, options.get("cas")),
        _response_mask(kind, options.get("responseMask")),
    )


def _condition(kind: RegistryKind, cas: Json) -> Condition | None:
    if cas is None:
        return None
    known = {"conditionalState", "fieldMask"}
    if not isinstance(cas, dict) or not isinstance(cas.get("conditionalState", {}), dict) or {*cas} - known:
        raise Invalid(message("cas must hold conditionalState and fieldMask."), code="message-shape")
    state = cas.get("conditionalState", {})
    assert isinstance(state, dict)
    mask = mask_of(kind, cas.get("fieldMask"))
    return Condition(_typed(kind, state), mask)


def _typed(kind: RegistryKind, state: JsonObject) -> JsonObject:
    """Write the values of a condition as documents hold them: a query has only text, and numbers may be quoted."""
    named: JsonObject = {"name": "", **state}
    written = document(convert(named, TYPES[kind]))
    return written if "name" in state else {key: value for key, value in written.items() if key != "name"}


def _response_mask(kind: RegistryKind, wanted: Json) -> ResponseMask:
    """Read a response mask.

    Raises: Invalid (`message-shape`, `field-mask`, `option`).
    """
    if wanted is None:
        return ResponseMask()
    fields = {"skipEntireResponseBody", "updatedFieldsOnly", "bodyMask"}
    if not isinstance(wanted, dict) or {*wanted} - fields:
        raise Invalid(
            message("responseMask must hold skipEntireResponseBody, updatedFieldsOnly or bodyMask."),
            code="message-shape",
        )
    return ResponseMask(
        flag(wanted, "skipEntireResponseBody"),
        flag(wanted, "updatedFieldsOnly"),
        mask_of(kind, wanted.get("bodyMask")),
    )


def answered(given: RequestedChange, before: JsonObject, after: JsonObject) -> JsonObject:
    """Cut the answer of a change down to what its response mask asks for."""
    wanted = given.answer
    if wanted.skip:
        return {}
    if wanted.updated_only:
        return pick(after, (("name",), *changed_paths(before, after)))
    return pick(after, wanted.paths)
