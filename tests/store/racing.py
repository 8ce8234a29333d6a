"""A process that appends to one match until it has won its share of heads; run by the tests of races and of kills.

`python -m tests.store.racing DATABASE MATCH NAME WINS` says that it is ready, starts when it is given a line, and
prints the head after each step it was told is stored.
"""

import sys

from service.errors import Conflict
from service.store import CommandKey, open_store
from tests.store.steps import step_after


def race(database: str, match: str, name: str, wins: int) -> None:
    """Win that many heads, however often somebody else is first. Every third step is sent twice."""
    with open_store(database) as store:
        print("ready", flush=True)
        sys.stdin.readline()
        won = 0
        while won < wins:
            command = CommandKey(f"{name}-{won}", name.encode())
            append = step_after(match, store.find(match).head, said=f"{name}-{won}", command=command)
            try:
                receipt = store.append(append)
            except Conflict:
                continue
            if won % 3 == 0:
                assert store.append(append) == type(receipt)(match, receipt.first_seq, receipt.last_seq, repeated=True)
            print(receipt.last_seq, flush=True)
            won += 1


if __name__ == "__main__":
    race(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
