"""Tests the iterator over lines against bytes.split, and that nobody who holds a line sees it change."""

import codecs
import ctypes
import errno
import gzip
import io
import os
import random
import sys
import threading

import pytest
import riffle_io
from conftest import ODDITIES, Steps
from oracle import decodes, records


def test_strip_cr():
    text = b"a\r\nb\r\r\n\r\nc\rd\ne\r"
    assert list(riffle_io.lines(text, strip_cr=True)) == [b"a", b"b\r", b"", b"c\rd", b"e"]
    assert list(riffle_io.lines(text, strip_cr=True, keep_delimiter=True)) == records(text, keep=True)


@pytest.mark.parametrize("errors", ["replace", "ignore", "surrogateescape", "backslashreplace"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_errors(encoding, errors):
    expected = [line.decode(encoding, errors) for line in records(ODDITIES)]
    assert list(riffle_io.lines(ODDITIES, encoding=encoding, errors=errors)) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_delimiters_that_are_characters(encoding):
    assert list(riffle_io.lines(b"a|b|c", b"|", encoding=encoding)) == ["a", "b", "c"]


def test_codec_that_reads_on_does_not_change_its_line(write):
    path = write(b"".join(b"%07d\n" % number for number in range(3000)))
    lines, met = [], []

    def decode(line, errors="strict"):
        if lines and not met:
            met.append(None)
            for _ in lines[0]:
                pass
        return bytes(line).decode("ascii"), len(line)

    codecs.register(lambda name: codecs.CodecInfo(None, decode, name=name) if name == "reads_on" else None)
    lines.append(riffle_io.lines(path, encoding="reads_on", block_size=4096))
    assert next(lines[0]) == "0000000"


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_close_releases_descriptor_and_buffer_at_once_and_again_does_nothing(logs, taken):
    before = len(os.listdir("/proc/self/fd"))
    data = bytearray(b"1\n22\n333")
    for source in "a", data:
        lines = riffle_io.lines(source)
        for _ in zip(range(taken), lines, strict=False):
            pass
        lines.close()
        lines.close()
        data.append(10)  # raises BufferError while someone holds the buffer
    assert len(os.listdir("/proc/self/fd")) == before


def test_close_while_another_thread_reads_is_a_clear_error():
    reading, writing = os.pipe()
    lines = riffle_io.lines(reading)
    found = []
    thread = threading.Thread(target=lambda: found.extend(lines))
    thread.start()
    while "reading" not in (said := str(closing_error(lines))):
        if lines.closed:
            pytest.fail("closed while another thread was about to read")
    assert "another thread" in said
    os.write(writing, b"one\n")
    os.close(writing)
    thread.join()
    os.close(reading)
    assert found == [b"one"]


def closing_error(lines):
    try:
        with lines:
            return next(lines)
    except ValueError as error:
        return error


def test_close_in_the_middle_of_its_own_read_is_a_clear_error():
    class Closes:
        def read(self, size):
            lines.close()

    lines = riffle_io.lines(Closes())
    with pytest.raises(ValueError, match="cannot close"):
        next(lines)


@pytest.mark.parametrize("block_size", [1, 3, 4096])
def test_offset_is_that_of_the_line_handed_out_last(logs, block_size):
    lines = riffle_io.lines("a", method="read", block_size=block_size)
    assert lines.offset is None
    assert [(line, lines.offset) for line in lines] == [(b"1", 0), (b"22", 2), (b"333", 5)]
    assert lines.offset == 5
    lines.close()
    assert lines.offset == 5


def test_offset_in_a_split_and_behind_a_position(logs):
    split = riffle_io.splits("a", split_size=4)[1]
    assert [(line, lines.offset) for lines in [riffle_io.read_split(split)] for line in lines] == [(b"333", 5)]
    with open("a", "rb") as file:
        file.seek(2)
        lines = riffle_io.lines(file)
        assert (next(lines), lines.offset) == (b"22", 2)


def test_name_of_each_source(logs):
    with open("a", "rb") as file, open("a", "rb", buffering=0) as raw:
        names = "a", "a", "a", "memory", f"descriptor {raw.fileno()}", str(logs / "a"), "stream"
        sources = file, raw, "a", b"x", raw.fileno(), logs / "a", io.BytesIO(b"x\n")
        assert tuple(riffle_io.lines(source).name for source in sources) == names


def test_several_files_and_globs(logs):
    lines = riffle_io.lines(["a", "b*.log"])
    expected = [(b"1", "a", 0), (b"22", "a", 2), (b"333", "a", 5), (b"x", "b1.log", 0), (b"y", "b1.log", 2), (b"z", "b3.log", 0)]
    assert lines.name == "a"
    assert [(line, lines.name, lines.offset) for line in lines] == expected
    assert list(lines) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("b*.log", [b"x", b"y", b"z"]),
        ("[x].log", [b"brackets"]),  # the name of a file
        (["[b]1.log"], [b"x", b"y"]),
        ([], []),
        ((b"data\n", "b3.log"), [b"data", b"z"]),
        ((name for name in ["b3.log", "b2.log"]), [b"z"]),
    ],
)
def test_a_name_that_exists_is_that_file_else_a_pattern(logs, source, expected):
    assert list(riffle_io.lines(source)) == expected


