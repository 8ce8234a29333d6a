"""A process with a crowd of threads that append through one group commit, until it is killed.

`python -m tests.store.crowding DATABASE CALLERS` says that it is ready, starts when it is given a line, and prints the
match and its head after each step it was told is stored. Every caller has a match of its own, `m0` and on.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from service.store import Store, open_store
from service.store.group_commit import GroupCommit
from tests.store.steps import step_after


def play(store: Store, group: GroupCommit, match: str) -> None:
    """Append to one match for ever."""
    head = store.head(match)
    while True:
        append = step_after(match, head)
        head = append.head
        print(f"{match} {group.submit(append).result().last_seq}\n", end="", flush=True)  # whole, in one piece


def crowd(database: str, callers: int) -> None:
    """Let the callers in."""
    with open_store(database) as store, store.grouped() as group, ThreadPoolExecutor(callers) as threads:
        print("ready", flush=True)
        sys.stdin.readline()
        for playing in [threads.submit(play, store, group, f"m{number}") for number in range(callers)]:
            playing.result()


if __name__ == "__main__":
    crowd(sys.argv[1], int(sys.argv[2]))
