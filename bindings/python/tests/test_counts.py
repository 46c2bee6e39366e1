"""Tests the counts of whole inputs and of values against plain Python, from each kind of source."""

import functools
import os
import random
from collections import Counter

import pytest
import riffle_io
from conftest import Interruption, alarms, interrupt, piped

ORACLES = {
    "count_lines": lambda text: text.count(b"\n"),
    "count_words": lambda text: len(text.split()),
    "count_utf8": lambda text: len(text) - sum(map(text.count, (bytes([b]) for b in range(0x80, 0xC0)))),
    "count_byte": lambda text: text.count(b"e"),
    "count_lines_with": lambda text: sum(b"e word" in line for line in text.split(b"\n")),
    "count_occurrences": lambda text: text.count(b"aa"),
    "count_bytes": lambda text: [text.count(bytes([byte])) for byte in range(256)],
    "count_text": lambda text: (text.count(b"\n"), len(text.split()), len(text), len(text), 0),
    "count_any_of": lambda text: text.count(b"a") + text.count(b"\xc3") + text.count(b"\0"),
}
ARGUMENTS = {
    "count_byte": (b"e",),
    "count_any_of": (b"a\xc3\0",),
    "count_lines_with": (b"e word",),
    "count_occurrences": ("aa",),
}
KEYWORDS = {"count_text": {"characters": True, "encoding": "bytes"}}
THREADS = [0, 1, 2, 5]


def count(name, source, **keywords):
    return getattr(riffle_io, name)(source, *ARGUMENTS.get(name, ()), **KEYWORDS.get(name, {}), **keywords)


@pytest.fixture(scope="module")
def text():
    """More than two splits of 4 MiB, so that several threads count."""
    draw = random.Random(16)
    pieces = [b"a", b"e ", b"\n", b"\r\n", b"\t\x0b", "é".encode(), "€".encode(), b"\xff", b"\0", b"word"]
    return b"".join(draw.choices(pieces, k=100_000)) * 60


@pytest.fixture(scope="module")
def path(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("counts") / "text"
    path.write_bytes(text)
    return path


@pytest.fixture
def hole(tmp_path):
    """A file that takes minutes to read, but no room on the disk."""
    path = tmp_path / "hole"
    path.touch()
    os.truncate(path, 1 << 42)
    return path


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("threads", THREADS)
def test_a_file_counts_as_the_oracle(name, threads, text, path):
    expected = ORACLES[name](text)
    assert count(name, path, threads=threads) == expected
    assert count(name, path, threads=threads, method="read", block_size=4097) == expected
    assert count(name, text, threads=threads) == expected


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("method", ["automatic", "read"])
def test_a_pipe_counts_while_another_thread_writes_it(method, threads, text):
    """It would stand still if the count held the GIL while it waits."""
    with piped(text[:1_000_000]) as pipe:
        assert riffle_io.count_words(pipe, threads=threads, method=method) == ORACLES["count_words"](text[:1_000_000])


def test_a_text_counts_what_is_asked_for():
    text = "ab\u00a0cd\t一\n".encode()
    assert riffle_io.count_text(text) == riffle_io.TextCounts(lines=1, words=3, characters=0, bytes=11, longest_line=0)
    everything = riffle_io.count_text(text, characters=True, longest_line=True, no_break_spaces=False)
    assert everything == (1, 2, 8, 11, 10)
    assert everything.longest_line == 10
    assert riffle_io.count_text(text, lines=False, encoding="bytes").words == 3
    with pytest.raises(ValueError, match="encoding must be 'utf8', 'bytes' or 'locale'"):
        riffle_io.count_text(text, encoding="utf-8")


def test_a_byte_is_bytes_or_a_number():
    assert riffle_io.count_byte(b"\xff\xff\0", b"\xff") == riffle_io.count_byte(b"\xff\xff\0", 255) == 2


def test_a_text_is_bytes_or_str():
    assert riffle_io.count_occurrences("a€b€".encode(), "€") == 2
    assert riffle_io.count_lines_with(b"\0\xff\n\xff\0", b"\0\xff") == 1


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "work",
    [riffle_io.count_lines, riffle_io.count_words, riffle_io.line_index,
     *(functools.partial(riffle_io.sum, dtype=dtype) for dtype in ("u1", "f8"))],
)  # fmt: skip
def test_a_signal_handler_ends_a_long_count(work, threads, hole):
    with alarms(interrupt, 0.1), pytest.raises(Interruption):
        work(hole, threads=threads)


def test_a_signal_handler_that_returns_does_not_end_a_count(path, text):
    calls = []
    with alarms(lambda *_: calls.append(1), 0.001, 0.001):
        for _ in range(20):
            assert riffle_io.count_lines(path, method="read") == text.count(b"\n")
    assert calls


VALUES = [b"%d" % (i * i % 977) for i in range(200_000)]
VALUES_TEXT = b"\n".join(VALUES)


@pytest.mark.parametrize("threads", [1, 3])
def test_values_of_lines_and_words_count_as_a_counter(write, threads):
    counter = Counter(VALUES)
    found = riffle_io.value_counts(write(VALUES_TEXT), threads=threads)
    assert found == counter
    assert [*found] == [*counter]  # in the order of the first appearance
    assert [*riffle_io.value_counts(write(VALUES_TEXT), top=20, threads=threads).items()] == counter.most_common(20)
    words = b" a\n".join(VALUES)
    assert riffle_io.value_counts(write(words), words=True, threads=threads) == Counter(words.split())


@pytest.mark.parametrize("threads", [1, 3])
def test_values_of_columns_count_as_a_counter(write, threads):
    path = write(b"a,b\n" + b"".join(b'%s,"x\ty""%d"\n' % (line, i % 3) for i, line in enumerate(VALUES)))
    pairs = Counter((line.decode(), f'x\ty"{i % 3}') for i, line in enumerate(VALUES))
    found = riffle_io.value_counts(path, ["a", "b"], encoding="utf-8", threads=threads)
    assert found == pairs
    assert [*found] == [*pairs]
    assert riffle_io.value_counts(path, [0], header=True, threads=threads) == Counter(VALUES)


def test_values_of_sources_count_together_and_keys_are_those_of_the_encoding():
    first, second = b"\xe9\na\n", b"\xe9\n"
    assert riffle_io.value_counts([first, second]) == {b"\xe9": 2, b"a": 1}
    assert riffle_io.value_counts([first, second], encoding="latin-1") == {"é": 2, "a": 1}
    assert riffle_io.value_counts(b"\xff\n\xfe\n", encoding="utf-8", errors="replace") == {"\ufffd": 2}
    same = b"\xff\n" * 2 + b"\xfe\n" * 2 + b"a\n" * 3
    assert [*riffle_io.value_counts(same, top=1, encoding="utf-8", errors="replace").items()] == [("\ufffd", 4)]
    assert riffle_io.value_counts(b"") == {}
