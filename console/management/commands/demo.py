"""`manage.py demo`: the main job from beginning to end, on an installation of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from console.demo.stand import DidNotStart, environment, stand
from console.embedded.commands import COMMAND
from console.env import FILES, ROOT


class Command(BaseCommand):
    """Bring an installation up, play the story on it, take it down; exit code 1 if anything was lost."""

    help = "Migrate a service under live writes, switch, roll back, switch again; prints a report."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what can be asked for."""
        parser.add_argument("--example", default="cloud-tasks", help="a folder of examples/, or a path")
        parser.add_argument("--resources", type=int, default=50_000)
        parser.add_argument("--writes-per-second", type=float, default=200.0)
        parser.add_argument("--source", default="", help="the version to start from; the first when left out")
        parser.add_argument("--target", default="", help="the version to go to; the second when left out")
        parser.add_argument("--json", dest="report", default="", help="where to write the report as JSON")
        parser.add_argument("--inside", default="", help="play on the installation in this folder")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play inside when told where; else bring an installation up around another process that does."""
        if options["inside"]:
            self._play(options)
            return
        with tempfile.TemporaryDirectory(prefix="switchyard-demo-") as folder:
            home = Path(folder)
            self.stdout.write("  Bringing up PostgreSQL, Valkey, web, workers and beat …")
            try:
                with stand(home):
                    again = [
                        *COMMAND,
                        "demo",
                        *sys.argv[2:],
                        "--inside",
                        folder,
                    ]
                    code = subprocess.run(again, env=environment(home), cwd=ROOT, check=False).returncode
            except DidNotStart as error:
                self.stderr.write(f"switchyard: {error}")
                raise SystemExit(1) from None
        if code:
            raise SystemExit(code)

    def _play(self, options: dict[str, Any]) -> None:
        # The story needs the installation's settings, which are read when Django starts: hence only here.
        from console.demo.people import Impatient
        from console.demo.report import as_json, show
        from console.demo.story import DemoOptions, Story

        wanted = DemoOptions(
            home=Path(options["inside"]),
            example=_folder(options["example"]),
            resources=options["resources"],
            writes_per_second=options["writes_per_second"],
            source=options["source"],
            target=options["target"],
        )
        try:
            told = Story(wanted).play()
        except Impatient as error:
            self.stderr.write(f"  It did not go on: {error}")
            raise SystemExit(1) from None
        show(told)
        if options["report"]:
            Path(options["report"]).write_text(json.dumps(as_json(told), indent=2) + "\n")
        if not told.clean:
            raise SystemExit(1)


def _folder(example: str) -> Path:
    known = FILES / "examples" / example
    return known if known.is_dir() else Path(example).resolve()
