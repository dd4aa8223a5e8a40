"""Brown-outs in the resource API: of the requests that meet one a share is refused, or answered without the field that
they only read; its dates are in the answers.

Where there is no brown-out at all, which is nearly always so, a request costs one question to what is in memory.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from msgspec import structs

from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.brown_outs import AnnouncedBrownOut
from migrations_app.engine.serving.deprecations.brown_outs import (
    brown_outs_met,
    brown_outs_of_fields,
    holds_field,
    refusing,
    without_field,
)
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Refused, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.services.usage import BrownOuts, UsageLog, Use
from migrations_app.resource_api import methods, watches
from migrations_app.resource_api.actions import method_of
from migrations_app.resource_api.addresses import RequestAddress, address_of, place_of
from migrations_app.resource_api.deprecated_use.uses import use_of
from migrations_app.resource_api.exchange import READS, ResourceRequest, Response, Watched
from migrations_app.resource_api.parameters import parameters_of
from migrations_app.resource_api.published_requests import translated
from migrations_app.resource_api.returned import ChangedMessages, changed, resources_in
from migrations_app.web.deprecations import headers_of, usage_link
from migrations_app.web.problems import CONTENT_TYPE, problem_of

NAMING = "Switchyard-Brown-Out"
"""The header that names brown-outs with their share and their times."""
LEFT_OUT = "Switchyard-Left-Out"
"""The header that names the fields that an answer is without."""


@dataclass(frozen=True, slots=True)
class BrownOutNotice:
    """The brown-outs that a request meets, or its answer, and the error of the one that refuses it.

    `read` are those of fields that the answer to a read may return although its request does not name them; `use` is
    the request, and `left_out` are those whose fields its answer is without.
    """

    met: Sequence[AnnouncedBrownOut]
    error: Refused | None
    use: Use
    read: Sequence[AnnouncedBrownOut] = ()
    left_out: Sequence[AnnouncedBrownOut] = ()

    @property
    def headers(self) -> dict[str, str]:
        """Announce them as headers: since when it is deprecated, when it is removed, and when requests are refused."""
        if not self.met:
            return {}
        first = min(self.met, key=lambda each: each.sunset)
        named = (
            f'{each.place};percent={each.percent:g};begins="{to_minute(each.begins_at)}";ends="{to_minute(each.ends_at)}"'
            for each in self.met
        )
        return {
            **headers_of(first.since, first.sunset),
            "Link": usage_link(first.service, first.version),
            NAMING: _ascii(named),
            **({LEFT_OUT: _ascii(each.place for each in self.left_out)} if self.left_out else {}),
        }

    def announced(self, response: Response) -> Response:
        """Add the announcement to an answer."""
        return replace(response, headers={**response.headers, **self.headers})

    def refusal(self, request: ResourceRequest) -> Response | None:
        """Give the answer to a request that is refused; None to one that is answered."""
        if self.error is None:
            return None
        problem = problem_of(self.error, instance=request.path, request_id=request.request_id)
        headers = {**problem.headers, "Content-Type": CONTENT_TYPE}
        return self.announced(Response(problem.status, problem.body, headers))


class BrownOutCheck:
    """Holds requests against the brown-outs of their version; `chance` gives numbers from 0 to 1."""

    def __init__(
        self,
        servers: ResourceServers,
        usage: UsageLog,
        known: BrownOuts,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._servers, self._usage, self._known, self._chance = servers, usage, known, chance

    def notice(self, request: ResourceRequest, actor: Actor) -> BrownOutNotice | None:
        """Find the brown-outs that a request meets; None where it meets none.

        A request that is refused is counted as a use as well: its client still sends what goes.
        """
        if self._known.is_empty():
            return None
        try:
            address = address_of(request.path)
            brown_outs = self._known.of(address.service, address.version)
            use = self._use(request, address, actor) if brown_outs else None
        except SwitchyardError:
            # What is wrong with a request is told where it is answered.
            return None
        if use is None:
            return None
        met = brown_outs_met(brown_outs, use)
        read = [each for each in brown_outs_of_fields(brown_outs, use.resource_type) if each not in met]
        chosen = refusing(met, use, self._chance)
        if chosen is None:
            return BrownOutNotice(met, None, use, read) if met or read else None
        self._usage.note(structs.replace(use, refused_by=chosen.id))
        return BrownOutNotice(met, chosen.refusal(), use)

    def answered(self, notice: BrownOutNotice, response: Response) -> tuple[BrownOutNotice, Response]:
        """Leave the fields of the share out of the answer to a read, and announce those that it returns; each is counted."""
        use = notice.use
        resources = None
        if notice.read and response.status < 400:
            resources = resources_in(use.schema, use.resource_type, use.method, response)
        shown = [each for each in notice.read if any(holds_field(one, each) for one in resources or ())]
        left_out = [each for each in shown if self._leaves_out(each, use)]
        if left_out:
            response = changed(
                use.schema, use.resource_type, use.method, response, lambda each: _without(each, left_out)
            )
        return replace(notice, met=[*notice.met, *shown], left_out=left_out), response

    def watched(self, watched: Watched, use: Use) -> Watched:
        """Leave the fields of the share out of what a watch tells, as long as brown-outs say so."""
        messages = ChangedMessages(watched.watch, use.resource_type, lambda each: self._shortened(each, use))
        return replace(watched, watch=messages)

    def _shortened(self, resource: JsonObject, use: Use) -> JsonObject:
        if self._known.is_empty():
            return resource
        known = self._known.of(use.schema.service, use.schema.version)
        fields = brown_outs_of_fields(known, use.resource_type)
        read = [each for each in fields if holds_field(resource, each) and not brown_outs_met([each], use)]
        return _without(resource, [each for each in read if self._leaves_out(each, use)])

    def _leaves_out(self, brown_out: AnnouncedBrownOut, use: Use) -> bool:
        """Draw whether an answer is without a field, and count it."""
        now = datetime.now(UTC)
        if not brown_out.leaves_out(now) or self._chance() * 100 >= brown_out.percent:
            return False
        self._usage.note(structs.replace(use, at=now, refused_by=brown_out.id, is_counted=True))
        return True

    def stream(self, request: ResourceRequest, actor: Actor, begin: Callable[[], Watched]) -> Watched:
        """Begin a stream, with the announcement of the brown-outs that its request meets.

        Raises: Refused (`brown-out`) · what `begin` raises.
        """
        notice = self.notice(request, actor)
        if notice is not None and notice.error is not None:
            raise notice.error
        stream = begin()
        return stream if notice is None else replace(stream, headers={**stream.headers, **notice.headers})

    def _use(self, request: ResourceRequest, address: RequestAddress, actor: Actor) -> Use | None:
        """Read what a request uses, if its actor may make it; None of one that uses nothing of the version.

        Raises: Denied · Missing · Invalid.
        """
        where = (address.region, address.service, address.version)
        if methods.is_call(address):
            schema, place, method = methods.allowed_method(
                actor, address, request, lambda: self._servers.schema(*where)
            )
            return use_of(schema, address, request, actor, {}, method.name, place.type)
        target = Target("deployment", service=address.service, region=address.region)
        require(actor, "resource.read" if request.reads else "resource.write", target)
        schema = self._servers.schema(*where)
        if address.rest == "" and address.verb == "batchWrite":
            query = parameters_of("batchWrite", request)
            return use_of(schema, address, request, actor, query, "batchWrite")
        if request.method in READS and address.rest == "openapi.json":
            return None
        place = place_of(schema, address.rest)
        if address.verb == "watch":
            return use_of(schema, address, request, actor, watches.parameters(request), "watch", place.type)
        verb = method_of(place, request.method, address.verb)
        request = translated(schema, place.type, verb, request)
        query = parameters_of(verb, request)
        return use_of(schema, address, request, actor, query, verb, place.type)


def _without(resource: JsonObject, left_out: Sequence[AnnouncedBrownOut]) -> JsonObject:
    for each in left_out:
        resource = without_field(resource, each)
    return resource


def _ascii(texts: Iterable[str]) -> str:
    return ", ".join(texts).encode("ascii", "replace").decode()
