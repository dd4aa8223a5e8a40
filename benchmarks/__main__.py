"""Runs the benchmarks, one after another on an otherwise idle machine: `python -m benchmarks [name …] [--option …]`.

Options go to the one benchmark that is named before them. What each prints is shown and kept in `benchmarks/results/`, with the machine it was measured on.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from console.embedded.postgres import Postgres
from console.env import ROOT

RESULTS = ROOT / "benchmarks" / "results"
NAMES = (
    "conversion",
    "proposals",
    "storage",
    "logs",
    "constraints",
    "read_copies",
    "resources",
    "methods",
    "usage",
    "evidence",
    "copying",
    "switch",
    "resume",
    "live",
    "idle",
    "product",
    "starvation",
    "registry",
    "frontend",
)


@contextmanager
def arguments(name: str) -> Iterator[list[str]]:
    """Give a benchmark what it needs; some get a server of their own, with fsync on."""
    if name not in ("storage", "logs", "constraints", "read_copies", "usage", "evidence"):
        yield []
        return
    with tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder:
        postgres = Postgres(Path(folder) / "postgres")
        postgres.create()
        child = postgres.start(Path(folder) / "postgres.log")
        try:
            postgres.wait_ready(child)
            size = ["--resources", "200000"] if name == "storage" else []
            yield ["--url", postgres.url("postgres"), *size]
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()


def run(name: str, *options: str) -> bool:
    """Run one benchmark and keep what it says; tell whether it ended well."""
    print(f"\n━━ {name} " + "━" * (70 - len(name)), flush=True)
    began = time.monotonic()
    with arguments(name) as given:
        command = [sys.executable, "-m", f"benchmarks.{name}", *given, *options]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    kept = {
        "benchmark": name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - began, 1),
        "machine": {
            "processors": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        "load_at_the_end": os.getloadavg()[0],
        "said": _read(done.stdout),
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n")
    return done.returncode == 0


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text.splitlines()


def main() -> int:
    """Run those named, or all."""
    given = sys.argv[1:]
    if "--against" in given:
        return _against(given)
    first = next((place for place, word in enumerate(given) if word.startswith("-")), len(given))
    wanted, options = given[:first] or list(NAMES), given[first:]
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}; choose from: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    if options and len(wanted) != 1:
        print("Options go to one benchmark: name it before them.", file=sys.stderr)
        return 2
    failed = [name for name in wanted if not run(name, *options)]
    if failed:
        print(f"\nFailed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def _against(given: list[str]) -> int:
    """Compare with another commit: `--against COMMIT`, and `--rounds N` for another number than three."""
    from benchmarks.against import DEMO, compare

    words, values = [], {"--against": "", "--rounds": "3"}
    rest = iter(given)
    for word in rest:
        if word in values:
            values[word] = next(rest, "")
        else:
            words.append(word)
    first = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    names, options = words[:first], words[first:]
    if not names or not values["--against"] or not values["--rounds"].isdigit() or {*names} - {*NAMES, DEMO}:
        print("Name benchmarks, a commit, and rounds: switch --against main~20 --rounds 3.", file=sys.stderr)
        return 2
    return 0 if compare(names, options, values["--against"], int(values["--rounds"])) else 1


if __name__ == "__main__":
    sys.exit(main())
