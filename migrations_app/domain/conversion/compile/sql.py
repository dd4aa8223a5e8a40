"""A conversion said in SQL, for the database to do: two expressions over the columns `name` and `body`.

Only what SQL does exactly as the reference engine is said so; a plan with any other step has no SQL. A third
expression tells which single documents are left to the reference engine.
`->` gives SQL NULL only for an absent key, so presence is told apart from JSON null throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from migrations_app.domain.conversion.bag import BAG, FORMAT
from migrations_app.domain.conversion.compile.sql_names import name_expression
from migrations_app.domain.conversion.compile.sql_text import (
    EMPTY,
    NotPushable,
    concat,
    keys_array,
    lit,
    member,
    path,
    present,
)
from migrations_app.domain.conversion.compile.sql_values import (
    Restored,
    restored_value,
    stash_of,
    value_expression,
)
from migrations_app.domain.conversion.compile.sql_witness import (
    NEVER,
    WitnessedStep,
    partial_symbols,
    present_symbol,
    sentinel,
)
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.split_types import PartCondition
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.steps import Appear, Carry, Dissolve, Drop, Gather, Reform, Slot
from migrations_app.domain.conversion.values import SAME, Coded, Conv, Inner, PartialSymbols
from migrations_app.kernel.json import canonical

ALWAYS = "true"


@dataclass(frozen=True, slots=True)
class SqlPlan:
    """The name and the storage document of the target version, as SQL over those of the source.

    Where `unsure_expression` holds, both are void: only the reference engine converts that resource. Both are meant for
    resources for which `condition_expression` holds: those of one part, where a type splits.
    """

    name_expression: str
    body_expression: str
    unsure_expression: str = NEVER
    condition_expression: str = ALWAYS


UNCHANGED = SqlPlan("name", "body")


def sql_plan(hops: Sequence[ResourcePlan]) -> SqlPlan | None:
    """Say a conversion in SQL; None when a part of it cannot be."""
    try:
        plans = [_hop(hop) for hop in hops]
    except NotPushable:
        return None
    made = UNCHANGED
    for plan in plans:
        made = _after(made, plan)
    return made


def _after(first: SqlPlan, then: SqlPlan) -> SqlPlan:
    if first == UNCHANGED:
        return then
    inner = f"FROM (SELECT {first.name_expression} AS name, {first.body_expression} AS body) hop"
    unsure = [first.unsure_expression]
    if then.unsure_expression != NEVER:
        unsure.append(f"(SELECT {then.unsure_expression} {inner})")
    conditions = [first.condition_expression]
    if then.condition_expression != ALWAYS:
        conditions.append(f"(SELECT {then.condition_expression} {inner})")
    return SqlPlan(
        f"(SELECT {then.name_expression} {inner})",
        f"(SELECT {then.body_expression} {inner})",
        _any(unsure),
        _all(conditions),
    )


def _all(conditions: Iterable[str]) -> str:
    """Join conditions; what the first excludes, the second need not be asked about."""
    wanted = [each for each in conditions if each != ALWAYS]
    if len(wanted) < 2:
        return wanted[0] if wanted else ALWAYS
    return f"CASE WHEN {wanted[0]} THEN {wanted[1]} ELSE false END"


def _any(conditions: Iterable[str]) -> str:
    wanted = [each for each in dict.fromkeys(conditions) if each != NEVER]
    return " OR ".join(f"coalesce({each}, false)" for each in wanted) or NEVER


def _hop(hop: ResourcePlan) -> SqlPlan:
    name = name_expression(hop.names)
    made = ObjectSql(hop.plan, "body", ())
    body = "body" if hop.plan.is_identity else made.expression()
    if name != "name":
        key = hop.target_name_key
        renamed = f"CASE WHEN {member('body', hop.source_name_key)} THEN jsonb_build_object({lit(key)}, {name}) ELSE {EMPTY} END"
        body = f"({body} || {renamed})"
    condition = ALWAYS if hop.guard is None else _condition(hop.guard)
    return SqlPlan(name, body, made.unsure_expression, condition)


def _condition(guard: PartCondition) -> str:
    """Ask whether a document belongs to a part: exactly one part of a type says so, or none."""
    is_other = guard.other == guard.part
    # What no part claims belongs to the other part, so that part asks for what others claim.
    values = [value for value, part in guard.part_of.items() if (part == guard.part) is not is_other]
    if not values:
        return ALWAYS if is_other else "false"
    known = ", ".join(f"{lit(canonical(value).decode())}::jsonb" for value in sorted(values))
    claimed = f"coalesce({path('body', (guard.key,))} = ANY(ARRAY[{known}]), false)"
    return f"NOT {claimed}" if is_other else claimed


class ObjectSql:
    """The expression of one object: what stays, what moves, and the bag."""

    def __init__(self, plan: ObjectPlan, source: str, above: tuple[ObjectPlan, ...]) -> None:
        if plan in above:
            raise NotPushable("a type that contains itself")
        self.plan, self.source, self.above = plan, source, (*above, plan)
        self.gone: set[str] = {BAG}
        self.pieces: dict[tuple[str, ...], str] = {}
        self.stashes: list[str] = []
        self.consumed: list[str] = []
        self.reforms: dict[str, Reform] = {}
        self.unsure: list[str] = []

    @property
    def unsure_expression(self) -> str:
        """Say which objects are left to the reference engine; known once the object itself is written."""
        return _any(self.unsure)

    @property
    def entries(self) -> str:
        """The entries of the object's bag; SQL NULL when it has none."""
        return f"({self.source} -> {lit(BAG)} -> 'b')"

    def expression(self) -> str:
        """Say the object: a short way for one without a bag, which is nearly all, and the whole way."""
        lean, full = self._build(bagged=False), self._build(bagged=True)
        return f"CASE WHEN {member(self.source, BAG)} THEN {full} ELSE {lean} END"

    def _build(self, *, bagged: bool) -> str:
        self.gone, self.pieces, self.stashes, self.consumed, self.reforms = {BAG}, {}, [], [], {}
        for step in self.plan.steps:
            self._step(step, bagged=bagged)
        self._unknown(bagged=bagged)
        self.gone |= self.plan.source_keys - self.plan.kept_keys
        kept = f"({self.source} - {keys_array(sorted(self.gone))})"
        parts = [kept, *self._written(bagged=bagged)]
        bag = self._bag(bagged=bagged)
        return concat([*parts, bag] if bag else parts)

    def _step(self, step: object, *, bagged: bool) -> None:
        if isinstance(step, Carry):
            self._carry(step, bagged=bagged)
        elif isinstance(step, Drop):
            self._drop(step)
        elif isinstance(step, Appear):
            self._appear(step, bagged=bagged)
        elif isinstance(step, Dissolve):
            self._dissolve(step)
        elif isinstance(step, Reform):
            self.reforms[step.slot.keys[0]] = step
        elif isinstance(step, Gather):
            self._gather(step, bagged=bagged)
        else:
            raise NotPushable(type(step).__name__)

    def _carry(self, step: Carry, *, bagged: bool) -> None:
        source, target = step.source.keys, step.target.keys
        if step.conv is SAME and len(source) == 1 and source == target:
            return
        self.gone.add(source[0])
        value = path(self.source, source)
        if isinstance(step.conv, Coded | PartialSymbols):
            found = f"({self.entries} -> {lit(step.target.derived)})"
            made_step = _witnessed_step(step.conv, step.source.derived, value, found)
            self._witnessed(made_step, [target], step.target.derived, bagged=bagged)
            return
        made = self._value(step.conv, value)
        if not step.is_free:
            stash = stash_of(step, value)
            restored = restored_value(step, value, f"{self.entries} -> {lit(step.target.derived)}")
            if bagged:
                self.consumed.append(step.target.derived)
                made = _restoring(restored, made)
                stash = (
                    f"CASE WHEN {restored.condition} THEN {EMPTY} ELSE {stash} END"
                    if stash and restored
                    else stash
                )
            if stash:
                self.stashes.append(stash)
        self.pieces[target] = made

    def _gather(self, step: Gather, *, bagged: bool) -> None:
        if any(len(slot.keys) > 1 for slot in (*step.sources, *step.targets)):
            raise NotPushable("values of other objects taken together")
        self.gone.update(slot.keys[0] for slot in step.sources)
        values = [path(self.source, slot.keys) for slot in step.sources]
        theirs = step.keys[1]
        made = sentinel(step, values, f"({self.entries} -> {lit(theirs)})")
        self._witnessed(made, [slot.keys for slot in step.targets], theirs, bagged=bagged)

    def _witnessed(
        self, step: WitnessedStep, targets: Sequence[tuple[str, ...]], theirs: str, *, bagged: bool
    ) -> None:
        stash, made = step.stash, step.made
        self.unsure.append(step.bag_unsure if bagged else step.unsure)
        if bagged:
            self.consumed.append(theirs)
        if bagged and step.restored != NEVER:
            stash = stash and f"CASE WHEN {step.restored} THEN {EMPTY} ELSE {stash} END"
            pairs = zip(step.kept, made, strict=True)
            made = tuple(f"CASE WHEN {step.restored} THEN {kept} ELSE {new} END" for kept, new in pairs)
        if stash:
            self.stashes.append(stash)
        self.pieces.update(zip(targets, made, strict=True))

    def _value(self, conv: Conv, value: str) -> str:
        if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan):
            inner = ObjectSql(conv.plan, value, self.above)
            made = inner.expression()
            if inner.unsure_expression != NEVER:
                self.unsure.append(
                    f"(CASE WHEN jsonb_typeof({value}) = 'object' THEN {inner.unsure_expression} END)"
                )
            return f"CASE WHEN jsonb_typeof({value}) = 'object' THEN {made} ELSE {value} END"
        return value_expression(conv, value)

    def _drop(self, step: Drop) -> None:
        if len(step.slot.keys) > 1:
            raise NotPushable("a removed field inside another object")
        self.gone.add(step.slot.keys[0])
        if step.slot.sensitive:
            return
        value = path(self.source, step.slot.keys)
        self.stashes.append(_entry_unless(step.slot, value, step.fill))

    def _appear(self, step: Appear, *, bagged: bool) -> None:
        if len(step.slot.keys) > 1:
            raise NotPushable("an added field inside another object")
        key = step.slot.lineage
        fill = "NULL" if step.fill is ABSENT else f"{lit(canonical(step.fill).decode())}::jsonb"
        if bagged:
            self.consumed.append(key)
            found = f"{self.entries} -> {lit(key)}"
            fill = f"CASE WHEN {present(found)} THEN {found} -> 'v' ELSE {fill} END"
        if bagged or fill != "NULL":
            self.pieces[step.slot.keys] = fill

    def _dissolve(self, step: Dissolve) -> None:
        if len(step.slot.keys) > 1 or any(below is not None for below in step.leaves.values()):
            raise NotPushable("an object taken apart at more than one level")
        self.gone.add(step.slot.keys[0])
        value, leaves = path(self.source, step.slot.keys), keys_array(sorted(step.leaves))
        rest = f"({value} - {leaves})"
        key = lit(step.slot.lineage)
        self.stashes.append(
            f"CASE WHEN {value} IS NULL THEN {EMPTY} "
            f"WHEN jsonb_typeof({value}) <> 'object' "
            f"THEN jsonb_build_object({key}, jsonb_build_object('v', {value})) "
            f"WHEN {rest} = {EMPTY} AND {value} ?| {leaves} THEN {EMPTY} "
            f"ELSE jsonb_build_object({key}, jsonb_build_object('v', {rest})) END"
        )

    def _unknown(self, *, bagged: bool) -> None:
        """Keys this version does not know: those the target knows as something else wait in the bag."""
        for key in sorted(self.plan.target_keys - self.plan.source_keys):
            value = path(self.source, (key,))
            self.gone.add(key)
            name = lit(f"?{key}@{self.plan.source_version}")
            self.stashes.append(
                f"CASE WHEN {present(value)} THEN jsonb_build_object({name}, jsonb_build_object('v', {value})) ELSE {EMPTY} END"
            )
        if not bagged:
            return
        for key in sorted(self.plan.source_keys - self.plan.target_keys):
            name = f"?{key}@{self.plan.target_version}"
            self.consumed.append(name)
            self.pieces[(key,)] = f"{self.entries} -> {lit(name)} -> 'v'"

    def _written(self, *, bagged: bool) -> Iterable[str]:
        heads: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for target, value in self.pieces.items():
            heads.setdefault(target[0], []).append((target[1:], value))
        for head in sorted({*heads, *(self.reforms if bagged else ())}):
            leaves = heads.get(head, [])
            if len(leaves) == 1 and not leaves[0][0]:
                yield _put(head, leaves[0][1])
            elif any(len(rest) != 1 for rest, _ in leaves):
                raise NotPushable("values put in at more than one level")
            else:
                yield self._nested(head, [(rest[0], value) for rest, value in leaves], bagged=bagged)

    def _nested(self, head: str, leaves: list[tuple[str, str]], *, bagged: bool) -> str:
        if head in self.plan.source_keys and head not in self.gone:
            raise NotPushable("values put into an object that is there already")
        any_present = " OR ".join(present(value) for _, value in leaves) or "false"
        inner = concat([_put(key, value) for key, value in leaves]) if leaves else EMPTY
        fresh = f"CASE WHEN {any_present} THEN jsonb_build_object({lit(head)}, {inner}) ELSE {EMPTY} END"
        reform = self.reforms.get(head)
        if reform is None or not bagged:
            return fresh
        self.consumed.append(reform.slot.lineage)
        found = f"{self.entries} -> {lit(reform.slot.lineage)}"
        rest = f"{found} -> 'v'"
        return (
            f"CASE WHEN {present(rest)} AND NOT ({any_present}) THEN jsonb_build_object({lit(head)}, {rest}) "
            f"WHEN jsonb_typeof({rest}) = 'object' "
            f"THEN jsonb_build_object({lit(head)}, ({rest}) || {inner}) ELSE {fresh} END"
        )

    def _bag(self, *, bagged: bool) -> str:
        if not bagged and not self.stashes:
            return ""
        before = (
            [f"(coalesce({self.entries}, {EMPTY}) - {keys_array(sorted(set(self.consumed)))})"]
            if bagged
            else []
        )
        bag = concat([*before, *self.stashes]) if before or self.stashes else EMPTY
        whole = f'{{"{BAG}": {{"f": {FORMAT}}}}}'
        return f"coalesce(jsonb_set({lit(whole)}::jsonb, '{{{BAG},b}}', nullif({bag}, {EMPTY})), {EMPTY})"


