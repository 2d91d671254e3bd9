"""The commands and their options. What they do is imported when they do it, so that ``--help`` is quick."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

MAX_SECONDS = 1_000_000

INTERRUPTED = 130
BROKEN_PIPE = 141

_EXIT_CODES = """
\b
Exit codes:
  0  every line is answered: proved, or legal
  1  findings: an answer that is not proved, a run that is not legal
  2  bad input, or a line without an answer
"""

_REPLAY_CODES = """
\b
Exit codes:
  0  replayed; scores, end and trace are as told
  1  findings: a refused action, another result than recorded, a difference to the trace
  2  bad input, or a game that cannot be played
"""


_AUDIT_CODES = """
\b
Exit codes:
  0  audited; stored money right, every run legal and above the threshold
  1  findings: wrong money, a run that is not legal, a run that loses the threshold or more
  2  a file that is no record, a record with a refused action, nothing to audit
"""


class Seconds(click.FloatRange):
    """A number of seconds; what is no number at all lies in no range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        found = super().convert(value, param, ctx)
        return self.fail(f"{value!r} is not a valid number.", param, ctx) if math.isnan(found) else found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; no error gets through."""
    from engine.cli.output import CannotWrite, complain, silence_stdout

    try:
        # Not by ``main`` of click, which has views of its own on interrupts and broken pipes.
        given = list(sys.argv[1:] if arguments is None else arguments)
        with trunkline.make_context("trunkline", given) as context:
            code = trunkline.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        silence_stdout()
        return INTERRUPTED
    except BrokenPipeError:
        silence_stdout()
        return BROKEN_PIPE
    except CannotWrite as error:
        complain(f"cannot write the output: {error}")
        silence_stdout()
        return 2
    except Exception as error:
        complain(f"unexpected {type(error).__name__}: {error}")
        return 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trunkline", prog_name="trunkline", message="%(prog)s %(version)s")
def trunkline() -> None:
    """Find, and prove, the most lucrative train routes in 18xx board games."""


def _format_option(command: _F) -> _F:
    return click.option(
        "--json/--table",
        "as_json",
        default=None,
        help="Lines of JSON, or a table; by default a table on a terminal and JSON elsewhere.",
    )(command)


def _jobs_option(command: _F) -> _F:
    return click.option(
        "--jobs",
        type=click.IntRange(0, 1024),
        default=1,
        show_default=True,
        metavar="N",
        help="Worker processes for many lines; 0: one per core. Answers keep the order of the lines.",
    )(command)


@trunkline.command(epilog=_EXIT_CODES, short_help="Find the best routes of positions.")
@click.argument("file")
@click.option(
    "--objective",
    type=click.Choice(["revenue", "total"]),
    default="revenue",
    show_default=True,
    help="What to make as large as possible: revenue first and then subsidy, or their sum.",
)
@click.option(
    "--alternatives",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    metavar="N",
    help="List so many next best runs besides the best.",
)
@click.option(
    "--time-limit",
    type=Seconds(0, MAX_SECONDS, min_open=True),
    metavar="SECONDS",
    help="Give up a line after so many seconds; the answer is the best run so far and a bound.",
)
@click.option(
    "--server",
    metavar="ADDRESS",
    default="",
    help="Let the server at HOST:PORT search instead of this process.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Tell where the money comes from, in lines for people; with --json in the field explanation.",
)
@_jobs_option
@_format_option
def solve(
    file: str,
    *,
    objective: str,
    alternatives: int,
    time_limit: float | None,
    server: str,
    explain: bool,
    jobs: int,
    as_json: bool | None,
) -> int:
    """Find the best routes for each line of FILE, or of standard input if FILE is -.

    A line is a JSON object: {"id", "position"}, {"id", "problem"}, or a bare position or route problem. It
    may hold fixedRoutes (kept as given, the rest is optimised), objective, timeLimit and alternatives, which
    go before the options. A line that cannot be answered gives {"id", "error"}; the others are answered all
    the same.
    """
    from engine.cli.commands import answer_file
    from engine.cli.requests import Settings

    goal: Any = objective
    settings = Settings("solve", goal, alternatives, time_limit, server, explain)
    return answer_file(file, settings, jobs, as_json)


@trunkline.command(epilog=_EXIT_CODES, short_help="Judge and price given routes.")
@click.argument("file")
@_jobs_option
@_format_option
def check(file: str, jobs: int, as_json: bool | None) -> int:
    """Judge and price the routes in each line of FILE, or of standard input if FILE is -.

    A line is a JSON object {"id", "position", "routes"} or {"id", "problem", "routes"}. The answer tells
    whether the routes may run together, what they bring, and otherwise every rule they break.
    """
    from engine.cli.commands import answer_file
    from engine.cli.requests import Settings

    return answer_file(file, Settings("check"), jobs, as_json)


@trunkline.command("map", short_help="Draw a board with routes as SVG.")
@click.argument("position")
@click.option("--svg", is_flag=True, help="Draw SVG; the only form there is, and the default.")
@click.option(
    "--routes",
    type=click.Choice(["auto", "best", "given", "none"]),
    default="auto",
    show_default=True,
    help="Routes to draw: those of the line, the best ones, or none; auto: those of the line if there "
    "are any, else the best.",
)
@click.option("--id", "wanted", metavar="ID", help="Draw the line with this id; by default the first line.")
@click.option("--output", "-o", metavar="FILE", default="-", help="Write to FILE instead of standard output.")
@click.option(
    "--time-limit",
    type=Seconds(0, MAX_SECONDS, min_open=True),
    default=60.0,
    metavar="SECONDS",
    show_default=True,
    help="Search no longer than this for the best routes.",
)
def draw_map(
    position: str, *, svg: bool, routes: str, wanted: str | None, output: str, time_limit: float
) -> int:
    """Draw the board of a position, with routes, as SVG.

    POSITION is a file of lines as for solve or check, or - for standard input.
    """
    from engine.cli.mapping import draw_line

    return draw_line(position, routes, wanted, output, time_limit)


def _report_option(command: _F) -> _F:
    return click.option("--json/--table", "as_json", help="One line of JSON instead of a table.")(command)


@trunkline.command(epilog=_REPLAY_CODES, short_help="Replay a recorded game.")
@click.argument("game")
@click.option("--trace", metavar="OUT", help="Write the trace to OUT; compressed if the name ends in .gz.")
@click.option(
    "--to",
    type=click.IntRange(0),
    metavar="ACTION",
    help="Stop after the action with this id; 0: set-up only.",
)
@click.option(
    "--verify", metavar="TRACE", help="Compare the state after every action with TRACE, up to a difference."
)
@_report_option
def replay(game: str, *, trace: str | None, to: int | None, verify: str | None, as_json: bool) -> int:
    """Replay the recorded game in the file GAME, and print its result.

    GAME is a game as 18xx.games exports it, or - for standard input. Every action and every run is judged;
    where the record is believed against the rules, this is told. OUT may be -; then the trace is all that is
    printed.
    """
    from engine.cli.games import replay_game

    return replay_game(game, trace, to, verify, as_json)


@trunkline.command(short_help="Let a bot play a whole game.")
@click.option(
    "--bot",
    type=click.Choice(["random", "greedy", "careless"]),
    default="random",
    show_default=True,
    help="random: any legal action; greedy: what brings companies on; careless: the same, but not always "
    "with the best routes.",
)
@click.option("--game", required=True, metavar="NAME", help="The game to play, such as 1861.")
@click.option("--players", type=click.IntRange(1), default=4, show_default=True, metavar="N")
@click.option(
    "--option", "options", multiple=True, metavar="RULE", help="An optional rule; may be given several times."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Starts the draws of the game and those of the bot.",
)
@click.option("--out", metavar="FILE", help="Write the record to FILE; compressed if the name ends in .gz.")
@_report_option
def play(
    bot: str,
    *,
    game: str,
    players: int,
    options: tuple[str, ...],
    seed: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Let a bot play a whole game, with legal actions and best routes, and print its result.

    The record can be replayed. FILE may be -; then the record is all that is printed.
    """
    from engine.cli.games import play_game

    name: Any = bot
    return play_game(game, players=players, options=options, seed=seed, bot=name, out=out, as_json=as_json)


