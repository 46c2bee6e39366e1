"""Tests counts beyond those of test_inputs.py: their arguments, signals, and the counts of values."""

from collections import Counter

import pytest
import riffle_io
from conftest import alarms


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


def test_a_signal_handler_that_returns_does_not_end_a_count(write):
    path, calls = write(b"line\n" * 3_000_000), []
    with alarms(lambda *_: calls.append(1), 0.001, 0.001):
        for _ in range(20):
            assert riffle_io.count_lines(path, method="read") == 3_000_000
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
