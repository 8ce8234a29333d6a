"""The commands beside a single match: `simulate`, `arena` and `demo`."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from service.games.shelf import GAMES
from service.play import replay
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.simulate import make_plan
from service.play.workers import chosen_jobs
from service.shell.commands.completion import complete_bot
from service.shell.commands.session import (
    ALL_CORES,
    MORE,
    Cluster,
    Game,
    Jobs,
    Json,
    Options,
    examples,
    open_ledger,
    session_of,
)
from service.shell.terminal import words
from service.shell.terminal.demo import demo as run_demo
from service.shell.terminal.simulation import run_simulation
from service.store.connect import open_store
from service.trust.folder import key_folder_at

Save = Annotated[bool, typer.Option("--save", help="Keep every match in the ledger.")]

app = typer.Typer()


@app.command(
    "simulate",
    rich_help_panel=MORE,
    epilog=examples(f"simulate {GAMES[0].key} -n 1000", f"simulate {GAMES[0].key} -b greedy -b search:3 --save"),
)
def simulate_matches(
    context: typer.Context,
    game: Game,
    number: Annotated[int, typer.Option("-n", "--matches", min=1, help="How many matches.")] = 100,
    seats: Annotated[int | None, typer.Option(help="Seats at the table.")] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            "-b",
            help="A bot for each seat, in order: random, greedy or search:1 … 5.",
            autocompletion=complete_bot,
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(help="The seed of the first match; the next one has the next number.")] = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    save: Save = False,
    as_json: Json = False,
) -> None:
    """Play matches between bots and sum up scores, lengths and win rates."""
    processes = chosen_jobs(jobs, cluster, ALL_CORES)
    plan = make_plan(game, seats, words.read_options(option), bots or [], seed)
    run_simulation(plan, number, processes, cluster, _kept_in(context) if save else None, as_json)


def _kept_in(context: typer.Context) -> str:
    """The database of the ledger, which is there from now on."""
    with open_ledger(context, creates=True):
        return session_of(context).database


@app.command(
    rich_help_panel=MORE,
    epilog=examples(
        f"arena {GAMES[0].key} --bots greedy,random -n 200",
        f"arena {GAMES[0].key} --bots greedy -b 'exec:./mine --fast'",
    ),
)
def arena(
    context: typer.Context,
    game: Game,
    bots: Annotated[str, typer.Option(metavar="BOT,BOT,…", help="The bots; each plays every other.")] = "",
    more: Annotated[
        list[str] | None, typer.Option("--bot", "-b", help="One more bot; its command may contain commas and spaces.")
    ] = None,
    number: Annotated[
        int, typer.Option("-n", "--matches", min=2, help="Matches of each pair, half of them with seats swapped.")
    ] = 100,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; the two bots of a pair sit in turn.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(help="The first seed; each is played twice, with seats swapped.")] = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    save: Save = False,
    as_json: Json = False,
) -> None:
    """Let bots play against each other, and rate them."""
    from service.research.arena import make_contest
    from service.shell.terminal.arena import run_arena

    processes = chosen_jobs(jobs, cluster, ALL_CORES)
    named = [*(word.strip() for word in bots.split(",") if word.strip()), *(more or [])]
    contest = make_contest(game, seats, words.read_options(option), named, number, seed)
    run_arena(contest, processes, cluster, _kept_in(context) if save else None, as_json)


@app.command(rich_help_panel=MORE)
def demo(context: typer.Context) -> None:
    """Show what matchledger does, on a ledger in a temporary folder."""
    root = context.find_root().command
    with TemporaryDirectory(prefix="matchledger-") as folder, key_folder_at(Path(folder) / "keys"):
        database = str(Path(folder) / "demo.db")

        def run(line: Sequence[str]) -> None:
            root.main(["--database", database, *line], standalone_mode=False)

        def load() -> Live:
            with open_store(database) as store:
                return replay.load(LocalLedger(store), "last")

        run_demo(run, load)
