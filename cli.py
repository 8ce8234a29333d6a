"""The command line: parse, call, print. Exit codes: 0 fine, 1 refused, 2 usage, 3 the ledger is damaged."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from platformdirs import user_data_path
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from projections.scoresheet import scoresheet
from projections.story import sentence
from service import fork as forking
from service import matches, replay, undo
from service.bots.core import find_bot
from service.bots.seated import PREFIX, is_bot, let_bots_move
from service.errors import LedgerError, UsageError
from service.games import find_game
from service.ledger import Ledger
from service.matches import Call, Player
from service.moves import legal_moves, read_move, seat_to_act
from service.replay import Live
from service.simulate import make_plan, simulate
from service.store.connect import differences, open_store, upgrade_store
from service.terminal import tables
from service.terminal.demo import demo as run_demo
from service.terminal.paint import console, say, show_error, show_json, show_picture
from service.terminal.play import play as play_at_terminal
from service.terminal.watch import watch

DATABASE_VARIABLE = "MATCHLEDGER_DATABASE"


@dataclass
class Session:
    """What one invocation works on."""

    database: str
    is_named: bool
    as_json: bool = False


class Refusing(TyperGroup):
    """Turns every refusal into its message and exit code; nothing of ours ends in a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            session = ctx.find_object(Session)
            show_error(error, as_json=session is not None and session.as_json)
            raise typer.Exit(error.exit_code) from error


app = typer.Typer(
    cls=Refusing, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich"
)
db = typer.Typer(no_args_is_help=True, help="Look after the database.")
app.add_typer(db, name="db")


def _json_asked(context: typer.Context, value: bool) -> bool:
    context.find_object(Session).as_json = value  # type: ignore[union-attr]
    return value


