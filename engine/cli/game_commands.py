"""The commands about whole games and their options. What they do is imported when they do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine.cli.options import MAX_SECONDS, Seconds

_F = TypeVar("_F", bound=Callable[..., Any])

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


def _report_option(command: _F) -> _F:
    return click.option("--json/--table", "as_json", help="One line of JSON instead of a table.")(command)


@click.command(epilog=_REPLAY_CODES, short_help="Replay a recorded game.")
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


@click.command(short_help="Let a bot play a whole game.")
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


@click.command(epilog=_AUDIT_CODES, short_help="Audit the runs of recorded games.")
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
