"""Gives the tests of Ray and Spark the oracle of the other tests; `./dev test engines` runs them."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from oracle import half_then_die, oracle, write  # noqa: F401

os.environ["PYSPARK_PYTHON"] = sys.executable
