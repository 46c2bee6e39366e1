"""The tool on a terminal, as a person has it: what that shows, and what the keys do.

usage: terminal.py TOOL SLOW_FS CLASS[.TEST] [words of unittest]

The tests of a class run side by side, each in a process of its own, as most of them wait for slow storage.
"""

import fcntl
import gzip
import os
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

TOOL, SLOW_FS = sys.argv.pop(1), sys.argv.pop(1)
MIB = 1 << 20
LEFT = []  # what a test has to close


def screen_after(written):
    """Returns what a terminal of many columns shows after `written`."""
    rows, column = [""], 0
    for each in written.replace("\r\n", "\n"):
        if each == "\n":
            rows.append("")
        if each in "\r\n":
            column = 0
            continue
        rows[-1] = rows[-1].ljust(column)[:column] + each + rows[-1][column + 1 :]
        column += 1
    return "\n".join(row.rstrip(" ") for row in rows)


class Running:
    """A command of the tool, or a program with its path, in a session of its own. Its standard input is a pipe.

    `more` are variables of its environment.
    """

    def __init__(self, *words, terminal=True, rows="file", background=False, columns=80, before=lambda: None, **more):
        self.screen_end, inside = os.openpty()
        self.shown = self.out = self.err = ""
        self.file = tempfile.TemporaryFile()
        self.resize(columns)

        def start():
            os.setsid()
            fcntl.ioctl(inside, termios.TIOCSCTTY, 0)
            signal.alarm(60)
            if background and os.fork() == 0:  # a group that has the terminal, and goes with its session
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(inside, os.getpid())
                os.closerange(0, 1000)
                signal.pause()
            while background and os.tcgetpgrp(inside) == os.getpgrp():
                time.sleep(0.001)
            before()

        variables = {"LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb" if rows == "dumb" else "xterm", "riffle": TOOL}
        self.process = subprocess.Popen(
            words if words[0].startswith("/") else (TOOL, *words), bufsize=0, preexec_fn=start, stdin=subprocess.PIPE,
            stdout={"terminal": inside, "pipe": subprocess.PIPE}.get(rows, self.file),
            stderr=inside if terminal else subprocess.PIPE, env=os.environ | variables | more)  # fmt: skip
        os.close(inside)
        LEFT.append(self)

    def alive(self):
        return self.process.poll() is None

    def feed(self, text):
        """Writes to the standard input, and waits until the command has handled that: it reads once more."""
        self.process.stdin.write(text.encode())
        while self.alive() and fcntl.ioctl(self.process.stdin, termios.FIONREAD, b"\0" * 4) != b"\0" * 4:
            time.sleep(0.001)
        self.wait_until_it_waits()

    def wait_until_it_waits(self):
        """Waits until the main thread waits, but not for a disk, as a program does that starts."""
        state = Path(f"/proc/{self.process.pid}/stat")
        while self.alive() and state.read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.001)

    def wait_until_it_has_threads(self):
        """Waits until the command has a thread that handles the signals. An emulator has one of its own, too."""
        place = Path(f"/proc/{self.process.pid}")
        while self.alive() and len(list((place / "task").iterdir())) <= ("qemu" in os.readlink(place / "exe")) + 1:
            time.sleep(0.001)

    def press(self, key):
        os.write(self.screen_end, key)

    def resize(self, columns):
        fcntl.ioctl(self.screen_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def take(self):
        """Adds what the terminal gets next. Returns whether there is more."""
        try:
            some = os.read(self.screen_end, 4096).decode()
        except OSError:  # the command has ended
            some = ""
        self.shown += some
        return some != ""

    def wait_for(self, text, start=0):
        while text not in self.shown[start:]:
            assert self.take(), f"{text!r} is not in {self.shown!r}"

    def wait_for_row(self):
        while self.alive() and b"\n" not in os.pread(self.file.fileno(), 4096, 0):
            time.sleep(0.001)

    def wait(self):
        """Waits for the end. Returns the status, or the signal as a negative number."""
        ends = {self.screen_end, self.process.stdout, self.process.stderr} - {None}
        while ends:
            for each in select.select(ends, [], [], 60)[0]:
                some = self.take() if each == self.screen_end else each.read(4096).decode()
                if not some:
                    ends.remove(each)
                elif each == self.process.stdout:
                    self.out += some
                elif each == self.process.stderr:
                    self.err += some
        self.file.seek(0)
        self.out += self.file.read().decode()
        return self.process.wait()

    def end(self):
        """The same after the end of the input."""
        self.process.stdin.close()
        return self.wait()

    def screen(self):
        return screen_after(self.shown)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.screen_end)
        for each in {self.process.stdin, self.process.stdout, self.process.stderr, self.file} - {None}:
            each.close()


