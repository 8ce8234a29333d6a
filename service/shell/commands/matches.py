"""The commands that open matches and move them on: `new`, `join`, `act`, `undo`, `fork` and their kin."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from service.errors import UsageError
from service.files import check_writable, write_file
from service.games.shelf import GAMES, find_game
from service.play import commands
from service.play.appending import Call
from service.play.fork import step_to_fork
from service.play.players import read_name, read_player, read_players
from service.shell.answers.match import match_answer
from service.shell.commands.completion import complete_bot_at_a_table, complete_seat
from service.shell.commands.session import (
    PLAY,
    SEAT,
    CommandId,
    Expect,
    Game,
    Json,
    Match,
    Options,
    Seat,
    Seed,
    Speaker,
    examples,
    open_backend,
)
from service.shell.terminal import views, words
from service.shell.terminal.audits import show_receipt
from service.shell.terminal.paint import say, show_json
from service.shell.terminal.thinking import replied
from service.trust.receipts import Receipt, write_receipt

app = typer.Typer()

ReceiptFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the receipt of the match to this file; `audit --receipt` checks it."),
]
Private = Annotated[
    bool, typer.Option("--private", help="At a server: only people with a token of this match may look at it.")
]
Steps = Annotated[
    int | None,
    typer.Option("--steps", "-n", min=1, help="How many steps; by default a move and the replies of the bots."),
]
Brief = Annotated[bool, typer.Option("--brief", help="Tell what happened, without the board.")]


@app.command(
    rich_help_panel=PLAY,
    epilog=examples(
        f"new {GAMES[0].key} Ann Ben",
        f"new {GAMES[0].key} Ann bot:greedy --undo free",
        f"new {GAMES[0].key} Ada=bot:greedy Bo=bot:random --seed 7",
        f"new {GAMES[0].key} Ann --seats 3        (two seats wait for join)",
    ),
)
def new(
    context: typer.Context,
    game: Game,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYERS",
            help="Names, bots (bot:greedy, bot:search:3, bot:exec:COMMAND), or a named bot: Ada=bot:greedy.",
            autocompletion=complete_bot_at_a_table,
        ),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; by default one for each player.")] = None,
    option: Options = None,
    undo: Annotated[
        str, typer.Option(help="Who may undo: strict, consent or free; by default strict, with recorded chance free.")
    ] = "",
    chance: Annotated[
        str, typer.Option(help="Where draws come from: fair, seeded or recorded; by default fair, with --seed seeded.")
    ] = "",
    seed: Seed = None,
    confirm_reveals: Annotated[
        bool,
        typer.Option(
            "--confirm-reveals",
            help="Draw tiles, cards and dice only on `deal`, so that the move before can be undone.",
        ),
    ] = False,
    arbiter: Annotated[
        list[str] | None,
        typer.Option(metavar="PUB", help="Public key of an arbiter who may rule on disputes; see `key arbiter`."),
    ] = None,
    dispute_within: Annotated[
        int, typer.Option(min=0, metavar="MINUTES", help="Time to open a dispute after the end; 0 sets no limit.")
    ] = 0,
    appeal_within: Annotated[
        int, typer.Option(min=0, metavar="MINUTES", help="Time to appeal after a ruling; 0 sets no limit.")
    ] = 0,
    private: Private = False,
    receipt: ReceiptFile = None,
    command_id: CommandId = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the match id only.")] = False,
    as_json: Json = False,
) -> None:
    """Open a match. Bots move by themselves; seats without a player wait for `join`."""
    key = find_game(game).key  # refused before a ledger is made
    if receipt is not None:
        check_writable(receipt, "receipt", "receipt/unwritable")
    read_players(players or [])
    command = commands.OpenMatch(
        game=key,
        players=players or [],
        seats=seats,
        options=words.read_options(option),
        undo=undo or None,
        chance=chance or None,
        seed=seed,
        confirm_reveals=confirm_reveals,
        private=private,
        arbiters=arbiter or [],
        dispute_within=dispute_within,
        appeal_within=appeal_within,
    )
    with open_backend(context, creates=True) as backend:
        live = backend.open_match(command, Call(None, command_id))
        kept = live.receipt
        live = replied(backend, live)
    if as_json:
        show_json({**asdict(match_answer(live)), "receipt": kept})
    elif quiet:
        say(live.id)
    else:
        say(views.opening(live), "bold")
        views.show_fairness(live)
        views.show_match(live)
        show_receipt(kept, receipt)
    keep_receipt(kept, receipt)


def keep_receipt(receipt: Receipt | None, file: Path | None) -> None:
    """Write a receipt where it was asked for."""
    if receipt is not None and file is not None:
        write_file(file, write_receipt(receipt), "receipt", "receipt/unwritable")


@app.command(rich_help_panel=PLAY, epilog=examples("join last Ben", "join kx60 bot:greedy --seat 3"))
def join(
    context: typer.Context,
    match: Match,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A name, or a bot: bot:greedy, bot:search:3, bot:exec:COMMAND.",
            autocompletion=complete_bot_at_a_table,
        ),
    ],
    seat: Annotated[
        str | None, typer.Option(metavar=SEAT, help="A particular seat; by default the first free one.")
    ] = None,
    nonce: Annotated[str, typer.Option(help="Any text: your part in the random draws; by default a random text.")] = "",
    receipt: ReceiptFile = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Take a free seat. When the last free seat is taken, the game begins."""
    read_player(name)
    if receipt is not None:
        check_writable(receipt, "receipt", "receipt/unwritable")
    with open_backend(context) as backend:
        live = backend.read(match)
        command = commands.Join(name=name, seat=words.maybe_seat(live, seat), nonce=nonce)
        appended = backend.send(live, command, Call(expect, command_id))
        kept = live.receipt
        live = replied(backend, live, appended)
    views.answer(live, appended, as_json, receipt=kept)
    if not as_json:
        views.show_fairness(live)
        show_receipt(kept, receipt)
    keep_receipt(kept, receipt)


