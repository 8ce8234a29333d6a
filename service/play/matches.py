"""The life of a match: open, join, act, deal, resign, abandon. Every use case is a function appending whole steps."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import msgspec

from events.chain import origin
from events.core import CHANCE, LEDGER, Seat, Standing
from events.match import ChanceMode, CloseReason, MatchClosed, MatchOpened, SeatResigned, SeatTaken, UndoPolicy
from projections.fold import Table, advance, fold, seat_down
from service.errors import Conflict, NotFound, Refused, UsageError, unknown
from service.games.core import Action, Outcome
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import find_game
from service.play import chance
from service.play.ledger import Entry, Ledger, compose
from service.play.replay import Live
from service.store.shapes import Append, Appended, Command, Head, NewMatch, SeatRow
from service.trust.keys import public_key

UNDO_POLICIES: tuple[UndoPolicy, ...] = ("strict", "consent", "free")
CHANCE_MODES: tuple[ChanceMode, ...] = ("fair", "seeded", "recorded")
MAX_NONCE = 64
MAX_MINUTES = 10 * 366 * 24 * 60
"""The longest time limit, ten years: far enough for anybody, near enough for every calendar."""


class Player(NamedTuple):
    """Somebody who sits down: a name kept outside the chain, what kind of player, and a share in the draws."""

    name: str
    kind: str = "person"
    nonce: str = ""


class Call(NamedTuple):
    """How a caller guards a request: the head it looked at, and an id that makes a repetition harmless."""

    expected: int | None = None
    command: str | None = None


ANY_HEAD = Call()


class Secret(NamedTuple):
    """What the draws of a match come from."""

    secret: bytes
    seed: str = ""


# ----------------------------------------------------------------------------------------------------- opening, joining


def open_match(
    ledger: Ledger,
    key: str,
    seats: int,
    *,
    options: Mapping[str, str] | None = None,
    undo: str = "strict",
    chance_mode: str = "fair",
    seed: int | None = None,
    confirm_reveals: bool = False,
    players: Sequence[Player] = (),
    arbiters: Sequence[str] = (),
    dispute_within: int = 0,
    appeal_within: int = 0,
) -> Live:
    """Open a match and seat the players; with every seat taken, chance sets the table up at once."""
    game = find_game(key)
    values = read_options(game.rules, options or {}, seats)
    secret = new_secret(ledger, chance_mode, seed)
    opened = MatchOpened(
        game=game.key,
        ruleset=game.rules.ruleset,
        seats=seats,
        options=values,
        undo=read_policy(undo),
        chance=read_chance(chance_mode),
        commitment=chance.commitment(secret.secret) if secret else "",
        confirm_reveals=confirm_reveals,
        arbiters=tuple(dict.fromkeys(public_key(key, "match/arbiter") for key in arbiters)),
        dispute_within=_read_minutes("dispute", dispute_within),
        appeal_within=_read_minutes("appeal", appeal_within),
    )
    return start(ledger, game, opened, secret, players)


def start(
    ledger: Ledger,
    game: Game,
    opened: MatchOpened,
    secret: Secret | None,
    players: Sequence[Player],
    history: Sequence[Sequence[Entry]] = (),
) -> Live:
    """Append the opening, the players and any history taken over, and set the table up, all in one transaction."""
    if len(players) > opened.seats:
        raise UsageError("match/players", f"{len(players)} players do not fit {opened.seats} seats.")
    live = Live(
        id=ledger.new_id(),
        game=game,
        envelopes=[],
        table=seat_down(game.projection, opened),
        head=Head(seq=0, step=0, hash=b""),
        seats={},
    )
    live.head = Head(seq=0, step=0, hash=origin(live.id, game.key, game.rules.ruleset))
    taken = [_taken(seat, player) for seat, player in enumerate(players, start=1)]
    steps: list[Sequence[Entry]] = [[(LEDGER, opened)], *([entry] for entry in taken), *history]
    table = _after(live, live.table, steps)
    if table.is_full and (setup := _owed(game, table, secret)):
        steps.append(setup)
    rows = [SeatRow(seat=seat, name=player.name, kind=player.kind) for seat, player in enumerate(players, start=1)]
    new = NewMatch(
        game=game.key,
        ruleset=game.rules.ruleset,
        seats=opened.seats,
        undo=opened.undo,
        chance=opened.chance,
        parent=opened.parent.match if opened.parent else None,
        secret=secret.secret if secret else None,
        seed=secret.seed if secret else "",
    )
    commit(ledger, live, steps, new=new, seats=rows)
    return live


def join(ledger: Ledger, live: Live, player: Player, seat: Seat | None = None, call: Call = ANY_HEAD) -> Appended:
    """Take a free seat, the first one unless another is named; the last to join sets the table up."""
    table = live.table
    command = identify(call, "join", seat, player)
    if appended := begin(ledger, live, call, command):
        return appended
    _refuse_closed(live)
    free = [number for number in range(1, table.opened.seats + 1) if number not in table.nonces]
    if not free:
        raise Refused("match/full", f"All {table.opened.seats} seats of match {live.id} are taken.")
    seat = free[0] if seat is None else seat
    if seat not in free:
        raise Refused("match/seat-taken", f"Seat {seat} is not free; free seats: {', '.join(map(str, free))}.")
    steps: list[Sequence[Entry]] = [[_taken(seat, player)]]
    if len(free) == 1:
        setup = _owed(live.game, _after(live, table, steps), _secret_of(ledger, live))
        steps += [setup] if setup else []
    return commit(ledger, live, steps, command=command, seats=[SeatRow(seat=seat, name=player.name, kind=player.kind)])


def _taken(seat: Seat, player: Player) -> Entry:
    if len(player.nonce) > MAX_NONCE:
        raise UsageError("match/nonce", f"A nonce has at most {MAX_NONCE} characters, not {len(player.nonce)}.")
    return seat, SeatTaken(seat=seat, nonce=player.nonce)


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


def new_secret(ledger: Ledger, mode: str, seed: int | None) -> Secret | None:
    """The secret a new match draws from; recorded chance has none."""
    if (seed is not None) != (mode == "seeded"):
        raise UsageError("match/seed", f"A seed goes with seeded chance and nothing else; chance is {mode!r}.")
    if seed is not None:
        return Secret(chance.secret_from_seed(seed), str(seed))
    return None if mode == "recorded" else Secret(ledger.new_secret())


# --------------------------------------------------------------------------------------------------------------- acting


def act(ledger: Ledger, live: Live, seat: Seat, action: Action, call: Call = ANY_HEAD) -> Appended:
    """Let a seat act: the action, all that follows, and the chance that answers it, appended as one step."""
    command = identify(call, "act", seat, action)
    if appended := begin(ledger, live, call, command):
        return appended
    check_playing(live)
    game, table = live.game, live.table
    if not 1 <= seat <= table.opened.seats:
        raise NotFound("match/seat", f"There is no seat {seat}; choose 1–{table.opened.seats}.")
    waiting = game.rules.request(table.state)
    if waiting is not None:
        raise Refused("match/awaiting-chance", f"The {waiting.purpose} comes first: use `deal`.")
    entries: list[Entry] = [(seat, event) for event in game.rules.decide(table.state, seat, action)]
    return commit(ledger, live, [_completed(ledger, live, entries)], command=command)


def deal(ledger: Ledger, live: Live, outcome: Outcome | None = None, call: Call = ANY_HEAD) -> Appended:
    """Let chance answer now: with an outcome from outside in a recorded match, by itself where reveals wait for it."""
    command = identify(call, "deal", outcome)
    if appended := begin(ledger, live, call, command):
        return appended
    check_playing(live)
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
    if outcome is None:
        entries = _owed(game, table, _secret_of(ledger, live))
    else:
        entries = [(CHANCE, event) for event in game.rules.decide(table.state, CHANCE, outcome)]
    return commit(ledger, live, [_completed(ledger, live, entries)], command=command)


def _completed(ledger: Ledger, live: Live, entries: list[Entry]) -> list[Entry]:
    """The entries of a step with chance's answers and, if the game is over, the closing."""
    after = _after(live, live.table, [entries])
    secret = _secret_of(ledger, live)
    if not after.opened.confirm_reveals:
        answers = _owed(live.game, after, secret)
        entries = [*entries, *answers]
        after = _after(live, after, [answers])
    if standings := live.game.projection.standings(after.state):
        entries = [*entries, (LEDGER, _closing("finished", standings, secret))]
    return entries


