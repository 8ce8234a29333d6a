"""A process that opens, plays, closes, exports and gives receipts until it is killed, and says what it was promised.

`python -m tests.attack.worker DATABASE SEED` says that it is ready, starts when it is given a line, and prints
`step MATCH EVENT HASH` and `entry PLACE HASH` for what the ledger acknowledged.
"""

import sys
from collections.abc import Sequence
from random import Random

from service.audit.judge import own_notary
from service.errors import Conflict
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.notary import given
from service.play.players import NewPlayer
from service.play.undo import undo
from service.records.signatures import vouched
from service.store.connect import open_store


def work(words: Sequence[str]) -> None:
    """Play one short match after the other, whoever else is at work."""
    database, seed = words
    rng = Random(int(seed))
    with open_store(database) as store:
        ledger = LocalLedger(store, notary=own_notary())
        assert ledger.notary is not None
        print("ready", flush=True)
        sys.stdin.readline()
        while True:
            players = (NewPlayer("Ann", nonce="a"), NewPlayer("Ben", nonce="b"))
            live = open_match(ledger, "azul", players=players, options={"maxRounds": "1"}, undo="free")
            while live.table.closed is None:
                seat = live.game.projection.to_act(live.table.state)[0]
                act(ledger, live, seat, rng.choice(list(live.game.rules.legal(live.table.state, seat))))
                print("step", live.id, live.head.seq, live.head.hash.hex(), flush=True)
                if rng.random() < 0.1 and live.table.closed is None:
                    undo(ledger, live, seat)
                    print("step", live.id, live.head.seq, live.head.hash.hex(), flush=True)
            try:
                said = given(ledger.notary, store, from_store(store, live.id), ledger.clock())
                vouched(ledger, from_store(store, live.id))
            except Conflict:
                continue
            print("entry", said.place, said.hash.hex(), flush=True)


if __name__ == "__main__":
    work(sys.argv[1:])
