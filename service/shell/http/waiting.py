"""Use cases are plain functions that wait for the disk. Here they wait without holding up the event loop.

A use case runs on a stack of its own (a greenlet) in the loop's thread. Where it calls `wait`, that stack is set aside
and the coroutine that started it awaits in its place; so hundreds of use cases wait for one commit, without a thread
for each and without a second version of any of them. Setting a stack aside means copying it; a use case that needs the
outcome of a commit for nothing but to give it back calls `promise` instead, and is done before the commit is.
"""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from greenlet import getcurrent, greenlet

Answer = TypeVar("Answer")


class Spawned(NamedTuple):
    """What a function answered, and what became of its promises."""

    answer: Any
    kept: list[Any]


class _Stack(greenlet):  # type: ignore[misc]
    def __init__(self, work: Callable[..., object]) -> None:
        super().__init__(work)
        self.promises: list[Awaitable[object]] = []


async def spawn(work: Callable[..., object], *args: Any) -> Spawned:
    """The answer of a function that may call `wait` and `promise`, once every promise was kept; else what broke one."""
    stack = _Stack(work)
    outcome = stack.switch(*args)
    while not stack.dead:
        try:
            value = await outcome
        except BaseException as error:
            outcome = stack.throw(error)
        else:
            outcome = stack.switch(value)
    return Spawned(outcome, [await promised for promised in stack.promises])


def wait(awaitable: Awaitable[Answer]) -> Answer:
    """What an awaitable comes to, for a function that was started by `spawn`."""
    parent = getcurrent().parent
    assert parent is not None, "only a function that was started by `spawn` can wait"
    answer: Answer = parent.switch(awaitable)
    return answer


def promise(awaitable: Awaitable[object]) -> None:
    """Let nobody see the answer of this function before the awaitable has come to something."""
    stack = getcurrent()
    assert isinstance(stack, _Stack), "only a function that was started by `spawn` can promise"
    stack.promises.append(awaitable)
