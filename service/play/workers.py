"""Processes that work beside this one."""

import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context


def workers(jobs: int) -> ProcessPoolExecutor:
    """So many processes, each a fresh interpreter that can import us before it is handed anything of ours.

    Installed, our rooms are importable only after `import matchledger`, and a fresh interpreter has not done that.
    """
    first = "matchledger" if "matchledger" in sys.modules else "service"
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=import_module, initargs=(first,))
