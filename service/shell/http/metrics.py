"""What is counted and timed, for Prometheus."""

import os
from functools import cache
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client import REGISTRY as DEFAULT
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"

ACTIONS: Final = Counter(
    "matchledger_actions", "Steps that were asked for, by what and how it ended.", ["what", "outcome"]
)
LATENCY: Final = Histogram(
    "matchledger_request_seconds",
    "How long requests took.",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS: Final = Gauge("matchledger_streams", "Open live streams.", multiprocess_mode="livesum")
BATCHES: Final = Histogram(
    "matchledger_append_batch", "Steps that shared one commit.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
CONFLICTS: Final = Counter("matchledger_conflicts", "Steps that somebody else's was faster than.")


@cache
def steps(what: str, outcome: str) -> Counter:
    """How many steps of one kind ended so; to look the counter up takes longer than to count."""
    return ACTIONS.labels(what, outcome)


def exposition() -> tuple[bytes, str]:
    """Everything as Prometheus reads it, of all workers where there are several, and its media type."""
    registry = DEFAULT
    if os.environ.get(FOLDER_VARIABLE):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
