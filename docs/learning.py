"""A linear value function for Azul that learns by playing against itself until it beats `greedy`.

    python docs/learning.py --ledger learned.db --picture learning.svg

A position is judged by the seat that has just moved: some thirty numbers a board, worked out from the observation, and
a weight for each. Matches of one generation are regressed on how far ahead the seat was in the end (ridge regression on
everything seen, older generations counting less); the next generation plays with the new weights. docs/research.md
tells what came of it. NumPy is all it takes.
"""

import argparse
from pathlib import Path
from random import Random

import matchledger
import numpy as np

PENALTIES = np.array((0, 1, 2, 4, 6, 8, 11, 14))
ROWS = np.arange(5)
COLOUR_AT = (ROWS - ROWS[:, None]) % 5
"""The colour printed on each cell of the wall: each row is the one above, moved by one."""
COLUMN_OF = (ROWS + ROWS[:, None]) % 5
"""The column of each colour, row by row."""
CURIOSITY = 0.1
"""How often a learner tries something at random."""
MEMORY = 0.8
"""How much the generations before count when another is added."""
RIDGE = 10.0


class Judge:
    """What positions are judged by, worked out from observations, and a weight for each."""

    def __init__(self, env: matchledger.Env) -> None:
        places, first = {}, 0
        for field in env.layout:
            places[field.name] = slice(first, first + field.size)
            first += field.size
        names = ("score", "floor", "lines", "wall")
        self._boards = [[places[f"{whose} {name}"] for name in names] for whose in ("own", "next 1")]
        self._offer, self._marker = (places["centre"], places["displays"]), places["marker"]
        self.weights = np.zeros(self.features(env.observe(1)[None]).shape[1])

    def features(self, seen: np.ndarray) -> np.ndarray:
        """A row of numbers for each row of observations."""
        offered = np.column_stack([seen[:, place] for place in self._offer]).sum(axis=1) / 20
        boards = [_board(offered, *(seen[:, place] for place in places)) for places in self._boards]
        return np.column_stack([np.ones(len(seen)), offered, *boards, seen[:, self._marker]])

    def best(self, env: matchledger.Env, rng: Random, curiosity: float = 0.0) -> tuple[int, np.ndarray]:
        """The action that leads to the best position for the seat whose turn it is, and that position."""
        legal, seat, world = env.legal(), env.seat, env.determinize(rng)  # nobody looks into the bag
        seen = []
        for number in legal:
            after = world.clone()
            after.step(number)
            seen.append(after.observe(seat))
        positions = self.features(np.array(seen))
        chosen = int((positions @ self.weights).argmax())
        if rng.random() < curiosity:
            chosen = rng.randrange(len(legal))
        return legal[chosen], positions[chosen]


def _board(
    offered: np.ndarray, score: np.ndarray, floor: np.ndarray, lines: np.ndarray, wall: np.ndarray
) -> np.ndarray:
    """What counts in front of one seat: points, those due at the end of the round, and what is being built.

    What is begun is worth another number of points while there is much on offer.
    """
    cells = np.take_along_axis(wall.reshape(-1, 5, 5), COLOUR_AT[None], axis=2)
    tiles = np.take_along_axis(lines.reshape(-1, 5, 5), COLOUR_AT[None], axis=2)
    share = tiles / (ROWS + 1)[:, None]
    complete = share == 1
    laid = cells + complete
    across, down = _runs(laid), _runs(laid.swapaxes(1, 2)).swapaxes(1, 2)
    points = 1 + across + down + ((across > 0) & (down > 0))
    due = (points * complete).sum(axis=(1, 2))
    hoped = (points * share * ~complete).sum(axis=(1, 2))
    loss = PENALTIES[np.minimum(floor.sum(axis=1), 7).astype(int)]
    colours = np.take_along_axis(laid, COLUMN_OF[None], axis=2).sum(axis=1)
    rows, columns = laid.sum(axis=2), laid.sum(axis=1)
    return np.column_stack(
        [
            score,
            due,
            hoped,
            np.minimum(loss, score[:, 0] + due),
            hoped * offered,
            share.sum(axis=2),
            share.sum(axis=2) * offered[:, None],
            complete.any(axis=2),
            rows,
            rows**2,
            (columns**2).sum(axis=1),
            (colours**2).sum(axis=1),
            (rows == 5).any(axis=1),
        ]
    )


def _runs(cells: np.ndarray) -> np.ndarray:
    """For every cell, how many tiles lie next to it in its row without a gap."""
    before, after = np.zeros_like(cells), np.zeros_like(cells)
    for place in range(1, 5):
        before[..., place] = cells[..., place - 1] * (1 + before[..., place - 1])
        after[..., 4 - place] = cells[..., 5 - place] * (1 + after[..., 5 - place])
    return before + after


