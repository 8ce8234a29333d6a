"""The command line: parse, call, print. Exit codes: 0 fine, 1 refused, 2 usage or file trouble, 3 damaged."""

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from platformdirs import user_data_path

from projections.disputes import docket_of
from service.errors import NotFound, UsageError
from service.games.shelf import GAMES, find_game, known_games
from service.play import fork as forking
from service.play import matches, moves, replay
from service.play.appending import Call, refuse_unplayable
from service.play.history import Live
from service.play.ledger import Ledger
from service.play.simulate import make_plan
from service.shell.commands import disputes, questions, records
from service.shell.commands.audit import audit_command, receipt_command
from service.shell.commands.database import db
from service.shell.commands.keys import keys
from service.shell.commands.refusing import Refusing
from service.shell.commands.session import (
    At,
    CommandId,
    Expect,
    Json,
    Match,
    Seat,
    Session,
    load_match,
    open_ledger,
    session_of,
)
from service.shell.terminal import rulings, tables, views, words
from service.shell.terminal.demo import demo as run_demo
from service.shell.terminal.paint import say, show_json
from service.shell.terminal.play import play as play_at_terminal
from service.shell.terminal.simulation import run_simulation
from service.shell.terminal.watch import steps_between, watch
from service.store.connect import TIMEOUT, open_store
from service.trust.keys import key_folder_at

DATABASE_VARIABLE = "MATCHLEDGER_DATABASE"
LOOK, PLAY, AUDIT, MORE = "Look", "Play", "Audit and disputes", "More"


def _examples(*lines: str) -> str:
    return "[dim]Examples[/dim]\n" + "\n".join(f"matchledger {line}" for line in lines)


