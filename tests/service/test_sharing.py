"""The same question is answered once, with the same bytes wherever the answer comes from."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import grpc
import pytest
from service_support import REGISTRARS, config, wait_until

import samples
from engine import convert as engine_convert
from engine.answer import PositionSolution
from engine.position import Position
from engine.solving import solve_position
from engine.v1 import game_service_pb2 as games
from router import convert
from router.client import local
from router.service import statuses
from router.service.envelopes import Envelope
from router.service.server import Server, running
from router.service.sharing import CACHE, SHARED, WORKER, Cache, Desk
from router.service.tickets import Ticket
from router.service.worker import Frame
from router.v1 import router_service_pb2 as pb
from support import PROJECT, read_jsonl

SOLVE = Envelope(pb.SolveRoutesRequest, "routes", 1)
STREAM = Envelope(pb.StreamSolveRoutesRequest, "routes", 4)
POSITIONS = [line for line in read_jsonl(PROJECT / "examples" / "demo.jsonl") if "position" in line]
HARD = convert.problem_to_proto(samples.grid(7, 3, 20))


@pytest.fixture(scope="module")
def fresh() -> Iterator[Server]:
    with running(config(), REGISTRARS) as found:
        yield found


def request(line: dict[str, object], id: str = "") -> games.SolvePositionRequest:
    position = Position.from_json(line["position"])  # type: ignore[arg-type]
    return games.SolvePositionRequest(id=id, position=engine_convert.position_to_proto(position))


def solve(channel: grpc.Channel, payload: bytes, stream: bool = False) -> bytes:
    if stream:
        method = channel.unary_stream("/engine.v1.GameService/StreamSolvePosition")
        *_, last = method(payload, timeout=60)
        final = games.StreamSolvePositionResponse.FromString(last).final
        again = games.StreamSolvePositionResponse(final=final).SerializeToString(deterministic=True)
        assert again == last
        return games.SolvePositionResponse(solution=final).SerializeToString(deterministic=True)
    answer: bytes = channel.unary_unary("/engine.v1.GameService/SolvePosition")(payload, timeout=60)
    return answer


def wire(solution: PositionSolution) -> bytes:
    response = games.SolvePositionResponse(solution=engine_convert.solution_to_proto(solution))
    return bytes(response.SerializeToString(deterministic=True))


@pytest.mark.parametrize("line", POSITIONS, ids=lambda it: str(it["id"]))
def test_library_worker_stream_and_cache_give_the_same_bytes(fresh: Server, line: dict[str, object]) -> None:
    payload = request(line, "an id").SerializeToString()
    expected = wire(solve_position(Position.from_json(line["position"]), id="an id"))  # type: ignore[arg-type]
    served = fresh.context.desk.served
    with grpc.insecure_channel(fresh.address) as channel:
        assert solve(channel, payload, stream=True) == expected
        before = served[CACHE]
        assert solve(channel, payload) == expected
        assert served[CACHE] == before + 1
        assert solve(channel, payload, stream=True) == expected
        assert (
            solve(channel, request(line, "b").SerializeToString()) == expected.replace(b"an id", b"b")
            or solve(channel, request(line, "an id").SerializeToString()) == expected
        )


def test_command_line_gives_the_same_answers(fresh: Server, tmp_path: object) -> None:
    command = [sys.executable, "-m", "engine.cli", "solve", "examples/demo.jsonl"]
    outputs = [
        subprocess.run([*command, *more], cwd=PROJECT, capture_output=True, check=True).stdout
        for more in ((), ("--server", fresh.address))
    ]
    assert outputs[0] == outputs[1]
    lines = {it["id"]: it for it in map(json.loads, outputs[0].splitlines())}
    for line in POSITIONS:
        solution = solve_position(Position.from_json(line["position"]), id=line["id"])
        document = solution.to_json()
        document["stats"] = dict(sorted(document["stats"].items()))  # type: ignore[attr-defined]
        assert lines[line["id"]] == json.loads(json.dumps(document))


def test_every_worker_gives_the_same_bytes() -> None:
    payload = request(POSITIONS[-1]).SerializeToString()
    with (
        running(config(cache_bytes=0, workers=3), REGISTRARS) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        call = channel.unary_unary("/engine.v1.GameService/SolvePosition")
        # different numbers of alternatives so that nothing is shared and all workers are needed at once
        answers = {call(payload, timeout=60) for _ in range(6)}
        assert len(answers) == 1


def test_identical_requests_in_flight_are_one_search(fresh: Server) -> None:
    ask = pb.SolveRoutesRequest(problem=HARD)
    ask.time_limit.FromMilliseconds(700)
    served = fresh.context.desk.served
    before = dict(served)
    with grpc.insecure_channel(fresh.address) as channel:
        call = channel.unary_unary("/router.v1.RouterService/SolveRoutes")
        calls = []
        for number in range(6):
            ask.id = f"c{number}"
            calls.append(call.future(ask.SerializeToString(), timeout=60))
            time.sleep(0.01)
        answers = [pb.SolveRoutesResponse.FromString(it.result()).solution for it in calls]
    assert [it.id for it in answers] == [f"c{number}" for number in range(6)]
    assert len({(it.revenue, it.bound) for it in answers}) == 1
    assert served[WORKER] == before.get(WORKER, 0) + 1
    assert served[SHARED] == before.get(SHARED, 0) + 5


def test_a_leader_that_leaves_does_not_take_the_answer_along(fresh: Server) -> None:
    problem = convert.problem_to_proto(samples.grid(6, 3, 11))
    payload = pb.SolveRoutesRequest(problem=problem, expansion_limit=3_000_000).SerializeToString()
    with grpc.insecure_channel(fresh.address) as channel:
        call = channel.unary_unary("/router.v1.RouterService/SolveRoutes")
        leader = call.future(payload, timeout=60)
        time.sleep(0.05)
        follower = call.future(payload, timeout=60)
        time.sleep(0.05)
        leader.cancel()
        assert pb.SolveRoutesResponse.FromString(follower.result()).solution.revenue > 0


# the parts


def test_seal_writes_what_protobuf_writes() -> None:
    for id in ("", "a", "ü" * 70, "x" * 300):
        problem = samples.line()
        solution = local().solve(problem)
        body = convert.solution_to_proto(solution).SerializeToString(deterministic=True)
        whole = convert.solution_to_proto(solution, id)
        assert SOLVE.seal(body, id) == pb.SolveRoutesResponse(solution=whole).SerializeToString(
            deterministic=True
        )
        assert STREAM.seal(body, id) == pb.StreamSolveRoutesResponse(final=whole).SerializeToString(
            deterministic=True
        )


def test_key_depends_on_the_question_alone() -> None:
    ask = pb.SolveRoutesRequest(id="1", problem=convert.problem_to_proto(samples.line()))
    key = SOLVE.open(ask.SerializeToString()).key
    ask.id = "2"
    ask.time_limit.FromSeconds(3)
    letter = SOLVE.open(ask.SerializeToString())
    assert (letter.key, letter.id, letter.seconds) == (key, "2", 3.0)
    assert STREAM.open(ask.SerializeToString()).key == key
    assert Envelope(pb.SolveRoutesRequest, "other", 1).open(ask.SerializeToString()).key != key
    ask.alternatives = 1
    assert SOLVE.open(ask.SerializeToString()).key != key


def test_cache_is_bounded_and_forgets_the_oldest() -> None:
    cache = Cache(20_000)
    for number in range(100):
        cache.put(b"%d" % number, Frame(1, b"x" * 1000, settled=True))
        assert cache.get(b"0") is not None or number == 0
        assert cache.size <= 20_000
    assert cache.get(b"1") is None
    assert cache.get(b"99") is not None
    assert 10 < len(cache) < 20
    cache.put(b"large", Frame(1, b"x" * 10_000, settled=True))
    assert cache.get(b"large") is None


class Caller:
    def __init__(self) -> None:
        self.actions: list[object] = []

    def on_leave(self, action: object) -> None:
        self.actions.append(action)

    def leave(self) -> None:
        for action in self.actions:
            action()  # type: ignore[operator]


def test_only_settled_answers_are_kept() -> None:
    desk = Desk(1_000_000)
    for settled, searches in ((False, 2), (True, 1)):
        count = 0

        def search(_: Ticket, settled: bool = settled) -> Frame:
            nonlocal count
            count += 1
            return Frame(1, b"answer", settled=settled)

        for _ in range(2):
            frame, _source = desk.answer(b"%d" % settled, Ticket(5), Caller(), search)
            assert frame.payload == b"answer"
        assert count == searches


def test_follower_with_much_time_left_searches_again() -> None:
    """An unproved answer of a call in a hurry is not good enough for one that is not."""
    desk = Desk(0)
    go = threading.Event()
    sources: list[str] = []

    def slow(_: Ticket) -> Frame:
        go.wait(20)
        return Frame(1, b"hasty")

    def lead() -> None:
        sources.append(desk.answer(b"k", Ticket(1), Caller(), slow)[1])

    def follow() -> None:
        frame, source = desk.answer(b"k", Ticket(1000), Caller(), lambda _: Frame(1, b"thorough"))
        sources.append(source + frame.payload.decode())

    threads = [threading.Thread(target=it) for it in (lead, follow)]
    threads[0].start()
    wait_until(lambda: bool(desk._flights))
    threads[1].start()
    wait_until(lambda: desk._flights[b"k"].members == 2)
    go.set()
    for thread in threads:
        thread.join(20)
    assert sorted(sources) == [WORKER, WORKER + "thorough"]


@pytest.mark.parametrize(
    "failure", [statuses.lost("lost"), statuses.full(1.0, "no worker in time"), statuses.too_late()]
)
def test_follower_of_a_call_without_luck_searches_once_itself(failure: statuses.Refused) -> None:
    desk = Desk(0)
    searches: list[int] = []
    results: list[str] = []
    go = threading.Event()

    def search(_: Ticket) -> Frame:
        searches.append(1)
        if len(searches) == 1:
            go.wait(20)
            raise failure
        return Frame(1, b"answer", settled=True)

    def ask() -> None:
        try:
            results.append(desk.answer(b"k", Ticket(5), Caller(), search)[0].payload.decode())
        except statuses.Refused as error:
            results.append(statuses.reason(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    threads[0].start()
    wait_until(lambda: bool(desk._flights))
    for thread in threads[1:]:
        thread.start()
    wait_until(lambda: desk._flights[b"k"].members == 4)
    go.set()
    for thread in threads:
        thread.join(20)
    assert sorted(results) == [statuses.reason(failure), "answer", "answer", "answer"]
    assert desk.sharing == 0
    assert len(searches) <= 4


def test_failures_are_shared_and_everybody_leaving_stops_the_search() -> None:
    desk = Desk(0)
    callers = [Caller(), Caller()]
    tickets = [Ticket(5), Ticket(5)]
    failures: list[BaseException] = []

    def search(ticket: Ticket) -> Frame:
        wait_until(lambda: ticket.cancelled_at is not None)
        raise statuses.cancelled()

    def ask(number: int) -> None:
        try:
            desk.answer(b"k", tickets[number], callers[number], search)
        except statuses.Refused as error:
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    threads[0].start()
    wait_until(lambda: bool(desk._flights))
    threads[1].start()
    wait_until(lambda: desk._flights[b"k"].members == 2)
    callers[0].leave()
    time.sleep(0.1)
    assert tickets[0].cancelled_at is None
    callers[1].leave()
    for thread in threads:
        thread.join(20)
    assert len(failures) == 2
    assert not desk._flights
