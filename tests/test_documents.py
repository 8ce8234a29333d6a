"""Every page is a test: its commands run as printed, its words name commands and options there are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from cli import app
from tests.documents import PAGES, ROOT, blocks, commands, headings, links, prose_of, run, text_of
from tests.postgres import running_server

SERVER = "postgresql://ledger@db.example.org/matches"
"""The database server that the pages tell of; here it is a real one."""

ELSEWHERE = {
    "http.md": "tests/http/test_guide.py runs it against a service",
    "arbiters.md": "tests/disputes/test_arbiters_doc.py runs it by the same means, and looks at the page it writes",
    "make serve": "targets that take minutes; tests/test_readme.py asks make for each",
    "python -m tests.": "tests/test_guide.py carries them out in a folder of its own",
    "echo": "takes Docker; tests/test_containers.py runs what the files say",
}
"""Pages, or blocks by their first words, that are not run here, and why."""

WITH_COMMANDS = [page for page in PAGES if page.name not in ELSEWHERE and commands(page)]


def test_the_pages_with_commands_are_found() -> None:
    assert {"README.md", "operations.md", "notation.md", "integrity.md"} <= {page.name for page in WITH_COMMANDS}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_a_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    steps = [step for step in commands(page) if not step.code.startswith(tuple(ELSEWHERE))]
    if SERVER not in text_of(page):
        run(steps, tmp_path)
        return
    with running_server() as server:
        run(steps, tmp_path, {SERVER: server.empty_database()})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_stand_only_where_they_are_run_or_marked_as_text(page: Path) -> None:
    for language, body in blocks(page):
        if re.search(r"^(\$ )?matchledger ", body, re.MULTILINE):
            assert language in ("console", "sh", "bash", "text"), body


# ---------------------------------------------------------------------------------------------------- commands in words


def spans() -> Iterator[tuple[str, str]]:
    """Every command that stands between the words of a page."""
    for page in (*PAGES, ROOT / "ARCHITECTURE.md"):
        for span in re.findall(r"`(matchledger [^`]+)`", prose_of(page)):
            yield page.name, span


@pytest.mark.parametrize("page, span", sorted(set(spans())))
def test_a_command_between_the_words_is_one_there_is(page: str, span: str) -> None:
    command = get_command(app)
    words = span.split()[1:]
    options = {word for option in command.params for word in option.opts}
    while words and words[0] in options and "=" not in words[0]:
        words = words[2:]  # --database FILE and its like stand in front of the command
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"{page}: {span}"
        command, words = command.commands[words[0]], words[1:]
    known = {word for option in command.params for word in (*option.opts, *option.secondary_opts)} | {"--help"}
    named = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert named <= known | options, f"{page}: {span}"


INSTALLED_FROM_HERE = re.compile(r"pip install (-\S+ |\w+\.txt )*['\"]?\.")
TOLD_TO_INSTALL = sorted(
    (str(path.relative_to(ROOT)), line)
    for path in (*PAGES, *(ROOT / "service").rglob("*.py"))
    for line in re.findall(r"pip install [^`\n]*", text_of(path))
)


def test_the_lines_that_tell_to_install_are_found() -> None:
    assert {"docs/python.md", "docs/research.md", "service/play/workers.py"} <= {path for path, _ in TOLD_TO_INSTALL}


@pytest.mark.parametrize("path, line", TOLD_TO_INSTALL)
def test_nobody_is_told_to_install_from_a_registry(path: str, line: str) -> None:
    """We publish nothing: whatever has our name there is somebody else's."""
    assert INSTALLED_FROM_HERE.match(line), f"{path}: {line}"


# ------------------------------------------------------------------------------------------------ the index, and links


INDEX = ROOT / "docs" / "README.md"
DOCUMENTS = (*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md")
SHELVES = ["Learn", "Do", "Look up", "Understand"]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_the_index_has_every_document_exactly_once() -> None:
    shelves = [title for title in headings(INDEX) if title in SHELVES]
    assert shelves == SHELVES
    listed = sorted(target for target, _ in links(INDEX) if target.is_relative_to(INDEX.parent))
    assert listed == sorted(page for page in PAGES if page.is_relative_to(INDEX.parent) and page != INDEX)
    assert INDEX in {target for target, _ in links(ROOT / "README.md")}


@pytest.mark.parametrize("page", DOCUMENTS, ids=name_of)
def test_every_link_of_a_document_leads_somewhere(page: Path) -> None:
    for target, place in links(page):
        assert target.exists(), f"{name_of(page)} links to {target}"
        if place:
            assert place in anchors(target), f"{name_of(page)} links to #{place} of {name_of(target)}"


def anchors(page: Path) -> set[str]:
    """What a link into a page may name: its headings, in small letters, joined by hyphens."""
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings(page)}


