"""NumPy, which only this room needs."""

from service.errors import Unavailable

try:
    import numpy as np
    from numpy import typing as npt
except ImportError as error:
    raise Unavailable(
        "research/numpy",
        "Environments need NumPy, which is not installed here; in the repository: pip install '.[research]'",
    ) from error

__all__ = ["np", "npt"]
