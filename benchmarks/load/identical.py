"""The same request by every way there is: whether the answers are the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import grpc

from benchmarks.load.driver import METHOD
from benchmarks.load.target import target
from benchmarks.load.truth import proved, solve_here
from benchmarks.material import PROJECT
from engine.convert import solution_to_proto
from engine.position import Position
from engine.solving import solve_position
from engine.v1 import game_service_pb2 as pb

STREAM = "/engine.v1.GameService/StreamSolvePosition"
REPEATS = 4


def identical(calls: int, options: Sequence[str]) -> str:
    """Ask for positions through the library, server, stream, cache and command line; count what differs."""
    cases = proved(calls)
    differ: Counter[str] = Counter()
    with (
        target(*options, "--cache-bytes=0") as bare,
        target(*options) as cached,
        grpc.insecure_channel(bare.address) as fresh,
        grpc.insecure_channel(cached.address) as kept,
    ):
        for number, case in enumerate(cases):
            id = f"r{number}"
            payload = case.payload(id)
            expected = solve_here(payload)
            here = solution_to_proto(solve_position(Position.from_json(case.position), id=id))
            library = pb.SolvePositionResponse(solution=here).SerializeToString(deterministic=True)
            differ["library"] += library != expected
            # at the same time, so that several workers answer
            send = fresh.unary_unary(METHOD)
            for call in [send.future(payload, timeout=60) for _ in range(REPEATS)]:
                differ["server, several workers"] += call.result() != expected
            *_, last = fresh.unary_stream(STREAM)(payload, timeout=60)
            final = pb.StreamSolvePositionResponse.FromString(last).final
            response = pb.SolvePositionResponse(solution=final)
            differ["stream"] += response.SerializeToString(deterministic=True) != expected
            for _ in range(2):
                differ["cache"] += kept.unary_unary(METHOD)(payload, timeout=60) != expected
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "lines.jsonl"
            lines = [json.dumps({"id": f"r{at}", "position": case.position}) for at, case in enumerate(cases)]
            file.write_text("\n".join(lines))
            command = [sys.executable, "-m", "engine.cli", "solve", str(file), "--json"]
            local, remote = (
                subprocess.run([*command, *more], cwd=PROJECT, capture_output=True, check=True).stdout
                for more in ((), ("--server", cached.address))
            )
        differ["command line, here and over the server"] += local != remote
        for at, (case, line) in enumerate(zip(cases, local.splitlines(), strict=True)):
            document = solve_position(Position.from_json(case.position), id=f"r{at}").to_json()
            differ["command line"] += json.loads(line) != json.loads(json.dumps(document))
    return f"{len(cases)} positions; answers that differ from those of the library: {dict(differ)}"
