"""Rows that are printed without rich look as rich prints them, byte for byte."""

import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.shell.terminal.listing import print_plainly
from service.shell.terminal.paint import console, grid
from service.visible import visible
from tests.shell.terminal import at_terminal, finish, on_empty_ledger

HEADS = ("match", "game", "players", "state", "moved")
Rows = Sequence[Sequence[str]]

plain_words = st.text("ab Zé–−…", max_size=9)
any_words = st.text("ab Zé–−…\n\x1b\t\u0301語", max_size=9)
tables = st.sampled_from([plain_words, any_words]).flatmap(
    lambda words: st.lists(st.tuples(*[words] * len(HEADS)), min_size=1, max_size=3)
)
SCREENS: tuple[dict[str, str], ...] = (
    {},
    {"NO_COLOR": ""},
    {"NO_COLOR": "1"},
    {"FORCE_COLOR": ""},
    {"FORCE_COLOR": "1"},
    {"TTY_COMPATIBLE": "0"},
    {"TTY_COMPATIBLE": "1"},
    {"TERM": "dumb"},
    {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
)


class Screen(StringIO):
    """A stream that remembers what is written, and may be a terminal."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


def printed(rows: Rows, variables: dict[str, str], is_terminal: bool) -> tuple[str, str, bool]:
    """What is printed plainly, what rich prints, and whether the first was to be shown."""
    plain, painted = Screen(is_terminal), Screen(is_terminal)
    with pytest.MonkeyPatch.context() as changed:
        for name in ("COLORTERM", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE"):
            changed.delenv(name, raising=False)
        for name, value in variables.items():
            changed.setenv(name, value)
        with redirect_stdout(plain):
            is_printed = print_plainly(HEADS, rows)
        with redirect_stdout(painted):
            table = grid(*HEADS)
            for row in rows:
                table.add_row(*row)
            console().print(table)
    return plain.getvalue(), painted.getvalue(), is_printed


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("variables", SCREENS, ids=str)
@given(rows=tables, columns=st.integers(33, 70))
def test_whatever_is_printed_plainly_is_what_rich_prints(
    rows: Rows, columns: int, variables: dict[str, str], is_terminal: bool
) -> None:
    plain, painted, is_printed = printed(rows, {**variables, "COLUMNS": str(columns)}, is_terminal)
    assert plain == (painted if is_printed else "")


def test_every_plain_character_is_one_to_be_seen_and_one_column_wide() -> None:
    plain = []
    for one in map(chr, range(0x3000)):
        with redirect_stdout(StringIO()):
            if print_plainly(HEADS, [(f"a{one}b", "", "", "", "")]):
                plain.append(one)
    assert len(plain) > 600
    assert "".join(plain) == visible("".join(plain))
    rows = [(f"a{one}b", one, "", "", "") for one in plain if one != " "]
    shown, painted, is_printed = printed(rows, {}, is_terminal=False)
    assert is_printed
    assert shown == painted


@pytest.mark.parametrize("columns, variables", [(30, {}), (44, {"TERM": "linux"}), (80, {}), (80, {"NO_COLOR": "1"})])
def test_a_terminal_shows_the_same_with_and_without_rich(
    tmp_path: Path, columns: int, variables: dict[str, str]
) -> None:
    matchledger = on_empty_ledger(tmp_path)
    matchledger.new()
    shown = []
    for told in ({}, {"TTY_COMPATIBLE": "1"}):  # which it is anyway, and which is for rich to hear
        matchledger.variables = {**variables, **told}
        with matchledger.at_terminal("list", columns=columns) as child:
            shown.append(finish(child)[0])
    assert shown[0] == shown[1]
    assert ("Ann to move" in shown[0]) == (columns == 80)


@pytest.mark.parametrize("columns", [30, 80])
def test_a_pipe_is_as_wide_as_the_terminal_it_was_started_at(tmp_path: Path, columns: int) -> None:
    matchledger = on_empty_ledger(tmp_path)
    matchledger.new()
    piped = shlex.join([sys.executable, "-m", "cli", *matchledger.where, "list"]) + " | cat"
    told = f"FORCE_COLOR= {piped}"  # which tells rich what a pipe is anyway
    shown = [finish(at_terminal(["/bin/sh", "-c", line], columns=columns))[0] for line in (piped, told)]
    assert shown[0] == shown[1]
    assert ("Ann to move" in shown[0]) == (columns == 80)