def _owed(game: Game, table: Table, secret: Secret | None) -> list[Entry]:
    """Everything chance owes the table; nothing where the outcome comes from outside."""
    entries: list[Entry] = []
    if secret is None:
        return entries
    scratch = Table(table.opened, game.projection.copy(table.state), table.nonces, table.draws)
    while game.rules.request(scratch.state) is not None:
        for event in game.rules.decide(scratch.state, CHANCE, _drawn(game, scratch, secret)):
            advance(game.projection, scratch, event)
            entries.append((CHANCE, event))
    return entries


def _drawn(game: Game, table: Table, secret: Secret) -> Outcome:
    request = game.rules.request(table.state)
    assert request is not None
    entropy = chance.entropy_of([table.nonces[seat] for seat in sorted(table.nonces)])
    return chance.answer(secret.secret, entropy, table.draws, request)


def _after(live: Live, table: Table, steps: Sequence[Sequence[Entry]]) -> Table:
    """The table as it would be after these steps; the one given stays as it is."""
    after = Table(
        table.opened, live.game.projection.copy(table.state), dict(table.nonces), table.draws, closed=table.closed
    )
    for entries in steps:
        for _, event in entries:
            advance(live.game.projection, after, event)
    return after


def _secret_of(ledger: Ledger, live: Live) -> Secret | None:
    stored = ledger.store.secret(live.id)
    if stored is None and live.table.opened.chance != "recorded":
        raise Refused(
            "match/no-secret",
            f"Match {live.id} was imported before it was over: the secret behind its draws is not in this ledger,"
            " so it cannot go on here. Fork it to play on.",
        )
    return Secret(*stored) if stored else None


