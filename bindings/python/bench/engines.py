"""Races riffle_io's adapters against the engines' own readers, on two workers, and measures the cost of a task.

    build/python/engines/bin/python bindings/python/bench/engines.py [--mib 1024] [--rounds 5] [dask] [ray] [spark]

The contenders of an engine take turns over one file of 95-byte lines that is in the page cache. A contender with
another answer than riffle is not ranked, and the script then fails.
"""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import riffle_io

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench/peers"))
import inputs
from runs import Call, parser_of, race, table

TASKS = 1000


def dask_contenders(path, splits):
    import dask.bag
    import distributed

    import riffle_io.dask

    distributed.Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)

    def bag():
        return dask.bag.read_text(path, blocksize=64 << 20, linedelimiter="\n")

    def trivial(split):
        return 1

    yield "lines", "riffle_io.dask.count", lambda: riffle_io.dask.count(path).compute()
    yield "lines", "dask.bag.read_text", lambda: bag().count().compute()
    yield "words", "riffle_io.dask.count", lambda: riffle_io.dask.count(path, riffle_io.count_words).compute()
    yield "words", "dask.bag.read_text", lambda: bag().str.split().map(len).sum().compute()
    yield "tasks", "1,000 empty tasks", lambda: len(riffle_io.dask._map(trivial, splits).compute())


def ray_contenders(path, splits):
    import ray

    import riffle_io.ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    trivial = ray.remote(lambda split: 1)
    yield "lines", "riffle_io.ray.count", lambda: riffle_io.ray.count(path)
    yield "lines", "riffle_io.ray.read_lines, moved", lambda: riffle_io.ray.read_lines(path).count()
    yield "lines", "ray.data.read_text", lambda: ray.data.read_text(path).count()
    yield (
        "tasks",
        "1,000 empty tasks",
        lambda: len(ray.get([trivial.remote(split) for split in splits])),
    )


def spark_contenders(path, splits):
    from pyspark.sql import SparkSession

    import riffle_io.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").config("spark.driver.memory", "2g").getOrCreate()
    session.dataSource.register(riffle_io.spark.RiffleDataSource)
    context = session.sparkContext
    yield "lines", "riffle_io.spark.count", lambda: riffle_io.spark.count(session, path)
    yield "lines", "riffle format, moved", lambda: session.read.format("riffle").load(path).count()
    yield "lines", "spark.read.text", lambda: session.read.text(path).count()
    yield (
        "tasks",
        "1,000 empty tasks",
        lambda: context.parallelize(splits, len(splits)).map(lambda split: 1).sum(),
    )


ENGINES = {"dask": dask_contenders, "ray": ray_contenders, "spark": spark_contenders}


def main():
    parser = parser_of(__doc__, rounds=5)
    parser.add_argument("engines", nargs="*", choices=[[], *ENGINES])
    parser.add_argument("--mib", type=int, default=1024)
    given = parser.parse_args()
    modules = {"spark": "pyspark", "dask": "distributed", "ray": "ray"}
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        [path] = map(str, inputs.make("lines95", Path(folder), given.mib << 20, "hot"))
        splits = riffle_io.splits(path, split_size=(given.mib << 20) // TASKS)
        want = {
            "lines": riffle_io.count_lines(path),
            "words": riffle_io.count_words(path),
            "tasks": len(splits),
        }
        for engine in given.engines or [name for name in ENGINES if importlib.util.find_spec(modules[name])]:
            tasks = {}
            for task, name, run in ENGINES[engine](path, splits):
                tasks.setdefault(task, []).append(Call(name, run))
            for task, runners in tasks.items():
                race(runners, given.rounds, expected=want[task], warm=len(runners))  # the first run warms the workers
                print(table(f"{engine}: {task}", runners, os.path.getsize(path) * (task != "tasks")), flush=True)
                faults += sum(bool(runner.fault) for runner in runners)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