@pytest.mark.parametrize("source", ["p*.csv", ["p1.csv", "p2.csv"], [b"a,b\n1,2\n", "p2.csv"]])
def test_words_rows_and_counts_take_several_sources_too(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p1.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "p2.csv").write_bytes(gzip.compress(b"b,a\n4,3\n5") if decodes("gzip") else b"b,a\n4,3\n5")
    assert list(riffle_io.words(source)) == [b"a,b", b"1,2", b"b,a", b"4,3", b"5"]
    rows = [[b"a", b"b"], [b"1", b"2"], [b"b", b"a"], [b"4", b"3"], [b"5"]]
    assert list(riffle_io.rows(source)) == list(riffle_io.rows(iter(source) if isinstance(source, list) else source)) == rows
    dicts = [{"a": "1", "b": "2"}, {"b": "4", "a": "3"}, {"b": "5", "a": None}]
    assert list(riffle_io.rows(source, header=True, encoding="utf-8")) == dicts
    named = riffle_io.rows(source, ["a"])
    assert [next(named), next(named)] == [(b"1",), (b"3",)]
    for threads in (1, 2):
        assert riffle_io.count_lines(source, threads=threads) == 4
        assert riffle_io.count_records(source, threads=threads) == 5
        assert riffle_io.count_words(source, threads=threads) == 5
        assert riffle_io.count_lines_with(source, "5", threads=threads) == 1
        counts = riffle_io.count_bytes(source, decode="automatic", threads=threads)
        assert (counts[ord(",")], sum(counts)) == (4, 17)
        assert riffle_io.count_byte(source, b",", decode="automatic", threads=threads) == 4
    assert riffle_io.count_lines([]) == 0 and list(riffle_io.rows([])) == list(riffle_io.words([])) == []


def test_pattern_without_a_match_is_an_error(logs):
    with pytest.raises(riffle_io.RiffleError, match=r"'c\*.log'") as raised:
        riffle_io.lines(["a", "c*.log"])
    error = raised.value
    assert isinstance(error, FileNotFoundError) and (error.errno, error.filename) == (errno.ENOENT, "c*.log")


def test_next_file_is_opened_when_the_last_one_ended(logs):
    lines = riffle_io.lines(["b1.log", "later"])
    assert next(lines) == b"x"
    (logs / "later").write_bytes(b"late\n")
    assert list(lines) == [b"y", b"late"]


def test_errors_name_the_file_and_lines_before_them_come_first(logs):
    lines = riffle_io.lines(["b1.log", "missing", "a"])
    assert [next(lines), next(lines)] == [b"x", b"y"]
    for _ in range(2):
        with pytest.raises(FileNotFoundError, match="'missing'") as raised:
            next(lines)
        assert raised.value.filename == "missing"
    assert lines.name == "b1.log"


@pytest.mark.parametrize("make", [riffle_io.lines, lambda source: riffle_io.lines(source).batches(), riffle_io.count_lines])
def test_stop_iteration_out_of_read_does_not_end_the_loop_silently(make):
    with pytest.raises(RuntimeError, match="the file object raised StopIteration") as raised:
        list(make(Steps(StopIteration("the user's"))))
    assert isinstance(raised.value.__cause__, StopIteration)


def test_records_longer_than_a_batch_in_blocks_of_any_size(tmp_path):
    draw = random.Random(3)
    path = tmp_path / "long.txt"
    for longest in 100, 9000, 40_000:
        expected = [bytes([97 + i % 26]) * draw.randrange(1, longest) for i in range(60)]
        data = b"\n".join(expected)
        for block_size in 1000, 4096, 5000, 10_000, 0:
            for given in data, gzip.compress(data, 1):
                path.write_bytes(given)
                for read in riffle_io.lines, riffle_io.words:
                    found = list(read(path, method="read", block_size=block_size))
                    assert found == expected, (read, longest, block_size)


def text_of_sizes(seed, longest=530, count=4000):
    drawn = random.Random(seed)
    return b"\n".join(
        drawn.randbytes(drawn.randrange(drawn.choice([4, 40, longest]))).replace(b"\n", b"n") for _ in range(count)
    )


