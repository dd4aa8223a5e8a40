"""Planning one pair of object types: ops first, then matching, then whatever is left must be accounted for."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.conversion.hooks import Hook
from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, FindingLevel
from migrations_app.domain.conversion.ops.base import Leaf, OpForm, OpKind
from migrations_app.domain.conversion.ops.hole import HOLES
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.planning.arguments import ends, fill, paths
from migrations_app.domain.conversion.planning.between import Named, ObjectField, between, presence
from migrations_app.domain.conversion.planning.expansion import expanded
from migrations_app.domain.conversion.planning.ground import EdgeSide, Ground
from migrations_app.domain.conversion.planning.matching import match_fields
from migrations_app.domain.conversion.planning.paths import FieldPath, PathSegment
from migrations_app.domain.conversion.planning.planner import Assessed, LinkedFields, Open, Planner
from migrations_app.domain.conversion.planning.remnants import dissolved, hollows
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import (
    Appear,
    Carry,
    ConversionStep,
    Drop,
    Slot,
)
from migrations_app.domain.conversion.values import SAME, Conv, EachValue, ListConversion
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, ReferenceType, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


@dataclass(slots=True)
class _Link:
    """A field of each side taken for the same one; `extra` are ops for what is inside."""

    old: Field
    new: Field
    by: str
    decl: Decl | None = None
    op: OpForm | None = None
    extra: list[Decl] = field(default_factory=list)


class PairPlanner:
    """Plans one pair; also the site that its ops see."""

    def __init__(
        self, planner: Planner, plan: ObjectPlan, old: Named, new: Named, extra: tuple[Decl, ...]
    ) -> None:
        self.planner, self.result = planner, plan
        self.source, self.target = old[1], new[1]
        self.old = Ground(planner.old, old, EdgeSide.OLD)
        self.new = Ground(planner.new, new, EdgeSide.NEW)
        edge = planner.edge
        own = edge.types.get(old[0], ()) or (edge.types.get(new[0], ()) if new[0] != old[0] else ())
        self.decls = [*own, *extra]
        self.links: list[_Link] = []
        self.steps: list[ConversionStep] = []
        self.distant: list[tuple[Decl, OpForm]] = []

    # What ops may ask for.

    def between(self, source: Type, target: Type, decl: Decl) -> Conv:
        """Plan the conversion between two types for an op."""
        names = decl.table("types")
        self.planner.renames.update({key: str(value) for key, value in names.items()})
        if {"path", "from"}.isdisjoint(decl.args):  # of several members; none of them names the place
            old, new = ObjectField(source, "?"), ObjectField(target, "?")
        else:
            start, end = ends(decl)
            old, new = self.old.held(source, start), self.new.held(target, end)
        return between(self.planner, old, new, tuple(self._inner_of(decl)), decl.place)

    def resolve(self, given: Type, *, old: bool) -> Type:
        """Follow named types."""
        return self.planner.old_type(given) if old else self.planner.new_type(given)

    def reference_part(self, old: ReferenceType, new: ReferenceType, variants: list[Json]) -> Conv:
        """Plan how names of the old types become names of the new ones alone."""
        return self.planner.references.part(old, new, variants)

    def report(self, finding: EdgeFinding) -> None:
        """Keep a finding."""
        self.planner.report(finding)

    def hook(self, name: str) -> Hook:
        """Find registered code."""
        return self.planner.hooks.find(name)

    def _inner_of(self, decl: Decl) -> list[Decl]:
        return next((link.extra for link in self.links if link.decl is decl), [])

    # The plan.

    def plan(self) -> None:
        """Fill the plan."""
        for decl, op in expanded(self.decls, self):
            self._place(decl, op)
        self._match()
        for decl, op in self.distant:
            try:
                self._place_distant(decl, op)
            except Invalid as error:
                self._wrong(error.code, error.words, decl.place, error.remedy_words)
        olds, news = tuple(self.old.unassessed()), tuple(self.new.unassessed())
        if olds or news:
            types = (self.source, self.target)
            self.planner.open.append(Open(self.old.name, self.new.name, types, olds, news))
        self.planner.links += [
            LinkedFields(self.old.name, self.new.name, link.old, link.new, link.by) for link in self.links
        ]
        carries = [self._carry(link) for link in self.links]
        self._account(self.old, self.planner.old.version)
        self._account(self.new, self.planner.new.version)
        self.result.fill(
            (
                *carries,
                *self.steps,
                *self._remnants(),
                *self.planner.hooks.amendment(f"{self.planner.place} {self.old.name}"),
            ),
            frozenset(each.key for each in self.source.fields),
            frozenset(each.key for each in self.target.fields),
        )

    def _wrong(
        self, code: str, words: WordedMessage, place: EdgeFileLine, remedy: WordedMessage = NOTHING
    ) -> None:
        self.report(EdgeFinding(code, words, place, remedy))

    def _place(self, decl: Decl, op: OpForm) -> None:
        """Take an op whose places are fields of this very object; keep the others for later."""
        try:
            if op.kind is OpKind.GATHER or any(len(path) > 1 for path in paths(decl)):
                self.distant.append((decl, op))
            elif op.kind is OpKind.PAIR:
                self._link(decl, op)
            else:
                self._single(decl, op)
        except Invalid as error:
            self._wrong(error.code, error.words, decl.place, error.remedy_words)

    def _link(self, decl: Decl, op: OpForm) -> None:
        start, end = ends(decl)
        old, new = self.old.take(start, decl), self.new.take(end, decl)
        self.links.append(_Link(old, new, op.name, decl, op))

    def _single(self, decl: Decl, op: OpForm) -> None:
        path = FieldPath.parse(decl.text("path"))
        if op.name == "ignore":
            found = [side for side in (self.old, self.new) if side.has(path)]
            for side in found or [self.old]:
                side.take(path, decl)
                self._assess(side, path, op.name)
            return
        if op.name in HOLES:
            (self.old if op.kind is OpKind.SOURCE else self.new).take(path, decl)
            return
        if op.kind is OpKind.SOURCE:
            self.old.take(path, decl)
            self.steps.append(Drop(self._slot(self.old, path, decl), fill(decl), op.name))
            self._assess(self.old, path, op.name)
        else:
            self.new.take(path, decl)
            self.steps.append(Appear(self._slot(self.new, path, decl), fill(decl), op.name))
            self._assess(self.new, path, op.name)

    def _match(self) -> None:
        olds, news = self._reserved()
        matches, clashes = match_fields(
            [each for each in self.old.free() if each.name not in olds],
            [each for each in self.new.free() if each.name not in news],
        )
        for clash in clashes:
            names = ", ".join(clash.names)
            self._wrong(
                "E-AMBIGUOUS",
                message("{name}: {names} fold to one key.", name=self.old.name, names=names),
                self.planner.edge.place(),
                message("Say which is which with rename."),
            )
        for match in matches:
            self.old.taken.add(match.source.name)
            self.new.taken.add(match.target.name)
            self.links.append(_Link(match.source, match.target, match.rule))

    def _reserved(self) -> tuple[set[str], set[str]]:
        """Find the fields of this very object that ops lead from or to, whatever their other end is."""
        found: tuple[set[str], set[str]] = (set(), set())
        for decl, op in self.distant:
            if op.kind is OpKind.PAIR and "path" not in decl.args:
                places = tuple([str(path)] for path in ends(decl))
            elif op.places is not None:
                places = tuple(list(each) for each in op.places(decl))
            else:
                continue
            for names, texts in zip(found, places, strict=True):
                names.update(text for text in texts if len(FieldPath.parse(text)) == 1)
        return found

    def _partner(self, ground: Ground, name: str) -> _Link | None:
        given = ground.object.field(name)
        for link in self.links:
            if given is not None and (link.old if ground.side is EdgeSide.OLD else link.new) is given:
                return link
        return None

    def _place_distant(self, decl: Decl, op: OpForm) -> None:
        if op.kind is OpKind.PAIR:
            self._distant_pair(decl, op)
        elif op.kind is OpKind.GATHER:
            self._gather(decl, op)
        else:
            path = FieldPath.parse(decl.text("path"))
            self._descend(self._side_of(op, path), path, decl)

    def _side_of(self, op: OpForm, path: FieldPath) -> Ground:
        if op.name == "ignore":
            return self.old if self.old.has(path) else self.new
        return self.old if op.kind is OpKind.SOURCE else self.new

    def _descend(self, ground: Ground, path: FieldPath, decl: Decl) -> None:
        """Hand an op on one side to the pair of the objects inside, or count it with a dissolved object."""
        ground.locate(path, decl)
        link = self._partner(ground, path.head.name)
        if link is not None:
            args = {**decl.args, "path": str(path.tail())}
            link.extra.append(Decl(decl.op, args, decl.place))
        else:
            ground.leaf(path, moved=False)
        self._assess(ground, path, decl.op)

    def _distant_pair(self, decl: Decl, op: OpForm) -> None:
        start, end = ends(decl)
        link = self._partner(self.old, start.head.name)
        if link is not None and len(start) > 1:
            if "path" in decl.args:
                end = FieldPath((PathSegment(link.new.name, start.head.into), *start.tail().segments))
            if len(end) > 1 and self.new.object.field(end.head.name) is link.new:
                rest = {key: value for key, value in decl.args.items() if key not in ("path", "from", "to")}
                args = {**rest, "from": str(start.tail()), "to": str(end.tail())}
                self.old.locate(start, decl)
                link.extra.append(Decl(decl.op, args, decl.place))
                return
        old, new = self._reach(self.old, start, decl), self._reach(self.new, end, decl)
        conv = self._conv(_Link(old, new, op.name, decl, op), start, end)
        self.steps.append(
            Carry(self._slot(self.old, start, decl), self._slot(self.new, end, decl), conv, op.name)
        )
        self._inherit(start, end)
        self._assess(self.old, start, op.name)
        self._assess(self.new, end, op.name)

    def _reach(self, ground: Ground, path: FieldPath, decl: Decl) -> Field:
        """Take a place that may lie inside other objects of this side."""
        found = ground.locate(path, decl)
        if any(segment.into for segment in path.segments[:-1]):
            raise Invalid(
                message("{path}: an op cannot lead out of a list or map.", path=str(path)), code="E-PATH"
            )
        if len(path) == 1:
            return ground.take(path, decl)
        link = self._partner(ground, path.head.name)
        if link is None:
            ground.leaf(path, moved=True)
        else:
            hole = "~old" if ground.side is EdgeSide.OLD else "~new"
            link.extra.append(Decl(hole, {"path": str(path.tail())}, decl.place))
            ground.holes.add(path.head.name)
        return found

    def _gather(self, decl: Decl, op: OpForm) -> None:
        if op.places is None or op.mapping is None:
            return
        starts, ends = op.places(decl)
        sources = [FieldPath.parse(text) for text in starts]
        targets = [FieldPath.parse(text) for text in ends]
        for path in sources:
            self._reach(self.old, path, decl)
            self._assess(self.old, path, op.name)
        for path in targets:
            self._reach(self.new, path, decl)
            self._assess(self.new, path, op.name)
        functions = op.mapping(self, decl)
        olds = tuple(self._slot(self.old, path, decl) for path in sources)
        news = tuple(self._slot(self.new, path, decl) for path in targets)
        self.steps.append(functions.step(olds, news, op.name))

    # Conversions of the linked fields.

    def _carry(self, link: _Link) -> ConversionStep:
        start, end = FieldPath.of(link.old.name), FieldPath.of(link.new.name)
        if link.decl is not None:
            start, end = ends(link.decl)
        self._inherit(start, end)
        self._assess(self.old, start, link.by)
        self._assess(self.new, end, link.by)
        conv = self._conv(link, start, end)
        return Carry(
            self._slot(self.old, start, link.decl), self._slot(self.new, end, link.decl), conv, link.by
        )

    def _conv(self, link: _Link, start: FieldPath, end: FieldPath) -> Conv:
        piece = f"{self.planner.place} {self.old.name}.{link.old.name}"
        if (called := self.planner.hooks.value(piece)) is not None:
            return called
        if link.op is None or link.op.conv is None or link.decl is None:
            place = self.planner.edge.place()
            old = self.old.held(link.old.type, FieldPath.of(link.old.name))
            new = self.new.held(link.new.type, FieldPath.of(link.new.name))
            inner = between(self.planner, old, new, tuple(link.extra), place)
            return presence(link.old, link.new, inner)
        into = start.segments[-1].into
        mine, theirs = (
            self._element(link.old.type, into, old=True),
            self._element(link.new.type, into, old=False),
        )
        leaf = Leaf(self, link.decl, link.old, link.new, mine, theirs)
        conv = link.op.conv(leaf)
        if into:
            return SAME if conv is SAME else ListConversion(conv) if into == "[]" else EachValue(conv)
        same_presence = link.op.name in ("rename", "move", "enum", "convert", "retype")
        return presence(link.old, link.new, conv) if same_presence else conv

    def _element(self, given: Type, into: str, *, old: bool) -> Type:
        found = self.resolve(given, old=old)
        if into == "[]" and isinstance(found, ListType):
            return self._element(found.item, "", old=old)
        if into == "{}" and isinstance(found, MapType):
            return self._element(found.value, "", old=old)
        if into:
            words = message("{into} leads into something that is no list or map.", into=into)
            raise Invalid(words, code="E-PATH")
        return given if isinstance(found, ObjectType) else found

    def _remnants(self) -> list[ConversionStep]:
        pairs = [(link.old, link.new) for link in self.links]

        def _slot(ground: Ground, name: str) -> Slot:
            return self._slot(ground, FieldPath.of(name), None)

        return [*hollows(pairs, self.old, self.new, _slot), *dissolved(self.old, self.new, _slot)]

    # Accounting.

    def _account(self, ground: Ground, version: str) -> None:
        for path in ground.unassessed():
            level = FindingLevel.ERROR if self.planner.edge.unassessed == "error" else FindingLevel.WARNING
            op = "removed" if ground.side is EdgeSide.OLD else "added"
            field_name = f"{version} {ground.name}.{path}"
            self.report(
                EdgeFinding(
                    "E-UNASSESSED",
                    message("{field} is neither matched nor covered by an op.", field=field_name),
                    self.planner.edge.place(),
                    message("Rename, move or convert it, or add - {op}: {path}.", op=op, path=path),
                    level,
                    fields=(field_name,),
                )
            )
            parsed = FieldPath.parse(path)
            if len(parsed) == 1:
                slot = self._slot(ground, parsed, None)
                self.steps.append(Drop(slot, ABSENT) if ground.side is EdgeSide.OLD else Appear(slot, ABSENT))
            self._assess(ground, parsed, "unassessed")

    def _inherit(self, start: FieldPath, end: FieldPath) -> None:
        old, new = self.old.owner(start), self.new.owner(end)
        lineages = self.planner.lineages
        lineage = lineages.of(self.planner.old.version, old[0], old[1])
        lineages.inherit(self.planner.new.version, new[0], new[1], lineage)

    def _slot(self, ground: Ground, path: FieldPath, decl: Decl | None) -> Slot:
        if ground.side is EdgeSide.NEW and (decl is None or decl.op in ("added", "move")):
            self._tell_apart(path)
        return ground.slot(
            path, self.planner.lineages, allow=decl is not None and decl.text("bag") == "allow"
        )

    def _tell_apart(self, path: FieldPath) -> None:
        """Give a new field that is not the old field of its name a lineage of its own."""
        owner, found = self.new.owner(path)
        lineages, versions = self.planner.lineages, self.planner
        lineage = lineages.of(versions.new.version, owner, found)
        if any(
            lineages.of(versions.old.version, self.old.name, each) == lineage for each in self.source.fields
        ):
            lineages.inherit(versions.new.version, owner, found, f"{lineage}~{versions.new.version}")

    def _assess(self, ground: Ground, path: FieldPath, by: str) -> None:
        self.planner.assessed.append(Assessed(ground.side.value, f"{ground.name}.{path}", by))


def plan_pair(planner: Planner, plan: ObjectPlan, old: Named, new: Named, extra: tuple[Decl, ...]) -> None:
    """Fill the plan of a pair of object types."""
    PairPlanner(planner, plan, old, new, extra).plan()
