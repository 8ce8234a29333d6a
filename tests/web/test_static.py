"""What browsers are sent besides pages: few and small modules, one sheet, nothing from elsewhere."""

import gzip
import re

import httpx

from service.shell.web.environment import render
from service.shell.web.static_files import ADDRESS, FOLDER, STATIC
from tests.http.serving import Service

LINES, BYTES = 1_500, 31_000
"""What can be read in an evening, and what a phone fetches at once: 25 kB of code, and its comments."""

MODULES = {name: text for name, text in STATIC.items() if name.endswith(".js")}


def test_the_modules_can_be_read_in_an_evening() -> None:
    lines = [line.strip() for text in MODULES.values() for line in text.splitlines()]
    assert sum(not line.startswith(("//", "/*", "*")) for line in lines) <= LINES
    assert sum(len(gzip.compress(text.encode())) for text in MODULES.values()) <= BYTES
    assert max(len(line) for text in MODULES.values() for line in text.splitlines()) <= 200


def test_nothing_comes_from_elsewhere() -> None:
    for name, text in STATIC.items():
        foreign = [found for found in re.findall(r"https?://[^\s\"'`)]+", text) if "www.w3.org" not in found]
        assert not foreign, name
    imported = {found for text in MODULES.values() for found in re.findall(r"from '([^']+)'", text)}
    assert imported <= {f"./{name}" for name in MODULES}


def test_a_page_paints_before_any_script() -> None:
    page = render("missing_match.html", match="x", name="table", words="Words")
    assert re.findall(r"<script[^>]*>", page) == [f'<script type="module" src="{ADDRESS}/table.js">']


def test_modules_are_sent_as_they_are_written() -> None:
    for name, text in MODULES.items():
        assert text == (FOLDER / name).read_text(encoding="utf-8")


def test_files_are_kept_for_ever_under_an_address_of_their_own(service: Service) -> None:
    sheet = httpx.get(f"{service.url}{ADDRESS}/style.css")
    assert sheet.headers["content-type"].startswith("text/css")
    assert "immutable" in sheet.headers["cache-control"]
    assert sheet.headers["content-encoding"] == "gzip"
    assert sheet.text == STATIC["style.css"]
    plain = httpx.get(f"{service.url}{ADDRESS}/style.css", headers={"Accept-Encoding": "identity"})
    assert plain.text == sheet.text
    assert "content-encoding" not in plain.headers
    for other in ("/static/000000000000/style.css", f"{ADDRESS}/nothing.js", f"{ADDRESS}/..%2Flayout.py"):
        assert httpx.get(f"{service.url}{other}").status_code == 404, other