Match = Annotated[str, typer.Argument(metavar="MATCH", help="A match id, the first letters of one, or `last`.")]
Json = Annotated[bool, typer.Option("--json", help="Print for programs.", callback=_json_asked)]
Seat = Annotated[int | None, typer.Option("--seat", help="Who acts; needed only when several may.")]
At = Annotated[str | None, typer.Option("--at", help="As it stood after event 57, or after step s12.")]
Expect = Annotated[int | None, typer.Option("--expect", help="Refuse if the match has moved past this event.")]
CommandId = Annotated[str | None, typer.Option("--command-id", help="Makes a repetition of this command harmless.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="See `games`.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seeded chance: the same seed gives the same draws.")]


@app.callback()
def main(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(metavar="FILE|URL", envvar=DATABASE_VARIABLE, help="A SQLite file or a postgresql:// URL."),
    ] = None,
) -> None:
    """A ledger of board game matches: replay, undo, fork and audit them point by point."""
    default = user_data_path("matchledger", appauthor=False) / "ledger.db"
    context.obj = Session(database or str(default), is_named=database is not None)


@contextmanager
def _ledger(context: typer.Context, *, writes: bool = True) -> Iterator[Ledger]:
    session = context.find_object(Session)
    assert session is not None
    with open_store(session.database, create=writes or not session.is_named) as store:
        yield Ledger(store)


# ------------------------------------------------------------------------------------------------------------- reading


@app.command()
def games(as_json: Json = False) -> None:
    """List the games with their options and how their moves are written."""
    if as_json:
        show_json(tables.games_view())
    else:
        tables.show_games()


@app.command("list")
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
    with _ledger(context, writes=False) as ledger:
        key = find_game(game).key if game else None
        forked = ledger.store.find(parent).id if parent else None
        rows = list(ledger.store.matches(game=key, status=status, player=player, parent=forked, limit=limit))
        seats = ledger.store.seats_of([row.id for row in rows])
    if as_json:
        show_json([tables.match_view(row, seats.get(row.id, ())) for row in rows])
    else:
        tables.show_matches(rows, seats)


def _load(context: typer.Context, match: str, at: str | None = None) -> Live:
    with _ledger(context, writes=False) as ledger:
        live = replay.load(ledger, match)
    return replay.at(live, at) if at else live


@app.command()
def show(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Show the table, now or as it stood at any point."""
    live = _load(context, match, at)
    if as_json:
        show_json(_view(live))
    else:
        _show(live)


@app.command()
def legal(context: typer.Context, match: Match, seat: Seat = None, at: At = None, as_json: Json = False) -> None:
    """List every legal move."""
    live = _load(context, match, at)
    if live.table.closed is None:
        matches.check_playing(live)
    seats = [seat] if seat is not None else list(live.game.projection.to_act(live.table.state))
    moves = {number: legal_moves(live, number) for number in seats}
    if as_json:
        show_json({number: list(by_text) for number, by_text in moves.items()})
        return
    tables.show_legal(live, {number: list(by_text) for number, by_text in moves.items()})


@app.command()
def log(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Tell what happened, one sentence per event; undone steps stay readable."""
    live = _load(context, match, at)
    if as_json:
        show_json(live.envelopes)
        return
    done = set(live.timeline.done)
    for envelope in live.envelopes:
        is_play = type(envelope.event) in live.game.projection.apply
        undone = is_play and envelope.step not in done
        text = sentence(live.game.projection, envelope.event, live.names)
        mark = "✗" if undone else " "
        say(f"{envelope.seq:4} s{envelope.step:<3} {mark} {text}", "dim strike" if undone else "")


@app.command()
def scores(context: typer.Context, match: Match, at: At = None, as_json: Json = False) -> None:
    """Show the score sheet: every point with its rule, its reason and the running total."""
    live = _load(context, match, at)
    entries = scoresheet(live.game.projection, live.envelopes)
    if as_json:
        show_json(entries)
    else:
        tables.show_scores(live, entries)


@app.command("replay")
def replay_match(
    context: typer.Context,
    match: Match,
    first: Annotated[int | None, typer.Option("--from", metavar="STEP", help="First step.")] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="STEP", help="Last step.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between steps, without keys.")] = 0,
    as_json: Json = False,
) -> None:
    """Step through a match: with the arrow keys in a terminal, printed otherwise."""
    live = _load(context, match)
    if as_json:
        end = live.envelopes[-1].step
        show_json([_view(replay.at(live, f"s{step}")) for step in range(first or 1, (last or end) + 1)])
    else:
        watch(live, first, last, delay)


# -------------------------------------------------------------------------------------------------------------- playing


@app.command()
def new(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="A game; see `games`.")],
    players: Annotated[
        list[str] | None, typer.Argument(help="Names, bot:random or bot:greedy, or Ada=bot:greedy.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; by default one for each player.")] = None,
    option: Options = None,
    undo_policy: Annotated[str, typer.Option("--undo", help="strict, consent or free.")] = "",
    chance: Annotated[str, typer.Option(help="fair, seeded or recorded.")] = "",
    seed: Seed = None,
    confirm_reveals: Annotated[
        bool, typer.Option("--confirm-reveals", help="Deal only on `deal`, so that the last move can be undone.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the match id only.")] = False,
    as_json: Json = False,
) -> None:
    """Open a match. Bots move by themselves; seats without a player wait for `join`."""
    seated = _players(players or [])
    chance = chance or ("fair" if seed is None else "seeded")
    with _ledger(context) as ledger:
        live = matches.open_match(
            ledger,
            game,
            seats if seats is not None else max(len(seated), find_game(game).rules.seats[0]),
            options=_options(option),
            undo=undo_policy or ("free" if chance == "recorded" else "strict"),
            chance_mode=chance,
            seed=seed,
            confirm_reveals=confirm_reveals,
            players=seated,
        )
        let_bots_move(ledger, live)
    if as_json:
        show_json(_view(live))
    elif quiet:
        say(live.id)
    else:
        say(f"Match {live.id} is open: {live.game.title}, {live.table.opened.undo} undo, {chance} chance.", "bold")
        _show(live)


