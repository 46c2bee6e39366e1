"""Runs the Python snippets of docs/scaling.md, and the calls in the table of what the engines' own readers do."""

import ast
import contextlib
import pathlib
import re
import subprocess
import sys

import pytest

TEXT = (pathlib.Path(__file__).parents[3] / "docs/scaling.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
ROWS = re.findall(r"^\| `((\w+)\..*?)` \| (.*?) \| (?:\d+ records?|its lines) \| (.*?) \|$", TEXT, re.MULTILINE)
MAKE_LOGS = re.search(r"^```sh\n(mkdir -p logs\n.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]


def test_each_snippet_has_its_output():
    assert len(SNIPPETS) == TEXT.count("```python\n") > 0


@pytest.mark.parametrize(("code", "output"), SNIPPETS)
def test_snippet(tmp_path, code, output):
    subprocess.run(["sh", "-c", MAKE_LOGS], check=True, cwd=tmp_path)
    (tmp_path / "snippet.py").write_text(code)
    command = [sys.executable, "snippet.py"]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.stdout == output, run.stderr


@contextlib.contextmanager
def dask():
    pytest.importorskip("dask.bag")
    import dask

    yield {"dask": dask}, lambda given: given.compute(scheduler="sync")


@contextlib.contextmanager
def ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield {"ray": ray}, lambda given: [row["text"] for row in given.take_all()]
    ray.shutdown()


@contextlib.contextmanager
def spark():
    builder = pytest.importorskip("pyspark.sql").SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    yield {"spark": session}, lambda given: [row.value for row in given.collect()]
    session.stop()


@contextlib.contextmanager
def polars():
    yield {"polars": pytest.importorskip("polars")}, lambda given: given.to_series().to_list()


def outcome(call, names, records):
    """Returns the cell of what the call gives, or of the exception it raises."""
    try:
        found = records(eval(call, names))
    except Exception as error:  # noqa: BLE001
        return f"`{type(getattr(error, 'cause', None) or error).__name__}`"
    return "`" + ", ".join(map(ascii, found)) + "`" if found else "no records"


def path_of(file, folder):
    """Returns the path that a cell of the table names, or that of a file with its bytes."""
    if file.startswith("`/"):
        return file.strip("`")
    data = b"" if file == "an empty file" else ast.literal_eval(file.strip("`"))
    path = folder / (data.hex() or "empty")
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("engine", [dask, ray, spark, polars])
def test_rows_are_those_of_the_page(engine, tmp_path):
    rows = [row for row in ROWS if row[1] == engine.__name__]
    with engine() as (names, records):
        given = [outcome(call, {**names, "p": path_of(file, tmp_path)}, records) for call, _, file, _ in rows]
    assert given == [stated for *_, stated in rows] and rows
