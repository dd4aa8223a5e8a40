"""Writes of resources in any version: checked, converted, decorated, and kept whole with their references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import uuid4

from migrations_app.domain.conversion.converter import Converted
from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.evaluate import values_at
from migrations_app.domain.filters.masks import Mask, bind_mask, merge, parse_mask, project
from migrations_app.domain.registry.masks import changed_paths, pick
from migrations_app.domain.resources.names import canonical_name
from migrations_app.engine.serving import keeping
from migrations_app.engine.serving.arranged import Arranged, arranged_write
from migrations_app.engine.serving.face import Face, Given, face_of
from migrations_app.engine.serving.finding import find, stored_name
from migrations_app.engine.serving.placed import Named, OwnedElsewhere, Placed, placed
from migrations_app.engine.serving.reading import Answer, mask_of, show, view_of
from migrations_app.engine.serving.routing import How, Route, Router
from migrations_app.engine.serving.writes.actions import check_converted
from migrations_app.engine.serving.writes.lifecycle import sent_lifecycle
from migrations_app.engine.serving.writes.requests import Belief, WriteRequest
from migrations_app.engine.serving.writes.stages import WriteCode, WriteStages
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import (
    Conflict,
    Invalid,
    Missing,
    Refused,
    Stale,
    SwitchyardError,
    Violation,
)
from migrations_app.kernel.json import JsonObject, equal_json
from migrations_app.ports.arrangements import Arrangements
from migrations_app.ports.peers import Peer
from migrations_app.ports.placing import Placing
from migrations_app.ports.store import ABSENT, Draft, Resource, Transaction

MOST_IN_BATCH = 200
_SHOWN = 20
_KEPT = ("generation", "lifecycle", "services", "syncing")


class WritingServer:
    """Carries out writes."""

    def __init__(
        self,
        router: Router,
        arrangements: Arrangements | None = None,
        placing: Placing | None = None,
        code: WriteCode | None = None,
    ) -> None:
        self._router, self._arrangements, self._placing, self._code = router, arrangements, placing, code

    def write(
        self, region: str, service: str, version: str, requests: Sequence[WriteRequest], caller: str = ""
    ) -> tuple[Answer | None, ...]:
        """Carry out several writes together: all of them, or none; `caller` is the account that writes.

        References among them may point at each other; they are checked when all is written.

        Raises: Invalid · Missing · Conflict (`already-exists`, `reference-missing`, `deletion-blocked`,
        `read-only-before-switch`, `write-two-policies`, `write-two-regions`) · OwnedElsewhere ·
        Stale (`revision-moved`) · Busy.
        """
        if len(requests) > MOST_IN_BATCH:
            raise Invalid(f"Write at most {MOST_IN_BATCH} resources at once.", code="batch-too-large")

        here = Peer(service, region)
        likely = self._router.likely(region, service, version)
        asked = tuple(_named(likely, request) for request in requests)
        # Before the transaction: to place a name may take a read of its own.
        homes = self._placed(likely, asked)
        owner = homes.elsewhere()
        if owner is not None and likely.how is How.PREVIEW:
            raise OwnedElsewhere(asked[0].name, owner)

        def _attempt(arranged: Arranged) -> tuple[Answer | None, ...]:
            def _change(route: Route, transaction: Transaction) -> tuple[Answer | None, ...]:
                keeper = keeping.Keeper(route, transaction, self._arrangements, arranged)
                known = homes if route.stored_version == homes.version else self._placed(route, asked)
                stages = None
                if self._code is not None:
                    further = self._further(transaction, keeper, known)
                    stages = self._code.begin(route, transaction, asked, caller, further)
                alone = len(asked) == 1 and stages is None
                writer = _Writer(route, transaction, keeper, known, stages, alone=alone)
                answers = tuple(writer.carry_out(request) for request in asked)
                if not writer.is_done:
                    keeper.settle()
                    failpoints.reach("write.before-commit")
                return answers

            answers = self._router.write(region, service, version, _change)[1]
            failpoints.reach("write.after-commit")
            return answers

        return arranged_write(self._arrangements, here, _attempt)

    def _placed(self, route: Route, requests: Sequence[WriteRequest]) -> Placed:
        return placed(self._placing, route, [_touched(each) for each in requests])

    def _further(
        self, transaction: Transaction, keeper: keeping.Keeper, known: Placed
    ) -> Callable[[Route, WriteRequest], None]:
        """Give what carries out writes that code of the service adds to a transaction."""

        def _write(route: Route, request: WriteRequest) -> None:
            homes = known.beside(self._placed(route, [request]))
            _Writer(route, transaction, keeper, homes, None, alone=False).carry_out(request)

        return _write


class _Writer:
    """Carries out the writes of one transaction; `is_done` when a single one needed nothing else, and is committed."""

    def __init__(
        self,
        route: Route,
        transaction: Transaction,
        keeper: keeping.Keeper,
        homes: Placed,
        stages: WriteStages | None,
        *,
        alone: bool,
    ) -> None:
        self._route = route
        self._transaction = transaction
        self._homes = homes
        self._stages = stages
        self._ignored: tuple[str, ...] = ()
        self._alone = alone
        self.keeper = keeper
        self.is_done = False

    def carry_out(self, request: WriteRequest) -> Answer | None:
        """Carry out one write; a deletion has no answer."""
        face = face_of(self._route.schema, request.type, self._route.served.unknown)
        # A mask that names nothing is refused before anything is kept.
        self._shown = mask_of(self._route, face, request.wanted.mask)
        try:
            return self._carried_out(face, request)
        except (Refused, Stale) as error:
            if request.at and not isinstance(error, OwnedElsewhere) and error.code != "version-not-active":
                _put_at(error, request.at)
            raise

    def _carried_out(self, face: Face, request: WriteRequest) -> Answer | None:
        check_converted(self._route, face.type, request.verb)
        match request.verb:
            case "create":
                return self._create(face, request)
            case "update":
                return self._update(face, request)
            case "delete":
                return self._delete(face, request)
        raise Invalid(f"There is no write {request.verb!r}.", code="verb")

    def _create(self, face: Face, request: WriteRequest) -> Answer:
        given = face.read(request.body, output=request.by_service)
        name = face.check_name(request.name)
        view = self._checked(face, name, given, given.view)
        return self._cut(face, request, self._put_new(face, name, view, given), None)

    def _checked(
        self, face: Face, name: str, given: Given, view: JsonObject, before: JsonObject | None = None
    ) -> JsonObject:
        """Check a document, and note what of it is ignored.

        Raises: Invalid (`document`) also when nothing of what was sent is known.
        """
        dropped: list[str] = []
        checked = face.check(name, view, before, dropped)
        self._ignored = tuple(dropped)
        if dropped and given.view and given.view.keys() <= set(dropped):
            raise Invalid(
                f"{self._route.version} knows nothing of what was sent.",
                code="document",
                violations=tuple(Violation(path, "is not known") for path in dropped),
            )
        return checked

    def _put_new(self, face: Face, name: str, view: JsonObject, given: Given) -> Answer:
        route = self._route
        if self._stages is not None:
            view = self._stages.requested(face, "create", name, view, None)
        if route.how is How.TRANSLATED:
            made = route.converter(face.type).create(name, view)
            # Where a field decides names, another stored name may be the same here.
            if route.converter(face.type).names_ask_documents and find(
                route, self._transaction, face.type, name
            ):
                raise Conflict(f"{face.type} {name} exists already.", code="already-exists", name=name)
        else:
            made = Converted(name, view)
        if self._stages is not None:
            made = self._stages.converted(face, "create", made, None)
        metadata: JsonObject = {**sent_lifecycle(given.metadata or {}, {}), "generation": "1"}
        return self._put(face, name, made, metadata, None)

    def _update(self, face: Face, request: WriteRequest) -> Answer:
        given = face.read(request.body, output=request.by_service)
        name = face.check_name(request.name or given.name)
        if given.name and given.name != name:
            raise Invalid(f"The body names {given.name}, the address {name}.", code="name")
        before = self._find(face, name)
        if before is None:
            if request.allow_missing and request.expected is None and request.belief is None:
                if request.mask:
                    # All is written, but a mask that names nothing is no better for that.
                    self._merged(face, request, given, {}, {})
                made_new = self._put_new(face, name, self._checked(face, name, given, given.view), given)
                return self._cut(face, request, made_new, None)
            raise Missing(f"There is no {face.type} {name}.", code="not-found", name=name)
        _check_revision(before, request.expected)
        if request.belief is not None:
            _check_belief(show(self._route, face, before), request.belief)
        _, shown = view_of(self._route, face, before)
        shown = {key: value for key, value in shown.items() if key != face.name_key}
        view, metadata = self._merged(face, request, given, shown, before.metadata)
        view = face.keep_output(view, shown, output=request.by_service)
        view = self._checked(face, name, given, view, shown)
        if self._stages is not None:
            view = self._stages.requested(face, "update", name, view, before)
        made = self._route.converter(face.type).put(name, view, before.body, before.name, face.unknown)
        if self._stages is not None:
            made = self._stages.converted(face, "update", made, before)
        if not equal_json(made.body, before.body):
            metadata = {**metadata, "generation": str(int(str(before.metadata.get("generation", 0))) + 1)}
        return self._cut(face, request, self._put(face, name, made, metadata, before), before)

    def _cut(self, face: Face, request: WriteRequest, found: Answer, before: Resource | None) -> Answer:
        """Leave of an answer what the client wants to see."""
        wanted, found = request.wanted, replace(found, ignored=self._ignored) if self._ignored else found
        if wanted.nothing:
            return replace(found, document={})
        if wanted.changed:
            known = {} if before is None else show(self._route, face, before)
            changed = changed_paths(known, found.document)
            return replace(found, document=pick(found.document, ((face.name_key,), *changed)))
        return replace(found, document=project(found.document, self._shown))

    def _find(self, face: Face, name: str) -> Resource | None:
        """Find what is to be changed, if this region is the one to change it."""
        before = find(self._route, self._transaction, face.type, name)
        if before is None:
            self._homes.check_home(stored_name(self._route, face.type, name) or name)
        else:
            self._homes.check_owner(before)
        return before

    def _merged(
        self, face: Face, request: WriteRequest, given: Given, shown: JsonObject, kept: JsonObject
    ) -> tuple[JsonObject, JsonObject]:
        mask = parse_mask(request.mask or None)
        sent = kept if given.metadata is None else {**_served_only(kept), **given.metadata}
        if mask.is_everything:
            return given.view, sent_lifecycle(sent, kept)
        own = [path for path in mask.paths if path.segments[0] == face.metadata_key]
        rest = [path for path in mask.paths if path.segments[0] not in (face.metadata_key, face.name_key)]
        view = shown
        if rest:
            schema, output = self._route.schema, request.by_service
            bound = bind_mask(Mask(tuple(rest)), schema, face.type, for_write=True, output=output)
            view = merge(shown, given.view, bound) if bound.paths else shown
        if own:
            below = Mask(tuple(Path(path.segments[1:]) for path in own if len(path.segments) > 1))
            sent = merge(kept, sent, below) if below.paths else sent
        return view, sent_lifecycle(sent, kept) if own else kept

    def _put(
        self, face: Face, name: str, made: Converted, metadata: JsonObject, before: Resource | None
    ) -> Answer:
        route = self._route
        type_, stored_as = route.stored_type(face.type), canonical_name(made.name)
        if before is None:
            self._homes.check_new(stored_as)
        known = before.metadata if before else None
        references = self.keeper.references(type_, made.name, made.body, fresh=before is None)
        # An attempt that is to be rolled back, because others are to be asked first, need not write them.
        lacking = self._alone and self.keeper.lacking()
        if lacking and before is None and self._transaction.get(type_, stored_as) is None:
            # Nor the resource, when nobody has its name: nothing was locked, so that no transaction was begun.
            self.keeper.settle()
        draft = Draft(
            type_,
            stored_as,
            before.uid if before else uuid4(),
            made.body,
            {**metadata, **self._homes.syncing(stored_as, known or {})},
            route.served.region,
            references=None if lacking else references,
        )
        alone = self._alone and not draft.references and self.keeper.is_settled(metadata, known)
        if alone:
            if route.how is How.TRANSLATED:
                # What cannot be shown is refused before it is kept.
                route.converter(face.type).get(draft.name, draft.body)
            failpoints.reach("write.before-commit")
        stored = self._transaction.put(draft, before.revision if before else ABSENT, alone=alone)
        self.is_done = alone
        if lacking:
            self.keeper.settle()
        self.keeper.note(stored, known)
        shown = show(route, face, stored)
        return Answer(shown, stored.revision, route.how, route.stored_version, stored=stored)

    def _delete(self, face: Face, request: WriteRequest) -> Answer | None:
        name = face.check_name(request.name)
        before = self._find(face, name)
        if before is None:
            if request.allow_missing:
                return None
            raise Missing(f"There is no {face.type} {name}.", code="not-found", name=name)
        _check_revision(before, request.expected)
        if self._stages is not None:
            self._stages.deleting(face, name, before)
        self.keeper.delete(before.type, before.name, before.revision)
        return None


def _put_at(error: SwitchyardError, at: str) -> None:
    """Tell of an error where it is among several writes."""
    inside = (replace(each, path=f"{at}.resource.{each.path}".rstrip(".")) for each in error.violations)
    error.violations = tuple(inside) or (Violation(at, error.message),)
    error.message = f"{at}: {error.message}"


def _touched(request: WriteRequest) -> Named:
    makes = request.verb == "create" or request.allow_missing
    body = request.body if makes and isinstance(request.body, dict) else None
    return Named(request.type, request.name, body)


def _named(route: Route, request: WriteRequest) -> WriteRequest:
    """Give a creation its name: the address's, the body's, or a new one, which stays when it is tried again.

    Raises: Invalid (`name`).
    """
    if request.verb != "create":
        return request
    face = face_of(route.schema, request.type, route.served.unknown)
    told = request.body.get(face.name_key) if isinstance(request.body, dict) else None
    made = _name_for(face, request, told if isinstance(told, str) else "")
    return replace(request, name=made)


def _name_for(face: Face, request: WriteRequest, told: str) -> str:
    pattern = next(
        (each for each in face.patterns if (above := each.parent()) is None or above.match(request.parent)),
        face.patterns[0],
    )
    if told and not request.id and not request.name:
        holder = told.rpartition("/")[0].rpartition("/")[0]
        if request.parent and holder != request.parent:
            raise Invalid(f"{told} does not lie in {request.parent}.", code="name")
        return told
    prefix = f"{request.parent}/" if request.parent else ""
    last = "" if pattern.is_singleton else f"/{request.id or f'r{uuid4().hex[:20]}'}"
    made = request.name or f"{prefix}{pattern.collection}{last}"
    if told and told != made:
        raise Invalid(f"The body names {told}, the address {made}.", code="name")
    return made


def _check_revision(before: Resource, expected: int | None) -> None:
    if expected is not None and expected != before.revision:
        raise Stale(
            f"{before.name} is at revision {before.revision}, not {expected}.",
            code="revision-moved",
            remedy="Read it again and decide anew.",
            found=before.revision,
            asked=expected,
        )


def _check_belief(shown: JsonObject, belief: Belief) -> None:
    mask = parse_mask(belief.mask or [f"`{key}`" for key in belief.state if "`" not in key])
    wrong = [
        str(path)
        for path in mask.paths
        if values_at(shown, path.segments) != values_at(belief.state, path.segments)
    ]
    if wrong or (mask.is_everything and shown != belief.state):
        raise Conflict(
            "The resource is not what this write believes it to be.",
            code="state-moved",
            remedy="Read it again and decide anew.",
            violations=tuple(Violation(path, "is different") for path in wrong[:_SHOWN]),
        )


def _served_only(metadata: JsonObject) -> JsonObject:
    return {key: value for key, value in metadata.items() if key in _KEPT}
