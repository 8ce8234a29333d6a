"""Terminals that have few characters or few colours."""

from colorsys import rgb_to_hsv

import pytest
from rich.color import ColorSystem

from service.shell.terminal.fallback import ERRORS
from service.shell.terminal.paint import console
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger

HUES = {"red": 0, "yellow": 52, "green": 140, "blue": 220, "purple": 285}
SYSTEMS = {"xterm": ColorSystem.STANDARD, "xterm-256color": ColorSystem.EIGHT_BIT}


@pytest.mark.parametrize(
    "encoding, shown",
    [("ascii", "- - - + x . . > > + x \"e\" 'u' ?"), ("latin-1", "- - - ± × · . > > + x \"é\" 'ü' ?")],
)
def test_what_an_encoding_does_not_have_is_written_with_what_it_has(encoding: str, shown: str) -> None:
    """One character for one, so that columns stay columns."""
    text = "− – — ± × · … → ▶ ✓ ✗ “é” ’ü’ 猫"
    assert text.encode(encoding, errors=ERRORS).decode(encoding) == shown
    assert len(shown) == len(text)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Matchledger:
    """A ledger with a match that is over, and points that were lost in it."""
    matchledger = on_empty_ledger(tmp_path_factory.mktemp("finished"))
    matchledger.play(matchledger.new(), TO_THE_END)
    return matchledger


@pytest.mark.parametrize("words", ["show last", "scores last", "log last", "audit last", "games", "legal last", "list"])
def test_commands_print_no_question_marks_in_ascii(finished: Matchledger, words: str) -> None:
    plain = finished.process(*words.split(), PYTHONIOENCODING="ascii", COLUMNS="100")
    whole = finished.process(*words.split(), PYTHONIOENCODING="utf-8", COLUMNS="100")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout.isascii()
    assert "?" not in plain.stdout
    assert [len(line) for line in plain.stdout.splitlines()] == [len(line) for line in whole.stdout.splitlines()]


@pytest.mark.parametrize("terminal", SYSTEMS)
@pytest.mark.parametrize("kind", ["tile", "print"])
@pytest.mark.parametrize("colour", HUES)
def test_colours_keep_their_names(monkeypatch: pytest.MonkeyPatch, terminal: str, kind: str, colour: str) -> None:
    """Red tiles are no yellow ones where there are only 16 colours, or 256."""
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("FORCE_COLOR", "1")
    for name in ("NO_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    style = console().get_style(f"{kind}.{colour}")
    found = style.bgcolor if kind == "tile" else style.color
    assert found is not None
    red, green, blue = found.downgrade(SYSTEMS[terminal]).get_truecolor()
    hue = 360 * rgb_to_hsv(red / 255, green / 255, blue / 255)[0]
    assert min(abs(hue - HUES[colour]), 360 - abs(hue - HUES[colour])) <= 35
