"""Runs a whole process, keeps its times, and prints what several of them took: for `race` and `storage`."""

import argparse
import os
import platform
import re
import statistics
import subprocess
from datetime import date
from pathlib import Path


def size(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*[KMG]", text):
        raise argparse.ArgumentTypeError(f"{text}: a size is written 64M or 1G")
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


class Runner:
    """One command, ready to run, and what its runs took."""

    def __init__(self, name: str, words: list, directory: Path, programs: Path, picks=(0,), environment=None):
        self.name, self.picks, self.directory = name, picks, directory
        self.environment = {**os.environ, "LC_ALL": "C", **(environment or {})}
        self.output = programs.parent / "output"
        self.command = [str(programs / "launch"), str(self.output), *words]
        self.times, self.peaks, self.fault = [], [], ""

    def run(self) -> tuple:
        """Runs it once and returns its answer; what went wrong is left in `fault`."""
        launched = subprocess.run(self.command, cwd=self.directory, env=self.environment,
                                  capture_output=True, text=True)
        numbers = launched.stdout.split()
        if launched.returncode != 0 or numbers[2] != "0":
            self.fault = "failed: " + (launched.stderr.strip().splitlines() or ["no message"])[-1]
            return ()
        self.times.append(int(numbers[0]) / 1e9)
        self.peaks.append(int(numbers[1]) / 1024)
        if self.picks is None:
            return (self.output.read_text(encoding="utf-8", errors="replace").strip(),)
        if not self.picks:
            return ()
        last = self.output.read_bytes().rstrip().rpartition(b"\n")[2]
        found = re.findall(rb"\d+", last)
        if len(found) <= max(self.picks):
            self.fault = f"no answer in {last!r}"
            return ()
        return tuple(int(found[pick]) for pick in self.picks)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.2f}"


def beside(times: list, firsts: list) -> str:
    """The median of the ratios of the same round and its quartiles; of the medians where the rounds differ."""
    if len(times) != len(firsts) or len(times) < 4:
        return f"{statistics.median(times) / statistics.median(firsts or [float('nan')]):.2f}"
    low, middle, high = statistics.quantiles([t / f for t, f in zip(times, firsts)], n=4)
    return f"{middle:.3f} ({low:.3f}..{high:.3f})"


def table(heading: str, runners: list, skipped: list, total: int) -> str:
    """A row for each runner; `total` is the size of the input."""
    rows = [f"\n## {heading}\n",
            "| contender | median ms | min..max ms | GB/s | time / riffle's | peak MiB | runs |",
            "|---|--:|--:|--:|--:|--:|--:|"]
    ranked = sorted((r for r in runners if r.times and not r.fault), key=lambda r: statistics.median(r.times))
    for r in ranked:
        median = statistics.median(r.times)
        name = f"**{r.name}**" if r is runners[0] else r.name
        spread = f"{milliseconds(min(r.times))}..{milliseconds(max(r.times))}"
        rows.append(f"| {name} | {milliseconds(median)} | {spread} | {total / median / 1e9:.3g} | "
                    f"{beside(r.times, runners[0].times)} | "
                    f"{max(r.peaks):.1f} | {len(r.times)} |")
    rows += [f"\nNot ranked: {r.name}: {r.fault}" for r in runners if r.fault]
    rows += [f"\nSkipped: {', '.join(skipped)}"] if skipped else []
    return "\n".join(rows)


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return (f"{date.today()}, {os.cpu_count()} x {model.group(1) if model else platform.machine()}, "
            f"{platform.system()} {platform.release()}")
