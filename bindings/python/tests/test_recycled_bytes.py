"""Tests lines that are written into memory of earlier ones: nobody who holds a line may see it change."""

import ctypes
import random
import sys

import pytest
import riffle_io
from oracle import records


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
        ("", "3 3 3 3 " if sys.version_info < (3, 14) else "2 2 2 2 "),
        ("sys.implementation = types.SimpleNamespace(name='another', cache_tag=None)", "2 2 2 2 "),
        ("sys.abiflags = 't'", "2 2 2 2 "),
    ],
)
def test_lines_are_plain_objects_on_an_interpreter_that_the_tests_did_not_run_on(run, expression, printed):
    assert run(HELD_TWICE.replace("EXPRESSION", expression)) == printed
