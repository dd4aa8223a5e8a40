"""Writes `switchyard_client/models` and `switchyard_client/operations`: `python -m client_generator [--check]`.

With --check nothing is written; what differs is named, and the exit code is 1.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from client_generator import methods, types
from client_generator.contract import read_contract

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reference" / "openapi.yaml"
TARGET = ROOT / "switchyard_client"
FOLDERS = ("models", "operations")


def write_client(target: Path) -> None:
    """Write both packages below a folder, formatted as everything else is."""
    contract = read_contract(yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader))
    files = {"models/__init__.py": types.index_module(contract)}
    files["operations/__init__.py"] = methods.index_module(contract)
    for module in sorted({*contract.modules.values()}):
        files[f"models/{module}.py"] = types.model_module(contract, module)
    for tag in methods.tags_of(contract):
        files[f"operations/{tag}.py"] = methods.method_module(contract, tag)
    for folder in FOLDERS:
        shutil.rmtree(target / folder, ignore_errors=True)
        (target / folder).mkdir()
    for name, text in files.items():
        (target / name).write_text(text)
    ruff = str(Path(sys.executable).parent / "ruff")
    settings = ["--config", str(ROOT / "pyproject.toml"), "-q"]
    written = [str(target / folder) for folder in FOLDERS]
    subprocess.run([ruff, "check", "--fix", "--exit-zero", *settings, *written], check=True)
    subprocess.run([ruff, "format", *settings, *written], check=True)


def differences() -> list[str]:
    """Name the files that are not as they would be written."""
    with tempfile.TemporaryDirectory(prefix="switchyard-client-") as folder:
        # The same name as in the repository: imports are sorted by what is ours.
        anew = Path(folder) / TARGET.name
        anew.mkdir()
        write_client(anew)
        kept, new = _texts(TARGET), _texts(anew)
    return sorted(name for name in kept.keys() | new.keys() if kept.get(name) != new.get(name))


def _texts(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for folder in FOLDERS
        for path in (root / folder).glob("*.py")
    }


def main() -> int:
    """Write, or compare."""
    if "--check" not in sys.argv[1:]:
        write_client(TARGET)
        return 0
    different = differences()
    for name in different:
        print(f"switchyard_client/{name} is not what docs/reference/openapi.yaml says: run `make openapi`.")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
