"""A pytest plugin: the laws and goldens of service folders as tests.

`pytest -p console.pytest_laws --switchyard-service FOLDER`; where Switchyard is installed, pytest finds it itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from console.cli.schema import hooks_of
from migrations_app.domain.conversion.laws.check_report import failure_lines, golden_lines
from migrations_app.domain.conversion.laws.goldens import Golden, goldens
from migrations_app.domain.conversion.laws.verify import LawCheck, checks
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.errors import SwitchyardError


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("switchyard", "laws of service folders")
    group.addoption(
        "--switchyard-service", action="append", default=[], metavar="FOLDER", help="A service folder."
    )
    group.addoption(
        "--switchyard-import", action="append", default=[], metavar="FOLDER", help="One it refers to."
    )
    group.addoption(
        "--switchyard-hooks", metavar="FILE", help="A Python file with HOOKS, the code that edges call."
    )
    group.addoption(
        "--switchyard-documents", type=int, default=100, metavar="N", help="Documents for each law."
    )
    group.addoption("--switchyard-seed", type=int, default=0, metavar="N", help="Where the documents begin.")
    group.addoption(
        "--switchyard-accept", action="store_true", help="Take the present conversions as goldens."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect the folders named, instead of the default places when nothing else is."""
    folders = [str(Path(each) / "service.yaml") for each in config.getoption("--switchyard-service")]
    if folders:
        given = config.args if config.args_source is pytest.Config.ArgsSource.ARGS else []
        config.args = [*given, *folders]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the `service.yaml` of a folder that was named."""
    named = [Path(each).resolve() for each in parent.config.getoption("--switchyard-service")]
    if file_path.name == "service.yaml" and file_path.parent.resolve() in named:
        return ServiceFile.from_parent(parent, path=file_path)
    return None


class ServiceFile(pytest.File):
    """A service folder: one test for each law, type and pair of versions, and one for each golden."""

    def collect(self) -> Iterator[pytest.Item]:
        """Compile the folder and list what there is to check."""
        option = self.config.getoption
        try:
            compiled = self._compiled()
            for check in checks(
                compiled, count=option("--switchyard-documents"), seed=option("--switchyard-seed")
            ):
                yield LawItem.from_parent(self, name=check.title, check=check)
            for golden in goldens(compiled):
                yield GoldenItem.from_parent(self, name=golden.path, golden=golden)
        except SwitchyardError as error:
            raise self.CollectError(str(error)) from error

    def _compiled(self) -> CompiledService:
        imports = [
            compile_service(read_folder(Path(each))) for each in self.config.getoption("--switchyard-import")
        ]
        hooks = self.config.getoption("--switchyard-hooks")
        return compile_service(
            read_folder(self.path.parent),
            {each.service: each for each in imports},
            hooks_of(Path(hooks) if hooks else None),
        )


class LawFailure(AssertionError):
    """A law or a golden that does not hold, with the lines that tell how."""


class _Item(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: object) -> str:
        """Show what was lost, not where the plugin noticed it."""
        if isinstance(excinfo.value, LawFailure):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the test as the folder knows it."""
        return self.path, None, self.name


class LawItem(_Item):
    """One law of one resource type and one ordered pair of versions."""

    def __init__(self, *, check: LawCheck, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.check = check

    def runtest(self) -> None:
        """Check the law over all documents."""
        failure = self.check.run_alone().failure
        if failure:
            raise LawFailure("\n".join(failure_lines(failure)))


class GoldenItem(_Item):
    """What a released conversion made of fixed documents, byte for byte."""

    def __init__(self, *, golden: Golden, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.golden = golden

    def runtest(self) -> None:
        """Compare with what was accepted, or accept it now."""
        if self.config.getoption("--switchyard-accept"):
            kept = self.path.parent / self.golden.path
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(self.golden.made)
        elif self.golden.kept is not None and not self.golden.is_same:
            raise LawFailure("\n".join(golden_lines(self.golden)))
