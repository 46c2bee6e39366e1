#!/usr/bin/env python3
"""Writes the page of the results in docs/results, which `riffle bench --save` made.

usage: results.py SOURCES [--check]     --check: writes nothing, and fails if the page is another one
"""
import json
import pathlib
import sys

HEAD = """# Results of machines

What `riffle bench --save` measured, by machine: medians of riffle's automatic choice and of the best published program in
GB/s, and riffle's share of the [limit](methodology.md#the-limits) that binds it. A program marked `=` cannot be told from riffle by
that run: their 95 % intervals overlap. Every sample is in the JSON of the folder `docs/results` ([format](bench-json.md)).
[performance.md](performance.md) has the races of whole processes.

## Send a result

Stop other programs. Then

<!-- not run: it takes 100 seconds -->
```sh
riffle bench --save result
```

and send `result/bench.json` as `docs/results/NAME.json` in a change, or attach it to an issue. It names the processor, the OS
kernel and the compiler, and no user or host. Then run `site/results.py .`, which writes this page.
"""


KERNELS = """## SIMD kernels by processor

GB/s from memory, in one process, of the SIMD kernel that riffle chooses on each processor ([the rule](choosing.md#the-simd-kernel)), for the
tasks that all of them ran. `docs/results/kernels.tsv` has the others. Its last column names the tasks in which another SIMD kernel is
faster: in a cache up to 1.67x as fast, in memory 1.16x.
`./dev bench kernels --save docs/results/kernels.tsv` adds a row.
"""


def interval(result):
    return result["seconds"]["ci95"] or [result["seconds"]["min"], result["seconds"]["max"]]


def rows(report):
    """For each task: the automatic choice, the best that is not riffle, and the limit."""
    keys = dict.fromkeys((r["task"], r["input"], r["cache"]) for r in report["results"] if r["outcome"] == "measured")
    for key in keys:
        here = [r for r in report["results"] if (r["task"], r["input"], r["cache"]) == key and r["outcome"] == "measured"]
        ours = next((r for r in here if r["program"] == "riffle" and r["contender"] == "automatic"), None)
        others = [r for r in here if r["program"] not in ("riffle", "limit")]
        if ours is None or not others:
            continue
        best = min(others, key=lambda r: r["seconds"]["median"])
        low, high = interval(ours)
        same = interval(best)[0] <= high and low <= interval(best)[1]
        yield (f"{key[0]} on {key[1]}, {key[2]}", f"{ours['gb_per_s']:.2f}",
               f"{best['gb_per_s']:.2f}{' =' if same else ''}", f"{best['program']}/{best['contender']}",
               f"{100 * ours['of_limit']:.0f} % of {ours['limit']['name']}" if ours["limit"] else "")


def machine(path):
    report = json.loads(path.read_text(encoding="utf-8"))
    about = report["machine"]
    lines = [f"## {about['processor']}, {about['processors']} processors: {path.stem}", "",
             f"{report['started'][:10]}, riffle {about['version']} ({about['active_kernel']}), {about['compiler']}, "
             f"{about['kernel']}, {about['file_system']}. "
             f"The load was {report['load']:.1f} when the run began.", ""]
    lines += [f"- {warning['text']}" for warning in report["warnings"]] + [""]
    lines += ["| task | riffle | best published | which | riffle, of its limit |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows(report)]
    return "\n".join(lines) + "\n"


def kernels(path):
    """The rows that `./dev bench kernels --save` added, side by side."""
    columns = list(zip(*(line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())))
    return "\n".join([KERNELS, "| " + " | ".join(["", *columns[1][1:]]) + " |", "|---" * len(columns[0]) + "|",
                      *("| " + " | ".join(column) + " |" for column in [columns[0], *columns[2:-2]] if all(column))]) + "\n"


def main():
    docs = pathlib.Path(sys.argv[1]) / "docs"
    text = "\n".join([HEAD, kernels(docs / "results/kernels.tsv"), *(machine(path) for path in sorted(docs.glob("results/*.json")))])
    page = docs / "results.md"
    if "--check" not in sys.argv:
        page.write_text(text, encoding="utf-8")
    elif page.read_text(encoding="utf-8") != text:
        sys.exit(f"{page} is not what its files say; run site/results.py {sys.argv[1]}")


if __name__ == "__main__":
    main()
