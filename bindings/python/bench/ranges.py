"""Races riffle_io over a server of ranges against asyncio, which fetches the same ranges and drops them.

    build/python/venv/bin/python bindings/python/bench/ranges.py [--mib 512] [--rounds 7] [--delay-ms 20]

The server is a process of its own on the loopback. It delays each request. asyncio fetches 32 ranges at once by
aiohttp, through the same fsspec. Rounds are interleaved; a share is the median of the rounds' shares.
"""

import argparse
import asyncio
import multiprocessing
import statistics
import sys
import time
from pathlib import Path

import fsspec

import riffle_io
from riffle_io._ranges import RANGE

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from range_server import serve

LINE = b"%08d abcdefg hijklmno pqrstuv wxyzabcd efghijk lmnopqrs tuvwxyz abcdefgh ijklmnopqrstu\n"


def run_server(mib, delay, started):
    with serve((LINE % 1 * (1 << 14))[: 1 << 20] * mib, delay) as (_, url):
        started.put(url)
        time.sleep(1 << 20)


def fetch_and_drop(file):
    async def fetch(begin, free):
        async with free:
            await file.fs._cat_file(file.path, start=begin, end=min(begin + RANGE, file.size))

    async def fetch_all():
        free = asyncio.Semaphore(32)
        await asyncio.gather(*(fetch(begin, free) for begin in range(0, file.size, RANGE)))

    asyncio.run_coroutine_threadsafe(fetch_all(), file.fs.loop).result()


CONTENDERS = {
    "asyncio, 32 at once, dropped": fetch_and_drop,
    "riffle_io.count_lines": riffle_io.count_lines,
    "for line in riffle_io.lines": lambda file: sum(1 for _ in riffle_io.lines(file)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--delay-ms", type=float, default=20)
    options = parser.parse_args()
    started = multiprocessing.Queue()
    arguments = options.mib, options.delay_ms / 1000, started
    server = multiprocessing.Process(target=run_server, args=arguments, daemon=True)
    server.start()
    url = started.get()
    seconds = {name: [] for name in CONTENDERS}
    for _ in range(options.rounds + 1):  # the first one connects
        for name, read in CONTENDERS.items():
            with fsspec.open(url) as file:
                start = time.perf_counter()
                read(file)
                seconds[name].append(time.perf_counter() - start)
    server.terminate()
    base, *_ = seconds.values()
    print("| contender | seconds | share of asyncio's speed |\n|---|---|---|")
    for name, measured in seconds.items():
        share = statistics.median(least / each for least, each in zip(base[1:], measured[1:]))
        print(f"| {name} | {statistics.median(measured[1:]):.3f} | {share:.2f} |")


if __name__ == "__main__":
    main()
