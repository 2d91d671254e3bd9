"""The parts of :mod:`router.validate`."""
