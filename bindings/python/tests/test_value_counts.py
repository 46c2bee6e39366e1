"""Tests that value_counts counts as collections.Counter does, by any number of threads."""

from collections import Counter

import pytest
import riffle_io

LINES = [b"%d" % (i * i % 977) for i in range(200_000)]
TEXT = b"\n".join(LINES)


@pytest.mark.parametrize("threads", [1, 3])
def test_lines_and_words_count_as_a_counter(write, threads):
    counter = Counter(LINES)
    found = riffle_io.value_counts(write(TEXT), threads=threads)
    assert found == counter
    assert [*found] == [*counter]  # in the order of the first appearance
    assert [*riffle_io.value_counts(write(TEXT), top=20, threads=threads).items()] == counter.most_common(20)
    words = b" a\n".join(LINES)
    assert riffle_io.value_counts(write(words), words=True, threads=threads) == Counter(words.split())


@pytest.mark.parametrize("threads", [1, 3])
def test_columns_count_as_a_counter(write, threads):
    path = write(b"a,b\n" + b"".join(b'%s,"x\ty""%d"\n' % (line, i % 3) for i, line in enumerate(LINES)))
    pairs = Counter((line.decode(), f'x\ty"{i % 3}') for i, line in enumerate(LINES))
    found = riffle_io.value_counts(path, ["a", "b"], encoding="utf-8", threads=threads)
    assert found == pairs
    assert [*found] == [*pairs]
    assert riffle_io.value_counts(path, [0], header=True, threads=threads) == Counter(LINES)


def test_sources_count_together_and_keys_are_those_of_the_encoding():
    first, second = b"\xe9\na\n", b"\xe9\n"
    assert riffle_io.value_counts([first, second]) == {b"\xe9": 2, b"a": 1}
    assert riffle_io.value_counts([first, second], encoding="latin-1") == {"é": 2, "a": 1}
    assert riffle_io.value_counts(b"\xff\n\xfe\n", encoding="utf-8", errors="replace") == {"\ufffd": 2}
    same = b"\xff\n" * 2 + b"\xfe\n" * 2 + b"a\n" * 3
    assert [*riffle_io.value_counts(same, top=1, encoding="utf-8", errors="replace").items()] == [("\ufffd", 4)]
    assert riffle_io.value_counts(b"") == {}


def test_bad_rows_are_skipped_with_a_warning():
    with pytest.warns(UserWarning, match="1 row"):
        assert riffle_io.value_counts(b"a,1\nb\nc,1\n", [1], bad_rows="skip") == {b"1": 2}
    with pytest.raises(riffle_io.RiffleError, match="row 2"):
        riffle_io.value_counts(b"a,1\nb\nc,1\n", [1])
