"""Runs the rounds of a race, checks the answers, and prints a table: the one driver of all races of processes."""

import argparse
import math
import os
import platform
import random
import re
import statistics
import subprocess
import time
from datetime import date
from decimal import Decimal
from pathlib import Path


def size(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*[KMG]", text):
        raise argparse.ArgumentTypeError(f"{text}: a size is written 64M or 1G")
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


def parser_of(description: str, rounds: int = 7) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=rounds, help=f"default: {rounds}")
    return parser


class Failed(Exception):
    """A run that gave no time."""


class Runner:
    """A contender, and what its runs took."""

    def __init__(self, name: str):
        self.name, self.times, self.peaks, self.fault = name, [], [], ""

    def run(self) -> tuple:
        """Runs once. Returns the seconds and the answer, None if there is none to check. Raises Failed."""
        raise NotImplementedError

    def turn(self, expected):
        """Runs once and keeps the time, or what went wrong; returns the answer."""
        try:
            seconds, answer = self.run()
        except Failed as why:
            self.fault = f"failed: {why}"
            return None
        if expected is not None and answer is not None and answer != expected:
            self.fault = f"answers {str(answer):.200}, not {str(expected):.200}"
        self.times.append(seconds)
        return answer


class Call(Runner):
    """A function of this process, which returns the answer."""

    def __init__(self, name: str, function):
        super().__init__(name)
        self.function = function

    def run(self) -> tuple:
        start = time.perf_counter()
        answer = self.function()
        return time.perf_counter() - start, answer


class Process(Runner):
    """One command, started by `launch` after `pause` milliseconds. The numbers `picks` of the last line of its output are the answer."""

    def __init__(self, name: str, words: list, directory: Path, programs: Path, picks=(0,), environment=None,
                 pause: float = 0):
        super().__init__(name)
        self.picks, self.directory = picks, directory  # picks: () for no answer, None for the whole output
        self.environment = {**os.environ, "LC_ALL": "C", **(environment or {})}
        self.output = programs.parent / "output"
        self.command = [str(programs / "launch"), str(self.output), str(pause), *words]

    def run(self) -> tuple:
        launched = subprocess.run(self.command, cwd=self.directory, env=self.environment, capture_output=True, text=True)
        numbers = launched.stdout.split()
        if launched.returncode != 0 or numbers[2] != "0":
            raise Failed((launched.stderr.strip().splitlines() or ["no message"])[-1])
        self.peaks.append(int(numbers[1]) / 1024)
        return int(numbers[0]) / 1e9, self.answer()

    def answer(self):
        if self.picks is None:
            text = self.output.read_text(encoding="utf-8", errors="replace").strip()
            number = re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", text)
            return Decimal(text) if number else text  # .2 is .20
        if not self.picks:
            return None
        last = self.output.read_bytes().rstrip().rpartition(b"\n")[2]
        found = re.findall(rb"\d+", last)
        if len(found) <= max(self.picks):
            raise Failed(f"no answer in {last!r}")
        return tuple(int(found[pick]) for pick in self.picks)


def race(runners: list, rounds: int, before=lambda: None, after=lambda runner: None, expected=None, warm=1,
         patience=math.inf) -> None:
    """Runs each runner once in each round, in an order shuffled anew, with `before` before each run.

    The first `warm` runners run once before the rounds; these times do not count. The first of them gives the answer,
    unless one is `expected`. Who fails, answers otherwise or, from its third run on, used up its patience drops out.
    """
    for runner in [runner for runner in runners[:warm] if not runner.fault]:
        before()
        answer = runner.turn(expected)
        expected = answer if expected is None else expected
        runner.times.clear()
    shuffle = random.Random(runners[0].name).shuffle
    for _ in range(0 if runners[0].fault else rounds):
        order = [r for r in runners if not r.fault and (len(r.times) < 3 or sum(r.times) < patience)]
        shuffle(order)
        for runner in order:
            before()
            runner.turn(expected)
            after(runner)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.2f}"


def beside(times: list, firsts: list) -> str:
    """The median of the ratios of the same round and its quartiles; of the medians where the rounds differ."""
    if len(times) != len(firsts) or len(times) < 4:
        return f"{statistics.median(times) / statistics.median(firsts or [math.nan]):.2f}"
    low, middle, high = statistics.quantiles([t / f for t, f in zip(times, firsts)], n=4)
    return f"{middle:.3f} ({low:.3f}..{high:.3f})"


def table(heading: str, runners: list, total: int, skipped=(), base="riffle's", more=None) -> str:
    """A row for each runner, the fastest first. `total`: the bytes that each reads. `more`: heading to function."""
    first = runners[0]
    escaped = lambda r: r.name.replace("|", "\\|")
    columns = {
        "contender": lambda r: f"**{escaped(r)}**" if r is first else escaped(r),
        "median ms": lambda r: milliseconds(statistics.median(r.times)),
        "min..max ms": lambda r: f"{milliseconds(min(r.times))}..{milliseconds(max(r.times))}",
        "GB/s": lambda r: f"{total / statistics.median(r.times) / 1e9:.3g}" if total else "",
        f"time / {base}": lambda r: beside(r.times, first.times),
        "peak MiB": lambda r: f"{max(r.peaks):.1f}" if r.peaks else "",
        "runs": lambda r: str(len(r.times)), **(more or {})}
    ranked = sorted((r for r in runners if r.times and not r.fault), key=lambda r: statistics.median(r.times))
    rows = [f"\n## {heading}\n", f"| {' | '.join(columns)} |", f"|---{'|--:' * (len(columns) - 1)}|"]
    rows += [f"| {' | '.join(column(runner) for column in columns.values())} |" for runner in ranked]
    rows += [f"\nNot ranked: {r.name}: {r.fault}" for r in runners if r.fault]
    rows += [f"\nSkipped: {', '.join(skipped)}"] if skipped else []
    return "\n".join(rows)


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return (f"{date.today()}, {os.cpu_count()} x {model.group(1) if model else platform.machine()}, "
            f"{platform.system()} {platform.release()}")
