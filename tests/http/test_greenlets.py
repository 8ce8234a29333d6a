"""Functions that wait on stacks of their own: one after the other, beside each other, and when something goes wrong."""

import asyncio

import pytest

from service.shell.http.greenlets import Greenlets, promise, wait


async def _later(value: str) -> str:
    await asyncio.sleep(0)
    return value


async def _failing() -> None:
    raise ValueError("the disk")


def _waiting_for(*values: str) -> str:
    return " ".join(wait(_later(value)) for value in values)


def _promising(value: str) -> str:
    promise(_later(value))
    return "answer"


def _breaking() -> str:
    promise(_failing())
    return "never seen"


def _caught() -> str:
    try:
        wait(_failing())
    except ValueError as error:
        return f"caught {error}"
    return "nothing raised"


def _raising() -> None:
    raise ValueError("the rules")


def test_functions_follow_each_other_each_with_its_own_answer_and_promises() -> None:
    async def run() -> None:
        stacks = Greenlets()
        assert await stacks.spawn(_promising, "first") == ("answer", ["first"])
        assert await stacks.spawn(_waiting_for, "a", "b") == ("a b", [])
        assert await stacks.spawn(_promising, "second") == ("answer", ["second"])

    asyncio.run(run())


def test_functions_that_wait_at_the_same_time_do_not_meet() -> None:
    async def run() -> None:
        stacks = Greenlets()
        spawned = [stacks.spawn(_waiting_for, *names) for names in ("abc", "d", "ef")]
        assert [answer for answer, _ in await asyncio.gather(*spawned)] == ["a b c", "d", "e f"]

    asyncio.run(run())


def test_what_goes_wrong_reaches_whoever_waits_and_nobody_after() -> None:
    async def run() -> None:
        stacks = Greenlets()
        with pytest.raises(ValueError, match="the rules"):
            await stacks.spawn(_raising)
        with pytest.raises(ValueError, match="the disk"):
            await stacks.spawn(_breaking)
        with pytest.raises(ValueError, match="the disk"):
            await stacks.spawn(lambda: wait(_failing()))
        assert await stacks.spawn(_caught) == ("caught the disk", [])
        assert await stacks.spawn(_promising, "kept") == ("answer", ["kept"])

    asyncio.run(run())


def test_a_promise_of_a_function_that_raised_is_not_kept_for_the_next() -> None:
    async def run() -> None:
        stacks = Greenlets()
        promised = asyncio.get_running_loop().create_future()

        def promising_too_much() -> None:
            promise(promised)
            raise ValueError("the rules")

        with pytest.raises(ValueError, match="the rules"):
            await stacks.spawn(promising_too_much)
        assert await stacks.spawn(_waiting_for, "a") == ("a", [])

    asyncio.run(run())
