"""Tests lines beside what else a process does: threads, signals, forks, its end."""

import gzip
import os
import threading

import pytest
import riffle_io
from conftest import run_in_threads
from oracle import needs_gzip


class Waits:
    """A file object that waits in each read but the first until it is told to go on."""

    def __init__(self):
        self.reads, self.goes_on = threading.Event(), threading.Event()
        self.parts = [b"zero\n", b"one\n", b""]

    def read(self, size):
        if len(self.parts) < 3:
            self.reads.set()
            assert self.goes_on.wait(60)
        return self.parts.pop(0)


def test_second_thread_gets_an_error_while_the_first_reads():
    source = Waits()
    lines = riffle_io.lines(source)
    found = [next(lines)]
    first = threading.Thread(target=lambda: found.extend(lines))
    first.start()
    assert source.reads.wait(60)
    with pytest.raises(ValueError, match="another thread"):
        next(lines)
    source.goes_on.set()
    first.join()
    assert found == [b"zero", b"one"]


def test_file_object_that_reads_its_own_lines_gets_an_error():
    class Recursive:
        def read(self, size):
            return next(lines)

    lines = riffle_io.lines(Recursive())
    with pytest.raises(ValueError, match="another thread"):
        next(lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a file of one endless line, one of a line of 100 bytes, and 16 GB in 16 MB of gzip."""
    folder = tmp_path_factory.mktemp("long")
    with open(folder / "long", "wb") as file:
        file.truncate(20 << 30)
    (folder / "text").write_bytes(b"x" * 99 + b"\n")
    (folder / "long.gz").write_bytes(gzip.compress((b"x" * 99 + b"\n") * 160_000) * 1000)
    return folder


def decoding(*calls):
    return [pytest.param(call, marks=needs_gzip) for call in calls]


INTERRUPTED = """
import gzip, os, signal, sys, threading, time
from riffle_io import *
import riffle_io
from riffle_io import sum
os.chdir(sys.argv[1])
ticks = []
def nonblocking():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    return reading
def begun():
    reading, writing = os.pipe()
    os.write(writing, gzip.compress(b"a")[:12])
    return reading
def some():
    reading, writing = os.pipe()
    threading.Thread(target=lambda: [(os.write(writing, b"1,2\\n"), time.sleep(0.001)) for _ in range(100)]).start()
    return reading
class Never:
    def read(self, size):
        return None
def interrupt():
    for _ in range(10):
        time.sleep(0.02)
        ticks.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
code = compile(sys.argv[2], "call", "exec")
threading.Thread(target=interrupt).start()
try:
    exec(code)
    print("ended")
except KeyboardInterrupt:
    print("KeyboardInterrupt", len(ticks), time.monotonic() - ticks[-1] < 5)
"""


@pytest.mark.parametrize(
    "call",
    [f"for _ in lines({source}): pass" for source in (
        "os.pipe()[0]", "open(os.pipe()[0], 'rb')", "open(os.pipe()[0], 'rb', buffering=0)", "'/dev/zero'",
        "nonblocking()", "open(nonblocking(), 'rb')", "Never()", "nonblocking(), method='read'",
        "os.pipe()[0], method='read'",
        "(os.mkfifo('named'), 'named')[1], method='read'", "open('/dev/zero', 'rb')", "'long'", "b'x\\n' * 200_000_000", "(os.mkfifo('pipe'), 'pipe')[1]")]
    + [call + ", method='read', threads=8)" for call in (
        "count_lines(some()", "count_words(some()", "value_counts(some(), [0]")]
    + decoding(
        "count_lines('long.gz', decode='gzip')", "count_words('long.gz', decode='gzip', threads=2)",
        "count_lines(open('long.gz', 'rb').read(), decode='gzip', threads=2)", "line_index('long.gz', decode='gzip')",
        "sum('long.gz', 'u1', decode='gzip', threads=3)", "next(lines('long.gz', b';', decode='gzip'))",
        "list(lines('long.gz', decode='gzip').batches('view'))", "list(lines(os.pipe()[0], method='read', decode='gzip'))",
        "list(lines(begun(), method='read', decode='gzip'))", "count_lines(begun(), method='read', decode='gzip')",
        "riffle_io.open(begun(), 'rb', method='read', decode='gzip').read()", "list(rows(begun(), decode='gzip'))",
    ),
)  # fmt: skip
def test_keyboard_interrupt_ends_a_long_call_and_other_threads_run(run, folder, call):
    assert run(INTERRUPTED, folder, call) == "KeyboardInterrupt 10 True\n"


def test_lines_continue_behind_a_keyboard_interrupt(run):
    script = """
import os, riffle_io, signal, threading
reading, writing = os.pipe()
lines = riffle_io.lines(reading)
os.write(writing, b"one\\ntw")
print(next(lines))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    next(lines)
except KeyboardInterrupt:
    os.write(writing, b"o\\n")
    print(next(lines))
"""
    assert run(script) == "b'one'\nb'two'\n"


def test_child_of_a_fork_reads(run, tmp_path):
    (tmp_path / "text").write_bytes(b"line\n" * 1_000_000)
    script = """
import os, riffle_io
lines = riffle_io.lines("text")
next(lines)
child = os.fork()
fresh = sum(1 for line in riffle_io.lines("text"))
begun = sum(1 for line in lines) if child == 0 else 999_999
assert (fresh, begun) == (1_000_000, 999_999), (fresh, begun)
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    run(script)


@pytest.mark.parametrize("when", ["before", "after", "in a loop"])
def test_faulthandler_leaves_a_truncated_file_an_error(run, tmp_path, when):
    (tmp_path / "text").write_bytes(b"line\n" * 4_000_000)
    enable = "import faulthandler; faulthandler.enable()"
    into_third_window = f"{enable}\nfor number in range(500_000):\n    next(lines)"
    in_loop = when == "in a loop"
    script = f"""
{enable if when == "before" else ""}
import os, riffle_io
for _ in riffle_io.lines("text", method="mmap"):
    break
{"" if in_loop else enable}
lines = riffle_io.lines("text", method="mmap", block_size={1 << 20 if in_loop else 0})
next(lines)
{into_third_window if in_loop else ""}
os.truncate("text", 4096)
try:
    list(lines)
except riffle_io.RiffleError as error:
    print("error")
"""
    assert run(script) == "error\n"


def test_threads_may_take_the_first_line_at_once(write):
    path = write(b"".join(b"%d\n" % number for number in range(1000)))
    for _ in range(300):
        lines, found, barrier = riffle_io.lines(path), [], threading.Barrier(4)

        def take():
            barrier.wait()
            try:
                found.append(next(lines))
            except ValueError as error:
                assert "another thread" in str(error)

        run_in_threads(4, take)
        found.extend(lines)
        assert sorted(map(int, found)) == list(range(1000))


@pytest.mark.parametrize("method", ["read", "stdio", "automatic"])
def test_writer_of_a_named_pipe_may_be_a_thread(tmp_path, method):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    threading.Timer(0.05, path.write_bytes, [b"one\ntwo\n"]).start()
    assert list(riffle_io.lines(path, method=method)) == [b"one", b"two"]


@pytest.mark.parametrize(
    "call",
    ["list(lines(os.pipe()[0], block_size=4096))", "list(lines(open(os.pipe()[0], 'rb')))", "count_lines(Endless())",
     "list(lines('long', block_size=4096))", "list(lines(b'x\\n' * 50_000_000))", "count_words('long', threads=2)",
     "line_index('long')", "values('long', 'uint8')", "splits('long', split_size=4096)", "list(index[0:100])",
     "[index[0] for _ in range(10**9)]", "[list(lines(b'x\\n' * 1000).batches()) for _ in range(10**9)]"]
    + decoding("count_lines('long.gz', decode='gzip', threads=2)", "list(lines('long.gz', decode='gzip'))"),
)  # fmt: skip
def test_daemon_thread_may_call_any_function_while_the_process_ends(run, folder, call):
    script = """
import os, sys, threading, time
from riffle_io import *
class Endless:
    def read(self, size):
        return b"x\\n"
os.chdir(sys.argv[1])
index = line_index("text")
def repeat():
    while True:
        eval(sys.argv[2])
threading.Thread(target=repeat, daemon=True).start()
time.sleep(0.1)
print("end")
"""
    for _ in range(3):
        assert run(script, folder, call) == "end\n"


def test_subinterpreters_are_refused_and_the_main_one_stays_right(run):
    pytest.importorskip("_testcapi", reason="needs the module of CPython's own tests")
    script = """
import _testcapi, sys
inside = '''
try:
    import riffle_io
except ImportError as error:
    print(error, flush=True)
'''
def check():
    import gc, riffle_io
    print(list(riffle_io.lines(b"a\\\\nb")), riffle_io.sum(b"\\\\1\\\\2", "u1"))
    try:
        riffle_io.lines("missing")
    except riffle_io.RiffleError as error:
        print(error.operation, flush=True)
    gc.collect()
if "first" in sys.argv:
    check()
_testcapi.run_in_subinterp(inside)
check()
"""
    right = "[b'a', b'b'] 3\nopen\n"
    refused = "riffle_io does not support subinterpreters: import it in the main interpreter\n"
    script = script.replace("\\\\", "\\")
    assert run(script) == refused + right
    assert run(script, "first") == right + refused + right


def test_a_second_load_is_refused_and_the_first_stays_right(run):
    script = """
import sys, riffle_io
first = riffle_io.lines
for name in [name for name in sys.modules if name.startswith("riffle_io")]:
    del sys.modules[name]
try:
    import riffle_io
except ImportError as error:
    print(error)
print(list(first(b"a\\nb")))
"""
    assert run(script) == "cannot load riffle_io twice in one process: keep it in sys.modules\n[b'a', b'b']\n"
