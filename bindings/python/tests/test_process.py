"""Tests lines beside what else a process does: threads, signals, forks, its end."""

import bz2
import gzip
import os
import re
import sys
import threading

import pytest
import riffle_io
from conftest import run_in_threads
from oracle import needs_bzip2, needs_gzip
from range_server import serve


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
    """A folder with files of one endless line, one of a line of 100 bytes, and 16 GB in 16 MB of gzip."""
    folder = tmp_path_factory.mktemp("long")
    for name, size in ("long", 20 << 30), ("hole", 1 << 42):
        (folder / name).touch()
        os.truncate(folder / name, size)
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
if "arrow" in sys.argv[2]:
    import pandas, pyarrow
    pyarrow.table(columns(b"1\\n", {0: "f64"}, header=False))  # imports what it needs
class Stop(BaseException): pass
def stop(*_): raise Stop
if "Stop" in sys.argv[2]:
    signal.signal(signal.SIGINT, stop)
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
class Hangs:
    size = 1 << 40
    asked = 0
    def get_ranges(self, starts, ends):
        Hangs.asked += 1
        assert Hangs.asked < 20
        time.sleep(0 if starts == [0] else 60)
        return [b"line\\n" * 1_000_000]
def from_a_thread(make):
    made = []
    thread = threading.Thread(target=lambda: made.append(make()))
    thread.start()
    thread.join()
    return made[0]
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
except (KeyboardInterrupt, Stop) as error:
    print(type(error).__name__, len(ticks), time.monotonic() - ticks[-1] < 5)
"""


NAMED = "(os.mkfifo(f'{os.getpid()}'), f'{os.getpid()}')[1]"
BY_ARROW = [  # lets a consumer of Arrow read from a pipe
    "pyarrow.table(lines(os.pipe()[0]))", f"pyarrow.table(lines({NAMED}))", "pandas.DataFrame.from_arrow(lines(os.pipe()[0]))",
    "pyarrow.table(columns(os.pipe()[0], {0: 'f64'}, header=False))",
]  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [f"for _ in lines({source}): pass" for source in (
        "os.pipe()[0]", "open(os.pipe()[0], 'rb')", "open(os.pipe()[0], 'rb', buffering=0)", "'/dev/zero'", "nonblocking()",
        "open(nonblocking(), 'rb')", "Never()", "Hangs()", "nonblocking(), method='read'", "os.pipe()[0], method='read'",
        f"{NAMED}, method='read'", "open('/dev/zero', 'rb')", "'long'", "b'x\\n' * 200_000_000", NAMED)]
    + [call + ", method='read', threads=8)" for call in (
        "count_lines(some()", "count_words(some()", "value_counts(some(), [0]")]
    + [f"{call}, threads={threads})" for threads in (1, 3) for call in (
        "count_lines('hole'", "count_words('hole'", "line_index('hole'", "sum('hole', 'u1'", "sum('hole', 'f8'")]
    + ["next(from_a_thread(lambda: lines('long', method='read', block_size=65536)))", *BY_ARROW, *(f"{call}  # Stop" for call in BY_ARROW)]
    + decoding(
        "count_lines('long.gz', decode='gzip')", "count_words('long.gz', decode='gzip', threads=2)",
        "count_lines(open('long.gz', 'rb').read(), decode='gzip', threads=2)", "line_index('long.gz', decode='gzip')",
        "sum('long.gz', 'u1', decode='gzip', threads=3)", "next(lines('long.gz', b';', decode='gzip'))",
        "list(lines('long.gz', decode='gzip').batches('view'))", "list(lines(os.pipe()[0], method='read', decode='gzip'))",
        "list(lines(begun(), method='read', decode='gzip'))", "count_lines(begun(), method='read', decode='gzip')",
        "riffle_io.open(begun(), 'rb', method='read', decode='gzip').read()", "list(rows(begun(), decode='gzip'))",
    ),
)  # fmt: skip
def test_a_signal_ends_a_long_call_and_other_threads_run(run, folder, call):
    if call.partition("  #")[0] in BY_ARROW:
        pytest.importorskip("pandas", reason="one of the consumers")
    assert run(INTERRUPTED, folder, call) == f"{'Stop' if 'Stop' in call else 'KeyboardInterrupt'} 10 True\n"


CONSUMED = """
import os, pyarrow, riffle_io, signal, threading
reading, writing = os.pipe()
os.write(writing, b"one\\n")
threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
try:
    reader = pyarrow.RecordBatchReader.from_stream(riffle_io.lines(reading))
    try:
        reader.read_all()
    except OSError as error:
        for _ in range(3):
            pass
        print("not yet")
except KeyboardInterrupt:
    print("KeyboardInterrupt")
"""


def test_ctrl_c_inside_of_a_consumer_that_lives_on_arrives_when_python_runs_again(run):
    assert run(CONSUMED) == "KeyboardInterrupt\n"


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


FORKED = """
import gc, os, riffle_io, sys, time
from riffle_io import _ranges
_ranges.RANGE = 10_000
class Store:
    size = 1_000_000
    def get_ranges(self, starts, ends):
        time.sleep(0.1 * (starts[0] > 0))
        return [b"%09d\\n" % 0 * ((ends[0] - starts[0]) // 10)]
def begun(lines):
    next(lines)
    return lines
def rest(lines):
    return sum(1 for _ in lines)
def rows(columns):
    import pyarrow
    return len(pyarrow.table(columns))
make, all_of = sys.argv[1:3]
held = eval(make)
child = os.fork()
if child == 0:
    try:
        print(eval(all_of)(held), flush=True)
    except OSError as error:
        print(error, flush=True)
    del held
    gc.collect()
    print(eval(all_of)(eval(make)), flush=True)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), eval(all_of)(held))
"""


@pytest.mark.parametrize(
    ("make", "all_of", "count", "read_by_the_child"),
    [
        ("begun(riffle_io.lines('text'))", "rest", 999_999, "999999"),
        ("riffle_io.columns('text', {'0': 'i64'}, threads=2)", "rows", 999_999, "cannot read 'text': .*open it again, or set threads to 1"),
        pytest.param("begun(riffle_io.lines('text.bz2'))", "rest", 999_999, "cannot decode 'text.bz2' .* open it again", marks=needs_bzip2),
        ("begun(riffle_io.lines(Store()))", "rest", 99_999, "cannot read 'Store': another process opened it and .*; open it again"),
        ("begun(riffle_io.lines(__import__('fsspec').open('URL').open()))", "rest", 39_999, "cannot read 'URL': another process opened it .*; open it again"),
    ],
)  # fmt: skip
def test_the_child_of_a_fork_reads_on_or_gets_an_error_and_may_open_again(run, tmp_path, make, all_of, count, read_by_the_child):
    if "fsspec" in make:
        pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")
        pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")
    text = b"0\n" * 1_000_000
    (tmp_path / "text").write_bytes(text)
    (tmp_path / "text.bz2").write_bytes(bz2.compress(text, 1))
    with serve(b"%015d\n" % 0 * 40_000) as (served, url):
        served.delay = 0.05
        said = run(FORKED, make.replace("URL", url), all_of).splitlines()
    assert re.fullmatch(read_by_the_child.replace("URL", url), said[0])
    assert said[1:] == [str(count), f"7 {count}"]


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
    if "t" in sys.abiflags:
        refused = "module riffle_io._riffle does not support loading in subinterpreters\n"  # CPython's own
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
