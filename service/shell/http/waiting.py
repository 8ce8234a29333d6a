"""Use cases are plain functions that wait for the disk. Here they wait without holding up the event loop.

A use case runs on a stack of its own (a greenlet) in the loop's thread. Where it calls `wait`, that stack is set aside
and the coroutine that started it awaits in its place; so hundreds of use cases wait for one commit, without a thread
for each and without a second version of any of them.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

Answer = TypeVar("Answer")


async def spawn(work: Callable[..., Answer], *args: Any) -> Answer:
    """The answer of a function that may call `wait`."""
    stack = greenlet(work)
    outcome = stack.switch(*args)
    while not stack.dead:
        try:
            value = await outcome
        except BaseException as error:
            outcome = stack.throw(error)
        else:
            outcome = stack.switch(value)
    answer: Answer = outcome
    return answer


def wait(awaitable: Awaitable[Answer]) -> Answer:
    """What an awaitable comes to, for a function that was started by `spawn`."""
    parent = getcurrent().parent
    assert parent is not None, "only a function that was started by `spawn` can wait"
    answer: Answer = parent.switch(awaitable)
    return answer
