"""Tests lines beside what else a process does: threads, signals, forks, its end."""

import os
import threading

import pytest
import riffle_io


def test_another_thread_runs_while_lines_wait_for_a_pipe():
    reading, writing = os.pipe()
    lines = riffle_io.lines(reading)
    threading.Timer(0.05, lambda: os.write(writing, b"one\n")).start()
    assert next(lines) == b"one"
    os.close(writing)
    os.close(reading)


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


def run_in_threads(count, function):
    threads = [threading.Thread(target=function) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_on_one_iterator_share_its_lines(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(300_000)))
    lines = riffle_io.lines(path, block_size=4096)
    found = []

    def take():
        while True:
            try:
                for line in lines:
                    found.append(line)
                return
            except ValueError as error:
                assert "another thread" in str(error)

    run_in_threads(4, take)
    assert sorted(map(int, found)) == list(range(300_000))


def test_file_object_that_reads_its_own_lines_gets_an_error():
    class Recursive:
        def read(self, size):
            return next(lines)

    lines = riffle_io.lines(Recursive())
    with pytest.raises(ValueError, match="another thread"):
        next(lines)


INTERRUPTED = """
import os, riffle_io, signal, sys, threading
source = eval(sys.argv[1])
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    for line in riffle_io.lines(source):
        pass
    print("ended")
except KeyboardInterrupt:
    print("KeyboardInterrupt")
"""


@pytest.mark.parametrize(
    "source",
    ["os.pipe()[0]", "open(os.pipe()[0], 'rb')", "open(os.pipe()[0], 'rb', buffering=0)", "'/dev/zero'",
     "open('/dev/zero', 'rb')", "'text'", "b'x\\n' * 200_000_000"],
)
def test_keyboard_interrupt_ends_the_wait_for_a_block(run, tmp_path, source):
    with open(tmp_path / "text", "wb") as file:
        file.truncate(20 << 30)  # one line
    assert run(INTERRUPTED, source) == "KeyboardInterrupt\n"


def test_lines_of_memory_let_other_threads_run(run):
    ticks = """
import riffle_io, threading, time
start = time.monotonic()
def tick():
    print(time.monotonic() - start < 0.5 * whole)
text = b"x\\n" * 100_000_000
for _ in riffle_io.lines(text):
    pass
whole, start = time.monotonic() - start, time.monotonic()
threading.Timer(0.1 * whole, tick).start()
for _ in riffle_io.lines(text):
    pass
"""
    assert run(ticks) == "True\n"


def test_keyboard_interrupt_of_a_named_pipe(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert run(INTERRUPTED, "'pipe'") == "KeyboardInterrupt\n"


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


def test_worker_processes_read(run, tmp_path):
    (tmp_path / "text").write_bytes(b"line\n" * 1000)
    script = """
import multiprocessing, riffle_io
def count(path):
    return sum(1 for line in riffle_io.lines(path))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(count, ["text"] * 3))
"""
    assert run(script) == "[1000, 1000, 1000]\n"


@pytest.mark.parametrize("before", [True, False])
def test_faulthandler_leaves_a_truncated_file_an_error(run, tmp_path, before):
    (tmp_path / "text").write_bytes(b"line\n" * 4_000_000)
    enable = "import faulthandler; faulthandler.enable()"
    script = f"""
{enable if before else ""}
import os, riffle_io
for _ in riffle_io.lines("text", method="mmap"):
    break
{enable}
lines = riffle_io.lines("text", method="mmap")
next(lines)
os.truncate("text", 4096)
try:
    list(lines)
except riffle_io.RiffleError as error:
    print("error")
"""
    assert run(script) == "error\n"


@pytest.mark.parametrize("source", ["os.pipe()[0]", "open(os.pipe()[0], 'rb')", "'text'", "b'x\\n' * 50_000_000"])
def test_daemon_thread_may_read_while_the_process_ends(run, tmp_path, source):
    with open(tmp_path / "text", "wb") as file:
        file.truncate(20 << 30)
    script = """
import os, riffle_io, sys, threading, time
source = eval(sys.argv[1])
threading.Thread(target=lambda: list(riffle_io.lines(source, block_size=4096)), daemon=True).start()
time.sleep(0.1)
print("end")
"""
    for _ in range(3):
        assert run(script, source) == "end\n"


def test_threads_may_take_the_first_line_at_once(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(1000)))
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
    ["riffle_io.count_words(path, threads=2)", "riffle_io.line_index(path)", "riffle_io.values(path, 'uint8')",
     "riffle_io.splits(path, split_size=4096)", "list(index[0:100])", "[index[0] for _ in range(10**9)]",
     "[list(riffle_io.lines(text).batches()) for _ in range(10**9)]", "riffle_io.count_lines(Endless())"],
)
def test_daemon_thread_may_call_any_function_while_the_process_ends(run, tmp_path, call):
    (tmp_path / "text").write_bytes(b"x" * 99 + b"\n")
    with open(tmp_path / "long", "wb") as file:
        file.truncate(8 << 30)
    script = """
import riffle_io, sys, threading, time
class Endless:
    def read(self, size):
        return b"x\\n"
path, text = "long", b"x\\n" * 1000
index = riffle_io.line_index("text")
def repeat():
    while True:
        eval(sys.argv[1])
threading.Thread(target=repeat, daemon=True).start()
time.sleep(0.1)
print("end")
"""
    for _ in range(3):
        assert run(script, call) == "end\n"


def test_subinterpreters_are_refused_and_the_main_one_stays_right(run):
    pytest.importorskip("_testcapi", reason="needs the module of CPython's own tests")
    script = """
import _testcapi, sys
inside = '''
try:
    import riffle_io
except ImportError as error:
    print(error)
'''
def check():
    import gc, riffle_io
    print(list(riffle_io.lines(b"a\\\\nb")), riffle_io.sum(b"\\\\1\\\\2", "u1"))
    try:
        riffle_io.lines("missing")
    except riffle_io.RiffleError as error:
        print(error.operation)
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
