"""Tests that the engines' own readers still do what the table of docs/scaling.md says."""

import pathlib
import subprocess
import sys

import pytest

PYTHON = pathlib.Path(__file__).parents[1]
MODULES = {"dask": "dask.bag", "ray": "ray", "spark": "pyspark", "polars": "polars"}


@pytest.mark.parametrize("reader", MODULES)
def test_rows_are_those_of_the_page(reader):
    pytest.importorskip(MODULES[reader])
    command = [sys.executable, str(PYTHON / "differences.py"), reader]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    page = (PYTHON.parents[1] / "docs/scaling.md").read_text(encoding="utf-8")
    rows = [line for line in run.stdout.splitlines() if line.startswith("| `")]
    assert rows
    assert [row for row in rows if row not in page] == []