@trunkline.command(epilog=_AUDIT_CODES, short_help="Audit the runs of recorded games.")
@click.argument("paths", nargs=-1, required=True)
@click.option("--out", required=True, metavar="DIR", help="The folder of the audit; is made if need be.")
@click.option(
    "--jobs",
    type=click.IntRange(0, 1024),
    default=0,
    show_default=True,
    metavar="N",
    help="Worker processes; 0: one per core.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    default="",
    help="Use the workers of the dask.distributed scheduler at ADDRESS (needs trunkline[cluster]).",
)
@click.option(
    "--time-limit",
    type=Seconds(0, MAX_SECONDS, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Search no longer than this for the best of one run.",
)
@click.option(
    "--threshold",
    type=click.IntRange(1),
    metavar="MONEY",
    help="Exit with 1 if a run brings so much less than the best, or more.",
)
@click.option("--report/--no-report", default=True, show_default=True, help="Write pages of HTML.")
@click.option(
    "--json/--table", "as_json", help="A line of JSON for each run and one with the sums, not tables."
)
def audit(
    paths: tuple[str, ...],
    *,
    out: str,
    jobs: int,
    cluster: str,
    time_limit: float,
    threshold: int | None,
    report: bool,
    as_json: bool,
) -> int:
    """Find out, run by run, whether the companies in recorded games ran their best routes.

    PATHS are files of recorded games, or folders with such files. DIR gets Parquet files and a report. What
    DIR holds already of the same records, by the same code, is taken over, so that a command that was
    stopped goes on where it was.
    """
    from engine.cli.audits import Wishes, audit_games

    wishes = Wishes(jobs, cluster, time_limit, threshold, report, as_json)
    return audit_games(paths, out, wishes)


@trunkline.command(short_help="Run the gRPC server.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=50051,
    show_default=True,
    help="Port to listen on; 0: any free one.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Processes that search; by default one per core.",
)
@click.option(
    "--max-calls",
    type=click.IntRange(1, 1_000_000),
    default=256,
    show_default=True,
    metavar="N",
    help="Calls accepted at a time, running and waiting.",
)
@click.option(
    "--max-message-bytes",
    type=click.IntRange(1, 2**31 - 1),
    default=8 * 1024 * 1024,
    show_default=True,
    metavar="N",
    help="Largest request and answer.",
)
@click.option(
    "--max-time-limit",
    type=Seconds(0, MAX_SECONDS, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Longest search.",
)
@click.option(
    "--grace",
    type=Seconds(0, MAX_SECONDS),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for running calls once the server is told to stop.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve metrics over HTTP on this port.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What to log; info: each call.",
)
def serve(**settings: Any) -> int:
    """Run the gRPC server until SIGTERM or SIGINT.

    It offers router.v1.RouterService for route problems of any title and engine.v1.GameService for positions,
    with health checks and reflection.
    """
    from engine.cli.commands import run_server

    return run_server(settings)


@trunkline.command(short_help="Compile the kernels of the solver.")
@_format_option
def warm(as_json: bool | None) -> int:
    """Compile the kernels of the solver, so that the first answer of later processes comes soon."""
    from engine.cli.doctor import warm_up

    return warm_up(as_json)


@trunkline.command()
@_format_option
def doctor(as_json: bool | None) -> int:
    """Tell what is installed, and try whether it works.

    Exit code 1 if something does not.
    """
    from engine.cli.doctor import examine

    return examine(as_json)