@pytest.mark.parametrize("size", range(0, 520))
def test_lines_of_each_size_that_are_dropped_or_kept(size):
    expected = [bytes([65 + number]) * size for number in range(7)]
    text = b"".join(line + b"\n" for line in expected)
    assert [bytes(memoryview(line)) for line in riffle_io.lines(text)] == expected
    assert list(riffle_io.lines(text)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_each_line_is_whole_while_the_loop_has_it(seed):
    text = text_of_sizes(seed)
    expected = iter(records(text))
    for line in riffle_io.lines(text):
        fresh = next(expected)
        assert (line, len(line), hash(line), line + b"") == (fresh, len(fresh), hash(fresh), fresh)
        assert ctypes.string_at(ctypes.c_char_p(line), len(line) + 1) == fresh + b"\0"
    assert list(expected) == []


HOLDERS = {  # by the encoding: how a line is held, and how the line that is held is found again
    (None, "object"): (lambda line: line, lambda held: held),
    (None, "memoryview"): (memoryview, bytes),
    (None, "slice of a memoryview"): (lambda line: memoryview(line)[:], bytes),
    (None, "tuple"): (lambda line: (line,), lambda held: held[0]),
    (None, "key"): (lambda line: {line: 1}, lambda held: next(iter(held))),
    (None, "pointer"): (lambda line: (ctypes.c_char_p(line), len(line)), lambda held: ctypes.string_at(*held)),
    (None, "function"): (lambda line: lambda: line, lambda held: held()),
    ("utf-8", "object"): (lambda line: line, lambda held: held),
    ("utf-8", "key"): (lambda line: {line: 1}, lambda held: next(iter(held))),
    ("utf-8", "name"): (sys.intern, lambda held: held),
    ("utf-8", "name that only the interpreter knows"): (lambda line: sys.intern(line) and None, None),
    ("utf-8", "attribute"): (
        lambda line: type("Held", (), {line: line}),
        lambda held: next(name for name in vars(held) if name[0] != "_"),
    ),
    ("utf-8", "wide characters"): (lambda line: (line, ctypes.c_wchar_p(line)), lambda held: held[1].value),
}
TEXT = ["é" * (number % 5 == 4) + "x" * (number % 97) + str(number) for number in range(4000)]


@pytest.mark.parametrize("every", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("holder", HOLDERS, ids=str)
def test_a_line_that_is_held_in_any_way_stays(holder, every):
    encoding, (hold, held_line) = holder[0], HOLDERS[holder]
    text = "\n".join(TEXT).encode() if encoding else text_of_sizes(seed=every)
    expected, held = TEXT if encoding else records(text), []
    for number, line in enumerate(riffle_io.lines(text, encoding=encoding)):
        fresh = expected[number]
        assert (line, hash(line), line + fresh[:0]) == (fresh, hash(fresh), fresh)
        if number % every == 0:
            held.append((number, hold(line)))
    if held_line is not None:
        assert [held_line(each) for _, each in held] == [expected[number] for number, _ in held]
    if encoding:  # what was interned meanwhile is still found by its characters
        assert all(sys.intern("".join(list(each))) == each for each in expected)
        assert [line.encode() for line in riffle_io.lines(text, encoding=encoding)] == records(text)


def test_iterators_do_not_share_memory():
    text = text_of_sizes(seed=1)
    pairs = zip(riffle_io.lines(text), riffle_io.lines(text), records(text), strict=True)
    assert all(one == other == expected for one, other, expected in pairs)


@pytest.mark.parametrize("size", range(0, 520))
def test_text_of_each_size_with_a_character_that_is_not_ascii_anywhere(size):
    lines = ["a" * size]
    lines += ["a" * place + "\x80" + "b" * (size - place - 1) for place in {0, size // 2, size - 1} if 0 <= place < size]
    text = "".join(line + "\n" for line in lines * 2).encode()
    assert list(riffle_io.lines(text, encoding="utf-8")) == lines * 2
    assert ["".join(list(line)) for line in riffle_io.lines(text, encoding="utf-8")] == lines * 2


HELD_TWICE = """
import sys, types
EXPRESSION
import riffle_io
for encoding in None, "utf-8":
    for line in riffle_io.lines(b"one line\\nanother\\n", encoding=encoding):
        print(sys.getrefcount(line), end=" ")
"""


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("", "3 3 3 3 " if sys.version_info < (3, 14) and "t" not in sys.abiflags else "2 2 2 2 "),
        ("sys.implementation = types.SimpleNamespace(name='another', cache_tag=None)", "2 2 2 2 "),
        ("sys.abiflags = 't'", "2 2 2 2 "),
    ],
)
def test_lines_are_plain_objects_on_an_interpreter_that_the_tests_did_not_run_on(run, expression, printed):
    assert run(HELD_TWICE.replace("EXPRESSION", expression)) == printed
