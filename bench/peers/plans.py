"""Makes plans of races, which `riffle bench --plan` runs, and the workers in them: docs/bench-json.md has the format."""

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build/release/riffle"


def size(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d*[KMG]", text):
        raise argparse.ArgumentTypeError(f"{text}: a size is written 64M or 1G")
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


def parser_of(description: str, seconds: float = 60) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="What stands after -- goes to `riffle bench`: -- --save FOLDER")
    parser.add_argument("--rounds", type=int, default=100, help="the most timed runs of a contender (default: 100)")
    parser.add_argument("--time", type=float, default=seconds, metavar="SECONDS",
                        help=f"for each task; what one leaves, the next ones get (default: {seconds:g})")
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options, and those of `riffle bench` as `bench`."""
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:at])
    options.bench = sys.argv[at + 1:]
    return options


def run(title: str, tables: list, options: argparse.Namespace) -> int:
    """Runs the plan of the tables. Returns 0 if every contender that is here ran and gave the right answer."""
    if not os.access(TOOL, os.X_OK):
        sys.exit(f"{Path(sys.argv[0]).name}: {TOOL} is missing: run ./dev build release")
    plan = {"title": title, "rounds": options.rounds, "seconds": options.time * len(tables), "tables": tables}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        json.dump(plan, file)
        file.seek(0)
        sys.stdout.flush()
        command = [TOOL, "bench", "--plan", str(file.fileno()), *options.bench]
        with subprocess.Popen(command, pass_fds=[file.fileno()]) as process:
            # It reports what it has measured until then. Ctrl-C reaches it without help.
            handlers = {signal.SIGINT: lambda *_: None, signal.SIGTERM: lambda *_: process.terminate()}
            before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
            result = process.wait()
        for number, handler in before.items():
            signal.signal(number, handler)
    if result < 0:
        sys.exit(128 - result)
    return result


def serve(measure) -> None:
    """Is a worker: `measure` runs once and returns the seconds and the answer, None if there is none to compare."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # where others print
    for _ in sys.stdin:
        try:
            seconds, answer = measure()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
            said = f"{seconds * 1e9:.0f} {peak} {'' if answer is None else answer}"
        except Exception as failure:
            said = f"error {str(failure) or type(failure).__name__}"
        print(" ".join(said.split("\n")), file=replies, flush=True)
