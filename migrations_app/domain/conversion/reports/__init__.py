"""Reports on conversions for people: what is lost, what happens step by step, what was served."""