@app.command(rich_help_panel=PLAY)
def rename(
    context: typer.Context,
    match: Match,
    seat: Annotated[str, typer.Argument(metavar=SEAT, help="Whose name.", autocompletion=complete_seat)],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The new name.")] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete the name; the number of the seat is shown instead.")
    ] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Change or forget a player's name. The events contain no names, so the history does not change."""
    if (name is None) != forget:
        raise UsageError("match/name", "Give either a new name or --forget.")
    with open_backend(context) as backend:
        live = backend.read(match)
        number = words.maybe_number(seat.strip())  # one that is not at the table is refused with those that are
        number = words.read_seat(live, seat) if number is None else number
        command = commands.Rename(seat=number, name="" if name is None else read_name(name))
        backend.send(live, command, Call(expect, command_id))
    if as_json:
        show_json(match_answer(live))
    else:
        say(f"Seat {number} of match {live.id} is now called {live.names[number]}.")


@app.command(
    rich_help_panel=PLAY, epilog=examples("act last 2B3", "act kx60 centre red floor", "act last CR- --seat Ben")
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
    with open_backend(context) as backend:
        live = backend.read(match)
        command = commands.Act(move=words.moved(live, " ".join(move)))
        appended = backend.send(live, command, Call(expect, command_id, words.maybe_seat(live, seat)))
        live = replied(backend, live, appended)
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY, epilog=examples("deal last", "deal last BBRY KKWW RRYY BKWY WWBR"))
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
    """Draw what the game needs next; in a match with recorded chance, enter what was drawn at the real table."""
    with open_backend(context) as backend:
        live = backend.read(match)
        text = words.drawn(live, " ".join(outcome)) if outcome else None
        appended = backend.send(live, commands.Deal(outcome=text), Call(expect, command_id))
        live = replied(backend, live, appended)
    views.answer(live, appended, as_json)


@app.command("undo", rich_help_panel=PLAY, epilog=examples("undo last", "undo last -n 3", "undo last --accept"))
def undo_steps(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Steps = None,
    accept: Annotated[bool, typer.Option("--accept", help="Agree to the undo that another seat asked for.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="Refuse the undo that another seat asked for.")] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Brief = False,
    as_json: Json = False,
) -> None:
    """Take back the last step, if the undo policy allows it; under consent, ask the others or answer them."""
    if accept and decline:
        raise UsageError("undo/answer", "--accept and --decline exclude each other.")
    with open_backend(context) as backend:
        live = backend.read(match)
        command = commands.AnswerUndo(accepts=accept) if accept or decline else commands.Undo(steps=steps)
        appended = backend.send(live, command, Call(expect, command_id, words.maybe_seat(live, seat)))
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY)
def redo(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Steps = None,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Brief = False,
    as_json: Json = False,
) -> None:
    """Play undone steps again as they were."""
    with open_backend(context) as backend:
        live = backend.read(match)
        appended = backend.send(
            live, commands.Redo(steps=steps), Call(expect, command_id, words.maybe_seat(live, seat))
        )
    views.answer(live, appended, as_json, brief)


@app.command(rich_help_panel=PLAY)
def resign(
    context: typer.Context,
    match: Match,
    seat: Speaker = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Give up: the match closes with the scores as they are and this seat last."""
    with open_backend(context) as backend:
        live = backend.read(match)
        appended = backend.send(live, commands.Resign(), Call(expect, command_id, words.maybe_seat(live, seat)))
    views.answer(live, appended, as_json)


@app.command(rich_help_panel=PLAY)
def abandon(
    context: typer.Context, match: Match, expect: Expect = None, command_id: CommandId = None, as_json: Json = False
) -> None:
    """Close a match without a result."""
    with open_backend(context) as backend:
        live = backend.read(match)
        appended = backend.send(live, commands.Abandon(), Call(expect, command_id))
    views.answer(live, appended, as_json)


@app.command(rich_help_panel=PLAY, epilog=examples("fork last", "fork kx60 --step 12", "fork kx60 --chance same-draws"))
def fork(
    context: typer.Context,
    match: Match,
    step: Annotated[
        int | None,
        typer.Option(
            min=1, help="The last step that the new match takes over; by default the last step before the end."
        ),
    ] = None,
    chance: Annotated[str, typer.Option(help="resample, same-draws (closed matches only) or recorded.")] = "resample",
    undo: Annotated[str, typer.Option(help="strict, consent or free.")] = "free",
    private: Private = False,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Open a new match that continues another from any of its steps; the other is not touched."""
    with open_backend(context) as backend:
        parent = backend.read(match)
        place = step_to_fork(parent) if step is None else step
        command = commands.Fork(step=place, chance=chance, undo=undo, private=private)
        live = backend.fork(parent, command, Call(expect, command_id))
    if as_json:
        show_json(match_answer(live))
    else:
        say(f"Match {live.id} continues {parent.id} from step {place}.", "bold")
        views.show_fairness(live)
        views.show_match(live)