@app.command()
def join(
    context: typer.Context,
    match: Match,
    name: Annotated[str, typer.Argument(help="A name, or bot:random and bot:greedy.")],
    seat: Annotated[int | None, typer.Option(help="A particular seat; by default the first free one.")] = None,
    nonce: Annotated[str, typer.Option(help="Any text: your share in the draws.")] = "",
    as_json: Json = False,
) -> None:
    """Take a free seat. The last one to join has the table set up."""
    player = _player(name)
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        matches.join(ledger, live, player._replace(nonce=nonce), seat)
        let_bots_move(ledger, live)
    _answer(live, as_json)


@app.command()
def act(
    context: typer.Context,
    match: Match,
    move: Annotated[str, typer.Argument(help="A move, such as 2B3; see `legal`.")],
    seat: Seat = None,
    expect: Expect = None,
    command_id: CommandId = None,
    brief: Annotated[bool, typer.Option("--brief", help="Tell what happened, without the board.")] = False,
    as_json: Json = False,
) -> None:
    """Make a move; bots reply at once."""
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        before = len(live.envelopes)
        call = Call(expect, command_id)
        action = live.game.notation.read(move) if command_id else None
        if action is None or ledger.store.receipt(live.id, _act_command(call, live, seat, action)) is None:
            matches.check_playing(live)
            action = read_move(live, seat_to_act(live, seat), move)
        matches.act(ledger, live, seat_to_act(live, seat), action, call)
        let_bots_move(ledger, live)
    _answer(live, as_json, before, brief)


