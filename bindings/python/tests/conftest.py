"""Offers what several tests use: a text with everything unusual in it, and scripts in a process of their own."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from oracle import half_then_die, oracle, write  # noqa: F401

# Lone CR, CRLF, NUL, what Python and others take for line ends, bad UTF-8, empty lines, no final newline.
ODDITIES = (
    b"plain\n\n\nlone\rCR\r\nnul\x00nul\n\x0b\x0c\x1c\x1d\x1e\n\xc2\x85next\xe2\x80\xa8line\n"
    b"\xff\xfe\x80bad\n" + b"long" * 1000 + b"\n\r\n;a;b;;c\nno newline"
)


@pytest.fixture
def oddities(tmp_path):
    path = tmp_path / "oddities"
    path.write_bytes(ODDITIES)
    return path


@pytest.fixture
def memory():
    """Returns a function that puts bytes on the file system of fsspec in memory and returns their URL."""
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")

    def put(data, name="file"):
        fsspec.filesystem("memory").pipe_file(f"/riffle/{name}", data)
        return f"memory://riffle/{name}"

    put(b"")
    yield put
    fsspec.filesystem("memory").rm("/riffle", recursive=True)


@pytest.fixture(params=["write", "memory"])
def put(request):
    """Returns a function that puts bytes into a file, or on the file system of fsspec, and returns what names them."""
    return request.getfixturevalue(request.param)


class Steps:
    """Is a file object whose reads give these, one after the other. It raises those that are exceptions."""

    def __init__(self, *steps):
        self.steps = [*steps]

    def read(self, size):
        step = self.steps.pop(0)
        if isinstance(step, BaseException) or step is BlockingIOError:
            raise step
        return step


class StepsOfReadinto(Steps, io.RawIOBase):
    def readinto(self, view):
        data = self.read(len(view))
        if data is None:
            return None
        view[: len(data)] = data
        return len(data)


@contextlib.contextmanager
def piped(data):
    """Gives the descriptor of a pipe with these bytes, which a thread writes, and then the end."""
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: os.fdopen(writing, "wb").write(data))
    writer.start()
    yield reading
    writer.join()
    os.close(reading)


class Interruption(Exception):
    """What the handler of a signal raises."""


def interrupt(*_):
    raise Interruption


@contextlib.contextmanager
def alarms(handler, *times):
    """Lets the handler run at these times of `setitimer`."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *times)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def threads_now():
    return len(os.listdir("/proc/self/task"))


def run_in_threads(count, function, *arguments):
    threads = [threading.Thread(target=function, args=arguments) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture(scope="session")
def pool():
    """Two processes that share nothing with this one."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def run(tmp_path):
    """Returns a function that runs a script in a new Python and returns what it prints."""

    def run(script, *arguments, options=(), **keywords):
        # A job in the background ignores SIGINT, and so would Python.
        command = ["env", "--default-signal=INT", sys.executable, *options, "-c", script, *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, **keywords)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with files of lines, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    files = {"a": b"1\n22\n333", "b1.log": b"x\ny\n", "b2.log": b"", "b3.log": b"z", "[x].log": b"brackets\n"}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path
