"""What became of every attack, the table of them all, and what cannot be seen by design."""

from collections import Counter
from collections.abc import Iterable
from traceback import format_exception
from typing import Final, Literal, NamedTuple

Verdict = Literal["named", "harmless", "by design", "missed", "traceback", "false alarm"]
VERDICTS: Final[tuple[Verdict, ...]] = ("named", "harmless", "by design", "missed", "traceback", "false alarm")
WRONG: Final[tuple[Verdict, ...]] = ("missed", "traceback", "false alarm")

Design = Literal["rollback", "open", "owner", "retired", "names", "requests", "witnesses", "secrets", "unsigned"]
BY_DESIGN: Final[dict[Design, str]] = {
    "rollback": "the newest entries of the journal gone together with all they speak of: the ledger as it once was",
    "open": "other legal moves, fewer moves or other times in an open match, after the last statement about it",
    "owner": "anything that follows the rules, decided anew and signed anew with the ledger's own key",
    "retired": "the same with a stolen retired key, in a journal rolled back to its time and dated back",
    "names": "names and kinds of players, tags and comments: they are outside the chain",
    "requests": "which requests were carried out already: that only keeps a repeated one harmless",
    "witnesses": "what other ledgers signed about an imported match, taken away",
    "secrets": "the secret of a match taken away: a closed match has revealed it, an open one says so at its next draw",
    "unsigned": "a record without its signature: it is unsigned, and the audit says that much",
}
"""What no audit of the ledger alone can see. The first four are seen by whoever kept a receipt from after it."""


class Outcome(NamedTuple):
    """What became of one attack."""

    kind: str
    what: str
    """Exactly what was done, so that it can be done again."""
    verdict: Verdict
    why: str = ""
    """The design it is hidden by, or what was said, or the exception."""

    @property
    def is_wrong(self) -> bool:
        """Whether it must not be."""
        return self.verdict in WRONG

    def __str__(self) -> str:
        return f"{self.verdict}: {self.kind}: {self.what}" + (f"\n    {self.why}" if self.why else "")


def traceback(kind: str, what: str, error: BaseException) -> Outcome:
    """An attack that something broke under."""
    return Outcome(kind, what, "traceback", "".join(format_exception(error)[-3:]).strip())


def by_design(kind: str, what: str, design: str) -> Outcome:
    """An attack that cannot be seen."""
    assert design in BY_DESIGN
    return Outcome(kind, what, "by design", design)


class Tally:
    """How many attacks there were of each kind, and what became of them."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self._counted: Counter[tuple[str, str]] = Counter()
        self._hidden: Counter[str] = Counter()
        self.wrong: list[Outcome] = []
        """Everything that must not be."""
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self._counted[outcome.kind, outcome.verdict] += 1
        if outcome.verdict == "by design":
            self._hidden[outcome.why] += 1
        if outcome.is_wrong:
            self.wrong.append(outcome)

    def number(self, verdict: Verdict, kind: str = "") -> int:
        """How many attacks ended so; of one kind, or of all."""
        return sum(self._counted[one, verdict] for one in self.kinds if kind in ("", one))

    @property
    def kinds(self) -> list[str]:
        """The kinds in the order in which they were first tried."""
        return list(dict.fromkeys(kind for kind, _ in self._counted))

    def __str__(self) -> str:
        """A line for each kind, and the list of what cannot be seen by design, with how often it was tried."""
        heads = (*VERDICTS[:4], "tracebacks", "false alarms")
        lines = [f"{'kind':40}{'tried':>8}" + "".join(f"{head:>14}" for head in heads)]
        for kind in [*self.kinds, ""]:
            row = [self.number(verdict, kind) for verdict in VERDICTS]
            lines.append(f"{kind or 'all':40}{sum(row):8}" + "".join(f"{number:14}" for number in row))
        lines += ["", "Cannot be seen by design:"]
        lines += [f"{self._hidden[design]:8}  {design:10}{words}" for design, words in BY_DESIGN.items()]
        return "\n".join(lines)
