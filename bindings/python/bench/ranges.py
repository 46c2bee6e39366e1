"""Races riffle_io over a server of ranges against asyncio, which fetches the same ranges and drops them.

    build/python/venv/bin/python bindings/python/bench/ranges.py [--mib 512] [--rounds 7] [--delay-ms 20]

The server is a process of its own on the loopback. It delays each request. asyncio fetches 32 ranges at once by
aiohttp, through the same fsspec. A time has the opening of the file in it.
"""

import asyncio
import multiprocessing
import sys
import time
from pathlib import Path

import fsspec

import riffle_io
from riffle_io._ranges import RANGE

sys.path += [str(Path(__file__).resolve().parents[at] / folder) for at, folder in ((1, "tests"), (3, "bench/peers"))]
import inputs
from range_server import serve
from runs import Call, parser_of, race, table


def run_server(mib, delay, started):
    piece = inputs.numbered()[: (1 << 20) - 1] + b"\n"  # so that as many lines end as begin
    with serve(piece * mib, delay) as (_, url):
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


def reading(url, read):
    def run():
        with fsspec.open(url) as file:
            return read(file)

    return run


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--delay-ms", type=float, default=20)
    options = parser.parse_args()
    started = multiprocessing.Queue()
    arguments = options.mib, options.delay_ms / 1000, started
    server = multiprocessing.Process(target=run_server, args=arguments, daemon=True)
    server.start()
    url = started.get()
    runners = [Call(name, reading(url, read)) for name, read in CONTENDERS.items()]
    race(runners, options.rounds, warm=len(runners))  # the first run connects
    server.terminate()
    print(table(f"{options.mib} MiB of ranges", runners, options.mib << 20, base="asyncio's"))


if __name__ == "__main__":
    main()