def _witnessed_step(conv: Coded | PartialSymbols, key: str, value: str, found: str) -> WitnessedStep:
    if isinstance(conv, PartialSymbols):
        return partial_symbols(conv, key, value, found)
    if not conv.name.startswith("present-symbol"):
        raise NotPushable(f"the codec {conv.name}")
    return present_symbol(conv, key, value, found)


def _put(key: str, value: str) -> str:
    return f"CASE WHEN {present(value)} THEN jsonb_build_object({lit(key)}, {value}) ELSE {EMPTY} END"


def _restoring(restored: Restored, made: str) -> str:
    return f"CASE WHEN {restored.condition} THEN {restored.value} ELSE {made} END"


def _entry_unless(slot: Slot, value: str, fill: State) -> str:
    key = lit(slot.lineage)
    stashed = f"jsonb_build_object({key}, jsonb_build_object('v', {value}))"
    if fill is ABSENT:
        return f"CASE WHEN {present(value)} THEN {stashed} ELSE {EMPTY} END"
    constant = f"{lit(canonical(fill).decode())}::jsonb"
    absent = f"jsonb_build_object({key}, {EMPTY})"
    return (
        f"CASE WHEN {value} IS NULL THEN {absent} WHEN {value} = {constant} THEN {EMPTY} ELSE {stashed} END"
    )