class Memory:
    """Everything seen, as what a regression needs of it."""

    def __init__(self, size: int) -> None:
        self._squares, self._products = RIDGE * np.eye(size), np.zeros(size)

    def add(self, positions: list[np.ndarray], margins: list[float]) -> np.ndarray:
        """The weights that fit best when these are added."""
        seen, margin = np.array(positions), np.array(margins)
        self._squares = MEMORY * self._squares + (1 - MEMORY) * RIDGE * np.eye(len(self._products)) + seen.T @ seen
        self._products = MEMORY * self._products + seen.T @ margin
        return np.linalg.solve(self._squares, self._products)


def learn_from(judge: Judge, env: matchledger.Env, seed: int) -> tuple[list[np.ndarray], list[float]]:
    """A match of the judge against itself: the positions it chose, and how far ahead their seat was in the end."""
    rng, chosen = Random(seed), []
    env.reset(seed)
    while not env.is_over:
        seat = env.seat
        number, position = judge.best(env, rng, CURIOSITY)
        chosen.append((seat, position))
        env.step(number)
    lead = env.scores[0] - env.scores[1]
    return [position for _, position in chosen], [lead if seat == 1 else -lead for seat, _ in chosen]


def meet(judge: Judge, env: matchledger.Env, bot: str, seed: int) -> int:
    """A match against a bot; gives the judge's seat. Two seeds in a row have the same draws, with seats swapped."""
    rng, own = Random(seed), seed % 2 + 1
    env.reset(seed // 2)
    while not env.is_over:
        env.step(judge.best(env, rng)[0] if env.seat == own else env.ask(bot, rng))
    return own


def share_won(judge: Judge, env: matchledger.Env, bot: str, seeds: range) -> float:
    """The share of matches against a bot that are won; a tie is half."""
    won = 0.0
    for seed in seeds:
        own = meet(judge, env, bot, seed)
        won += (env.returns()[own - 1] + 1) / 2
    return won / len(seeds)


def picture(shares: list[float], matches: int, bot: str) -> str:
    """The learning curve as SVG."""
    step = 560 / max(1, len(shares) - 1)
    points = [(60 + step * number, 220 - 200 * share) for number, share in enumerate(shares)]
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    marks = "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/>' for x, y in points)
    levels = "".join(
        f'<path d="M60 {220 - 2 * percent}H620" stroke="#8884"/>'
        f'<text x="52" y="{224 - 2 * percent}" text-anchor="end">{percent} %</text>'
        for percent in (0, 25, 50, 75, 100)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 270" font-family="sans-serif" font-size="12"'
        ' fill="#777">'
        f"<title>Share of matches won against {bot}</title>{levels}"
        f'<polyline points="{line}" fill="none" stroke="#2563eb" stroke-width="2"/><g fill="#2563eb">{marks}</g>'
        f'<text x="60" y="244">0</text><text x="620" y="244" text-anchor="end">{matches * (len(shares) - 1)}</text>'
        '<text x="340" y="262" text-anchor="middle">matches played against itself</text></svg>\n'
    )


def train(judge: Judge, env: matchledger.Env, bot: str, generations: int, matches: int, tests: int) -> list[float]:
    """The share won against a bot before the first generation and after each."""
    memory = Memory(len(judge.weights))
    shares = [share_won(judge, env, bot, range(tests))]
    for generation in range(1, generations + 1):
        positions, margins = [], []
        for number in range(matches):
            more, ahead = learn_from(judge, env, 1_000_000 + generation * matches + number)
            positions += more
            margins += ahead
        judge.weights = memory.add(positions, margins)
        shares.append(share_won(judge, env, bot, range(tests)))
        print(f"generation {generation}: {shares[-1]:.0%} against {bot}", flush=True)
    return shares


def main() -> None:
    """Train, draw the curve, test what was learned on draws never seen, keep some of these matches and audit them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--matches", type=int, default=100, help="of each generation against itself")
    parser.add_argument("--against", default="greedy", help="the bot it is tested against")
    parser.add_argument("--tests", type=int, default=100, help="matches against the bot after each generation")
    parser.add_argument("--final", type=int, default=400, help="matches against the bot in the end")
    parser.add_argument("--ledger", default=":memory:", help="where some more of them are kept")
    parser.add_argument("--keep", type=int, default=20, help="how many")
    parser.add_argument("--picture", type=Path, help="where the learning curve is drawn")
    given = parser.parse_args()
    env = matchledger.Env("azul", seats=2)
    judge = Judge(env)
    bot = given.against
    shares = train(judge, env, bot, given.generations, given.matches, given.tests)
    if given.picture:
        given.picture.write_text(picture(shares, given.matches, bot), encoding="utf-8")
    final = share_won(judge, env, bot, range(given.tests, given.tests + given.final))
    margin = 1.96 * (final * (1 - final) / given.final) ** 0.5
    print(f"in the end: {final:.1%} of {given.final} matches against {bot}, ± {margin:.1%}")
    with matchledger.open(given.ledger) as ledger:
        for seed in range(given.keep):
            own = meet(judge, env, bot, seed)
            ledger.keep(env, *(["linear", f"bot:{bot}"] if own == 1 else [f"bot:{bot}", "linear"]))
        print(ledger.audit())


if __name__ == "__main__":
    main()
