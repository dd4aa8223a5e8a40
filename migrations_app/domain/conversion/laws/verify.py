"""Checking all laws on a service: over generated and recorded documents, every type, every ordered pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.laws.asked import ASKED_LAWS
from migrations_app.domain.conversion.laws.cases import Case, ExampleDocuments, of_the_part
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import LAWS, Law, LawViolation
from migrations_app.domain.conversion.laws.methods import METHOD_LAWS, has_requests, method_cases, method_ways
from migrations_app.domain.conversion.laws.more import MORE_LAWS
from migrations_app.domain.conversion.laws.shrink import first_difference, shrunk
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject, decode
from migrations_app.kernel.messages import message

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
    run_of: LawRun

    @property
    def title(self) -> str:
        """What is checked, for people."""
        return f"{self.law} {self.resource_type} {self.source} → {self.target}"

    def run(self) -> LawResult:
        """Check until the first failure, which is then made small; the laws beside it are checked with it."""
        return self.run_of.result(self.law)

    def run_alone(self) -> LawResult:
        """Check this law only, as where other processes check those beside it."""
        return self.run_of.of(self.law).result(self.law)


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
        raise Invalid(
            message("There is no law {unknown}.", unknown=unknown[0]),
            code="law",
            remedy=message("One of {all_laws}.", all_laws=", ".join(ALL_LAWS)),
        )
    recorded = recorded_documents(compiled)
    for _, routes in compiled.ways():
        for converter in routes:
            if converter.target_type is None:
                continue
            about, source, target = converter.source_type, converter.source.version, converter.target.version
            cases = partial(_cases, converter, count, seed, recorded.get((source, about), []))
            if len(routes) > 1:
                about = f"{about} → {converter.target_type}"
            yield from _listed([name for name in chosen if name in TYPE_LAWS], (about, source, target), cases)
    for method in method_ways(compiled):
        if has_requests(method):
            place = method.method.name, method.source.version, method.target.version
            cases = partial(method_cases, method, count, seed)
            yield from _listed([name for name in chosen if name in METHOD_LAWS], place, cases)


def _listed(
    laws: Sequence[str], about: tuple[str, str, str], cases: Callable[[], Iterable[Case]]
) -> Iterator[LawCheck]:
    run = LawRun(laws, about, cases)
    return (LawCheck(name, *about, run) for name in laws)


def _cases(
    converter: TypeConverter, count: int, seed: int, recorded: list[tuple[str, JsonObject]]
) -> Iterator[Case]:
    resource = converter.source.resource(converter.source_type)
    examples = ExampleDocuments(converter)
    for index, (name, document) in enumerate(recorded):
        yield Case(converter, name, document, index, examples=examples)
    for index in range(seed, seed + count):
        name, document = examples.document(index)
        document = of_the_part(converter, document, index)
        seen = _seen_name(converter, index) if index % 4 and converter.name(name) is None else None
        if seen is not None:
            document = (
                {**document, resource.name_field: seen} if resource.name_field in document else document
            )
        yield Case(converter, seen or name, document, index, examples=examples)


def _seen_name(converter: TypeConverter, seed: int) -> str | None:
    """Make a name that has an image: that of a name of the other version; most documents should not be hidden."""
    there = converter.target.resource(converter.target_type or "")
    return converter.old_name(Exemplars(converter.target, seed).name(there))


class LawRun:
    """The laws of one type and one ordered pair of versions, run over the same documents, one after the other.

    What several laws ask of a document is computed once, and no document is kept.
    """

    def __init__(
        self, laws: Sequence[str], about: tuple[str, str, str], cases: Callable[[], Iterable[Case]]
    ) -> None:
        self._laws, self._about, self.cases = laws, about, cases
        self._results: dict[str, LawResult] = {}

    def result(self, law: str) -> LawResult:
        """Give the result of one of the laws; all of them are checked when the first is asked for."""
        if not self._results:
            self._results = self._run()
        return self._results[law]

    def of(self, law: str) -> LawRun:
        """Run one of the laws over the same documents."""
        return LawRun([law], self._about, self.cases)

    def _run(self) -> dict[str, LawResult]:
        resource_type, source, target = self._about
        found: dict[str, LawResult] = {}
        hidden: Counter[str] = Counter()
        running = {name: ALL_LAWS[name] for name in self._laws}
        documents = 0
        for documents, case in enumerate(self.cases(), start=1):
            for name, law in list(running.items()):
                broken = _broken(law, case)
                if broken is HIDDEN:
                    hidden[name] += 1
                elif broken is not None:
                    failure = _failure(name, law, case, self._about)
                    found[name] = LawResult(name, resource_type, source, target, documents, failure)
                    del running[name]
            if not running:
                break
        for name in running:
            found[name] = LawResult(name, resource_type, source, target, documents, hidden=hidden[name])
        return found


def _failure(name: str, law: Law, case: Case, about: tuple[str, str, str]) -> Failure:
    """Make the document smaller as long as it breaks the law."""
    resource_type, source, target = about
    small = replace(case, document=shrunk(case.document, lambda given: _fails(law, case, given)))
    broken = _broken(law, small)
    assert broken is not None
    place = (case.seed, case.name, small.document)
    return Failure(
        name, broken.message, resource_type, source, target, *place, broken.expected, broken.actual
    )


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
            raise Invalid(
                message("{path} is no recorded document.", path=path),
                remedy=message("Write {form}.", form="{name: …, body: {…}}"),
            )
        found.setdefault((parts[0], parts[1]), []).append((name, body))
    return found
