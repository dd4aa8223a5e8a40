"""Words everyone uses: errors, JSON, the clock."""
