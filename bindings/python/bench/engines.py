"""Races riffle_io's adapters against the engines' own readers, on two workers, and measures the cost of a task.

    build/python/engines/bin/python bindings/python/bench/engines.py [--mib 1024] [--rounds 5] [dask] [ray] [spark]

The contenders of an engine take turns over one file of 95-byte lines that is in the page cache. The table holds the
medians of the rounds and the ratios of those medians. A contender with another answer than riffle ends the script.
"""

import argparse
import importlib.util
import os
import statistics
import sys
import tempfile
import time

import riffle_io

TASKS = 1000


def write_lines(path, mib):
    """Writes lines of 95 bytes, each of ten words."""
    words = b" abcdefg hijklmno pqrstuv wxyzabcd efghijk lmnopqrs tuvwxyz abcdefgh ijklmnopqrstuvw"
    block = b"".join((b"%08d" % number + words).ljust(94, b"x") + b"\n" for number in range(100_000))
    with open(path, "wb") as file:
        file.writelines(block for _ in range((mib << 20) // len(block)))


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


def race(contenders, rounds):
    """Returns the seconds of each contender in each round, and its answer."""
    seconds = {(task, name): [] for task, name, _ in contenders}
    answers = {}
    for turn in range(rounds + 1):  # the first warms the workers
        for task, name, run in contenders:
            start = time.perf_counter()
            answers[task, name] = run()
            if turn:
                seconds[task, name].append(time.perf_counter() - start)
    return seconds, answers


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("engines", nargs="*", choices=[[], *ENGINES])
    options.add_argument("--mib", type=int, default=1024)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    modules = {"spark": "pyspark", "dask": "distributed", "ray": "ray"}
    names = given.engines or [name for name in ENGINES if importlib.util.find_spec(modules[name])]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines")
        write_lines(path, given.mib)
        splits = riffle_io.splits(path, split_size=(given.mib << 20) // TASKS)
        want = {
            "lines": riffle_io.count_lines(path),
            "words": riffle_io.count_words(path),
            "tasks": len(splits),
        }
        print("| engine | task | contender | seconds | time beside `count` |\n|---|---|---|---|---|")
        for engine in names:
            seconds, answers = race(list(ENGINES[engine](path, splits)), given.rounds)
            best = {}
            for (task, name), times in seconds.items():
                if answers[task, name] != want[task]:
                    sys.exit(f"{engine}: {name} counts {answers[task, name]} {task}, riffle {want[task]}")
                median = statistics.median(times)
                beside = f"{median / best[task]:.1f}x " if task in best else ""
                best.setdefault(task, median)
                print(f"| {engine} | {task} | {name} | {median:.3f} | {beside}|")


if __name__ == "__main__":
    main()
