"""Checking all laws on a service: over generated and recorded documents, every type, every ordered pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.laws.asked import ASKED_LAWS
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import LAWS, Case, Law, LawViolation, of_the_part
from migrations_app.domain.conversion.laws.methods import METHOD_LAWS, method_cases, method_ways
from migrations_app.domain.conversion.laws.more import MORE_LAWS
from migrations_app.domain.conversion.laws.shrink import first_difference, shrunk
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject, decode

TYPE_LAWS: Mapping[str, Law] = {**LAWS, **MORE_LAWS, **ASKED_LAWS}
ALL_LAWS: Mapping[str, Law] = {**TYPE_LAWS, **METHOD_LAWS}
RECORDED = "recorded/"
HIDDEN = LawViolation("", "hidden", {}, {})


@dataclass(frozen=True, slots=True)
class Failure:
    """A law that does not hold: the smallest document found that breaks it, and where it shows."""

    law: str
    message: str
    resource_type: str
    source: str
    target: str
    seed: int
    name: str
    document: JsonObject
    expected: JsonObject
    actual: JsonObject

    @property
    def where(self) -> str:
        """The path at which the difference begins."""
        return first_difference(self.expected, self.actual)


@dataclass(frozen=True, slots=True)
class LawResult:
    """How a law fared for one resource type and one ordered pair of versions."""

    law: str
    resource_type: str
    source: str
    target: str
    documents: int
    failure: Failure | None = None
    hidden: int = 0  # documents that the other version cannot name, so that there was nothing to compare


@dataclass(frozen=True, slots=True)
class LawCheck:
    """One law of one resource type and one ordered pair of versions, to be run."""

    law: str
    resource_type: str
    source: str
    target: str
    cases: Sequence[Case]

    @property
    def title(self) -> str:
        """What is checked, for people."""
        return f"{self.law} {self.resource_type} {self.source} → {self.target}"

    def run(self) -> LawResult:
        """Check until the first failure, which is then made small."""
        return _check(
            self.law, ALL_LAWS[self.law], self.cases, (self.source, self.target, self.resource_type)
        )


def verify(
    compiled: CompiledService, *, count: int = 100, seed: int = 0, laws: Iterable[str] = ()
) -> Iterator[LawResult]:
    """Check the laws; every law stops at its first failure, which is then made small."""
    return (check.run() for check in checks(compiled, count=count, seed=seed, laws=laws))


def count_checks(compiled: CompiledService, laws: Iterable[str] = ()) -> int:
    """Count what `checks` lists at most, without making documents."""
    chosen = set(laws) or set(ALL_LAWS)
    ways = sum(each.target_type is not None for _, routes in compiled.ways() for each in routes)
    methods = sum(1 for _ in method_ways(compiled))
    return ways * len(chosen & set(TYPE_LAWS)) + methods * len(chosen & set(METHOD_LAWS))


def checks(
    compiled: CompiledService, *, count: int = 100, seed: int = 0, laws: Iterable[str] = ()
) -> Iterator[LawCheck]:
    """List what there is to check, with the documents to check it by.

    Raises: Invalid (`law`) for a law that there is not, Missing (`conversion-way`).
    """
    chosen = list(laws) or list(ALL_LAWS)
    if unknown := [name for name in chosen if name not in ALL_LAWS]:
        raise Invalid(f"There is no law {unknown[0]}.", code="law", remedy=f"One of {', '.join(ALL_LAWS)}.")
    recorded = recorded_documents(compiled)
    for _, routes in compiled.ways():
        for converter in routes:
            if converter.target_type is None:
                continue
            about, source, target = converter.source_type, converter.source.version, converter.target.version
            cases = list(_cases(converter, count, seed, recorded.get((source, about), [])))
            if len(routes) > 1:
                about = f"{about} → {converter.target_type}"
            yield from (LawCheck(name, about, source, target, cases) for name in chosen if name in TYPE_LAWS)
    for method in method_ways(compiled):
        cases = method_cases(method, count, seed)
        place = method.method.name, method.source.version, method.target.version
        yield from (LawCheck(name, *place, cases) for name in chosen if cases and name in METHOD_LAWS)


def _cases(
    converter: TypeConverter, count: int, seed: int, recorded: list[tuple[str, JsonObject]]
) -> Iterator[Case]:
    resource = converter.source.resource(converter.source_type)
    for index, (name, document) in enumerate(recorded):
        yield Case(converter, name, document, index)
    for index in range(seed, seed + count):
        name, document = Exemplars(converter.source, index).resource(resource)
        document = of_the_part(converter, document, index)
        seen = _seen_name(converter, index) if index % 4 and converter.name(name) is None else None
        if seen is not None:
            document = (
                {**document, resource.name_field: seen} if resource.name_field in document else document
            )
        yield Case(converter, seen or name, document, index)


def _seen_name(converter: TypeConverter, seed: int) -> str | None:
    """Make a name that has an image: that of a name of the other version; most documents should not be hidden."""
    there = converter.target.resource(converter.target_type or "")
    return converter.old_name(Exemplars(converter.target, seed).name(there))


def _check(name: str, law: Law, cases: Sequence[Case], about: tuple[str, str, str]) -> LawResult:
    source, target, resource_type = about
    hidden = 0
    for index, case in enumerate(cases):
        found = _broken(law, case)
        if found is None or found is HIDDEN:
            hidden += found is HIDDEN
            continue
        small = replace(case, document=shrunk(case.document, lambda given: _fails(law, case, given)))  # noqa: B023
        broken = _broken(law, small)
        assert broken is not None
        failure = Failure(
            name,
            broken.message,
            resource_type,
            source,
            target,
            case.seed,
            case.name,
            small.document,
            broken.expected,
            broken.actual,
        )
        return LawResult(name, resource_type, source, target, index + 1, failure)
    return LawResult(name, resource_type, source, target, len(cases), hidden=hidden)


def _fails(law: Law, case: Case, document: JsonObject) -> bool:
    return _broken(law, replace(case, document=document)) not in (None, HIDDEN)


def _broken(law: Law, case: Case) -> LawViolation | None:
    try:
        return law(case)
    except NoImage:
        return HIDDEN  # by declaration: there is nothing to compare
    except Exception as error:  # a law is also broken by a conversion that fails
        return LawViolation("L11", f"{type(error).__name__}: {error}", case.document, {})


def recorded_documents(compiled: CompiledService) -> dict[tuple[str, str], list[tuple[str, JsonObject]]]:
    """Read the documents that a folder carries: `recorded/<version>/<Type>/*.json` with `name` and `body`."""
    found: dict[tuple[str, str], list[tuple[str, JsonObject]]] = {}
    for path, data in compiled.folder.files.items():
        parts = path.removeprefix(RECORDED).split("/")
        if not path.startswith(RECORDED) or len(parts) != 3 or not path.endswith(".json"):
            continue
        read = decode(data)
        name, body = (read.get("name"), read.get("body")) if isinstance(read, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(body, dict):
            raise Invalid(f"{path} is no recorded document.", remedy="Write {name: …, body: {…}}.")
        found.setdefault((parts[0], parts[1]), []).append((name, body))
    return found
