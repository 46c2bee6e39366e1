"""Tests what a Python programmer tries first with `riffle_io.lines`: it works, or one clear sentence says why not."""

import codecs
import contextlib
import encodings
import encodings.aliases
import errno
import inspect
import io
import os
import pickle
import pkgutil
import pty
import random
import subprocess
import sys
import threading

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import riffle_io


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with files of lines, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    files = {"a": b"1\n22\n333", "b1.log": b"x\ny\n", "b2.log": b"", "b3.log": b"z", "[x].log": b"brackets\n"}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path


# with, close(), repr, offset, name


def test_with_closes_the_lines(logs):
    with riffle_io.lines("a") as lines:
        assert next(lines) == b"1"
        assert not lines.closed
    assert lines.closed
    with pytest.raises(ValueError, match="these lines are closed"):
        next(lines)
    with pytest.raises(ValueError, match="these lines are closed"), lines:
        pass
    with pytest.raises(ValueError, match="these lines are closed"):
        lines.batches()


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


def test_close_leaves_given_batches_open(logs):
    with riffle_io.lines("a") as lines:
        batches = lines.batches("packed")
    assert pa.table(batches)["line"].to_pylist() == [b"1", b"22", b"333"]


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


def test_repr_says_the_file_and_the_offset(logs):
    lines = riffle_io.lines("a")
    assert repr(lines) == "<riffle_io.Lines of 'a'>"
    next(lines), next(lines)
    assert repr(lines) == "<riffle_io.Lines of 'a', at byte 2>"
    lines.close()
    assert repr(lines) == "<riffle_io.Lines of 'a', closed, at byte 2>"


def test_name_of_each_source(logs):
    with open("a", "rb") as file, open("a", "rb", buffering=0) as raw:
        sources = {"a": [file, raw, logs.relative_to(logs) / "a", "a"], "memory": [b"x"], f"descriptor {raw.fileno()}": [raw.fileno()]}
        for name, named in sources.items():
            assert [riffle_io.lines(source).name for source in named] == [name] * len(named)
        assert riffle_io.lines(logs / "a").name == str(logs / "a")
        assert riffle_io.lines(io.BytesIO(b"x\n")).name == "stream"
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file, os.fdopen(writing, "wb"):
        assert "descriptor" in riffle_io.lines(file).name or riffle_io.lines(file).name == "stream"


# Several files and globs


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


@pytest.mark.parametrize("layout", ["view", "packed", "terminated"])
def test_batches_of_several_files(logs, layout):
    table = pa.table(riffle_io.lines(["b1.log", "b2.log", "b1.log"]).batches(layout))
    assert [line.rstrip(b"\n") for line in table["line"].to_pylist()] == [b"x", b"y", b"x", b"y"]
    with pytest.raises(OSError, match="'missing'"):
        pa.table(riffle_io.lines(["a", "missing"]))


def test_each_file_may_start_with_a_mark(logs):
    (logs / "mark").write_bytes(b"\xef\xbb\xbf1\n")
    assert list(riffle_io.lines(["mark", "mark"], encoding="utf-8-sig")) == ["1", "1"]


# Standard input


ECHO = """
import riffle_io, sys
if sys.argv[1] == "peeked":
    print(sys.stdin.buffer.readline().decode(), end="", flush=True)
for line in riffle_io.lines(sys.stdin.buffer):
    print(line.decode(), flush=True)
"""


@pytest.mark.parametrize("peeked", ["peeked", ""])
@pytest.mark.parametrize("terminal", [False, True])
def test_lines_of_stdin_are_live(terminal, peeked):
    """A line that has arrived is handed out while the writer waits, as `for line in sys.stdin.buffer` does."""
    reading, writing = pty.openpty()[::-1] if terminal else os.pipe()
    process = subprocess.Popen([sys.executable, "-c", ECHO, peeked], stdin=reading, stdout=subprocess.PIPE, text=True)
    os.close(reading)
    for number in range(5):
        os.write(writing, b"line %d\n" % number)
        assert process.stdout.readline() == f"line {number}\n"
    os.write(writing, b"one\ntwo\nthr")
    assert [process.stdout.readline() for _ in range(2)] == ["one\n", "two\n"]
    os.write(writing, b"ee\n")
    assert process.stdout.readline() == "three\n"
    if terminal:
        os.write(writing, b"\x04")  # Ctrl-D
    else:
        os.close(writing)
    assert process.communicate(timeout=60)[0] == ""
    assert process.returncode == 0


