"""The life of a match: open, join, act, deal, resign, abandon. Every use case is a function appending whole steps."""

from collections.abc import Mapping, Sequence
from typing import Final

from events.core import CHANCE, LEDGER, Seat, Standing
from events.match import ChanceMode, MatchOpened, SeatResigned, SeatTaken, UndoPolicy
from projections.fold import after, seat_down
from projections.words import count
from service.bots.core import Occasion
from service.bots.kinds import is_outside, offered
from service.errors import Forbidden, Refused, UsageError, unknown
from service.games.core import Action, Outcome
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import find_game
from service.limits import quoted
from service.play import chance
from service.play.appending import (
    ANY_HEAD,
    Call,
    Decided,
    Entry,
    Step,
    append,
    carry_out,
    check_seat,
    new_match,
    refuse_closed,
    refuse_unplayable,
)
from service.play.commands import OpenMatch
from service.play.dealing import Secret, closing, completed, new_secret, owed, secret_of
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.play.players import PREFIX, NewPlayer, told_apart
from service.store.shapes import PERSON, Appended, CommandKey, Grant, SeatRow
from service.trust.keys import public_key

UNDO_POLICIES: Final[tuple[UndoPolicy, ...]] = ("strict", "consent", "free")
CHANCE_MODES: Final[tuple[ChanceMode, ...]] = ("fair", "seeded", "recorded")
MAX_NONCE: Final = 64
MAX_MINUTES: Final = 10 * 366 * 24 * 60
"""The longest time limit, ten years: far enough for anybody, near enough for every calendar."""


# ----------------------------------------------------------------------------------------------------- opening, joining


def open_match(
    ledger: LocalLedger,
    key: str,
    seats: int | None = None,
    *,
    options: Mapping[str, str] | None = None,
    undo: str | None = None,
    chance_mode: str | None = None,
    seed: int | None = None,
    confirm_reveals: bool = False,
    players: Sequence[NewPlayer] = (),
    arbiters: Sequence[str] = (),
    dispute_within: int = 0,
    appeal_within: int = 0,
    grants: Sequence[Grant] = (),
    command: CommandKey | None = None,
) -> Live:
    """Open a match and seat the players; with every seat taken, chance sets the table up at once.

    Unless said otherwise there is a seat for each player, chance is fair, or seeded where there is a seed, and undo is
    strict, or free where people enter what they did at a real table.
    """
    game = find_game(key)
    seats = max(len(players), game.rules.seats[0]) if seats is None else seats
    chance_mode = chance_mode or ("fair" if seed is None else "seeded")
    values = read_options(game.rules, options or {}, seats)
    secret = new_secret(ledger, chance_mode, seed)
    mode = read_chance(chance_mode)
    opened = MatchOpened(
        game=game.key,
        ruleset=game.rules.ruleset,
        seats=seats,
        options=values,
        undo=read_policy(undo or ("free" if chance_mode == "recorded" else "strict")),
        chance=mode,
        commitment=chance.commitment(secret.secret) if secret else "",
        confirm_reveals=confirm_reveals,
        arbiters=tuple(dict.fromkeys(public_key(key, "match/arbiter") for key in arbiters)),
        dispute_within=_read_minutes("dispute", dispute_within),
        appeal_within=_read_minutes("appeal", appeal_within),
        derivation=chance.derivation_for(mode),
    )
    seated = [_contributing(ledger, opened, player) for player in players]
    return start(ledger, game, opened, secret, seated, grants=grants, command=command)


def start(
    ledger: LocalLedger,
    game: Game,
    opened: MatchOpened,
    secret: Secret | None,
    players: Sequence[NewPlayer],
    history: Sequence[Step] = (),
    grants: Sequence[Grant] = (),
    command: CommandKey | None = None,
) -> Live:
    """Append the opening, the players and any history taken over, and set the table up, all in one transaction.

    Opened by a command that was carried out before, the match is the one of that time; it has no events in hand then.
    """
    if len(players) > opened.seats:
        raise UsageError("match/players", f"{count(len(players), 'player')} do not fit {count(opened.seats, 'seat')}.")
    live = Live(ledger.new_id(), game, [], [], {}, folded=seat_down(game.projection, opened))
    occasion = Occasion(game, opened.seats, opened.options)
    sitting = [_sits_down(ledger, occasion, seat, player) for seat, player in enumerate(players, start=1)]
    steps: list[Step] = [[(LEDGER, opened)], *([entry] for entry, _ in sitting), *history]
    table = after(game.projection, live.table, [event for step in steps for _, event in step])
    if table.is_full and (setup := owed(live, table, secret)):
        steps.append(setup)
    new = new_match(opened, *secret) if secret else new_match(opened)
    decided = Decided(steps, [row for _, row in sitting], grants)
    append(ledger, live, decided, ledger.clock(), command=command, new=new)
    return live


