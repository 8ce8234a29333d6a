"""Scores as somebody has them, to be held against the ledger: the totals of the seats, or a paper round by round.

What was asked stands in the address of the page, so that an answer can be sent to somebody, and reloading keeps it.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Final, NamedTuple

from service.errors import LedgerError
from service.play.history import History, rounds
from service.questions.inquiry import Inquiry, read_inquiry
from service.shell.page.escape import escape, escape_lines
from service.shell.page.pieces import BROKEN

_KINDS: Final = {"round": "running totals", "gain": "the points of each round alone"}


class ClaimForm(NamedTuple):
    """What was asked."""

    inquiry: Inquiry = Inquiry()
    typed: Mapping[str, str] = {}
    """Every field as it was filled in."""
    problem: str = ""
    """Why it makes no sense, in the words of whoever read it."""

    @property
    def is_about_paper(self) -> bool:
        """Whether a paper was filled in, rather than totals."""
        return any(self.typed.get(name, "").strip() for name in self.typed if name.partition("-")[0] != "claim")


def read_question(history: History, typed: Mapping[str, str]) -> ClaimForm:
    """The question that the fields of the forms make."""
    seats = range(1, history.opened.seats + 1)
    claims = [f"{seat}={value}" for seat in seats if (value := _typed(typed, f"claim-{seat}"))]
    # A form that a browser sends by itself ends its lines in another way than one that a module reads.
    typed = {name: value.replace("\r\n", "\n") for name, value in typed.items()}
    try:
        paper = typed.get("sheet", "").strip() or _as_csv(history, typed)
        return ClaimForm(read_inquiry(history, claims, paper or None), typed)
    except LedgerError as refusal:
        return ClaimForm(typed=typed, problem=refusal.message)
    except BROKEN:
        return ClaimForm(typed=typed, problem="That cannot be answered, because the events do not add up.")


def _typed(typed: Mapping[str, str], name: str) -> str:
    return " ".join(typed.get(name, "").split())


def _as_csv(history: History, typed: Mapping[str, str]) -> str:
    """The table of the form as the paper it stands for; empty where nothing was filled in."""
    seats = range(1, history.opened.seats + 1)
    rows = [[label, *(_typed(typed, f"{label}-{seat}") for seat in seats)] for label in _labels(history)]
    if not any(any(cells) for _, *cells in rows):
        return ""
    kind = typed.get("kind", "")
    text = StringIO()
    csv.writer(text).writerows([[kind if kind in _KINDS else "round", *seats], *rows])
    return text.getvalue()


def _labels(history: History) -> Iterator[str]:
    """The rows of a paper: a round that was begun each, and the end of the game."""
    if history.game.has_rounds:
        yield from map(str, range(1, rounds(history) + 1))
    yield "end"


# --------------------------------------------------------------------------------------------------------------- forms


def questions(history: History, question: ClaimForm) -> str:
    """The forms, filled in with what was asked."""
    names = [(seat, escape(history.names[seat])) for seat in range(1, history.opened.seats + 1)]
    totals = "".join(
        f"<label>{name} {_number(question, f'claim-{seat}', f'{name}, total')}</label>" for seat, name in names
    )
    heads = "".join(f'<th scope="col">{name}</th>' for _, name in names)
    rows = "".join(
        f'<tr><th scope="row">{_row_name(label)}</th>'
        + "".join(
            f"<td>{_number(question, f'{label}-{seat}', f'{name}, {_row_name(label)}')}</td>" for seat, name in names
        )
        + "</tr>"
        for label in _labels(history)
    )
    chosen = question.typed.get("kind", "")
    kinds = "".join(
        f'<option value="{kind}"{" selected" if kind == chosen else ""}>{words}</option>'
        for kind, words in _KINDS.items()
    )
    sheet = escape_lines(question.typed.get("sheet", ""))
    example = escape(",".join(["round", *(history.names[seat] for seat, _ in names)]))
    return "".join(
        _folded(
            [
                (
                    "totals",
                    "Totals",
                    bool(question.typed) and not question.is_about_paper,
                    f'<p class="quiet">What somebody says the totals are. A blank is no claim.</p>'
                    f'<div class="fields">{totals}</div>',
                ),
                (
                    "paper",
                    "A paper, round by round",
                    question.is_about_paper and not sheet,
                    f'<label>The numbers are <select name="kind">{kinds}</select></label>'
                    f'<div class="scroll"><table class="paper"><thead><tr><td></td>{heads}</tr></thead>'
                    f"<tbody>{rows}</tbody></table></div>",
                ),
                (
                    "csv",
                    "A paper as CSV",
                    bool(sheet),
                    f'<label class="by-script" hidden>A file <input type="file" accept=".csv,.txt,text/*"></label>'
                    f"<label>Its text, with a heading such as <code>{example}</code>"
                    f'<textarea name="sheet" rows="6" maxlength="20000" required>{sheet}</textarea></label>',
                ),
            ],
            question,
            history.id,
        )
    )


def _folded(forms: Iterable[tuple[str, str, bool, str]], question: ClaimForm, match: str) -> Iterator[str]:
    for key, heading, is_open, fields in forms:
        problem = f'<p class="problem" role="alert">{escape(question.problem)}</p>' if question.problem else ""
        yield (
            f'<details id="ask-{key}"{" open" if is_open else ""}><summary>{heading}</summary>'
            f'<form method="get" action="/matches/{escape(match)}/case" data-form="{key}">{fields}'
            f'{problem if is_open else ""}<p><button class="main">Compare with the ledger</button></p></form></details>'
        )


def _number(question: ClaimForm, name: str, label: str) -> str:
    value = escape(_typed(question.typed, name))
    return f'<input type="number" name="{name}" value="{value}" step="1" min="-99999" max="99999" aria-label="{label}">'


def _row_name(label: str) -> str:
    return "end, with all bonuses" if label == "end" else f"round {label}"
