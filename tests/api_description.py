"""docs/reference/openapi.yaml, parsed once for all processes that run tests: its two megabytes take seconds to parse.

What was parsed is kept as JSON, under a name that tells what it was parsed from.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from typing import Any

import yaml

from console.env import ROOT
from tests.migrated import is_unused, kept_for_runs

DOCUMENT = ROOT / "docs/reference/openapi.yaml"


@cache
def api_description() -> Any:
    """Give the document; nothing may be changed in it."""
    source = DOCUMENT.read_bytes()
    with kept_for_runs() as folder:
        parsed = folder / f"openapi_{hashlib.sha256(source).hexdigest()[:16]}.json"
        if not parsed.exists():
            for each in folder.glob("openapi_*"):
                if is_unused(each):
                    each.unlink()
            half = parsed.with_suffix(".half")
            half.write_text(json.dumps(yaml.load(source, yaml.CSafeLoader)))
            half.rename(parsed)
        os.utime(parsed)
        return json.loads(parsed.read_bytes())