def join(
    ledger: LocalLedger,
    live: Live,
    player: NewPlayer,
    seat: Seat | None = None,
    call: Call = ANY_HEAD,
    token_hash: bytes | None = None,
) -> Appended:
    """Take a free seat, the first one unless another is named; the last to join sets the table up.

    Whoever brings the hash of a token gets the seat on it: from then on that token, and no other, acts for the seat.
    """

    def decide(at: object) -> Decided:
        table = live.table
        free = [number for number in range(1, table.opened.seats + 1) if number not in table.nonces]
        if not free:
            raise Refused("match/full", f"All {table.opened.seats} seats of match {live.id} are taken.")
        number = free[0] if seat is None else seat
        if number not in free:
            raise Refused("match/seat-taken", f"Seat {number} is not free; free seats: {', '.join(map(str, free))}.")
        known = player if player.kind == PERSON else told_apart(player, [row.name for row in live.seats.values()])
        occasion = Occasion(live.game, table.opened.seats, table.opened.options)
        entry, row = _sits_down(ledger, occasion, number, _contributing(ledger, table.opened, known))
        steps: list[Step] = [[entry]]
        if len(free) == 1:
            setup = owed(live, after(live.game.projection, table, [entry[1]]), secret_of(ledger, live))
            steps += [setup] if setup else []
        return Decided(steps, [row], [] if token_hash is None else [Grant("seat", number, token_hash)])

    return carry_out(ledger, live, call, ("join", seat, player), refuse_closed, decide)


def _contributing(ledger: LocalLedger, opened: MatchOpened, player: NewPlayer) -> NewPlayer:
    """The player with a share in the draws: a person in a fair match who brings none is given one.

    A bot's would add nothing, since the program that draws it holds the secret; a seed alone says what is drawn.
    """
    if player.nonce or player.kind != PERSON or opened.chance != "fair":
        return player
    return player._replace(nonce=ledger.new_nonce())


def _sits_down(ledger: LocalLedger, occasion: Occasion, seat: Seat, player: NewPlayer) -> tuple[Entry, SeatRow]:
    if is_outside(name := player.kind.removeprefix(PREFIX)):
        _seat_program(ledger, name, occasion, seat)
    if len(player.nonce) > MAX_NONCE:
        raise UsageError("match/nonce", f"A nonce has at most {MAX_NONCE} characters, not {len(player.nonce)}.")
    return (seat, SeatTaken(seat=seat, nonce=player.nonce)), SeatRow(seat, player.name, player.kind)


def _seat_program(ledger: LocalLedger, name: str, occasion: Occasion, seat: Seat) -> None:
    if ledger.programs is None:
        raise Forbidden(
            "bot/outside",
            f"{quoted(PREFIX + name)} runs a program on the machine where the ledger is, which nobody may ask for from"
            f" elsewhere; choose from: {', '.join(offered())}.",
        )
    from service.bots.programs import welcome  # loaded only where a program is seated

    welcome(name, occasion, seat)


def read_policy(word: str) -> UndoPolicy:
    """The undo policy of that name."""
    for policy in UNDO_POLICIES:
        if policy == word:
            return policy
    raise unknown("match/undo-policy", "an undo policy", word, UNDO_POLICIES)


def read_chance(word: str) -> ChanceMode:
    """The chance mode of that name."""
    for mode in CHANCE_MODES:
        if mode == word:
            return mode
    raise unknown("match/chance", "a kind of chance", word, CHANCE_MODES)


def _read_minutes(what: str, minutes: int) -> int:
    if not 0 <= minutes <= MAX_MINUTES:
        raise UsageError(
            f"match/{what}-within", f"{minutes} is not a time limit; give minutes from 0 (no limit) to {MAX_MINUTES}."
        )
    return minutes


# --------------------------------------------------------------------------------------------------------------- acting


def act(ledger: LocalLedger, live: Live, seat: Seat, action: Action, call: Call = ANY_HEAD) -> Appended:
    """Let a seat act: the action, all that follows, and the chance that answers it, appended as one step."""
    return carry_out(
        ledger, live, call, ("act", seat, action), refuse_unplayable, lambda at: acted(ledger, live, seat, action)
    )


