"""What pages need besides their HTML: modules, one style sheet, an icon; sent as they are written here."""

from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("static")
_SHEETS: Final = FOLDER / "styles"
_FIRST: Final = [_SHEETS / "board.css", _SHEETS / "base.css"]
# What drawings look like comes first, then what all pages look like: a page may say otherwise.
_ORDER: Final = [*_FIRST, *sorted(set(_SHEETS.glob("*.css")) - set(_FIRST))]
STATIC: Final = {
    **{path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.js"))},
    "style.css": "\n".join(path.read_text(encoding="utf-8") for path in _ORDER),
    "icon.svg": (FOLDER / "icon.svg").read_text(encoding="utf-8"),
}
"""The modules, the style sheet (one for the browser, a file a page for us) and the icon."""
DIGEST: Final = sha256("".join(STATIC.values()).encode()).hexdigest()[:12]
ADDRESS: Final = f"/static/{DIGEST}"
"""Where they are found: elsewhere as soon as any of them changes, so that browsers may keep them for ever."""
