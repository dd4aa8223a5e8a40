"""Seeded fuzzers with a kept corpus: short in CI, long with `make fuzz`."""
