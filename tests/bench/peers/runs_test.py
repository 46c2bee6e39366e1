"""The driver of the races of processes: rounds are interleaved, answers checked, and who drops out is named."""

import gzip
import shutil
import string
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench/peers"))
sys.dont_write_bytecode = True
import inputs
from contenders import PROGRAMS, TASKS, Contender
from runs import Call, Failed, Process, Runner, beside, race, table


class Given(Runner):
    """Takes so many seconds a run, and gives this answer; fails in the run of that number."""

    def __init__(self, name, seconds, answer, log, fails_at=0):
        super().__init__(name)
        self.given, self.log, self.fails_at, self.runs = (seconds, answer), log, fails_at, 0

    def run(self):
        self.runs += 1
        self.log.append(self.name)
        if self.runs == self.fails_at:
            raise Failed("no space")
        return self.given


class Race(unittest.TestCase):
    def setUp(self):
        self.log = []

    def test_runs_each_once_a_round_in_another_order(self):
        runners = [Given(name, 1, 7, self.log) for name in "abc"]
        befores, afters = [], []
        race(runners, 20, lambda: befores.append(0), lambda runner: afters.append(runner.name))
        rounds = ["".join(self.log[at : at + 3]) for at in range(1, 61, 3)]
        self.assertEqual([sorted(each) for each in rounds], [list("abc")] * 20)
        self.assertGreater(len(set(rounds)), 3)
        self.assertEqual((len(befores), afters), (61, self.log[1:]))
        self.assertEqual([len(runner.times) for runner in runners], [20, 20, 20], "the first run does not count")

    def test_drops_who_fails_or_answers_otherwise(self):
        runners = [Given("right", 1, (3, 4), self.log), Given("wrong", 1, (3, 5), self.log),
                   Given("silent", 1, None, self.log), Given("failing", 1, (3, 4), self.log, fails_at=2)]
        race(runners, 5)
        self.assertEqual([r.fault for r in runners], ["", "answers (3, 5), not (3, 4)", "", "failed: no space"])
        self.assertEqual([self.log.count(r.name) for r in runners], [6, 1, 5, 2])
        shown = table("t", runners, 10**9)
        self.assertIn("Not ranked: wrong: answers (3, 5), not (3, 4)", shown)
        self.assertNotIn("| wrong", shown)

    def test_compares_with_a_known_answer_without_a_first_run(self):
        runners = [Given("first", 1, 1, self.log), Given("second", 1, 2, self.log)]
        race(runners, 2, expected=2, warm=0)
        self.assertEqual([r.fault for r in runners], ["answers 1, not 2", ""])

    def test_ends_a_race_whose_first_fails(self):
        runners = [Given("first", 1, 1, self.log, fails_at=1), Given("second", 1, 1, self.log)]
        race(runners, 2)
        self.assertEqual(self.log, ["first"])

    def test_gives_three_runs_to_who_has_used_up_the_patience(self):
        runners = [Given("quick", 1, 1, self.log), Given("slow", 9, 1, self.log)]
        race(runners, 9, patience=10)
        self.assertEqual([len(r.times) for r in runners], [9, 3])


class Tables(unittest.TestCase):
    def test_put_the_fastest_first_and_mark_riffle(self):
        runners = [Given("riffle", 2, 1, []), Given("other | wc", 1, 1, [])]
        race(runners, 4)
        runners[0].peaks = [1.5, 2.5]
        lines = table("lines: of 67 bytes", runners, 10**9, ["absent"], more={"wanted": lambda r: "2"}).splitlines()
        self.assertEqual(lines[1], "## lines: of 67 bytes")
        self.assertEqual(lines[3], "| contender | median ms | min..max ms | GB/s | time / riffle's | peak MiB | runs | wanted |")
        self.assertEqual(lines[5], "| other \\| wc | 1000 | 1000..1000 | 1 | 0.500 (0.500..0.500) |  | 4 | 2 |")
        self.assertEqual(lines[6], "| **riffle** | 2000 | 2000..2000 | 0.5 | 1.000 (1.000..1.000) | 2.5 | 4 | 2 |")
        self.assertEqual(lines[-1], "Skipped: absent")

    def test_take_ratios_of_the_same_round(self):
        self.assertEqual(beside([2, 4, 20, 6], [1, 2, 10, 3]), "2.000 (2.000..2.000)")
        self.assertEqual(beside([4, 6, 5], [1, 2, 10, 3]), "2.00", "of the medians where the rounds differ")
        self.assertEqual(beside([1], []), "nan")


class Processes(unittest.TestCase):
    def test_answer_by_the_last_line(self):
        with tempfile.TemporaryDirectory() as folder:
            launch = Path(folder) / "bin/launch"
            launch.parent.mkdir()
            launch.write_text('#!/bin/sh\nout=$1 pause=$2; shift 2; "$@" > "$out"; echo 2000000 $((1024 * pause)) $?\n')
            launch.chmod(0o755)

            def ran(line, picks):
                process = Process("p", ["sh", "-c", line], Path(folder), launch.parent, picks, {"WORD": "4 5"}, pause=3)
                return process.turn(None), process.times, process.peaks, process.fault

            self.assertEqual(ran("echo 1 2; echo $WORD x 6", (0, 2)), ((4, 6), [0.002], [3.0], ""))
            self.assertEqual(ran("echo a; echo b", None)[0], "a\nb")
            self.assertEqual(ran("echo 51.20", None)[0], ran("echo 51.2", None)[0], "numbers, not texts")
            self.assertEqual([ran(f"echo {text}", None)[0] for text in ("nan", "1_000", "1e3")], ["nan", "1_000", 1000])
            self.assertEqual(ran("echo a", ())[::3], (None, ""))
            self.assertEqual(ran("echo a", (0,))[3], "failed: no answer in b'a'")
            self.assertEqual(ran("exit 3", (0,))[3], "failed: no message")

    def test_of_this_process_are_timed(self):
        seconds, answer = Call("c", lambda: sum(range(1000))).run()
        self.assertEqual(answer, 499500)
        self.assertGreater(seconds, 0)


class Contenders(unittest.TestCase):
    def test_of_riffle_have_a_twin_of_an_earlier_commit(self):
        before = Contender("a", "A=1 {column_sum} csv {input} | {riffle} wc", (1,)).before()
        self.assertEqual((before.name, before.picks), ("a, before", (1,)))
        self.assertEqual(before.line, "A=1 {column_sum-before} csv {input} | {riffle-before} wc")
        self.assertIsNone(Contender("b", "{rust-loops} {input}").before())

    def test_name_programs_that_are_listed(self):
        for task in TASKS:
            packer = inputs.PACKERS.get(task.input.partition(".")[2], (" ",))[0].split()[:1]
            named = {name for each in task.contenders for _, name, _, _ in string.Formatter().parse(each.line) if name}
            self.assertLessEqual(named.union(packer) - {"input", "files", "engines"}, set(PROGRAMS), task.name)


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


if __name__ == "__main__":
    unittest.main()