def acted(ledger: LocalLedger, live: Live, seat: Seat, action: Action) -> Decided:
    """What an action of a seat leads to."""
    check_seat(live.opened, seat)
    rules, state = live.game.rules, live.table.state
    waiting = rules.request(state)
    if waiting is not None:
        raise Refused("match/awaiting-chance", f"The {waiting.purpose} comes first: use `deal`.")
    entries: list[Entry] = [(seat, event) for event in rules.decide(state, seat, action)]
    return completed(live, entries, secret_of(ledger, live))


def deal(ledger: LocalLedger, live: Live, outcome: Outcome | None = None, call: Call = ANY_HEAD) -> Appended:
    """Let chance answer now: with an outcome from outside in a recorded match, by itself where reveals wait for it."""
    return carry_out(ledger, live, call, ("deal", outcome), refuse_unplayable, lambda at: dealt(ledger, live, outcome))


def dealt(ledger: LocalLedger, live: Live, outcome: Outcome | None) -> Decided:
    """What an answer of chance leads to."""
    game, table = live.game, live.table
    request = game.rules.request(table.state)
    if request is None:
        raise Refused("match/nothing-to-deal", "Nothing is to be drawn or dealt now.")
    if (outcome is None) == (table.opened.chance == "recorded"):
        raise Refused(
            "match/outcome",
            f"Chance is recorded here: say what the {request.purpose} was."
            if outcome is None
            else f"Chance is {table.opened.chance} here: the {request.purpose} cannot be given from outside.",
        )
    secret = secret_of(ledger, live)
    if outcome is None:
        entries = owed(live, table, secret)
    else:
        entries = [(CHANCE, event) for event in game.rules.decide(table.state, CHANCE, outcome)]
    return completed(live, entries, secret)


# -------------------------------------------------------------------------------------------------------------- closing


def resign(ledger: LocalLedger, live: Live, seat: Seat, call: Call = ANY_HEAD) -> Appended:
    """Give up: the match closes with the scores as they are and this seat last."""

    return carry_out(ledger, live, call, ("resign", seat), refuse_unplayable, lambda at: resigned(ledger, live, seat))


def resigned(ledger: LocalLedger, live: Live, seat: Seat) -> Decided:
    """What it leads to that a seat gives up."""
    check_seat(live.opened, seat)
    standings = resigned_standings(live.game.rules.rank(live.table.state), seat)
    last = closing("resigned", standings, secret_of(ledger, live))
    return Decided([[(seat, SeatResigned(seat=seat)), (LEDGER, last)]])


def resigned_standings(places: Sequence[Standing], seat: Seat) -> tuple[Standing, ...]:
    """The result when this seat gave up: the others by the standings of the moment, and this seat last."""
    others = [place for place in places if place.seat != seat]
    last = next((place for place in places if place.seat == seat), None)
    if last is None:
        raise Refused("match/seat", f"Seat {seat} is not at this table; it has {len(places)} seats.")
    ranked = [
        Standing(place.seat, 1 + sum(other.rank < place.rank for other in others), place.score, place.tiebreak)
        for place in others
    ]
    return (*ranked, Standing(seat, len(places), last.score, last.tiebreak))


def abandon(ledger: LocalLedger, live: Live, call: Call = ANY_HEAD) -> Appended:
    """Close the match without a result."""
    return carry_out(
        ledger,
        live,
        call,
        ("abandon",),
        refuse_closed,
        lambda at: Decided([[(LEDGER, closing("abandoned", (), secret_of(ledger, live)))]]),
    )


def rematch(history: History) -> OpenMatch:
    """The same game with the same agreements and players; a seed would only bring the same draws again."""
    opened, names = history.opened, history.names
    rows = [history.seats[seat] for seat in range(1, opened.seats + 1) if seat in history.seats]
    return OpenMatch(
        game=opened.game,
        players=[names[row.seat] if row.kind == PERSON else f"{names[row.seat]}={row.kind}" for row in rows],
        seats=opened.seats,
        options=opened.options,
        undo=opened.undo,
        chance=None if opened.chance == "seeded" else opened.chance,
        confirm_reveals=opened.confirm_reveals,
        arbiters=list(opened.arbiters),
        dispute_within=opened.dispute_within,
        appeal_within=opened.appeal_within,
    )
