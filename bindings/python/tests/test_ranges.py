"""Tests sources that serve ranges: the bytes, the ranges in flight, wrong answers, changes, and how requests end."""

import gc
import io
import itertools
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context

import pytest
import riffle_io
from inputs import Store
from oracle import content, records
from range_server import serve
from riffle_io import _ranges

fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")

DATA = b"".join(b"%d of the lines\n" % number for number in range(40_000))


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch):
    monkeypatch.setattr(_ranges, "RANGE", 10_000)


@pytest.fixture
def server():
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")
    with serve(DATA) as (served, url):
        yield served, url


def opened(url):
    return fsspec.filesystem("http", skip_instance_cache=True).open(url)


def test_lines_of_a_server_are_those_of_its_bytes(server):
    served, url = server
    with opened(url) as file:
        assert list(riffle_io.lines(file)) == records(DATA)
        assert riffle_io.count_lines(file) == DATA.count(b"\n")
        assert file.read(7) == DATA[:7]
        assert list(riffle_io.lines(file)) == records(DATA[7:])
        assert file.tell() == 7
    assert all(end - begin <= 10_000 for begin, end in served.ranges[:10])


class Gathers(Store):
    """Answers when so many requests are in flight and the reader waits for one."""

    def __init__(self, data, monkeypatch, *sizes):
        super().__init__(data)
        self.sizes, self.asking, self.is_waited_for, self.changed = [*sizes], [], False, threading.Condition()
        self.most_at_once = 0
        result = Future.result

        def waits(future):
            self.wait(True)
            try:
                return result(future)
            finally:
                self.wait(False)

        monkeypatch.setattr(Future, "result", waits)

    def wait(self, waits):
        with self.changed:
            self.is_waited_for = waits
            self.answer()

    def answer(self):
        if self.is_waited_for and (not self.sizes or len(self.asking) == self.sizes[0]):
            self.asking, self.sizes = [], self.sizes[1:]
            self.changed.notify_all()

    def get_ranges(self, starts, ends):
        with self.changed:
            asking = self.asking
            asking.append(starts)
            self.most_at_once = max(self.most_at_once, len(asking))
            self.answer()
            assert self.changed.wait_for(lambda: self.asking is not asking, 60)
        return super().get_ranges(starts, ends)


def test_ranges_are_in_flight_at_once_and_bounded(monkeypatch):
    monkeypatch.setattr(_ranges, "monotonic", itertools.count().__next__)  # so that more in flight are faster
    store = Gathers(DATA, monkeypatch, 8, 16, _ranges.MOST_IN_FLIGHT)
    assert list(riffle_io.lines(store)) == records(DATA)
    assert store.sizes == [] and store.most_at_once == _ranges.MOST_IN_FLIGHT
    store = Store(DATA)
    next(riffle_io.lines(store))
    assert store.asked <= 2 * _ranges.FIRST_IN_FLIGHT


@pytest.mark.parametrize("data", [b"", b"\n", b"one", content() + b"\n"])
@pytest.mark.parametrize("cut", [None, 1, 7])
def test_short_answers_are_asked_for_again(data, cut):
    assert list(riffle_io.lines(Store(data, cut))) == records(data)


def test_objects_with_read_ranges_and_a_function_size():
    class Reads:
        def size(self):
            return len(DATA)

        def read_ranges(self, starts, ends):
            return [memoryview(DATA)[begin:end] for begin, end in zip(starts, ends)]

    assert riffle_io.count_lines(Reads()) == DATA.count(b"\n")


def test_a_server_that_ignores_ranges_is_an_error(server):
    served, url = server
    with opened(url) as file:
        served.ignores_ranges = True
        with pytest.raises(riffle_io.RiffleError, match="returned .* bytes for a range of 10000"):
            list(riffle_io.lines(file))


@pytest.mark.parametrize("change", [b"more\n", None])
def test_a_file_that_changes_size_is_an_error(server, change):
    served, url = server
    with opened(url) as file:
        lines = riffle_io.lines(file)
        next(lines)
        served.data = DATA + change if change else DATA[:-15_000]
        with pytest.raises(Exception, match="changed|416") as caught:
            list(lines)
        if change:
            assert isinstance(caught.value, riffle_io.RiffleError)


