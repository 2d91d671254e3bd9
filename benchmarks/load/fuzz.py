"""Very many odd requests to a real server: what it answers, and what it holds afterwards."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import grpc

from benchmarks.load.target import target
from benchmarks.material import PROJECT

sys.path.append(str(PROJECT / "tests" / "fuzz"))

from answers import sent
from requests_made import KNOWN, request

CLIENTS = 8
PART = 500


def fuzz(calls: int, options: Sequence[str]) -> str:
    """Send so many requests and return what came of them."""
    codes: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    with target(*options) as found:

        def client(seed: int) -> None:
            source = random.Random(seed)
            with grpc.insecure_channel(found.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
                for _ in range(PART):
                    code, complaint = sent(channel, *request(source.randrange, KNOWN))
                    codes[code] += 1
                    wrong[complaint] += bool(complaint)

        parts = max(1, calls // PART)
        with ThreadPoolExecutor(CLIENTS) as threads:
            list(threads.map(client, range(parts // 10)))
            before = found.memory()
            list(threads.map(client, range(parts // 10, parts)))
        after = found.memory()
        lost = found.log.read_text().count('"worker ')
    told = {name: number for name, number in wrong.items() if number}
    return (
        f"{sum(codes.values())} requests, codes {dict(sorted(codes.items()))}\n"
        f"against the rules: {told or 'none'}; workers lost: {lost}\n"
        f"memory: {before / 1e6:.1f} MB after a tenth, {after / 1e6:.1f} MB at the end"
    )
