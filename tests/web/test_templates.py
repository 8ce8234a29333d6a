"""How pages are made: markup stands in templates, drawings come from one writer, and everything else is text."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import UndefinedError, nodes

from service.shell.web.environment import TEMPLATES, environment, render
from service.shell.web.static_files import FOLDER

SHELL = Path(__file__).parents[2] / "service" / "shell"
SVG_WRITER = SHELL / "web" / "drawing_svg.py"
MAKES_MARKUP = {SVG_WRITER, SHELL / "web" / "views" / "rules.py"}
"""Who may call something markup: the writer of drawings, and the renderer of our own rule texts."""
PAGES = sorted(path.name for path in TEMPLATES.glob("*.html"))


def literals(path: Path) -> Iterator[str]:
    """Every text of a program, but what documents it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


@pytest.mark.parametrize("folder", ["web", "http", "python", "commands"])
def test_no_program_writes_markup(folder: str) -> None:
    for path in sorted((SHELL / folder).rglob("*.py")):
        if path != SVG_WRITER:
            written = [text for text in literals(path) if re.search(r"(?<!\?P)</?[a-z][a-z0-9]*[\s/>]|<[a-z]+$", text)]
            assert not written, (path, written)


def test_only_drawings_and_our_own_rule_texts_are_called_markup() -> None:
    calls = re.compile(r"\bMarkup\(")
    made = {path for path in (SHELL / "web").rglob("*.py") if calls.search(path.read_text(encoding="utf-8"))}
    assert made == MAKES_MARKUP


@pytest.mark.parametrize("name", PAGES)
def test_a_template_escapes_everything_and_has_no_script_or_style_in_it(name: str) -> None:
    source = (TEMPLATES / name).read_text(encoding="utf-8")
    tree = environment().parse(source)
    filters = {found.name for found in tree.find_all(nodes.Filter)}
    assert filters.isdisjoint({"safe", "xmlattr", "forceescape", "tojson", "urlize"}), "these go past the escaping"
    assert not list(tree.find_all(nodes.ScopedEvalContextModifier)), "nobody turns escaping off"
    scripts = re.findall(r"<script.*?</script>", source)
    assert scripts in ([], ['<script type="module" src="{{ static }}/{{ module }}.js"></script>'])
    assert not re.search(r"\sstyle=|\son\w+=|javascript:", source), "script or style within a page"
    assert not re.search(r"\s[\w-]+={{", source), "an attribute without quotes"


def test_every_template_is_used() -> None:
    sources = [path.read_text(encoding="utf-8") for path in SHELL.rglob("*.py")]
    sources += [(TEMPLATES / name).read_text(encoding="utf-8") for name in PAGES]
    everything = "".join(sources)
    # pages of matches are included by the name of their module
    named = {name for name in PAGES if f'"{name}"' in everything}
    assert named == set(PAGES)


def test_what_a_template_does_not_know_fails() -> None:
    with pytest.raises(UndefinedError):
        render("invitation.html")


def test_hidden_characters_are_written_out_and_lines_stay_where_they_belong() -> None:
    shown = environment().from_string("{{ a }}|{{ a|lines }}|{{ [a, a]|join }}|{{ a ~ a }}")
    assert shown.render(a="x\u202e<\n") == (
        "x\\u202e&lt;\\n|x\\u202e&lt;\n|x\\u202e&lt;\\nx\\u202e&lt;\\n|x\\u202e&lt;\\nx\\u202e&lt;\\n"
    )


@pytest.mark.parametrize("sheet", ["styles/board.css", "audit_file.css"])
def test_a_sheet_within_a_file_is_the_sheet(sheet: str) -> None:
    """It is included as a template: nothing in it may look like one."""
    text = (FOLDER / sheet).read_text(encoding="utf-8")
    assert environment().get_template(sheet).render() == text.rstrip("\n")
