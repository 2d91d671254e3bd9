"""The parts of :mod:`router.check`: plain Python, sharing nothing with the search."""