@app.command()
def deal(
    context: typer.Context,
    match: Match,
    outcome: Annotated[str | None, typer.Argument(help="What was drawn, for recorded chance: BBRY KKWW …")] = None,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Let chance answer: by itself after --confirm-reveals, or with what was drawn at a real table."""
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        before = len(live.envelopes)
        request = live.game.rules.request(live.table.state)
        given = live.game.notation.read_outcome(outcome, live.table.state, request) if outcome and request else None
        matches.deal(ledger, live, given, Call(expect, command_id))
        let_bots_move(ledger, live)
    _answer(live, as_json, before)


@app.command("undo")
def undo_steps(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Annotated[int, typer.Option("--steps", "-n", help="How many steps.")] = 1,
    accept: Annotated[bool, typer.Option("--accept", help="Agree to another seat's request.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="Refuse another seat's request.")] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Take back the last step, as the match's policy allows; under consent, ask for it or answer."""
    if accept and decline:
        raise UsageError("undo/answer", "--accept and --decline exclude each other.")
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        before = len(live.envelopes)
        call = Call(expect, command_id)
        if accept or decline:
            undo.answer(ledger, live, _answering(live, seat), accept, call)
        else:
            undo.undo(ledger, live, _last_actor(live, seat), steps, call)
    _answer(live, as_json, before)


@app.command()
def redo(
    context: typer.Context,
    match: Match,
    seat: Seat = None,
    steps: Annotated[int, typer.Option("--steps", "-n", help="How many steps.")] = 1,
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Play undone steps again as they were."""
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        before = len(live.envelopes)
        undo.redo(ledger, live, _next_redoer(live, seat), steps, Call(expect, command_id))
    _answer(live, as_json, before)


@app.command()
def resign(
    context: typer.Context,
    match: Match,
    seat: Annotated[int, typer.Option(help="Who resigns.")],
    as_json: Json = False,
) -> None:
    """Give up: the match closes with the scores as they are and this seat last."""
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        matches.resign(ledger, live, seat)
    _answer(live, as_json)


@app.command()
def abandon(context: typer.Context, match: Match, as_json: Json = False) -> None:
    """Close a match without a result."""
    with _ledger(context) as ledger:
        live = replay.load(ledger, match)
        matches.abandon(ledger, live)
    _answer(live, as_json)


@app.command()
def fork(
    context: typer.Context,
    match: Match,
    step: Annotated[int | None, typer.Option(help="Continue from right after this step; by default the last.")] = None,
    chance: Annotated[str, typer.Option(help="resample, same-draws (closed matches only) or recorded.")] = "resample",
    undo_policy: Annotated[str, typer.Option("--undo", help="strict, consent or free.")] = "free",
    as_json: Json = False,
) -> None:
    """Open a new match that continues another from any of its steps; the other is not touched."""
    with _ledger(context) as ledger:
        parent = replay.load(ledger, match)
        live = forking.fork(ledger, parent, step or parent.head.step, chance_mode=chance, undo=undo_policy)
    if not as_json:
        assert live.table.opened.parent is not None
        say(f"Match {live.id} continues {parent.id} from step {live.table.opened.parent.step}.", "bold")
    _answer(live, as_json)


@app.command()
def play(
    context: typer.Context,
    game_or_match: Annotated[str, typer.Argument(help="A game to begin, or a match to go on with.")],
    players: Annotated[list[str] | None, typer.Argument(help="Names and bots; by default You and bot:greedy.")] = None,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Play at the terminal, against bots or by turns at one keyboard."""
    with _ledger(context) as ledger:
        if any(game_or_match == game["key"] for game in tables.games_view()):
            seated = _players(players or ["You", "bot:greedy"])
            live = matches.open_match(
                ledger,
                game_or_match,
                len(seated),
                options=_options(option),
                undo="free",
                chance_mode="fair" if seed is None else "seeded",
                seed=seed,
                players=seated,
            )
        else:
            live = replay.load(ledger, game_or_match)
            matches.check_playing(live)
        play_at_terminal(ledger, live)


@app.command("simulate")
def simulate_matches(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="A game; see `games`.")],
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
    plan = make_plan(game, seats, _options(option), bots or [], seed)
    database = None
    if save:
        with _ledger(context):
            database = context.find_object(Session).database  # type: ignore[union-attr]
    started = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, disable=as_json) as progress:
        results = list(
            progress.track(
                simulate(plan, number, min(jobs, number), database), number, description=f"simulating {game}"
            )
        )
    if as_json:
        summary = [tables.seat_summary(results, seat) for seat in range(1, plan.seats + 1)]
        show_json({"plan": plan, "matches": len(results), "seats": summary, "results": [r._asdict() for r in results]})
    else:
        tables.show_summary(plan, find_game(plan.game), results, time.perf_counter() - started)


@app.command()
def demo() -> None:
    """Show the product at work on a ledger in a temporary folder."""
    with TemporaryDirectory(prefix="matchledger-") as folder:
        database = str(Path(folder) / "demo.db")

        def run(words: Sequence[str]) -> None:
            app(["--database", database, *words], standalone_mode=False)

        def load() -> Live:
            with open_store(database) as store:
                return replay.load(Ledger(store), "last")

        run_demo(run, load)


# ------------------------------------------------------------------------------------------------------------- database


@db.command()
def upgrade(context: typer.Context) -> None:
    """Bring the database to the shape this version needs. PostgreSQL is migrated by this command only."""
    session = context.find_object(Session)
    assert session is not None
    before, after = upgrade_store(session.database)
    say(f"The ledger is at revision {after}{'' if before != after else ' already'}.")


@db.command()
def check(context: typer.Context) -> None:
    """Compare the tables this version expects with those the migrations made."""
    session = context.find_object(Session)
    assert session is not None
    found = differences(session.database)
    for difference in found:
        say(difference)
    if found:
        raise typer.Exit(1)
    say("Models and migrations agree.")


@db.command()
def where(context: typer.Context) -> None:
    """Say where the ledger is."""
    with _ledger(context, writes=False) as ledger:
        say(ledger.store.where)


# --------------------------------------------------------------------------------------------------- parsing, printing


