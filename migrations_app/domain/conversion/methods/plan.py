"""The custom methods of one edge: which method of the old version is which of the new, and how messages cross."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, FindingLevel
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.planning.planner import Planner
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.methods import custom_methods
from migrations_app.domain.schema.types import ObjectType
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True, eq=False)
class MessagePlan:
    """How a message crosses one edge, one way; nothing is planned for one that is a resource, or has no type."""

    plan: ObjectPlan | None = None

    @property
    def inverse(self) -> MessagePlan:
        """The inverse."""
        return self if self.plan is None else MessagePlan(self.plan.inverse)


@dataclass(frozen=True, slots=True)
class MethodPlan:
    """A method of each side taken for the same; `problem` says why its messages cannot be converted."""

    source: str
    target: str
    request: MessagePlan = field(default_factory=MessagePlan)
    response: MessagePlan = field(default_factory=MessagePlan)
    problem: str = ""

    @property
    def inverse(self) -> MethodPlan:
        """The inverse."""
        return MethodPlan(self.target, self.source, self.request.inverse, self.response.inverse, self.problem)


@dataclass(frozen=True, slots=True)
class EdgeMethods:
    """The methods that both sides have, and what callers of those are told that end with the old side."""

    plans: tuple[MethodPlan, ...] = ()
    discontinued: Mapping[str, str] = field(default_factory=dict)

    def plan_of(self, method: str, *, forward: bool) -> MethodPlan | None:
        """Find the plan of a method, by its name at the start of the hop."""
        if forward:
            return next((each for each in self.plans if each.source == method), None)
        return next((each.inverse for each in self.plans if each.target == method), None)


def plan_methods(
    edge: Edge, old: Schema, new: Schema, planner: Planner, another: Callable[[], Planner]
) -> tuple[EdgeMethods, list[EdgeFinding]]:
    """Plan the messages of every custom method of an edge, after its resource types.

    Errors are warnings where the edge says nothing of methods: no data is at stake, only calls in one version that
    another one would answer. `planner` planned the resource types; `another` makes planners for messages.
    """
    pairs, discontinued, findings = method_pairs(edge, old, new)
    plans: list[MethodPlan] = []
    shared = another() if edge.methods.declared else None
    for mine, theirs in pairs:
        messages = shared or another()
        messages.renames, messages.assessed = planner.renames, []
        messages.open, messages.links = planner.open, planner.links
        known = len(messages.findings)
        request = _message(messages, mine.request, theirs.request)
        response = _message(messages, mine.response, theirs.response)
        if shared is None:
            _finish(planner, messages)
        new_errors = [each for each in messages.findings[known:] if each.level is FindingLevel.ERROR]
        if shared is None:
            findings += [replace(each, level=FindingLevel.WARNING) for each in _unknown(planner, messages)]
        problem = _one_sided(mine, theirs) or next((each.message for each in new_errors), "")
        plans.append(MethodPlan(mine.name, theirs.name, request, response, problem))
    if shared is not None:
        _finish(planner, shared)
        findings += _unknown(planner, shared)
    return EdgeMethods(tuple(plans), discontinued), list(dict.fromkeys(findings))


def method_pairs(
    edge: Edge, old: Schema, new: Schema
) -> tuple[list[tuple[Method, Method]], dict[str, str], list[EdgeFinding]]:
    """Tell which custom method of the old version is which of the new one, and which end with it."""
    said = edge.methods
    renamed = {**dict(_hinted(old)), **said.renamed}
    ended = {**_ended(old), **said.discontinued}
    here = {each.name: each for each in custom_methods(old)}
    there = {each.name: each for each in custom_methods(new)}
    findings = list(_misnamed(edge, here, there))
    pairs: list[tuple[Method, Method]] = []
    for name, method in here.items():
        fellow = there.get(renamed.get(name, name))
        if fellow is not None and name not in ended:
            pairs.append((method, fellow))
        elif name not in ended:
            findings.append(_unassessed(edge, name))
    known = {theirs.name for _, theirs in pairs}
    if said.declared:
        findings += [_unannounced(edge, name) for name in there.keys() - known - set(said.added)]
    return pairs, ended, findings


def _message(planner: Planner, old: str, new: str) -> MessagePlan:
    if old not in planner.old.types or new not in planner.new.types or _is_resource(planner, old, new):
        return MessagePlan()
    left, right = planner.old.resolve(planner.old.type(old)), planner.new.resolve(planner.new.type(new))
    if not isinstance(left, ObjectType) or not isinstance(right, ObjectType):
        return MessagePlan()
    planner.renames.setdefault(old, new)
    return MessagePlan(planner.pair((old, left), (new, right)))


def _is_resource(planner: Planner, old: str, new: str) -> bool:
    olds = {each.message for each in planner.old.resources.values()}
    return old in olds and new in {each.message for each in planner.new.resources.values()}


def _finish(planner: Planner, messages: Planner) -> None:
    """End the planning of messages; ops of types that only messages hold are used."""
    planner.used |= messages.used
    messages.used |= messages.edge.types.keys()
    messages.finish()


def _unknown(planner: Planner, messages: Planner) -> list[EdgeFinding]:
    return [each for each in messages.findings if each not in planner.findings]


def _one_sided(mine: Method, theirs: Method) -> str:
    """Say what keeps a method from being called in the other version, whatever its messages are."""
    if mine.streaming is not theirs.streaming:
        return f"{mine.name} streams {mine.streaming} on one side and {theirs.streaming} on the other."
    if (mine.is_collection, bool(mine.request)) != (theirs.is_collection, bool(theirs.request)):
        return f"{mine.name} acts on one resource on one side and on a collection on the other."
    return ""


def _hinted(old: Schema) -> Iterator[tuple[str, str]]:
    for place, hint in old.hints.items():
        if "/" in place and hint.replacement:
            yield place.rpartition("/")[2], hint.replacement.rpartition("/")[2]


def _ended(old: Schema) -> dict[str, str]:
    hints = old.hints.items()
    return {place.rpartition("/")[2]: "" for place, hint in hints if "/" in place and hint.discontinued}


def _misnamed(edge: Edge, old: Mapping[str, Method], new: Mapping[str, Method]) -> Iterator[EdgeFinding]:
    said = edge.methods
    sides = (
        (edge.source, old, (*said.renamed, *said.discontinued)),
        (edge.target, new, (*said.renamed.values(), *said.added)),
    )
    for version, methods, names in sides:
        for name in names:
            if name not in methods:
                words = message("{version} has no custom method {name}.", version=version, name=name)
                remedy = message("It has {methods}.", methods=", ".join(sorted(methods)) or "none")
                yield EdgeFinding("E-UNUSED", words, said.place, remedy)


def _unassessed(edge: Edge, name: str) -> EdgeFinding:
    level = FindingLevel.ERROR if edge.methods.declared else FindingLevel.WARNING
    remedy = message(
        "Write methods: {example} or {example_2}.",
        example=f"{{renamed: {{{name}: …}}}}",
        example_2=f"{{discontinued: [{name}]}}",
    )
    words = message("{target} has no custom method {name}.", target=edge.target, name=name)
    return EdgeFinding("E-UNASSESSED", words, edge.methods.place, remedy, level)


def _unannounced(edge: Edge, name: str) -> EdgeFinding:
    words = message("{source} has no custom method {name}.", source=edge.source, name=name)
    return EdgeFinding(
        "E-UNASSESSED",
        words,
        edge.methods.place,
        message("Write methods: {example}.", example=f"{{added: [{name}]}}"),
    )
