"""Logs tell where an error arose, and never what the variables held."""

from __future__ import annotations

import io
import logging

import pytest

from console.logging import logging_config


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_traceback_names_the_place_and_no_values(form: str) -> None:
    config = logging_config(form, "INFO")
    shape = config["formatters"]["line"]
    formatter = shape["()"](processors=shape["processors"], foreign_pre_chain=shape["foreign_pre_chain"])
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    log = logging.Logger("probe")
    log.addHandler(handler)

    def fail(password: str) -> None:
        raise ValueError("no good")

    try:
        fail("".join(("canary", "-1234")))
    except ValueError:
        log.exception("it failed")
    assert "ValueError: no good" in out.getvalue()
    assert "test_logs.py" in out.getvalue()
    assert "canary-1234" not in out.getvalue()
