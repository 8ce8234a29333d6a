"""Forking: a new match that continues another from any of its steps, with its provenance in the opening."""

from collections.abc import Sequence
from typing import Final

from events.match import ChanceMode, MatchClosed, MatchOpened, Provenance
from projections.timeline import effective, is_play
from service.errors import Refused, UsageError, unknown
from service.play import chance
from service.play.appending import Entry
from service.play.dealing import Secret
from service.play.history import History, Live
from service.play.ledger import LocalLedger
from service.play.matches import read_policy, start
from service.play.players import NewPlayer
from service.store.shapes import CommandKey, Grant

FORK_CHANCE: Final = ("resample", "same-draws", "recorded")


def step_to_fork(live: History) -> int:
    """Where a fork goes on if nobody says: from the last step, or from before the one that closed the match."""
    closing = next((entry.step for entry in live.envelopes if isinstance(entry.event, MatchClosed)), None)
    return live.envelopes[-1].step if closing is None else closing - 1


def fork(
    ledger: LocalLedger,
    live: Live,
    step: int,
    *,
    chance_mode: str = "resample",
    undo: str = "free",
    grants: Sequence[Grant] = (),
    command: CommandKey | None = None,
) -> Live:
    """A new match holding the steps in effect right after `step` of this one; the parent is not touched."""
    then = live.at(f"s{step}")
    if not then.table.is_full:
        raise Refused("fork/not-started", f"After step {step} not every seat was taken; fork from a later step.")
    if then.table.closed is not None:
        last = then.timeline.done[-1] if then.timeline.done else step
        raise Refused("fork/closed", f"Step {step} closed the match; fork from before step {last}.")
    parent = live.table.opened
    history: dict[int, list[Entry]] = {}
    for envelope in effective(then.envelopes):
        if is_play(envelope):
            history.setdefault(envelope.step, []).append((envelope.actor, envelope.event))
    secret = _secret(ledger, live, chance_mode)
    chance_after: ChanceMode = "recorded" if secret is None else "fair"
    repeats = chance_mode == "same-draws"
    origin = chance.origin_of(live.id, parent) if repeats else live.id
    opened = MatchOpened(
        game=parent.game,
        ruleset=parent.ruleset,
        seats=parent.seats,
        options=parent.options,
        undo=read_policy(undo),
        chance=chance_after,
        commitment=chance.commitment(secret.secret) if secret else "",
        confirm_reveals=parent.confirm_reveals,
        parent=Provenance(
            match=live.id,
            step=step,
            hash=then.hashes[-1].hex(),
            draws=then.table.draws,
            chance=chance_mode,  # type: ignore[arg-type]
            origin=origin if origin != live.id else "",
        ),
        arbiters=parent.arbiters,
        dispute_within=parent.dispute_within,
        appeal_within=parent.appeal_within,
        derivation=parent.derivation if repeats else chance.derivation_for(chance_after),
    )
    players = [
        NewPlayer(live.seats[seat].name if seat in live.seats else "", nonce=then.table.nonces[seat])
        for seat in range(1, parent.seats + 1)
    ]
    steps = list(history.values())
    return start(ledger, live.game, opened, secret, players, steps, grants=grants, command=command)


def _secret(ledger: LocalLedger, live: Live, mode: str) -> Secret | None:
    if mode == "recorded":
        return None
    if mode == "resample":
        return Secret(ledger.new_secret())
    if mode != "same-draws":
        raise unknown("fork/chance", "a kind of chance for a fork", mode, FORK_CHANCE)
    closed = live.table.closed
    if closed is None:
        raise Refused(
            "fork/future", f"Match {live.id} is still on: the same draws would show its future. Use resample."
        )
    if not closed.secret:
        raise UsageError("fork/recorded", f"Match {live.id} was recorded: it has no draws to repeat. Use resample.")
    return Secret(bytes.fromhex(closed.secret), closed.seed)