class SlowFile:
    """A file served by riffle-slow-fs with these options, by some names."""

    def __init__(self, test, content, *options):
        if not SLOW_FS:
            test.skipTest("riffle-slow-fs is not built: libfuse3 is missing")
        self.folder = tempfile.TemporaryDirectory()
        backing, mount = Path(self.folder.name, "bytes"), Path(self.folder.name, "mount")
        backing.write_bytes(content)
        mount.mkdir()
        self.process = subprocess.Popen([SLOW_FS, *options, backing, mount], stdout=subprocess.PIPE)
        self.names = [f"{mount}/{i + 1}" for i in range(16)]
        LEFT.append(self)
        if not self.process.stdout.readline():
            test.skipTest("riffle-slow-fs mounts nothing: it or FUSE cannot run here")

    def close(self):
        for each in (signal.SIGCONT, signal.SIGTERM):
            self.process.send_signal(each)
        self.process.communicate()
        self.folder.cleanup()


class Terminal(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(lambda: [LEFT.pop().close() for _ in list(LEFT)])

    def file(self, content):
        path = Path(self.folder.name, str(len(os.listdir(self.folder.name))))
        path.write_text(content)
        return str(path)


# Another program may write to the terminal, or the command does so itself: words, where rows go or what is around,
# whether progress is shown.
SHOWS = [
    ("wc", "file", True), ("wc", "terminal", True), ("wc", "pipe", False), ("count --lines", "pipe", False),
    ("sum --type u8", "pipe", False), ("cat", "pipe", False), ("cat", "terminal", False), ("cat --number", "terminal", False),
    ("cat", "file", True), ("count --fasta", "terminal", False), ("count --fasta", "file", True),
    ("count --fastq", "terminal", True), ("wc --progress", "pipe", True), ("cat --progress", "terminal", True),
    ("cat --no-progress --progress", "pipe", True), ("wc --progress", "no terminal", False),
    ("wc --progress", "background", False), ("wc --progress", "dumb", False), ("wc --no-progress", "file", False),
    ("sum --type u8 --progress --no-progress", "file", False)]  # fmt: skip


def line_for(words):
    return {"--fasta": ">\n", "--fastq": "@\n"}.get(words.split()[-1], "1\n")


class Progress(Terminal):
    def test_tells_how_much_of_all_regular_files_is_read(self):
        small = self.file("0123456789")
        wc = Running("wc", "-l", small, "/dev/stdin", small)
        wc.feed("x")
        wc.wait_for("11 B, ")  # the size of a pipe is not known
        self.assertEqual(wc.end(), 0)

    def test_has_a_share_of_all_files_unless_they_take_long_to_look_at(self):
        slow = SlowFile(self, b"x" * (24 * MIB), "--bandwidth=1M", "--files=2").names
        one = Running("wc", "-l", slow[0])
        both = Running("wc", "-l", *slow[:2])
        redirected = Running("/bin/bash", "-c", f"exec $riffle wc -l < {slow[0]}")
        far = SlowFile(self, b"x" * (24 * MIB), "--bandwidth=1M", "--files=3", "--latency=100000").names
        distant = Running("count", "--lines", *far[:3])
        one.wait_for(" of 24.0 MiB (")
        both.wait_for(" of 48.0 MiB (")
        redirected.wait_for(" of 24.0 MiB (")
        distant.wait_for("B, ")
        self.assertNotIn(" of ", distant.shown)

    def test_tells_the_share_of_the_compressed_bytes_of_what_is_decoded(self):
        if subprocess.run([TOOL, "wc", "-z"], input=gzip.compress(b""), capture_output=True).returncode:
            self.skipTest("this build does not decode gzip")
        slow = SlowFile(self, gzip.compress(os.urandom(12 * MIB), 1), "--bandwidth=1M").names[0]
        commands = ("wc -z", "count --lines --threads 2", "freq", "cat -z")
        for tool in [Running(*words.split(), slow) for words in commands]:
            tool.wait_for(" of 12.0 MiB (")
            tool.wait_for(" left")

    def test_leaves_the_rows_of_files_that_threads_read_alone(self):
        slow = SlowFile(self, b"x" * MIB, "--bandwidth=8M", "--files=16").names
        count = Running("count", "--byte", "x", "--threads", "2", *slow, rows="terminal")
        self.assertEqual(count.wait(), 0)
        self.assertIn("MiB/s", count.shown)
        self.assertEqual(count.screen(), "".join(f"1048576 {name}\n" for name in slow) + "16777216 total\n")

    def test_leaves_rows_and_messages_on_the_same_terminal_alone(self):
        wc = Running("wc", "-l", "-", "/missing", rows="terminal")
        wc.feed("one\ntwo\n")
        wc.wait_for("8 B, ")
        self.assertEqual(wc.end(), 1)
        message = "riffle: cannot open '/missing': No such file or directory\n"
        self.assertEqual(wc.screen(), f"      2 -\n{message}      2 total\n")

    def test_is_gone_before_a_message_that_is_shorter(self):
        slow = SlowFile(self, b"x" * (9 * MIB), "--bandwidth=3M", "--eio-at=6000000").names[0]
        wc = Running("/bin/bash", "-c", f"cd {Path(slow).parent}; exec -a wc $riffle 1")
        wc.wait_for(" of 9.0 MiB (")
        self.assertEqual((wc.wait(), wc.screen().replace("I/O", "Input/output")), (1, "wc: 1: Input/output error\n"))

    def test_does_not_wait_for_a_terminal_that_is_stopped(self):
        wc = Running("wc", "-l")
        wc.feed("one\ntwo\n")
        wc.wait_for("8 B, ")
        wc.press(b"\x13")  # Ctrl-S
        time.sleep(0.3)  # so that the next line is due
        self.assertEqual((wc.end(), wc.out), (0, "2\n"))

    def test_fits_a_narrow_terminal_and_one_that_becomes_narrow(self):
        wc = Running("wc", "-l", columns=12)
        wc.feed("one\ntwo\n")
        wc.wait_for("8 B")
        wc.take()
        self.assertEqual(wc.screen(), "8 B")  # the rate has no room
        wc.resize(40)
        wc.wait_for("8 B, ")
        wc.resize(6)
        wc.wait_for("\r8 B", len(wc.shown) + 1)
        wc.take()
        self.assertTrue(wc.shown.endswith("\r8 B  \r8 B"), wc.shown)
        self.assertEqual(wc.end(), 0)

    def test_looks_where_standard_output_goes_unless_an_option_says_so(self):
        tools = [Running(*words.split(), terminal=rows != "no terminal", rows=rows, background=rows == "background")
                 for words, rows, _ in SHOWS]  # fmt: skip
        for tool, (words, _, _) in zip(tools, SHOWS):
            tool.feed(line_for(words))
        time.sleep(1.7)
        for tool, row in zip(tools, SHOWS):
            tool.end()
            self.assertEqual("2 B, " in tool.shown + tool.err, row[2], row)

    def test_of_a_command_that_measures_obeys_the_same_rules_and_fits(self):
        path = self.file("1\n")
        race = ("bench", "--task", "gc", "--rounds", "1", "--time", "0.1", path)
        for words in ((*race, "--contender", "riffle/read"), ("advise", "--measure", "--time", "0.1", path)):
            for rows, option, shows in (("file", "", True), ("pipe", "", False), ("pipe", "--progress", True),
                                        ("file", "--no-progress", False)):  # fmt: skip
                tool = Running(*words, *option.split(), rows=rows)
                tool.wait()
                self.assertEqual(tool.shown != "", shows, (words, option, tool.shown))
        tool = Running(*race, columns=30)
        tool.wait()
        self.assertIn("\r", tool.shown)
        self.assertLess(max(map(len, re.split("[\r\n]", tool.shown))), 30)

    def test_tables_and_help_fit_a_narrow_terminal(self):
        def shown_on(columns, *words):
            tool = Running(*words, rows="terminal", columns=columns)
            self.assertEqual(tool.wait(), 0)
            self.assertLessEqual(max(map(len, tool.screen().partition("Examples:")[0].split("\n"))), columns)
            return tool.screen()

        race = "bench --no-progress --task lines --contender riffle/read --time 1 --rounds 3".split()
        race.append(self.file("".join(f"line {i}\n" for i in range(3000))))
        for columns in (200, 79, 66, 58, 40):
            shown = shown_on(columns, *race)
            self.assertIn("median", shown)
            self.assertIn(" read ", shown)
            self.assertEqual(("█" in shown, " from " in shown), (columns != 40, columns != 40), shown)
        for columns in (79, 60, 40):
            self.assertIn("--threads", shown_on(columns, "wc", "--help"))


class CtrlC(Terminal):
    """It ends the tool by the signal, whatever that waits for, after the rows that are complete."""

    def test_ends_each_command_on_a_pipe_that_is_silent_and_leaves_a_clean_terminal(self):
        commands = ("wc", "wc -mL --threads=1", "count --byte A", "count --byte A --per-line --threads 2", "count --fasta",
                    "count --fastq", "sum --type u8 --stats", "sum --column 1", "freq", "freq --words --threads 2", "cat",
                    "cat --number --tail 1")  # fmt: skip
        for tool, words in [(Running(*words.split()), words) for words in commands]:
            tool.feed(line_for(words))
            tool.wait_for("2 B, ")
            tool.press(b"\x03")
            expected = (-signal.SIGINT, "", "1\n" if words == "cat" else "")
            self.assertEqual((tool.wait(), tool.screen(), tool.out), expected, words)

    def test_comes_after_the_rows_of_the_files_before(self):
        name = self.file("a b\n")
        for terminal in (False, True):
            wc = Running("wc", name, name, "/missing", "-", terminal=terminal)
            wc.feed("c\n")
            wc.process.terminate()
            self.assertEqual((wc.wait(), wc.out), (-signal.SIGTERM, f"      1       2       4 {name}\n" * 2))
            self.assertEqual(wc.err + wc.screen(), "riffle: cannot open '/missing': No such file or directory\n")

    def test_comes_after_rows_of_many_files_that_would_fit_one_write(self):
        wc = Running("wc", "--json", "-mL", "--threads", "1", *[self.file("x" * (16 * MIB))] * 300, terminal=False)
        wc.wait_for_row()
        self.assertLess(os.fstat(wc.file.fileno()).st_size, 2048)
        wc.process.send_signal(signal.SIGINT)
        self.assertEqual((wc.wait(), wc.out[-2:]), (-signal.SIGINT, "}\n"))

    def test_comes_after_the_sequences_that_were_read_so_far(self):
        slow = SlowFile(self, (b">name\n" + b"A" * (256 << 10) + b"\n") * 32, "--bandwidth=4M").names[0]
        count = Running("count", "--fasta", slow, terminal=False)
        count.wait_for_row()
        count.process.send_signal(signal.SIGINT)
        self.assertEqual(count.wait(), -signal.SIGINT)
        self.assertLess(count.out.count("\n"), 32)

    def test_ends_the_loop_of_a_shell(self):
        loop = Running("/bin/bash", "-c", "for i in 1 2; do $riffle wc -l; done; echo survived")
        loop.feed("x\n")
        loop.wait_for("2 B, ")
        loop.press(b"\x03")
        self.assertEqual((loop.wait(), loop.out, loop.screen()), (-signal.SIGINT, "", ""))

    def test_that_was_ignored_or_blocked_at_the_start_stays_so(self):
        for before in (lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
                       lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])):  # fmt: skip
            wc = Running("wc", "-l", before=before)
            wc.feed("x\n")
            wc.process.send_signal(signal.SIGINT)
            wc.feed("y\n")
            self.assertEqual((wc.end(), wc.out, wc.screen()), (0, "2\n", ""))

    def test_ends_the_tool_although_no_one_reads_what_it_prints(self):
        wc = Running("wc", "--progress", *[self.file("a\n")] * 5000, rows="pipe")  # more rows than a pipe holds
        wc.wait_until_it_has_threads()
        wc.wait_until_it_waits()
        wc.press(b"\x03")
        self.assertEqual(wc.process.wait(), -signal.SIGINT)

    def test_ends_the_tool_on_storage_that_stopped_answering(self):
        """There, the OS kernel runs no signal handler in a thread that reads."""
        told = subprocess.run([TOOL, "methods"], capture_output=True, text=True, check=True).stdout
        used = ["automatic"]
        for name, rest in re.findall(r"^  (\w+) +(.*\n(?: {8}.*\n)*)", told.partition("Formats")[0], re.M):
            # Past the page cache, even SIGKILL waits for an answer; a ring reads in threads of the OS kernel.
            if "not available" not in rest and (name != "direct" or "uring" in used):
                used.append(name)
        self.assertGreater(len(used), 3)
        slow = SlowFile(self, b"x" * (24 * MIB), "--bandwidth=1M")
        tools = [Running("wc", "--method", each, "--threads", threads, slow.names[0]) for each in used for threads in "12"]
        for tool in tools:
            tool.wait_for("24.0 MiB (")
        slow.process.send_signal(signal.SIGSTOP)
        for tool in tools:
            tool.press(b"\x03")
        for tool in tools:
            self.assertEqual((tool.wait(), tool.screen()), (-signal.SIGINT, ""), tool.process.args)


