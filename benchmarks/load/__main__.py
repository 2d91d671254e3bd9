"""Command line of the load driver: ``python -m benchmarks.load levels``."""

from __future__ import annotations

import argparse

from benchmarks.load import cancel, chaos, deadlines, fuzz, identical, levels


def main() -> None:
    """Run what is asked for and print what it shows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    jobs = ("levels", "soak", "deadlines", "overhead", "chaos", "drain", "fuzz", "identical", "cancel")
    parser.add_argument("what", choices=jobs)
    parser.add_argument(
        "--parts", type=float, nargs="+", default=[0.5, 0.8, 1.0, 2.0], help="of the capacity"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="length of each run")
    parser.add_argument("--calls", type=int, default=2000, help="calls in all, or to measure the capacity by")
    parser.add_argument("--clients", type=int, default=4, help="clients that send calls with deadlines")
    parser.add_argument("--spread", choices=["even", "log"], default="even", help="how deadlines are spread")
    parser.add_argument("--option", action="append", default=[], help="of trunkline serve, as cache-bytes=0")
    given = parser.parse_args()
    options = [f"--{it}" for it in given.option]
    first, seconds, calls = given.parts[0], given.seconds, given.calls
    match given.what:
        case "levels":
            print(levels.levels(given.parts, seconds, calls, options))
        case "soak":
            print(levels.soak(first, seconds, calls, options))
        case "deadlines":
            print(deadlines.deadlines(calls, given.clients, given.spread, options))
        case "overhead":
            print(deadlines.overhead(calls, options))
        case "chaos":
            print(chaos.chaos(seconds, first, calls, options))
        case "fuzz":
            print(fuzz.fuzz(calls, options))
        case "identical":
            print(identical.identical(calls, options))
        case "cancel":
            print(cancel.cancel(calls))
        case "drain":
            print(chaos.drain(seconds, first, calls, options))


if __name__ == "__main__":
    main()
