"""Load on a real server over loopback: what it does at and beyond its limits. See ``--help``."""
