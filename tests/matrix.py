"""The tests on every Python that is found here: `python -m tests.matrix [--only VERSION] [TEST …]`, or `make matrix`.

Each version has an environment of its own beside the repository's, `.venv-3.12` and so on, which is made once and kept.
A version that fails does not stop the others; the last lines say what became of each, and which were not found.
Needs nothing but the Python that runs it.
"""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")


def candidates(version: str) -> Iterator[str]:
    """Where a Python of this version may be: on the path, or among those of pyenv, the newest first."""
    on_path = shutil.which(f"python{version}")
    if on_path is not None:
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = [path for path in pyenv.glob(f"{version}.*") if path.name.removeprefix(f"{version}.").isdigit()]
    for path in sorted(kept, key=lambda path: int(path.name.rpartition(".")[2]), reverse=True):
        yield str(path / "bin" / "python")


def find_python(version: str) -> str | None:
    """A Python of this version that starts; a name on the path may stand for nothing."""
    said = "import sys; print('%d.%d' % sys.version_info[:2])"
    for python in candidates(version):
        try:
            done = subprocess.run([python, "-c", said], capture_output=True, text=True, timeout=60, check=False)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip() == version:
            return python
    return None


def run_tests(version: str, python: str, tests: Sequence[str]) -> bool:
    """Whether the tests pass on this version, in its own environment."""
    home = ROOT / f".venv-{version}"
    own = str(home / "bin" / "python")
    pip = [own, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    steps = [
        [python, "-m", "venv", str(home)],
        [*pip, "--constraint", "constraints.txt", "--editable", ".[dev]"],
        [own, "-m", "pytest", "--numprocesses", "auto", *tests],
    ]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    print(f"== Python {version}: {python}", flush=True)
    return all(subprocess.run(step, cwd=ROOT, env=environment, check=False).returncode == 0 for step in steps)


def main(tests: Sequence[str], versions: Sequence[str]) -> int:
    """Run them all; 1 when a version fails, or when there is none."""
    found = {version: python for version in versions if (python := find_python(version)) is not None}
    passed = {version: run_tests(version, python, tests) for version, python in found.items()}
    print()
    for version in versions:
        became = "not found" if version not in found else "passed" if passed[version] else "FAILED"
        print(f"Python {version}: {became}")
    return 0 if passed and all(passed.values()) else 1


if __name__ == "__main__":
    words = ArgumentParser(description="Run the tests on every Python that is found.")
    words.add_argument("--only", metavar="VERSION", choices=VERSIONS, help="one version instead of all")
    words.add_argument("tests", metavar="TEST", nargs="*", help="what pytest is to run instead of everything")
    wanted = words.parse_args()
    sys.exit(main(wanted.tests, [wanted.only] if wanted.only else VERSIONS))
