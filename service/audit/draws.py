"""The check of draws: the secret is the committed one, and every draw follows from it."""

from collections.abc import Sequence

from events.core import Envelope
from events.match import MatchClosed, MatchOpened, SeatTaken
from projections.fold import Table
from projections.timeline import is_play
from projections.words import count
from service.audit.format import Reading
from service.audit.report import Findings
from service.games.core import Outcome, Request
from service.games.game import Game
from service.play import chance, fairness


class Draws:
    """The draws of one match, checked one by one on the way and judged together at the end."""

    def __init__(self, game: Game, opened: MatchOpened, reading: Reading, findings: Findings) -> None:
        self._game = game
        self._opened = opened
        self._findings = findings
        self._envelopes = reading.envelopes
        # Only a fork takes anything over.
        self._with_opening = _appended_with_opening(reading.envelopes) if opened.parent is not None else 0
        self._closing = reading.closing
        self._closed = next(iter(reading.of_kind(MatchClosed)), None)
        self._inherited = opened.parent.draws if opened.parent is not None else 0
        self._repeats = opened.parent is not None and opened.parent.chance == "same-draws"
        self._secret = self._read_secret()
        self._context = b""
        self._seen = self._derived = self._at_opening = 0
        self._difference: tuple[int, str] | None = None

    def _read_secret(self) -> bytes | None:
        if self._closed is None:
            return None
        try:
            secret = bytes.fromhex(self._closed.secret)
        except ValueError:
            return None
        return secret if len(secret) == chance.SECRET_BYTES else None

    def is_taken_over(self, seq: int, draws: int) -> bool:
        """Whether a step that begins with this event, after so many draws, may be the match's that was forked from.

        The number alone does not tell: a fork that takes back what it took over and plays on draws by itself.
        """
        return self._opened.parent is not None and seq <= self._with_opening and draws <= self._inherited

    def check(self, seq: int, table: Table, wanted: Request, outcome: Outcome) -> None:
        """Derive one draw again, if the secret is known and the draw is this match's own."""
        self._seen += 1
        if seq <= self._with_opening:
            self._at_opening += 1
            # What was taken over from a parent was drawn with the parent's secret, or with its parent's.
            if table.draws < self._inherited:
                return
        if self._secret is None or self._opened.derivation not in chance.DERIVATIONS:
            return
        if not self._context:
            self._context = chance.context_of(self._envelopes[0].match, self._opened, table.nonces)
        try:
            expected = chance.answer(self._secret, self._context, table.draws, wanted)
        except (ArithmeticError, LookupError, ValueError):
            expected = None
        if expected == outcome:
            self._derived += 1
        elif self._difference is None:
            due = self._words(wanted, expected) if expected is not None else "nothing"
            drawn = self._words(wanted, outcome)
            self._difference = (seq, f"Draw {table.draws} ({wanted.purpose}) gives {due}; the record says {drawn}.")

    def _words(self, wanted: Request, outcome: Outcome) -> str:
        try:
            return self._game.notation.write_outcome(wanted, outcome)
        except Exception:  # an outcome that cannot even be written
            return str(outcome.drawn)

    def judge(self, table: Table, *, is_whole: bool) -> None:
        """Say what the draws amount to, as far as the match could be gone through, to this table."""
        findings, opened, closed, closing = self._findings, self._opened, self._closed, self._closing
        self._judge_opening()
        if opened.chance == "recorded":
            if opened.commitment or (closed is not None and closed.secret):
                findings.fail("draws", closing if closed and closed.secret else 1, "Recorded chance has no secret.")
            findings.passed("draws", f"{count(self._seen, 'draw')} entered by hand, each possible when it was made")
            return
        if is_whole and not 0 <= self._inherited <= self._at_opening:
            # Either the claim is wrong, or the steps taken over are gone and something else stands in their place.
            is_lost = self._inherited > 0 and (not self._at_opening or self._with_opening == len(self._envelopes))
            seq = self._with_opening + 1 if is_lost else 1
            why = f"{self._inherited} draws are said to be inherited; {self._at_opening} were there at the opening."
            findings.fail("draws", seq, why)
        if len(opened.commitment) != 64:
            findings.fail("draws", 1, f"Chance is {opened.chance}, but there is no commitment to a secret.")
        if closed is None:
            possible = f"the match is open and its secret hidden; {count(self._seen, 'draw')} possible"
            findings.skip(["draws"], f"{possible}; {fairness.words(table)}")
            return
        if self._judge_secret(closed) and self._difference is not None:
            findings.fail("draws", *self._difference)
        inherited = f", {self._seen - self._derived} inherited" if self._derived < self._seen else ""
        derived = f"{count(self._derived, 'draw')} derived again from the secret{inherited}"
        findings.passed("draws", f"{derived}; {fairness.words(table)}")

    def _judge_opening(self) -> None:
        """Check that the opening names a derivation that exists."""
        opened, fail = self._opened, self._findings.fail
        if opened.derivation not in chance.DERIVATIONS:
            fail("draws", 1, f"It says that {chance.unknown_derivation(opened.derivation)}")
        if opened.parent is not None and opened.parent.origin and not self._repeats:
            fail("draws", 1, f"It repeats no draws, yet names {opened.parent.origin!r} as the match they are from.")

    def _judge_secret(self, closed: MatchClosed) -> bool:
        """Whether draws that do not follow from the secret are the draws' own fault."""
        fail, closing, opened = self._findings.fail, self._closing, self._opened
        if self._secret is None:
            fail("draws", closing, f"No secret of {chance.SECRET_BYTES} bytes was revealed: {closed.secret!r}.")
            return False
        if opened.chance == "seeded" or closed.seed:
            self._judge_seed(closed, self._secret)
        if chance.commitment(self._secret) == opened.commitment:
            return True
        # If the draws follow from the secret, it is the commitment that was put there later.
        if self._derived and self._difference is None:
            fail("draws", 1, f"The commitment is not that of the secret revealed by event {closing}.")
        else:
            fail("draws", closing, "The secret revealed is not the one committed to by event 1.")
        return False

    def _judge_seed(self, closed: MatchClosed, secret: bytes) -> None:
        if self._opened.chance != "seeded" and not self._repeats:
            self._findings.fail("draws", self._closing, f"Chance is {self._opened.chance}, yet a seed was revealed.")
        if not chance.is_seed_of(closed.seed, secret):
            self._findings.fail("draws", self._closing, f"The secret does not come from the seed {closed.seed!r}.")


def _appended_with_opening(envelopes: Sequence[Envelope]) -> int:
    """How many events stand there from the opening on: written at the same time, and before anything was taken back."""
    opening = envelopes[0]
    for position, envelope in enumerate(envelopes[1:], start=1):
        is_part = is_play(envelope) or isinstance(envelope.event, SeatTaken)
        if envelope.at != opening.at or not is_part:
            return position
    return len(envelopes)
