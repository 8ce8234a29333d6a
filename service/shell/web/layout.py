"""What every page has: head, navigation, main and footer."""

import re
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from service.shell.page.escape import escape
from service.shell.page.svg import BOARD_STYLE

_COMMENT: Final = re.compile(r"^[ \t]*//.*\n|^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n|/\*\* @\w.*?\*/ ?", re.MULTILINE)


def uncommented(module: str) -> str:
    """A module without its comments, a quarter of what would be sent; they are for those who read it here."""
    return _COMMENT.sub("", module)


_FOLDER: Final = Path(__file__).with_name("static")
STATIC: Final = {
    **{path.name: uncommented(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.js"))},
    "style.css": "\n".join(
        [BOARD_STYLE, *(path.read_text(encoding="utf-8") for path in sorted((_FOLDER / "styles").glob("*.css")))]
    ),
    "icon.svg": (_FOLDER / "icon.svg").read_text(encoding="utf-8"),
}
"""The modules, the style sheet (one for the browser, a file a page for us) and the icon."""
DIGEST: Final = sha256("".join(STATIC.values()).encode()).hexdigest()[:12]
ADDRESS: Final = f"/static/{DIGEST}"
"""Where they are found: elsewhere as soon as any of them changes, so that browsers may keep them for ever."""

_ROOMS: Final = {
    "/": "Matches",
    "/new": "New match",
    "/pads": "Score pads",
    "/read": "Open a record",
    "/rules": "Rules",
}


def document(title: str, main: str, *, module: str = "", room: str = "") -> str:
    """A page. `main` is markup; `module` is the script that brings it to life; `room` says where one is."""
    links = "".join(
        f'<a href="{path}"{" aria-current=page" if path == room else ""}>{name}</a>' for path, name in _ROOMS.items()
    )
    script = f'<script type="module" src="{ADDRESS}/{module}.js"></script>' if module else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{ADDRESS}/style.css">\n'
        f'<link rel="icon" href="{ADDRESS}/icon.svg" type="image/svg+xml">\n{script}\n</head>\n<body>\n'
        '<a class="skip" href="#main">Skip to the content</a>\n'
        f'<header class="top"><a class="home" href="/">matchledger</a><nav aria-label="Pages">{links}</nav></header>\n'
        f'<main id="main">\n{main}\n</main>\n'
        f'<footer class="bottom">matchledger {escape(version("matchledger"))} · every point with its rule · '
        '<a href="/api/openapi.json">interface for programs</a></footer>\n'
        '<div id="tell" class="unseen" role="status" aria-live="polite"></div>\n'
        "</body>\n</html>\n"
    )


def notice(title: str, words: str, *, look: str = "empty") -> str:
    """A place where there is nothing to show (yet): why, and what to do."""
    return f'<section class="notice {look}"><h1>{escape(title)}</h1><p>{words}</p></section>'