def _player(word: str) -> Player:
    """`Ann`, `bot:greedy`, or a bot with a name of its own: `Ada=bot:greedy`."""
    name, _, kind = word.rpartition("=") if "=" + PREFIX in word else (word, "", "")
    if word.startswith(PREFIX):
        name, kind = word.removeprefix(PREFIX), word
    if not name.strip():
        raise UsageError("match/name", f"{word!r} gives a player no name.")
    if not kind:
        return Player(name)
    find_bot(kind.removeprefix(PREFIX))
    return Player(name, kind=kind)


def _players(words: Sequence[str]) -> list[Player]:
    """Players for a table; the second of the same name gets a number, so that they can be told apart."""
    players = [_player(word) for word in words]
    names = [player.name for player in players]
    return [
        player._replace(name=f"{player.name} {1 + names[:index].count(player.name)}")
        if player.name in names[:index]
        else player
        for index, player in enumerate(players)
    ]


def _options(words: Sequence[str] | None) -> dict[str, str]:
    pairs = [word.partition("=") for word in words or []]
    for name, equals, _ in pairs:
        if not equals:
            raise UsageError("match/option", f"{name!r} is not an option; write NAME=VALUE, such as boardSide=grey.")
    return {name: value for name, _, value in pairs}


def _act_command(call: Call, live: Live, seat: int | None, action: Any) -> Any:
    return matches.identify(call, "act", seat_to_act(live, seat), action)


def _last_actor(live: Live, seat: int | None) -> int:
    """Who undoes, if nobody is named: the seat that made the last move."""
    done = live.timeline.done
    actor = live.actor_of(done[-1]) if done else 1
    return seat if seat is not None else actor if isinstance(actor, int) else 1


def _next_redoer(live: Live, seat: int | None) -> int:
    undone = live.timeline.undone
    actor = live.actor_of(undone[-1]) if undone else 1
    return seat if seat is not None else actor if isinstance(actor, int) else 1


def _answering(live: Live, seat: int | None) -> int:
    if seat is not None:
        return seat
    raise UsageError("undo/seat", f"Name the seat that answers with --seat, 1–{live.table.opened.seats}.")


def _view(live: Live) -> dict[str, Any]:
    opened = live.table.opened
    return {
        "match": live.id,
        "game": opened.game,
        "ruleset": opened.ruleset,
        "options": opened.options,
        "undo": opened.undo,
        "chance": opened.chance,
        "status": live.table.status,
        "head": live.envelopes[-1].seq,
        "step": live.envelopes[-1].step,
        "players": [
            {"seat": seat, "name": live.names[seat], "bot": is_bot(live, seat)} for seat in range(1, opened.seats + 1)
        ],
        "scores": list(live.game.projection.scores(live.table.state)),
        "state": live.game.projection.view(live.table.state),
        "undo_request": live.table.request,
        "closed": live.table.closed,
        "parent": opened.parent,
    }


def _show(live: Live) -> None:
    say(f"{live.game.title} {live.id}  event {live.envelopes[-1].seq}, step {live.envelopes[-1].step}", "dim")
    show_picture(live.game.projection.draw(live.table.state, live.names))
    if live.table.request is not None:
        asked = live.table.request
        say(
            f"\n{live.names[asked.seat]} asks to undo everything from step {asked.step} on: undo --accept or --decline."
        )
    if not live.table.is_full:
        say("\nSeats are free: matchledger join " + live.id + " NAME", "dim")
    elif live.table.closed is not None:
        say("")
        tables.show_result(live)


def _answer(live: Live, as_json: bool, before: int | None = None, brief: bool = False) -> None:
    """What a command did: its events as sentences, then the table."""
    if as_json:
        show_json(_view(live))
        return
    for envelope in live.envelopes[before:] if before is not None else []:
        say(sentence(live.game.projection, envelope.event, live.names))
    if not brief:
        say("")
        _show(live)


if __name__ == "__main__":
    app()
