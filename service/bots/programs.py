"""Programs as bots: who may seat them, which of them are running, and when they are closed."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from events.core import Seat, Standing
from service.bots.core import Bot, Occasion, Outside
from service.bots.kinds import find_bot
from service.trust.programs import folder_of_program, remember_program


def welcome(name: str, occasion: Occasion, seat: Seat) -> None:
    """Let a bot play that somebody at this machine has named; refused where it cannot be started or does not answer.

    A bot from outside is remembered: no other is ever started for a match that comes from a file or a database.
    """
    bot = find_bot(name)
    if isinstance(bot, Outside):
        bot.sit_at(Path.cwd())
        bot.try_out(occasion, seat)
        remember_program(name, Path.cwd())


def may_play(name: str) -> bool:
    """Whether this user has seated this bot from outside."""
    return folder_of_program(name) is not None


class Programs:
    """Lets bots from outside play in the matches of a ledger; only a user of this machine has one."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, Seat], Outside] = {}

    def bot(self, match: str, seat: Seat, name: str, occasion: Occasion) -> Bot:
        """The bot from outside that has this seat, open until the match is over."""
        if (match, seat) not in self._open:
            bot, folder = find_bot(name), folder_of_program(name)
            assert isinstance(bot, Outside)
            assert folder is not None
            bot.sit_at(folder)
            bot.begin(occasion, seat)
            self._open[match, seat] = bot
        return self._open[match, seat]

    def end(self, match: str, reason: str, standings: Sequence[Standing]) -> None:
        """A match is over."""
        for key in [key for key in self._open if key[0] == match]:
            bot = self._open.pop(key)
            bot.end(reason, standings)
            bot.close()

    def close(self) -> None:
        """Close whatever is open."""
        while self._open:
            self._open.popitem()[1].close()


class Cast:
    """Bots kept from match to match, so that those from outside are started once for each seat they have at a time."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Bot] = {}

    def seated(self, names: Sequence[str]) -> list[Bot]:
        """The bots of these names, in order."""
        times: Counter[str] = Counter()
        bots = []
        for name in names:
            key = name, times[name]
            times[name] += 1
            if key not in self._kept:
                self._kept[key] = find_bot(name)
            bots.append(self._kept[key])
        return bots

    def close(self) -> None:
        """Close whatever is open."""
        while self._kept:
            bot = self._kept.popitem()[1]
            if isinstance(bot, Outside):
                bot.close()
