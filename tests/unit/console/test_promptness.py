"""What `swy` brings along before it does anything."""

from __future__ import annotations

import subprocess
import sys

LOADED = "import sys, console.cli.main; print(*sorted(sys.modules), sep='\\n')"


def test_commands_that_need_no_definitions_do_not_wait_for_the_machinery_of_conversions() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True).stdout
    modules = loaded.splitlines()
    assert "console.cli.upgrade" in modules
    assert [each for each in modules if each.startswith(("migrations_app.domain", "django"))] == []