def test_a_file_that_is_replaced_is_an_error(server):
    served, url = server
    with opened(url) as file:
        lines = riffle_io.lines(file)
        next(lines)
        while served.heads < 2:  # of the opening, and of riffle's start
            time.sleep(0.01)
        served.tag = "2"
        with pytest.raises(riffle_io.RiffleError, match="etag"):
            list(lines)
    store = Store(DATA)
    lines = riffle_io.lines(store)
    next(lines)
    store.size += 1
    with pytest.raises(riffle_io.RiffleError, match="its size was"):
        list(lines)


class Broken(Exception):
    pass


def test_exceptions_of_the_storage_arrive_unchanged(server):
    class Fails(Store):
        def get_ranges(self, starts, ends):
            if starts[0] >= 30_000:
                raise Broken("no permission")
            return super().get_ranges(starts, ends)

    lines, found = riffle_io.lines(Fails(DATA)), []
    with pytest.raises(Broken, match="no permission"):
        for line in lines:
            found.append(line)
    assert found == records(DATA[:30_000])[: len(found)] and len(found) > 1000
    import aiohttp

    served, url = server
    served.failures[20_000] = 403
    with opened(url) as file, pytest.raises(aiohttp.ClientResponseError, match="403"):
        riffle_io.count_lines(file)


def test_dropping_the_iterator_ends_the_requests(server):
    served, url = server
    with opened(url) as file:
        lines = riffle_io.lines(file)
        next(lines)
        served.hold = threading.Event()
        del lines
        gc.collect()
        time.sleep(0.1)
        served.hold.set()
        assert len(served.ranges) <= 2 * _ranges.FIRST_IN_FLIGHT


def test_local_files_of_fsspec_are_read_as_before(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(content())
    monkeypatch.setattr(_ranges, "RangeReader", None)
    with fsspec.open(f"file://{tmp_path}/a") as file:
        assert list(riffle_io.lines(file)) == records(content())
    assert list(riffle_io.lines(io.BytesIO(content()))) == records(content())


def test_a_file_system_with_ranges_of_its_own():
    from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

    class Ranged(AbstractFileSystem):
        calls = 0

        def info(self, path, **_):
            return {"name": path, "size": len(DATA), "type": "file"}

        def _open(self, path, mode="rb", **options):
            return AbstractBufferedFile(self, path, mode, size=len(DATA))

        def cat_ranges(self, paths, starts, ends, max_gap=None, on_error="return", **_):
            Ranged.calls += 1
            return [DATA[begin:end] for begin, end in zip(starts, ends)]

    with Ranged().open("a") as file:
        assert riffle_io.count_lines(file) == DATA.count(b"\n")
    assert Ranged.calls == -(-len(DATA) // 10_000)


@pytest.fixture
def s3(monkeypatch):
    """The URL of a file on moto's S3 server."""
    pytest.importorskip("s3fs", reason="needs s3fs: pip install s3fs")
    server = pytest.importorskip("moto.server", reason="needs moto: pip install 'moto[s3,server]'")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    port = running.get_host_and_port()[1]
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    fs = fsspec.filesystem("s3")
    fs.makedirs("bucket", exist_ok=True)
    fs.pipe_file("bucket/file", DATA)
    yield "s3://bucket/file"
    fs.clear_instance_cache()
    running.stop()


def test_s3_and_its_splits(s3):
    with fsspec.open(s3) as file:
        assert list(riffle_io.lines(file)) == records(DATA)
    parts = riffle_io.splits(s3, 100_000)
    assert [*chain(*map(riffle_io.read_split, parts))] == records(DATA)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:  # with the variables of s3
        counts = riffle_io.map_splits(riffle_io.count_lines, s3, split_size=100_000, map=pool.map)
        assert list(counts) == [len(list(riffle_io.read_split(part))) for part in parts]
    fsspec.filesystem("s3").pipe_file("bucket/file", DATA.upper())
    with pytest.raises(riffle_io.RiffleError, match="the file changed: its (etag|time of modification) was"):
        riffle_io.count_lines(parts[1])


def test_lines_of_a_file_of_obstore():
    obstore = pytest.importorskip("obstore", reason="needs obstore: pip install obstore")
    from obstore.store import MemoryStore

    store = MemoryStore()
    obstore.put(store, "key", content())
    assert list(riffle_io.lines(obstore.open_reader(store, "key"))) == records(content())