app = typer.Typer(
    cls=Refusing,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 refused, 2 usage or file trouble, 3 damaged.\n"
    f"Begin with [bold]matchledger demo[/bold] or [bold]matchledger play {GAMES[0].key}[/bold].",
)

Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; see `games`.")
]
Brief = Annotated[bool, typer.Option("--brief", help="Tell what happened, without the board.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seeded chance: the same seed gives the same draws.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"matchledger {version('matchledger')}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(metavar="FILE|URL", envvar=DATABASE_VARIABLE, help="A SQLite file or a postgresql:// URL."),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds to wait for another process.")] = TIMEOUT,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A ledger of board game matches: replay, undo, fork and audit them point by point."""
    default = user_data_path("matchledger", appauthor=False) / "ledger.db"
    is_named = database is not None
    context.obj = Session(database if database is not None else str(default), is_named, timeout=timeout)


# ------------------------------------------------------------------------------------------------------------- looking


@app.command(rich_help_panel=LOOK)
def games(as_json: Json = False) -> None:
    """List the games with their options and how their moves are written."""
    if as_json:
        show_json(tables.games_view())
    else:
        tables.show_games()


@app.command("list", rich_help_panel=LOOK, epilog=_examples("list --status playing", "list --player Ann --limit 5"))
def list_matches(
    context: typer.Context,
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    status: Annotated[str | None, typer.Option(help="open, playing or closed.")] = None,
    player: Annotated[str | None, typer.Option(help="Only matches where this name sits.")] = None,
    parent: Annotated[str | None, typer.Option(help="Only forks of this match.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    as_json: Json = False,
) -> None:
    """List matches, the one moved last on top."""
    key = find_game(game).key if game is not None else None
    with_status = words.read_status(status)
    with open_ledger(context) as ledger:
        forked = ledger.store.find(parent).id if parent is not None else None
        rows = ledger.store.matches(game=key, status=with_status, player=player, parent=forked, limit=limit)
        seats = ledger.store.seats_of([row.id for row in rows])
    if as_json:
        show_json([tables.row_view(row, seats[row.id]) for row in rows])
    else:
        tables.show_matches(rows, seats, is_filtered=any((game, status, player, parent)))


@app.command(rich_help_panel=LOOK, epilog=_examples("show last", "show kx60 --at s12", "show kx60 --at 57 --json"))
def show(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Show the table, now or as it stood at any point."""
    live = load_match(context, match, at)
    if as_json:
        show_json(views.match_view(live))
    else:
        views.show_match(live)


@app.command(rich_help_panel=LOOK)
def legal(context: typer.Context, match: Match, seat: Seat = None, at: At = None, as_json: Json = False) -> None:
    """List every legal move."""
    live = load_match(context, match, at)
    if live.table.closed is None:
        refuse_unplayable(live)
    to_act = live.game.projection.to_act(live.table.state) if live.table.closed is None else ()
    seats = to_act if seat is None else [moves.seat_to_act(live, seat)]
    by_seat = {number: list(moves.legal_moves(live, number)) if number in to_act else [] for number in seats}
    if as_json:
        show_json(by_seat)
    else:
        tables.show_legal(live, by_seat)


@app.command(rich_help_panel=LOOK)
def log(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Tell what happened, one sentence per event; undone steps stay readable."""
    live = load_match(context, match, at)
    if as_json:
        show_json(live.envelopes)
    else:
        views.show_log(live)


@app.command(rich_help_panel=LOOK)
def scores(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Show the score sheet: every point with its rule, its reason and the running total."""
    live = load_match(context, match, at)
    if as_json:
        show_json(live.scoresheet)
    else:
        tables.show_scores(live)
        rulings.show_rulings(docket_of(live.envelopes), live.names)


@app.command(
    "replay", rich_help_panel=LOOK, epilog=_examples("replay last", "replay last --from 10 --to 20 --delay 0.5")
)
def replay_match(
    context: typer.Context,
    match: Match,
    first: Annotated[int | None, typer.Option("--from", metavar="STEP", min=1, help="First step.")] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="STEP", min=1, help="Last step.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between steps, without keys.")] = 0,
    as_json: Json = False,
) -> None:
    """Step through a match: with the arrow keys in a terminal, printed otherwise."""
    live = load_match(context, match)
    steps = steps_between(live, first, last)
    if as_json:
        show_json([views.match_view(live.at(f"s{step}")) for step in steps])
    else:
        watch(live, steps, delay)


# ------------------------------------------------------------------------------------------------------------- playing


@app.command(
    rich_help_panel=PLAY,
    epilog=_examples(
        f"new {GAMES[0].key} Ann Ben",
        f"new {GAMES[0].key} Ann bot:greedy --undo free",
        f"new {GAMES[0].key} Ada=bot:greedy Bo=bot:random --seed 7",
        f"new {GAMES[0].key} Ann --seats 3        (two seats wait for join)",
    ),
)
def new(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; see `games`.")],
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYERS", help="Names, bot:random or bot:greedy, or a named bot: Ada=bot:greedy."),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; by default one for each player.")] = None,
    option: Options = None,
    undo_policy: Annotated[
        str, typer.Option("--undo", help="strict, consent or free; by default strict, for recorded chance free.")
    ] = "",
    chance: Annotated[str, typer.Option(help="fair, seeded or recorded; by default fair, with --seed seeded.")] = "",
    seed: Seed = None,
    confirm_reveals: Annotated[
        bool, typer.Option("--confirm-reveals", help="Deal only on `deal`, so that the last move can be undone.")
    ] = False,
    arbiter: Annotated[
        list[str] | None, typer.Option(metavar="PUB", help="Public key of an arbiter who may rule; see `key arbiter`.")
    ] = None,
    dispute_within: Annotated[
        int, typer.Option(min=0, metavar="MINUTES", help="Time to open a dispute after the end; 0 sets no limit.")
    ] = 0,
    appeal_within: Annotated[
        int, typer.Option(min=0, metavar="MINUTES", help="Time to appeal after a ruling; 0 sets no limit.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the match id only.")] = False,
    as_json: Json = False,
) -> None:
    """Open a match. Bots move by themselves; seats without a player wait for `join`."""
    fewest = find_game(game).rules.seats[0]
    seated = words.read_players(players or [])
    chance = chance or ("fair" if seed is None else "seeded")
    options = words.read_options(option)
    with open_ledger(context, creates=True) as ledger:
        live = matches.open_match(
            ledger,
            game,
            seats if seats is not None else max(len(seated), fewest),
            options=options,
            undo=undo_policy or ("free" if chance == "recorded" else "strict"),
            chance_mode=chance,
            seed=seed,
            confirm_reveals=confirm_reveals,
            players=seated,
            arbiters=arbiter or (),
            dispute_within=dispute_within,
            appeal_within=appeal_within,
        )
        live = moves.replied(ledger, live)
    if as_json:
        show_json(views.match_view(live))
    elif quiet:
        say(live.id)
    else:
        say(views.opening(live), "bold")
        views.show_match(live)


@app.command(rich_help_panel=PLAY, epilog=_examples("join last Ben", "join kx60 bot:greedy --seat 3"))
def join(
    context: typer.Context,
    match: Match,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or bot:random and bot:greedy.")],
    seat: Annotated[int | None, typer.Option(help="A particular seat; by default the first free one.")] = None,
    nonce: Annotated[str, typer.Option(help="Any text: your share in the draws.")] = "",
    as_json: Json = False,
) -> None:
    """Take a free seat. The last one to join has the table set up."""
    player = words.read_player(name)._replace(nonce=nonce)
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = matches.join(ledger, live, player, seat)
        live = moves.replied(ledger, live, appended)
    views.answer(live, appended, as_json)


@app.command(rich_help_panel=PLAY)
def rename(
    context: typer.Context,
    match: Match,
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="Whose name.")],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The new name.")] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Keep no name; the seat's number is shown instead.")] = False,
    as_json: Json = False,
) -> None:
    """Change or forget a player's name. Names lie outside the chain, so the history stays as it is."""
    if (name is None) != forget:
        raise UsageError("match/name", "Give either a new name or --forget.")
    with open_ledger(context) as ledger:
        found = ledger.store.find(match).id
        ledger.store.rename(found, seat, "" if name is None else words.read_name(name))
        live = replay.load(ledger, found)
    if as_json:
        show_json(views.match_view(live))
    else:
        say(f"Seat {seat} of match {live.id} is now called {live.names[seat]}.")


@app.command(
    rich_help_panel=PLAY, epilog=_examples("act last 2B3", "act kx60 centre red floor", "act last CR- --seat 2")
)
def act(
    context: typer.Context,
    match: Match,
    move: Annotated[list[str], typer.Argument(metavar="MOVE", help="A move, such as 2B3; see `legal` and `games`.")],
    seat: Seat = None,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Brief = False,
    as_json: Json = False,
) -> None:
    """Make a move; bots reply at once."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = moves.move(ledger, live, seat, " ".join(move), Call(expect, command_id))
        live = moves.replied(ledger, live, appended)
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY, epilog=_examples("deal last", "deal last BBRY KKWW RRYY BKWY WWBR"))
def deal(
    context: typer.Context,
    match: Match,
    outcome: Annotated[
        list[str] | None, typer.Argument(metavar="OUTCOME", help="What was drawn, for recorded chance.")
    ] = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Let chance answer: by itself after --confirm-reveals, or with what was drawn at a real table."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = moves.deal(ledger, live, " ".join(outcome) if outcome else None, Call(expect, command_id))
        live = moves.replied(ledger, live, appended)
    views.answer(live, appended, as_json)


@app.command("undo", rich_help_panel=PLAY, epilog=_examples("undo last", "undo last -n 3", "undo last --accept"))
def undo_steps(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Annotated[
        int | None, typer.Option("--steps", "-n", min=1, help="How many; by default a move and the bots' replies.")
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Agree to another seat's request.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="Refuse another seat's request.")] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Brief = False,
    as_json: Json = False,
) -> None:
    """Take back the last step, as the match's policy allows; under consent, ask for it or answer."""
    if accept and decline:
        raise UsageError("undo/answer", "--accept and --decline exclude each other.")
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        call = Call(expect, command_id)
        if accept or decline:
            appended = moves.answer_undo(ledger, live, seat, accept, call)
        else:
            appended = moves.take_back(ledger, live, seat, steps, call)
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY)
def redo(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Annotated[
        int | None, typer.Option("--steps", "-n", min=1, help="How many; by default a move and the bots' replies.")
    ] = None,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Brief = False,
    as_json: Json = False,
) -> None:
    """Play undone steps again as they were."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = moves.play_again(ledger, live, seat, steps, Call(expect, command_id))
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY)
def resign(
    context: typer.Context,
    match: Match,
    seat: Annotated[int, typer.Option(help="Who resigns.")],
    as_json: Json = False,
) -> None:
    """Give up: the match closes with the scores as they are and this seat last."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = matches.resign(ledger, live, seat)
    views.answer(live, appended, as_json)


@app.command(rich_help_panel=PLAY)
def abandon(context: typer.Context, match: Match, as_json: Json = False) -> None:
    """Close a match without a result."""
    with open_ledger(context) as ledger:
        live = replay.load(ledger, match)
        appended = matches.abandon(ledger, live)
    views.answer(live, appended, as_json)


@app.command(
    rich_help_panel=PLAY, epilog=_examples("fork last", "fork kx60 --step 12", "fork kx60 --chance same-draws")
)
def fork(
    context: typer.Context,
    match: Match,
    step: Annotated[
        int | None, typer.Option(min=1, help="Go on from right after it; by default the last before the end.")
    ] = None,
    chance: Annotated[str, typer.Option(help="resample, same-draws (closed matches only) or recorded.")] = "resample",
    undo_policy: Annotated[str, typer.Option("--undo", help="strict, consent or free.")] = "free",
    as_json: Json = False,
) -> None:
    """Open a new match that continues another from any of its steps; the other is not touched."""
    with open_ledger(context) as ledger:
        parent = replay.load(ledger, match)
        place = views.step_to_fork(parent) if step is None else step
        live = forking.fork(ledger, parent, place, chance_mode=chance, undo=undo_policy)
    if as_json:
        show_json(views.match_view(live))
    else:
        say(f"Match {live.id} continues {parent.id} from step {place}.", "bold")
        views.show_match(live)


@app.command(
    rich_help_panel=PLAY,
    epilog=_examples(
        f"play {GAMES[0].key}", f"play {GAMES[0].key} Ann Ben", f"play {GAMES[0].key} Ann bot:random", "play last"
    ),
)
def play(
    context: typer.Context,
    game_or_match: Annotated[
        str, typer.Argument(metavar="GAME|MATCH", help="A game to begin, or a match to go on with.")
    ],
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYERS", help="Names and bots; bot:greedy takes the seats a game needs besides."),
    ] = None,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Play at the terminal, against bots or by turns at one keyboard."""
    fewest = next((game.rules.seats[0] for game in known_games() if game.key == game_or_match), 0)
    is_new = fewest > 0
    people = players or ["You"]
    seated = words.read_players([*people, *["bot:greedy"] * (fewest - len(people))])
    options = words.read_options(option)
    if not is_new and (players or option or seed is not None):
        raise UsageError(
            "play/match", f"{game_or_match!r} is not a game; players and options go with a new match only."
        )
    with open_ledger(context, creates=is_new) as ledger:
        if is_new:
            chance = "fair" if seed is None else "seeded"
            live = matches.open_match(
                ledger,
                game_or_match,
                len(seated),
                options=options,
                undo="free",
                chance_mode=chance,
                seed=seed,
                players=seated,
            )
        else:
            live = _to_go_on(ledger, game_or_match)
        play_at_terminal(ledger, live)


def _to_go_on(ledger: Ledger, match: str) -> Live:
    try:
        live = replay.load(ledger, match)
    except NotFound as refusal:
        refusal.hint = f"Games to begin: {', '.join(game.key for game in known_games())}"
        raise
    refuse_unplayable(live)
    return live


# ---------------------------------------------------------------------------------------------------------------- more


@app.command(
    "simulate",
    rich_help_panel=MORE,
    epilog=_examples(f"simulate {GAMES[0].key} -n 1000", f"simulate {GAMES[0].key} -b greedy -b random --save"),
)
def simulate_matches(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; see `games`.")],
    number: Annotated[int, typer.Option("-n", "--matches", min=1, help="How many matches.")] = 100,
    seats: Annotated[int | None, typer.Option(help="Seats at the table.")] = None,
    bots: Annotated[list[str] | None, typer.Option("--bot", "-b", help="A bot for each seat, in order.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(help="Match i is played with seed + i.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = os.cpu_count() or 1,
    save: Annotated[bool, typer.Option("--save", help="Keep every match in the ledger.")] = False,
    as_json: Json = False,
) -> None:
    """Play matches between bots and sum up scores, lengths and win rates."""
    plan = make_plan(game, seats, words.read_options(option), bots or [], seed)
    database = None
    if save:
        with open_ledger(context, creates=True):
            database = session_of(context).database
    run_simulation(plan, number, jobs, database, as_json)


@app.command(rich_help_panel=MORE)
def demo() -> None:
    """Show the product at work on a ledger in a temporary folder."""
    with TemporaryDirectory(prefix="matchledger-") as folder, key_folder_at(Path(folder) / "keys"):
        database = str(Path(folder) / "demo.db")

        def run(line: Sequence[str]) -> None:
            app(["--database", database, *line], standalone_mode=False)

        def load() -> Live:
            with open_store(database) as store:
                return replay.load(Ledger(store), "last")

        run_demo(run, load)


# ---------------------------------------------------------------------------------------- records, audit and the rest

app.add_typer(records.app)
app.command("audit", rich_help_panel=AUDIT)(audit_command)
app.command("receipt", rich_help_panel=AUDIT)(receipt_command)
questions.mount(app, AUDIT)
app.add_typer(disputes.app, name="dispute", rich_help_panel=AUDIT)
app.add_typer(keys, name="key", rich_help_panel=AUDIT)
app.add_typer(db, name="db", rich_help_panel=MORE)


if __name__ == "__main__":
    app(prog_name="matchledger")