# -------------------------------------------------------------------------------------------------- paths in documents


PATH = re.compile(r"`((?:events|projections|service|tests|benchmarks|docs)/[\w./-]*)`")
OF_THE_CODE = (ROOT / "ARCHITECTURE.md", *(page for page in PAGES if page.parent.name == "decisions"))


@pytest.mark.parametrize("page", OF_THE_CODE, ids=name_of)
def test_every_path_a_page_names_is_in_the_tree(page: Path) -> None:
    missing = [path for path in PATH.findall(prose_of(page)) if not (ROOT / path).exists()]
    assert missing == []


def rooms() -> Iterator[tuple[str, str]]:
    """Every name in the last column of the tables of rooms, with the room it is said to be in."""
    of_repository, _, rest = text_of(ROOT / "ARCHITECTURE.md").partition("## The rooms of `service/`")
    of_service, _, of_shell = rest.partition("| room of `shell/` |")
    for container, text in (("", of_repository), ("service/", of_service), ("service/shell/", of_shell)):
        for room, names in re.findall(r"^\| `(\w+/)`[^|]*\|[^|]*\|([^|]*)\|$", text, re.MULTILINE):
            for name in re.findall(r"`([a-z_]+)/?`", names):
                yield container + room, name


def test_a_name_in_the_tables_of_rooms_is_a_file_or_folder_there() -> None:
    """A file of each game's folder counts as one of the room."""
    assert {("events/", "codec"), ("service/store/", "columns"), ("service/shell/http/", "edge")} <= set(rooms())
    missing = [
        (room, name)
        for room, name in rooms()
        if not any([*(ROOT / room).glob(name), *(ROOT / room).glob(f"{name}.py"), *(ROOT / room).glob(f"*/{name}.py")])
    ]
    assert missing == []


def test_the_architecture_is_one_page() -> None:
    assert len(text_of(ROOT / "ARCHITECTURE.md").splitlines()) <= 200


# ---------------------------------------------------------------------------------------------- environment variables


SECTION = text_of(ROOT / "docs" / "operations.md").partition("\n## Environment variables\n")[2]
TABLE = re.findall(r"^\| (`[A-Z][^|]*) \|", SECTION, re.MULTILINE)
TOLD = {name for cell in TABLE for name in re.findall(r"`([A-Z_]+)`", cell)}
OF_OTHERS = {"COLUMNS", "FORWARDED_ALLOW_IPS", "PGPASSWORD", "PGSSLMODE", "XDG_DATA_HOME"}
"""Read by rich, uvicorn, libpq and platformdirs, not by us."""


def variables() -> set[str]:
    """Every environment variable the program reads or sets, by the name it is given there."""
    found: set[str] = set()
    for path in (ROOT / "cli.py", *(ROOT / "service").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {name for node in ast.walk(tree) if (name := _ours(node))}
        found |= {_read(node) for node in ast.walk(tree)} - {""}
    return found


def _ours(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) and re.fullmatch(r"MATCHLEDGER_[A-Z_]+", value) else ""


CONSTANTS = {
    target.id: node.value.value
    for path in (ROOT / "cli.py", *(ROOT / "service").rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
    for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    if isinstance(target, ast.Name) and isinstance(node.value.value, str)
}


def _read(node: ast.AST) -> str:
    """The variable that `os.environ.get(…)`, `os.environ[…]` or `os.getenv(…)` asks for."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "os.getenv"):
        asked: ast.expr = node.args[0]
    elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        asked = node.slice
    else:
        return ""
    return str(asked.value) if isinstance(asked, ast.Constant) else CONSTANTS[ast.unparse(asked)]


def test_the_table_of_variables_is_that_of_the_program() -> None:
    assert {"NO_COLOR", "PROMETHEUS_MULTIPROC_DIR", "MATCHLEDGER_KEYS", "MATCHLEDGER_PORT"} <= variables()
    assert variables() | OF_OTHERS == TOLD
