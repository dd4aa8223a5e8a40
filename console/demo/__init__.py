"""The demo: the main job, headless, on published definitions and under live writes, with a report."""
