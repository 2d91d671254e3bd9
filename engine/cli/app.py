"""The commands and their options. What they do is imported when they do it, so that ``--help`` is quick."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from engine.cli.game_commands import audit, play, replay
from engine.cli.options import MAX_SECONDS, Seconds

_F = TypeVar("_F", bound=Callable[..., Any])

INTERRUPTED = 130
BROKEN_PIPE = 141

_EXIT_CODES = """
\b
Exit codes:
  0  every line is answered: proved, or legal
  1  findings: an answer that is not proved, a run that is not legal
  2  bad input, or a line without an answer
"""


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


for _command in (audit, play, replay):
    trunkline.add_command(_command)


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


@trunkline.command(short_help="Run the gRPC server.")
@click.option("--config", metavar="FILE", help="Read settings from FILE, in TOML.")
@click.option("--print-config", is_flag=True, help="Print the settings in effect and exit.")
@click.option("--host", help="Address to listen on; by default 127.0.0.1.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0: any free one. By default 50051."
)
@click.option(
    "--plaintext",
    is_flag=True,
    default=None,
    help="Speak without TLS on an address that other machines can reach.",
)
@click.option("--tls-cert", metavar="FILE", help="The server's certificate chain, in PEM.")
@click.option("--tls-key", metavar="FILE", help="The key of the certificate, in PEM.")
@click.option("--tls-client-ca", metavar="FILE", help="Let in only clients that these authorities vouch for.")
@click.option("--tokens", metavar="FILE", help="Let in only callers whose tokens FILE names.")
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Processes that search; by default two per core.",
)
@click.option(
    "--max-calls",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Calls accepted at a time, running and waiting; by default 512.",
)
@click.option(
    "--max-message-bytes",
    type=click.IntRange(1, 2**31 - 1),
    metavar="N",
    help="Largest request and answer; by default 8 MiB.",
)
@click.option(
    "--max-time-limit",
    type=Seconds(0, MAX_SECONDS, min_open=True),
    metavar="SECONDS",
    help="Longest search; by default 60.",
)
@click.option(
    "--max-memory-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Memory that a search may take; by default 1 GiB.",
)
@click.option(
    "--cache-bytes",
    type=click.IntRange(0),
    metavar="N",
    help="Memory for answers that may be asked for again; by default 64 MiB.",
)
@click.option(
    "--grace",
    type=Seconds(0, MAX_SECONDS),
    metavar="SECONDS",
    help="Time for running calls once the server is told to stop; by default 10.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve metrics over HTTP on this port.",
)
@click.option("--reflection", is_flag=True, default=None, help="Let tools ask what can be called.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="What to log; info, the default: each call.",
)
def serve(config: str | None, *, print_config: bool, **options: Any) -> int:
    """Run the gRPC server until SIGTERM or SIGINT.

    It offers router.v1.RouterService for route problems of any title, engine.v1.GameService for positions,
    and health checks. There are more settings than options: each may stand in FILE, or in the environment as
    TRUNKLINE_SERVE_ and its name; docs/operate.md has them all.
    """
    from engine.cli.serving import run_server

    return run_server(config, options, print_config)


@trunkline.command(short_help="Compile the kernels of the solver.")
@_format_option
def warm(as_json: bool | None) -> int:
    """Compile the kernels of the solver, so that the first answer of later processes comes soon."""
    from engine.cli.doctor import warm_up

    return warm_up(as_json)


@trunkline.command()
@click.option("--config", metavar="FILE", help="Look at the settings of a server in FILE, too.")
@click.option("--server", metavar="ADDRESS", help="Ask the server at HOST:PORT whether it is SERVING, too.")
@_format_option
def doctor(config: str | None, server: str | None, as_json: bool | None) -> int:
    """Tell what is installed, and try whether it works.

    Looks at the settings of a server too: those of the environment, and of FILE. Exit code 1 if something
    does not work.
    """
    from engine.cli.doctor import examine

    return examine(as_json, config, server)