# -------------------------------------------------------------------------------------------------------------- closing


def resign(ledger: Ledger, live: Live, seat: Seat, call: Call = ANY_HEAD) -> Appended:
    """Give up: the match closes with the scores as they are and this seat last."""
    command = identify(call, "resign", seat)
    if appended := begin(ledger, live, call, command):
        return appended
    check_playing(live)
    if not 1 <= seat <= live.table.opened.seats:
        raise NotFound("match/seat", f"There is no seat {seat}; choose 1–{live.table.opened.seats}.")
    standings = resigned_standings(live.game.rules.rank(live.table.state), seat)
    closing = _closing("resigned", standings, _secret_of(ledger, live))
    return commit(ledger, live, [[(seat, SeatResigned(seat=seat)), (LEDGER, closing)]], command=command)


def resigned_standings(places: Sequence[Standing], seat: Seat) -> tuple[Standing, ...]:
    """The result when this seat gave up: the others by the standings of the moment, and this seat last."""
    others = [place for place in places if place.seat != seat]
    last = next(place for place in places if place.seat == seat)
    ranked = [
        Standing(place.seat, 1 + sum(other.rank < place.rank for other in others), place.score, place.tiebreak)
        for place in others
    ]
    return (*ranked, Standing(seat, len(places), last.score, last.tiebreak))


def abandon(ledger: Ledger, live: Live, call: Call = ANY_HEAD) -> Appended:
    """Close the match without a result."""
    command = identify(call, "abandon")
    if appended := begin(ledger, live, call, command):
        return appended
    _refuse_closed(live)
    return commit(ledger, live, [[(LEDGER, _closing("abandoned", (), _secret_of(ledger, live)))]], command=command)


def _closing(reason: CloseReason, standings: Sequence[Standing], secret: Secret | None) -> MatchClosed:
    return MatchClosed(
        reason=reason,
        standings=tuple(standings),
        secret=secret.secret.hex() if secret else "",
        seed=secret.seed if secret else "",
    )


# ------------------------------------------------------------------------------------------------------------ appending


def check_playing(live: Live) -> None:
    """Refuse a match that has not begun or is over."""
    _refuse_closed(live)
    if not live.table.is_full:
        free = [seat for seat in range(1, live.table.opened.seats + 1) if seat not in live.table.nonces]
        raise Refused("match/not-started", f"Seat {free[0]} is still free; `join` it first.")


def _refuse_closed(live: Live) -> None:
    if live.table.closed is not None:
        raise Refused("match/closed", f"Match {live.id} is closed ({live.table.closed.reason}); fork it to play on.")


def identify(call: Call, *request: object) -> Command | None:
    """The caller's command id bound to what it asks for, so that the id cannot be reused for something else."""
    if call.command is None:
        return None
    return Command(id=call.command, fingerprint=sha256(msgspec.json.encode(request)).digest())


def begin(ledger: Ledger, live: Live, call: Call, command: Command | None) -> Appended | None:
    """Check the caller's guards: a repeated command gives its first outcome, a stale head is a Conflict."""
    if command is not None and (earlier := ledger.store.earlier(live.id, command)):
        return earlier
    if call.expected is not None and call.expected != live.head.seq:
        raise Conflict(
            "store/stale-head", f"You looked at event {call.expected}; match {live.id} is at event {live.head.seq} now."
        )
    return None


def commit(
    ledger: Ledger,
    live: Live,
    steps: Sequence[Sequence[Entry]],
    *,
    command: Command | None = None,
    new: NewMatch | None = None,
    seats: Sequence[SeatRow] = (),
    at: datetime | None = None,
) -> Appended:
    """Append the steps, and only then let the match in hand move on; heads of a closed match are signed.

    `at` is for whoever judged by that moment.
    """
    at = at or ledger.clock()
    if live.envelopes:
        # Clocks are set back now and then, and another process may be ahead of ours; a history never goes back.
        at = max(at, live.envelopes[-1].at)
    envelopes, rows, head = compose(live.id, live.head, steps, at)
    history = [*live.envelopes, *envelopes]
    table = fold(live.game.projection, history)
    # Signed before the append, stored with it: a key that cannot be used refuses the step as a whole.
    signs = ledger.signer if table.closed is not None else None
    signatures = [signs(live.id, head.seq, head.hash.hex())] if signs is not None else []
    appended = ledger.store.append(
        Append(
            match=live.id,
            expected=live.head.seq,
            rows=rows,
            head=head,
            status=table.status,
            at=at,
            new=new,
            seats=seats,
            command=command,
            signatures=signatures,
        )
    )
    if not appended.repeated:
        live.envelopes, live.table, live.head = history, table, head
        live.seats.update({row.seat: row for row in seats})
    return appended
