"""Writes of resources in any version: checked, converted, decorated, and kept whole with their references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from migrations_app.domain.conversion.typed import Typed
from migrations_app.domain.resources.lifecycle import is_leaving, sent_lifecycle
from migrations_app.domain.resources.names import canonical_name
from migrations_app.engine.serving.presentation import (
    ReceivedResource,
    ResourcePresenter,
    ResourceView,
    mask_of,
    sent_presenter,
    show,
    view_of,
)
from migrations_app.engine.serving.references import integrity as reference_integrity
from migrations_app.engine.serving.routing import Router, ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import find, stored_name
from migrations_app.engine.serving.writes.coordination import (
    ArrangedWrite,
    OwnedElsewhere,
    PlacedWrite,
    arranged_write,
    placed,
)
from migrations_app.engine.serving.writes.requests import (
    WriteCode,
    WriteRehearsal,
    WriteRequest,
    WriteStages,
    check_precondition,
    check_revision,
    merged,
    named_request,
    place_moved,
    put_error_at,
    touched,
    unstored,
)
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import (
    AlreadyExists,
    Invalid,
    NotActive,
    NotFound,
    Refused,
    Stale,
    Violation,
)
from migrations_app.kernel.json import JsonObject, equal_json
from migrations_app.kernel.messages import message
from migrations_app.kernel.uids import new_uid
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.placing import Placing
from migrations_app.ports.store import ABSENT, Draft, StoredResource, Transaction

MOST_IN_BATCH = 200


class TakenBack(Exception):
    """Ends the transaction of a rehearsal, so that nothing of it stays."""

    def __init__(self, rehearsal: WriteRehearsal) -> None:
        super().__init__()
        self.rehearsal = rehearsal


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
    ) -> tuple[ResourceView | None, ...]:
        """Carry out several writes together: all of them, or none; `caller` is the account that writes.

        References among them may point at each other; they are checked when all is written.

        Raises: Invalid · Missing · Conflict (`already-exists`, `reference-missing`, `deletion-blocked`,
        `read-only-before-switch`, `write-two-policies`, `write-two-regions`) · OwnedElsewhere ·
        Stale (`revision-conflict`) · Busy.
        """
        return self._written(region, service, version, requests, caller, dry_run=False)

    def rehearse(
        self, region: str, service: str, version: str, requests: Sequence[WriteRequest], caller: str = ""
    ) -> WriteRehearsal:
        """Carry out several writes in full and take them back. Others are not asked: that would leave a mark with them.

        Raises: what `write` raises.
        """
        try:
            self._written(region, service, version, requests, caller, dry_run=True)
        except TakenBack as ended:
            return ended.rehearsal
        raise AssertionError("a rehearsal never commits")

    def _written(
        self,
        region: str,
        service: str,
        version: str,
        requests: Sequence[WriteRequest],
        caller: str,
        *,
        dry_run: bool,
    ) -> tuple[ResourceView | None, ...]:
        if len(requests) > MOST_IN_BATCH:
            raise Invalid(
                message("Write at most {most_in_batch} resources at once.", most_in_batch=MOST_IN_BATCH),
                code="batch-too-large",
            )

        here = Peer(service, region)
        likely = self._router.likely(region, service, version)
        asked = tuple(named_request(likely, request) for request in requests)
        # Before the transaction: to place a name may take a read of its own.
        homes = self._placed(likely, asked)
        owner = homes.other_region()
        if owner is not None and likely.how is ServingMode.PREVIEW:
            raise OwnedElsewhere(asked[0].name, owner)

        def _attempt(arranged: ArrangedWrite) -> tuple[ResourceView | None, ...]:
            def _change(route: ServingRoute, transaction: Transaction) -> tuple[ResourceView | None, ...]:
                integrity = reference_integrity.ReferenceIntegrity(
                    route, transaction, self._arrangements, arranged, rehearses=dry_run
                )
                known = homes if route.stored_version == homes.version else self._placed(route, asked)
                stages = None
                if self._code is not None:
                    further = self._further(transaction, integrity, known)
                    stages = self._code.begin(route, transaction, asked, caller, further)
                alone = len(asked) == 1 and stages is None and not dry_run
                writer = _Writer(route, transaction, integrity, known, stages, alone=alone)
                answers = tuple(writer.carry_out(request) for request in asked)
                if not writer.is_done:
                    integrity.settle()
                    if dry_run:
                        raise TakenBack(WriteRehearsal(answers, tuple(sorted(integrity.unasked))))
                    failpoints.reach("write.before-commit")
                return answers

            answers = self._router.write(region, service, version, _change)[1]
            failpoints.reach("write.after-commit")
            return answers

        return arranged_write(self._arrangements, here, _attempt)

    def _placed(self, route: ServingRoute, requests: Sequence[WriteRequest]) -> PlacedWrite:
        return placed(self._placing, route, [touched(each) for each in requests])

    def _further(
        self, transaction: Transaction, integrity: reference_integrity.ReferenceIntegrity, known: PlacedWrite
    ) -> Callable[[ServingRoute, WriteRequest], None]:
        """Give what carries out writes that code of the service adds to a transaction."""

        def _write(route: ServingRoute, request: WriteRequest) -> None:
            homes = known.beside(self._placed(route, [request]))
            _Writer(route, transaction, integrity, homes, None, alone=False).carry_out(request)

        return _write


class _Writer:
    """Carries out the writes of one transaction; `is_done` when a single one needed nothing else, and is committed."""

    def __init__(
        self,
        route: ServingRoute,
        transaction: Transaction,
        integrity: reference_integrity.ReferenceIntegrity,
        homes: PlacedWrite,
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
        self.integrity = integrity
        self.is_done = False

    def carry_out(self, request: WriteRequest) -> ResourceView | None:
        """Carry out one write; a deletion has no answer."""
        presenter = sent_presenter(self._route, request.type)
        # A mask that names nothing is refused before anything is kept.
        self._shown = mask_of(self._route, presenter, request.response.mask)
        try:
            return self._carried_out(presenter, request)
        except (Refused, Stale) as error:
            if request.at and not isinstance(error, OwnedElsewhere | NotActive):
                put_error_at(error, request.at)
            raise

    def _carried_out(self, presenter: ResourcePresenter, request: WriteRequest) -> ResourceView | None:
        self._route.check_converted(presenter.type, request.verb)
        match request.verb:
            case "create":
                return self._create(presenter, request)
            case "update":
                return self._update(presenter, request)
            case "delete":
                return self._delete(presenter, request)
        raise Invalid(message("There is no write {verb}.", verb=repr(request.verb)), code="verb")

    def _create(self, presenter: ResourcePresenter, request: WriteRequest) -> ResourceView:
        given = presenter.read(request.body, output=request.by_service)
        name = presenter.check_name(request.name)
        view = self._checked(presenter, name, given, given.view)
        return self._cut(presenter, request, self._put_new(presenter, name, view, given), None)

    def _checked(
        self,
        presenter: ResourcePresenter,
        name: str,
        given: ReceivedResource,
        view: JsonObject,
        before: JsonObject | None = None,
    ) -> JsonObject:
        """Check a document, and note what of it is ignored.

        Raises: Invalid (`document`) also when nothing of what was sent is known.
        """
        dropped: list[str] = []
        checked = presenter.check(name, view, before, dropped)
        self._ignored = tuple(dropped)
        if dropped and given.view and given.view.keys() <= set(dropped):
            raise Invalid(
                message("{version} has none of the fields that were sent.", version=self._route.version),
                code="document",
                violations=tuple(Violation(path, message("is not known")) for path in dropped),
            )
        return checked

    def _put_new(
        self, presenter: ResourcePresenter, name: str, view: JsonObject, given: ReceivedResource
    ) -> ResourceView:
        route = self._route
        if self._stages is not None:
            view = self._stages.requested(presenter, "create", name, view, None)
        if route.how is ServingMode.TRANSLATED:
            made = route.typed.create(presenter.type, name, view)
            # Where a field decides names, another stored name may be the same here.
            if route.names_ask_documents(presenter.type) and find(
                route, self._transaction, presenter.type, name
            ):
                raise AlreadyExists(
                    message("{type} {name} exists already.", type=presenter.type, name=name), name=name
                )
        else:
            made = Typed(presenter.type, name, view)
        if self._stages is not None:
            made = self._stages.converted(presenter, "create", made, None)
        metadata: JsonObject = {**sent_lifecycle(given.metadata or {}, {}), "generation": "1"}
        return self._put(presenter, name, made, metadata, None)

    def _update(self, presenter: ResourcePresenter, request: WriteRequest) -> ResourceView:
        given = presenter.read(request.body, output=request.by_service)
        name = presenter.check_name(request.name or given.name)
        if given.name and given.name != name:
            raise Invalid(
                message("The body names {sent}, the address {name}.", sent=given.name, name=name),
                code="name",
            )
        before = self._find(presenter, name)
        if before is None:
            if request.allow_missing and request.expected is None and request.precondition is None:
                if request.mask:
                    # All is written, but a mask that names nothing is no better for that.
                    merged(self._route, presenter, request, given, {}, {})
                made_new = self._put_new(
                    presenter, name, self._checked(presenter, name, given, given.view), given
                )
                return self._cut(presenter, request, made_new, None)
            raise NotFound(message("There is no {type} {name}.", type=presenter.type, name=name), name=name)
        check_revision(before, request.expected)
        if request.precondition is not None:
            check_precondition(show(self._route, presenter, before), request.precondition)
        _, shown = view_of(self._route, presenter, before)
        shown = {key: value for key, value in shown.items() if key != presenter.name_key}
        view, metadata = merged(self._route, presenter, request, given, shown, before.metadata)
        view = presenter.keep_output(view, shown, output=request.by_service)
        view = self._checked(presenter, name, given, view, shown)
        if self._stages is not None:
            view = self._stages.requested(presenter, "update", name, view, before)
        held = Typed(before.type, before.name, before.body)
        made = self._route.typed.put(presenter.type, name, view, held, presenter.unknown)
        if (made.type, made.name) != (before.type, before.name):
            raise place_moved(name, made, before, self._route.stored_version)
        if self._stages is not None:
            made = self._stages.converted(presenter, "update", made, before)
        if not equal_json(made.body, before.body):
            metadata = {**metadata, "generation": str(int(str(before.metadata.get("generation", 0))) + 1)}
        return self._cut(presenter, request, self._put(presenter, name, made, metadata, before), before)

    def _cut(
        self,
        presenter: ResourcePresenter,
        request: WriteRequest,
        found: ResourceView,
        before: StoredResource | None,
    ) -> ResourceView:
        """Leave of an answer what the client wants to see."""
        if self._ignored:
            found = replace(found, ignored=self._ignored)
        if self.integrity.rehearses:
            shown = unstored(found.document, presenter.metadata_key, is_new=before is None)
            found = replace(found, document=shown)
        known = (
            show(self._route, presenter, before) if before is not None and request.response.changed else {}
        )
        document = request.response.select(found.document, known, presenter.name_key, self._shown)
        return replace(found, document=document)

    def _find(self, presenter: ResourcePresenter, name: str) -> StoredResource | None:
        """Find what is to be changed, if this region is the one to change it."""
        before = find(self._route, self._transaction, presenter.type, name)
        if before is None:
            self._homes.check_home(stored_name(self._route, presenter.type, name) or name)
        else:
            self._homes.check_owner(before)
        return before

    def _put(
        self,
        presenter: ResourcePresenter,
        name: str,
        made: Typed,
        metadata: JsonObject,
        before: StoredResource | None,
    ) -> ResourceView:
        route = self._route
        type_, stored_as = made.type, canonical_name(made.name)
        if before is None:
            self._homes.check_new(stored_as)
        known = before.metadata if before else None
        references = self.integrity.references(type_, made.name, made.body, fresh=before is None)
        # An attempt that is to be rolled back, because others are to be asked first, need not write them.
        lacking = self._alone and self.integrity.lacking()
        if lacking and before is None and self._transaction.get(type_, stored_as) is None:
            # Nor the resource, when its name is free: nothing was locked, so that no transaction was begun.
            self.integrity.settle()
        draft = Draft(
            type_,
            stored_as,
            before.uid if before else new_uid(),
            made.body,
            {**metadata, **self._homes.syncing(stored_as, known or {})},
            route.served.region,
            references=None if lacking else references,
        )
        alone = self._alone and not draft.references and self.integrity.is_settled(metadata, known)
        if alone:
            if route.how is ServingMode.TRANSLATED:
                # What cannot be shown is refused before it is kept.
                route.reader(presenter.type, type_).get(draft.name, draft.body)
            failpoints.reach("write.before-commit")
        stored = self._transaction.put(draft, before.revision if before else ABSENT, alone=alone)
        self.is_done = alone
        if lacking:
            self.integrity.settle()
        self.integrity.note(stored, known)
        shown = show(route, presenter, stored)
        return ResourceView(shown, stored.revision, route.how, route.stored_version, stored=stored)

    def _delete(self, presenter: ResourcePresenter, request: WriteRequest) -> ResourceView | None:
        name = presenter.check_name(request.name)
        before = self._find(presenter, name)
        if before is None:
            if request.allow_missing:
                return None
            raise NotFound(message("There is no {type} {name}.", type=presenter.type, name=name), name=name)
        check_revision(before, request.expected)
        if is_leaving(before.metadata):
            return None
        if self._stages is not None:
            self._stages.deleting(presenter, name, before)
        self.integrity.delete(before.type, before.name, before.revision)
        return None
