"""Prints the measures of how the code is organised: `python -m tests.structure [--names]`."""

from __future__ import annotations

import sys

from tests.structure.table import measures, written

print(written(measures(), names="--names" in sys.argv[1:]))
