"""The plans of the races of processes, and the protocol of their workers."""

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench/peers"))
sys.dont_write_bytecode = True
import inputs
import plans
from contenders import PROGRAMS, TASKS, Contender, Task

HERE = {"riffle": "/b/riffle", "riffle-before": "/b/old riffle", "wc": "/b/wc", "column_sum": "/b/sum"}
FILES = [Path("/i n/a"), Path("/i n/b")]
# the contender; what its part of a plan has beside the name, the directory and LC_ALL=C
PLANNED = [
    (Contender("", "{riffle} wc -l {input}"), {"ours": True, "command": ["/b/riffle", "wc", "-l", "/i n/a"], "answer": (0,)}),
    (Contender("", "{riffle} wc {files}", "all"), {"ours": True, "command": ["/b/riffle", "wc", "a", "b"], "answer": "all"}),
    (Contender("", "{riffle-before} wc '{{x}}'"), {"command": ["/b/old riffle", "wc", "{x}"], "answer": (0,)}),
    (Contender("", "{riffle} wc").before(), {"before": True, "command": ["/b/old riffle", "wc"], "answer": (0,), "name": ", before"}),
    (Contender("", "{wc} {input} | wc", (1, 2)), {"command": ["sh", "-c", "/b/wc '/i n/a' | wc"], "answer": (1, 2)}),
    (Contender("", "LC_ALL=C.UTF-8 N=2 {wc}"), {"command": ["/b/wc"], "answer": (0,),
                                               "environment": {"LC_ALL": "C.UTF-8", "N": "2"}}),
    (Contender("", "{column_sum} {input}", "none", "limit"), {"limit": True, "command": ["/b/sum", "/i n/a"], "answer": "none"}),
    (Contender("", "{column_sum} x", role="peer"), {"command": ["/b/sum", "x"], "answer": (0,)}),
]


class Plans(unittest.TestCase):
    def test_have_a_part_for_a_contender(self):
        for contender, expected in PLANNED:
            with self.subTest(contender.line):
                expected = {"name": "", "directory": "/i n", "environment": {"LC_ALL": "C"}, **expected}
                self.assertEqual(contender.planned(HERE, FILES), expected)
                expected["command"] = ["limited", *expected["command"]]
                self.assertEqual(contender.planned(HERE, FILES, lambda words: ["limited", *words]), expected)

    def test_say_how_to_get_what_is_missing(self):
        self.assertEqual(Contender("x", "{qsv} {igzip} {wc}").planned(HERE, FILES), {
            "name": "x", "missing": "igzip: the package isal; qsv: --peer qsv=PATH; README.md says what it has to do"})

    def test_have_a_twin_of_an_earlier_commit(self):
        self.assertEqual(Contender("a", "A=1 {column_sum} csv {input} | {riffle} wc", (1,)).before(),
                         Contender("a, before", "A=1 {column_sum-before} csv {input} | {riffle-before} wc", (1,), "before"))
        self.assertIsNone(Contender("b", "{rust-loops} {input}").before())

    def test_name_programs_that_are_listed(self):
        for task in TASKS:
            named = set().union(task.needs(), *(each.needs() for each in task.contenders))
            self.assertLessEqual(named, set(PROGRAMS), task.name)
            names = [each.name for each in task.contenders]
            self.assertEqual(sorted(set(names)), sorted(names), f"{task.name}: a name stands for one contender")

    def test_have_a_table_for_a_task(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log-9-1.gz"
            path.with_suffix("").write_bytes(b"of text\n")
            task = Task("log.gz", "count", "log.gz", [Contender("r", "{riffle}"), Contender("q", "{qsv}")], "cgroup")
            self.assertEqual(task.needs(), {"riffle", "gzip"})
            table = task.planned(HERE, [path], 0.1)
            self.assertEqual([each["name"] for each in table.pop("contenders")], ["r", "q", "r, before"])
            self.assertEqual(table, {"name": "log.gz", "title": "count", "files": [str(path)], "bytes": 8, "cache": "cold",
                                     "pause": 0.1})

    def test_go_to_riffle_bench_with_its_options(self):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            tool, plan = Path(folder) / "tool", Path(folder) / "plan"
            tool.write_text(f'#!/bin/sh\n[ "$1 $2 $4" = "bench --plan --markdown" ] && cat <&"$3" > {plan} && exit 3\n')
            tool.chmod(0o755)
            stack.enter_context(mock.patch.object(plans, "TOOL", tool))
            stack.enter_context(mock.patch.object(sys, "argv", ["race", "--rounds", "9", "--time", "2", "--", "--markdown"]))
            options = plans.parsed(plans.parser_of(""))
            self.assertEqual(plans.run("t", [{"name": "a"}, {"name": "b"}], options), 3)
            self.assertEqual(json.loads(plan.read_text()), {
                "title": "t", "rounds": 9, "seconds": 4, "tables": [{"name": "a"}, {"name": "b"}]})
            tool.write_text("#!/bin/sh\nkill -INT $$\n")
            with self.assertRaises(SystemExit) as ended:
                plans.run("t", [], options)
            self.assertEqual(ended.exception.code, 130)

    def test_have_workers_that_answer_each_line(self):
        script = "import plans; told = iter([(0.5, '7 x'), (2, None)]); plans.serve(lambda: next(told))"
        done = subprocess.run([sys.executable, "-c", script], input="run\n" * 3, capture_output=True, text=True,
                              cwd=ROOT / "bench/peers")
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^500000000 [1-9]\d+ 7 x$")
        self.assertRegex(lines[1], r"^2000000000 [1-9]\d+ $")
        self.assertEqual(lines[2:], ["error StopIteration"])


class Inputs(unittest.TestCase):
    @unittest.skipUnless(shutil.which("gzip"), "no gzip")
    def test_are_compressed_whole_or_in_pieces(self):
        with tempfile.TemporaryDirectory() as folder:
            [path] = inputs.make("log.gz", Path(folder), 1 << 16, "hot")
            text = inputs.unpacked(path).read_bytes()
            self.assertEqual(gzip.decompress(path.read_bytes()), text)
            inputs.pack(inputs.unpacked(path), path, "gzip -c", 1000)
            self.assertEqual(gzip.decompress(path.read_bytes()), text)
            self.assertEqual(inputs.unpacked(inputs.unpacked(path)).name, "log-65536-1")

    def test_stay_apart_that_have_to_be_as_written(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [inputs.make("text", Path(folder), 1000, state)[0] for state in ("hot", "written")]
            self.assertNotEqual(*paths)
            self.assertEqual(*(path.read_bytes() for path in paths))


if __name__ == "__main__":
    unittest.main()
