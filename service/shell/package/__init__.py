"""A ledger of board game matches: open it, play, undo, replay, fork, export and audit. The guide is docs/python.md.

This module is the package `matchledger` wherever it is installed. The rooms ship inside it and import each other by the
names they have in the repository; so they are loaded here, with their folder in front of the import path for no longer
than that takes. Afterwards they find their modules by themselves, and three names are taken: events, projections and
service.
"""

import gc
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

_ROOMS = ("events", "projections", "service")


def _folder_of_rooms() -> Path:
    """This folder; for an editable install the repository, which such an install puts on the import path."""
    for place in (Path(__file__).parent, *map(Path, sys.path)):
        if (place / "service" / "shell" / "python").is_dir():
            return place.resolve()
    raise ImportError("matchledger was installed from a repository that is not there any more; install it again.")


def _refuse_others(folder: Path) -> None:
    for room in _ROOMS:
        if room in sys.modules:
            where = getattr(sys.modules[room], "__file__", None) or "a folder without __init__.py"
            if Path(where).resolve().parent != folder / room:
                raise ImportError(
                    f"matchledger cannot be imported here: another `{room}` was imported first, from {where};"
                    " one process can hold only one of the two."
                )


def _load(folder: Path) -> None:
    sys.path.insert(0, str(folder))
    try:
        for room in _ROOMS:
            import_module(room)
    finally:
        sys.path.remove(str(folder))


def _take(room: str) -> None:
    """Say whose the name is to those who expect another, and let nobody load a second copy under ours."""

    def missing(name: str) -> NoReturn:
        raise AttributeError(
            f"this `{room}` is matchledger's and has no {name!r};"
            " another package of that name cannot be used in the same process"
        )

    vars(sys.modules[room])["__getattr__"] = missing
    sys.modules[f"{__name__}.{room}"] = None  # type: ignore[assignment]


def _settle(folder: Path) -> None:
    _refuse_others(folder)
    _load(folder)
    for room in _ROOMS:
        _take(room)
    if str(folder) not in __path__:
        __path__.append(str(folder))  # the command line of an editable install lies in the repository


_settle(_folder_of_rooms())

if TYPE_CHECKING:  # a type checker looks into folders and runs nothing of the above
    from matchledger.service.shell.python import *  # type: ignore[import-not-found]
    from matchledger.service.shell.python import Env as Env
    from matchledger.service.shell.python import GymnasiumEnv as GymnasiumEnv
    from matchledger.service.shell.python import PettingZooEnv as PettingZooEnv
    from matchledger.service.shell.python import VectorEnv as VectorEnv
else:

    def __getattr__(name: str) -> Any:
        """What the facade offers, loaded when somebody asks: the command line never does."""
        if name.startswith("__") and name not in ("__all__", "__dir__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("service.shell.python"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})


def main() -> None:
    """The command line, which begins to look for garbage when all is loaded."""
    gc.disable()
    import_module(f"{__name__}.cli").app(prog_name="matchledger")