# Text


def test_utf_8_sig_of_a_mark_alone_has_no_line(tmp_path):
    for text in b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"", b"\xef\xbb\xbf\xef\xbb\xbf", b"\n\xef\xbb\xbf":
        path = tmp_path / "text"
        path.write_bytes(text)
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            assert list(riffle_io.lines(path, encoding="utf-8-sig", keep_delimiter=True)) == list(file), text


def test_bad_utf_8_says_the_offset_in_the_file(logs):
    (logs / "bad").write_bytes(b"ok\nG\xc3\xbc\xff\nmore\n")
    lines = riffle_io.lines("bad", encoding="utf-8")
    assert next(lines) == "ok"
    with pytest.raises(UnicodeDecodeError) as raised:
        next(lines)
    assert raised.value.start == 3
    assert raised.value.__notes__ == ["at byte 6, in the line that starts at byte 3 of 'bad'"]
    assert next(lines) == "more"
    with pytest.raises(UnicodeDecodeError) as raised:
        next(riffle_io.lines(b"\xef\xbb\xbf\xff", encoding="utf-8-sig"))
    assert raised.value.__notes__ == ["at byte 3, in the line that starts at byte 0 of 'memory'"]


FRAGMENTS = [
    b"\n", b"\n", b"\n", b"a", b"Z", b" ", b"-", b"~", b"~{", b"~}", b"~\n", b"0!", b"V8", b"\x0e", b"\x0f", b"\x1b$B", b"\x1b$A",
    b"\x1b$)C", b"\x1b$)A", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$(D", b"\x1b.A", b"\x1bN", b"+AGE", b"+AGE-", b"+2D3eAA-",
    b"\\u0041", b"\\", b"xn--mnchen-3ya", b".", b"\x80", b"\xa4\xa2", b"\xc3\xbc", b"\xff", b"\xe9", b"\x81\x30\x81\x30", b"\r",
]  # fmt: skip


def codecs_of_encodings():
    names = {module.name for module in pkgutil.iter_modules(encodings.__path__)} | set(encodings.aliases.aliases.values())
    for name in sorted(names - {"aliases"}):
        with contextlib.suppress(LookupError, ImportError):
            codecs.lookup(name)
            yield name


def is_right(name, text, lines):
    """Whether the lines are those of the whole text as open() reads it, if it is text."""
    try:
        whole = io.TextIOWrapper(io.BytesIO(text), name, newline="\n").read()
    except UnicodeError:
        return True
    pieces = whole.split("\n")
    return lines == (pieces if pieces[-1] else pieces[:-1])


@pytest.mark.parametrize("name", list(codecs_of_encodings()))
def test_each_codec_is_refused_or_gives_the_lines_of_the_whole_text(name):
    drawn = random.Random(name)
    try:
        riffle_io.lines(b"", encoding=name)
    except (ValueError, LookupError) as refusal:
        assert any(words in str(refusal) for words in ("cannot be cut", "not a text encoding", "undefined encoding"))
        return
    for _ in range(3000):
        text = b"".join(drawn.choices(FRAGMENTS, k=drawn.randrange(1, 9)))
        try:
            lines = list(riffle_io.lines(text, encoding=name))
        except UnicodeError:
            lines = None
        assert is_right(name, text, lines), text


REFUSED = {  # by the delimiter and the message
    (b"\n", r"cannot be cut .*; read it by open\(path, encoding='\S+'\)$"): "iso2022_jp iso2022_jp_2 iso2022_kr hz punycode idna unicode_escape raw_unicode_escape "
    "cp037",
    (b"|", "cannot be cut"): "shift_jis gb18030 big5 utf-7",
    (b"\xa0", "ASCII"): "latin-1",
    (b"\n", "not a text encoding"): "hex zlib rot13",  # as open refuses them
}


@pytest.mark.parametrize(("how", "name"), [(how, name) for how, names in REFUSED.items() for name in names.split()])
def test_codecs_that_carry_state_over_a_newline_or_are_no_text_are_refused(how, name):
    with pytest.raises((ValueError, LookupError), match=how[1]):
        riffle_io.lines(b"", how[0], encoding=name)


@pytest.mark.parametrize("name", ["utf_8", "latin_1", "cp1252", "koi8_r", "big5", "euc_jp", "gb18030", "cp932", "shift_jis", "mac_roman"])
def test_codecs_that_people_use_are_accepted(name):
    assert list(riffle_io.lines(b"a\nb", encoding=name)) == ["a", "b"]


@pytest.mark.parametrize("newline", ["\n", b"\n"])
def test_newline_as_open_takes_it(logs, newline):
    (logs / "crlf").write_bytes(b"1\r\n2\r3\n")
    with open("crlf", newline="\n") as file:
        assert list(riffle_io.lines("crlf", encoding="utf-8", newline=newline, keep_delimiter=True)) == list(file)
    assert list(riffle_io.lines("crlf", newline=newline, strip_cr=True)) == [b"1", b"2\r3"]


@pytest.mark.parametrize("newline", [None, "", "\r", "\r\n", b"\r\n"])
@pytest.mark.parametrize("read", [riffle_io.lines, lambda path, **how: riffle_io.read_split(riffle_io.splits(path)[0], **how)])
def test_newline_None_says_what_to_use_instead(logs, newline, read):
    with pytest.raises(ValueError, match=r"newline must be '\\n': .*delimiter; strip_cr=True drops the '\\r' of '\\r\\n'"):
        read("a", newline=newline)
    with pytest.raises(TypeError):
        read("a", newline=3)


# StopIteration


class Stops:
    def read(self, size):
        raise StopIteration("the user's")


@pytest.mark.parametrize("make", [riffle_io.lines, lambda source: riffle_io.lines(source).batches(), riffle_io.count_lines])
def test_stop_iteration_out_of_read_does_not_end_the_loop_silently(make):
    with pytest.raises(RuntimeError, match="the file object raised StopIteration") as raised:
        list(make(Stops()))
    assert isinstance(raised.value.__cause__, StopIteration)


@pytest.mark.parametrize("read", [riffle_io.lines, riffle_io.words])
def test_stop_iteration_out_of_a_codec_does_not_end_the_loop_silently(read):
    def decode(line, errors="strict"):
        if line != b"a":
            return bytes(line).decode("latin-1"), len(line)
        raise StopIteration

    codecs.register(lambda name: codecs.CodecInfo(None, decode, name=name) if name == "stops" else None)
    with pytest.raises(RuntimeError, match="the codec raised StopIteration"):
        list(read(b"a\n", encoding="stops"))


# Columns of Arrow


def test_the_schema_stays_after_batches(logs):
    for layout in "view", "packed":
        lines = riffle_io.lines("a", encoding="utf-8")
        before = pa.schema(lines)
        batches = lines.batches(layout)
        assert pa.schema(lines) == before == pa.schema([("line", pa.string())])
        list(batches)
        lines.close()
        assert pa.schema(lines) == before


def test_column_that_people_can_use_at_once_is_the_default(logs):
    lines = pa.table(riffle_io.lines("a"))["line"]
    assert (lines.type, pc.sum(pc.binary_length(lines)).as_py()) == (pa.binary(), 6)
    assert pc.starts_with(lines, b"2").to_pylist() == [False, True, False]
    text = pa.table(riffle_io.lines("a", encoding="utf-8"))["line"]
    assert (text.type, pc.sum(pc.utf8_length(text)).as_py()) == (pa.string(), 6)
    assert pa.table(riffle_io.lines("a").batches()) == pa.table(riffle_io.lines("a"))


@pytest.mark.parametrize("encoding", [None, "utf-8"])
@pytest.mark.parametrize("wanted", ["string", "binary", "string_view", "binary_view", "large_string", "large_binary"])
def test_requested_schema(wanted, encoding):
    schema = pa.schema([("line", getattr(pa, wanted)())])
    table = pa.table(riffle_io.lines("ü\n".encode(), encoding=encoding), schema=schema)
    table.validate(full=True)
    assert (table.schema, len(table)) == (schema, 1)
    reader = pa.RecordBatchReader._import_from_c_capsule(
        riffle_io.lines(b"a\n", encoding=encoding).__arrow_c_stream__(schema.__arrow_c_schema__())
    )
    given = str(reader.schema.field("line").type)
    assert given == ({None: "binary", "utf-8": "string"}[encoding] if wanted.startswith("large") else wanted)


def test_requested_schema_that_is_none():
    with pytest.raises(ValueError, match="PyCapsule"):
        riffle_io.lines(b"").__arrow_c_stream__(3)
    with pytest.raises(ValueError, match="PyCapsule"):
        riffle_io.lines(b"").__arrow_c_stream__(riffle_io.lines(b"").__arrow_c_stream__())
    two = pa.schema([("a", pa.string()), ("b", pa.string())])
    assert riffle_io.lines(b"").__arrow_c_stream__(two.__arrow_c_schema__()) is not None


INTERRUPTED = """
import os, riffle_io, signal, sys, threading, time
import pyarrow, pandas
def stop(*_):
    raise SystemExit("stop")
if sys.argv[1] == "SystemExit":
    signal.signal(signal.SIGINT, stop)
os.mkfifo("fifo")
def write():
    with open("fifo", "wb") as fifo:
        fifo.write(b"one\\n")
        fifo.flush()
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
threading.Thread(target=write, daemon=True).start()
log = riffle_io.lines("fifo")
try:
    CONSUMER
except (KeyboardInterrupt, SystemExit) as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    ("consumer", "raised"),
    [
        ("pyarrow.table(log)", "KeyboardInterrupt"),
        ("pyarrow.table(log)", "SystemExit"),  # by a signal handler of the user
        ("pandas.DataFrame.from_arrow(log)", "KeyboardInterrupt"),
    ],
)
def test_ctrl_c_inside_of_a_consumer_of_arrow_arrives(run, consumer, raised):
    assert run(INTERRUPTED.replace("CONSUMER", consumer), raised) == f"{raised}\n"


def test_ctrl_c_inside_of_a_consumer_that_lives_on_arrives_when_python_runs_again(run):
    script = INTERRUPTED.replace("CONSUMER", """
    reader = pyarrow.RecordBatchReader.from_stream(log)
    try:
        reader.read_all()
    except OSError as error:
        for _ in range(3):
            pass
        print("not yet")
""")
    assert run(script, "") == "KeyboardInterrupt\n"


# Signatures


@pytest.mark.parametrize("name", [name for name in riffle_io.__all__ if inspect.isfunction(getattr(riffle_io, name))])
def test_signature_and_repr_of_each_function(name):
    function = getattr(riffle_io, name)
    assert "(" in str(inspect.signature(function))
    assert repr(function).startswith(f"<function {name} at ")
    assert function.__doc__ and function.__module__.startswith("riffle_io")
    assert pickle.loads(pickle.dumps(function)) is function


def test_each_callable_that_is_public_is_a_function_or_a_class():
    others = [name for name in riffle_io.__all__ if callable(value := getattr(riffle_io, name)) and not inspect.isfunction(value)]
    assert all(inspect.isclass(getattr(riffle_io, name)) for name in others)
    assert list(inspect.signature(riffle_io.lines).parameters)[:3] == ["source", "delimiter", "keep_delimiter"]
    assert "layout" in inspect.signature(riffle_io.Lines.batches).parameters
    assert repr(riffle_io.Lines) == "<class 'riffle_io.Lines'>"
    assert repr(riffle_io.Lines[bytes]) == "riffle_io.Lines[bytes]"