class Measuring(Terminal):
    """A signal ends it as it ends any program: the parent learns of it, and nothing is left."""

    RACE = ("bench", "--task", "gc", "--size", "1M", "--rounds", "100000", "--json")

    def start(self, *words):
        place = tempfile.mkdtemp(dir=self.folder.name)
        return Running(*words, terminal=False, TMPDIR=place), place

    def test_ends_by_the_signal_once_it_has_cleaned_up(self):
        json = f"{self.folder.name}/x.json"
        started = [(*self.start(*self.RACE, json), signal.SIGTERM), (*self.start(*self.RACE, "/dev/null"), signal.SIGHUP),
                   (*self.start("bench", "reproduce", "ioaccess"), signal.SIGINT), (*self.start("advise"), signal.SIGTERM)]  # fmt: skip
        for program, place, number in started:
            while program.alive() and not os.listdir(place):
                time.sleep(0.005)
            program.process.send_signal(number)
        for program, place, number in started:
            self.assertEqual((program.wait(), os.listdir(place)), (-number, []))
        self.assertEqual(Path(json).read_text().count('"complete": false'), 1)

    def test_ends_the_commands_that_race(self):
        for deaf in ("", "trap '' TERM; "):
            for number in (signal.SIGINT, signal.SIGTERM):
                noted = Path(self.file(""))
                loop = f"{deaf}echo $$ > {noted}; while :; do sleep 1; done"
                racing, place = self.start("bench", "--", "true", "--", loop)
                while racing.alive() and not noted.read_text():
                    time.sleep(0.005)
                racing.process.send_signal(number)
                self.assertEqual((racing.wait(), os.listdir(place)), (-number, []))
                state = subprocess.run(["ps", "-o", "stat=", noted.read_text().strip()], capture_output=True, text=True)
                self.assertIn(state.stdout[:1], ("", "Z"))

    def test_leaves_nothing_mounted(self):
        SlowFile(self, b"x")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            far, place = self.start(*self.RACE, "/dev/null", "--latency", "1ms")
            mounted = lambda: place in Path("/proc/self/mounts").read_text()  # noqa: E731
            while far.alive() and not mounted():
                time.sleep(0.005)
            far.process.send_signal(number)
            self.assertEqual(far.wait(), -number)
            end = time.monotonic() + 30
            while mounted() and time.monotonic() < end:
                time.sleep(0.01)
            self.assertFalse(mounted(), number)
            self.assertTrue(number == signal.SIGKILL or not os.listdir(place), number)


def tests_side_by_side(name):
    tests = [f"{name}.{each}" for each in unittest.defaultTestLoader.getTestCaseNames(globals()[name])]
    running = [subprocess.Popen([sys.executable, __file__, TOOL, SLOW_FS, each, *sys.argv[2:]]) for each in tests]
    return [test for test, process in zip(tests, running) if process.wait() != 0]


if __name__ == "__main__":
    if "." in sys.argv[1]:
        unittest.main()
    if failed := tests_side_by_side(sys.argv[1]):
        sys.exit(f"failed: {' '.join(failed)}")
