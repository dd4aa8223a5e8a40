"""Laws of one type are checked over the same documents: what they share is never changed, and one alone says the same."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from migrations_app.domain.conversion.laws import verify as module
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.verify import TYPE_LAWS, checks
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import canonical

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module", params=["secrets", "delivery"])
def compiled(request: pytest.FixtureRequest) -> CompiledService:
    return compile_service(read_folder(EXAMPLES / request.param))


def shared(case: Case) -> bytes:
    return canonical([case.document, case.made.body, *case.shown, case.returned.body, case.other])


def test_no_law_changes_what_the_others_are_checked_by(compiled: CompiledService) -> None:
    looked_at = 0
    for check in checks(compiled, count=5):
        if check.law != "L1":
            continue
        for case in check.run_of.cases():
            try:
                before = shared(case)
            except NoImage:
                continue
            for name, law in TYPE_LAWS.items():
                with suppress(NoImage):
                    law(case)
                assert shared(case) == before, name
            looked_at += 1
    assert looked_at > 20


def test_a_law_alone_has_the_result_it_has_beside_the_others(
    compiled: CompiledService, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One law that breaks at some documents, so that results differ.
    broken = {**module.ALL_LAWS, "L2": lambda case: module.HIDDEN if case.seed % 3 else None}
    monkeypatch.setattr(module, "ALL_LAWS", broken)
    listed = list(checks(compiled, count=6))

    together = [each.run() for each in listed]
    assert [each.run_alone() for each in listed] == together
    assert {each.hidden for each in together if each.law == "L2"} >= {4}
