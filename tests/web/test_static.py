"""What browsers are sent besides pages: few and small modules, one sheet, nothing from elsewhere."""

import gzip
import re

import httpx

from service.shell.web.layout import ADDRESS, STATIC, document
from tests.http.serving import Service

LINES, BYTES = 1_500, 25_000
"""What can be read in an evening, and what a phone fetches at once."""

MODULES = {name: text for name, text in STATIC.items() if name.endswith(".js")}


def test_the_modules_can_be_read_in_an_evening() -> None:
    assert sum(text.count("\n") for text in MODULES.values()) <= LINES
    assert sum(len(gzip.compress(text.encode())) for text in MODULES.values()) <= BYTES
    assert max(len(line) for text in MODULES.values() for line in text.splitlines()) <= 200


def test_nothing_comes_from_elsewhere() -> None:
    for name, text in STATIC.items():
        foreign = [found for found in re.findall(r"https?://[^\s\"'`)]+", text) if "www.w3.org" not in found]
        assert not foreign, name
    imported = {found for text in MODULES.values() for found in re.findall(r"from '([^']+)'", text)}
    assert imported <= {f"./{name}" for name in MODULES}


def test_a_page_paints_before_any_script() -> None:
    page = document("A title", "<p>Words</p>", module="table")
    assert re.findall(r"<script[^>]*>", page) == [f'<script type="module" src="{ADDRESS}/table.js">']
    assert " style=" not in page


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
