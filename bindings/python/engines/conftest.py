"""Gives the tests of Ray and Spark the oracle of the other tests; `./dev test engines` runs them."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from oracle import content

os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture
def oracle(tmp_path):
    path = tmp_path / "oracle.txt"
    path.write_bytes(content())
    return path


@pytest.fixture
def half_then_die(tmp_path):
    """A function of a split that kills its process half-way, the first time; and the file it leaves then."""
    marker = tmp_path / "killed"

    def count(split):
        import os
        import signal

        import riffle_io

        lines = riffle_io.read_split(split)
        counted = sum(1 for _, _ in zip(range(2), lines))
        if split.begin > 0 and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return counted + sum(1 for _ in lines)

    return count, marker
