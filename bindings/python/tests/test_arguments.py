"""Tests the arguments: one word and one default for one thing, what is refused at the call, and that readers cut alike."""

import inspect
import io  # noqa: F401
import itertools
import re
import typing

import engine_suite
import numpy
import pytest
import riffle_io
from engine_suite import CUT, NASTY
from inputs import WAYS

pyarrow = pytest.importorskip("pyarrow", reason="columns are read by a library of Arrow")

ROWS = (
    "dialect separator delimiter quote quoting double_quote escape skip_initial_space strip_cr skip_bom skip_rows comment "
    "skip_blank ragged trim header max_length".split()
)
DEFAULTS = {  # by the word; of `delimiter`, for lines and for rows
    "dialect": ("csv", None), "separator": (None,), "delimiter": (b"\n", None), "quote": (...,), "quoting": (None,),
    "double_quote": (None,), "escape": (None,), "skip_initial_space": (None,), "fieldnames": (None,),
    "strip_cr": (False, None), "skip_bom": (None,), "skip_rows": (None,), "comment": (None,), "skip_blank": (None,),
    "ragged": (None,), "trim": (None,), "null": ((),), "quoted_null": (True,), "bad_rows": ("fail",),
    "types": (None,), "others": (None,), "header": (None,), "max_length": (None,), "keep_delimiter": (False,), "columns": (None,), "order": (None,),
    "encoding": (None, "utf8"), "errors": ("strict",), "threads": (1, 0), "method": ("automatic",), "block_size": (0,),
    "decode": ("automatic", "none"), "max_size": (None,), "progress": (None,), "split_size": (128 << 20,), "map": (map,),
    "lines": (True,), "words": (True, False), "stats": (False,), "table": (False,), "dtype": ("float64",), "top": (None,), "max_memory": (None,), "characters": (False,), "longest_line": (False,), "no_break_spaces": (True,),
}  # fmt: skip
REQUIRED = {"source", "by", "columns", "dtype", "byte", "members", "text", "split", "parts", "f", "path", "iterable"}


def functions():
    return {name: value for name in [*riffle_io.__all__, "sum"] if inspect.isroutine(value := getattr(riffle_io, name))}


@pytest.mark.parametrize("name", functions())
def test_one_word_and_one_default_for_one_thing(name):
    for parameter in inspect.signature(functions()[name]).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            assert parameter.name in ("rows", "options")
        elif parameter.default is parameter.empty:
            assert parameter.name in REQUIRED
        elif parameter.name != "types":  # those of a frame are text, if none are named
            assert parameter.default in DEFAULTS[parameter.name], parameter


@pytest.mark.parametrize("name", functions())
def test_the_types_of_each_function_are_known_at_run_time(name):
    if name in ("scan_lines", "scan_rows"):
        pytest.importorskip("polars", reason="they return its LazyFrame")
    hints = typing.get_type_hints(functions()[name])
    assert hints and ("source" not in hints or str in typing.get_args(hints["source"]))
    for kind in (riffle_io.Lines, riffle_io.LineIndex, riffle_io.Split):
        for method in vars(kind).values():
            if hasattr(method, "__code__"):
                typing.get_type_hints(method)


def test_records_are_decoded_and_bytes_are_not():
    for name, function in functions().items():
        decode = inspect.signature(function).parameters.get("decode")
        of_bytes = name in WAYS and not WAYS[name].decodes
        assert decode is None or decode.default == ("none" if of_bytes else "automatic"), name
        assert decode is not None or name in ("decoders", "from_chunks", "from_lines", "kernels", "scan_rows"), name


def test_threads_are_what_helps_for_tables_and_one_for_the_rest():
    for name, function in functions().items():
        threads = inspect.signature(function).parameters.get("threads")
        assert threads is None or threads.default == (0 if name == "columns" else 1)


@pytest.mark.parametrize("name", ["rows", "columns", "value_counts", "sum_by"])
def test_what_reads_rows_has_all_words_of_a_dialect(name):
    assert [word for word in inspect.signature(functions()[name]).parameters if word in ROWS] == ROWS


@pytest.mark.parametrize("word", ROWS[1:])
def test_a_word_of_rows_is_an_error_for_splits_of_lines(word, write):
    with pytest.raises(ValueError, match=f"{word} needs a dialect"):
        riffle_io.splits(write(b"a\n"), **{word: None})


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "how"),
    [
        (NASTY, CUT),
        (MARK + b'"a\n1",b\r\n\n1,"x\n\ny"\r\n\r\n2,5\'8"\n"3\r\n,",z\r\r\n', {}),
        (MARK + b"a\t'b\n\n\r\n1\t\"\r\n\n2\t\r", {"dialect": "tsv"}),
        (MARK + b'a,"b\r\n\n1,"\r\n2,', {"dialect": "plain", "skip_blank": True}),
        (b"a, b\n1 ,\n2 ,\t3\n,\n7, \n", {"trim": True}),
        (MARK + b'a\\,, "b\\"\nc"\n\\"1, 2\n3,4', {"escape": "\\", "skip_initial_space": True, "double_quote": False}),
        (MARK + b"a;'b;\n'|1;''''|;\r", {"separator": ";", "delimiter": "|", "quote": "'", "quoting": "strict"}),
    ],
)
def test_each_reader_cuts_rows_alike(data, how, put):
    path = put(data)
    source = riffle_io.splits(path)[0]
    wanted = list(riffle_io.rows(source, encoding="utf-8", **how))
    assert len(wanted) > 2

    def columns(source, **more):
        table = pyarrow.table(riffle_io.columns(source, dict.fromkeys(range(len(wanted[0])), "str"), **{**how, **more}))
        return [list(row.values()) for row in table.to_pylist()]

    assert columns(source) == columns(source, threads=1) == columns(data, threads=3) == wanted
    assert [list(row) for row in riffle_io.rows(data, range(len(wanted[0])), encoding="utf-8", **how)] == wanted
    for size in (1, 3, 10, 1000):
        parts = riffle_io.splits(path, size, **{"dialect": "csv", **how})
        assert [*itertools.chain(*(riffle_io.rows(part, encoding="utf-8", **how) for part in parts))] == wanted, size
        assert [*itertools.chain(*(columns(part) for part in parts if part.begin < part.end))] == wanted, size


LOOSE = b'k,n\n#no row\n a , 1\nb,"-"\nc,-\nd\ne,2,3\n'


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        ({"ragged": "pad"}, {"a": 1, "b": None, "c": None, "d": None, "e": 2}),
        ({"ragged": "fail", "bad_rows": "skip"}, {"a": 1, "b": None, "c": None}),
        ({"ragged": "fail", "bad_rows": "skip", "quoted_null": False}, {"a": 1, "c": None}),
        ({"bad_rows": "skip"}, {"a": 1, "b": None, "c": None, "e": 2}),
        ({"ragged": "fail"}, "at byte 29: row 4 has 1 field, the header 2"),
        ({"ragged": "pad", "quoted_null": False}, "at byte 21: column 'n' of row 2 is no .*: '-'"),
        ({}, "at byte 29: missing field; row 4 has 1 field, and no column 'n'"),
    ],
)
@pytest.mark.parametrize("reader", ["columns", "scan_rows", "sum_by", "value_counts"])
@pytest.mark.filterwarnings("ignore:cannot read all rows")
def test_each_reader_of_columns_takes_the_same_rows(reader, how, rows, write):
    path, how = write(LOOSE), {"null": ["-"], "trim": True, "comment": "#", **how}

    def read():
        if reader == "columns":
            return dict(zip(*pyarrow.table(riffle_io.columns(path, {"k": "str", "n": "i64"}, **how)).to_pydict().values()))
        if reader == "scan_rows":
            return dict(riffle_io.scan_rows(path, types={"n": "i64"}, **how).collect().rows())
        if reader == "sum_by":
            found = riffle_io.sum_by(path, "k", "n", stats=True, encoding="utf-8", **how | {"null": ["-", ""]})  # "" is no number
            return {key: None if each.nulls else each.sum for key, each in found.items()}
        return riffle_io.value_counts(path, ["k", "n"], encoding="utf-8", **how)

    if reader == "value_counts" and how.get("quoted_null") is False:
        rows = {"a": 1, "b": "-"} | ({} if "bad_rows" in how else {"d": None, "e": 2})  # a text is no bad value
    if isinstance(rows, str):
        with pytest.raises(Exception, match=f"'{path}' {rows}"):
            read()
    elif reader == "value_counts":  # "-" is null, and "" is a value
        assert read() == {(key, "" if key == "d" else str(value)): 1 for key, value in rows.items() if value or key == "d"}
    else:
        assert read() == rows


class TestPolars:
    """The lazy frames of polars are one more engine."""

    @pytest.fixture
    def engine(self, monkeypatch):
        pytest.importorskip("polars", reason="needs polars")
        whole = riffle_io.splits

        class Engine:
            @staticmethod
            def rows(path, split_size, **how):
                monkeypatch.setattr(riffle_io, "splits", lambda path, **more: whole(path, **{**more, "split_size": split_size}))
                return riffle_io.scan_rows(path, **how).collect().to_dicts()

        return Engine

    test_cuts_rows_as_riffle_io_does = staticmethod(engine_suite.test_cuts_rows_as_riffle_io_does)
    test_columns_have_the_types_of_riffle_io = staticmethod(engine_suite.test_columns_have_the_types_of_riffle_io)


TABLE = b"id,name\n1,nut\n"

REFUSED = {  # calls, by the error and the words
    (TypeError, "^source must not be None$"): ["lines(None)", "count_lines(None)", "open(None)", "columns(None, {})"],
    (TypeError, "^threads must be int, not str$"): ["count_lines(b'', threads='a')", "open(b'', threads='a')"],
    (TypeError, "^decode must be str, not int$"): ["lines(b'', decode=5)", "open(b'', decode=5)"],
    (TypeError, "^separator must be bytes or str or None, not int$"): ["rows(b'', separator=5)", "splits('a', dialect='csv', separator=5)"],
    (TypeError, r"^columns must be Sequence\[int . str\] . None, not 'a'$"): ["rows(b'', 'a')"],
    (TypeError, r"^types must be Mapping.*, not \['a'\]$"): ["columns(b'', ['a'])"],
    (TypeError, r"^null must be Sequence\[bytes . str\], not 'NA'$"): ["columns(b'', {'a': 'i64'}, null='NA')", "sum_by(b'', 'a', 'b', null='NA')"],
    (TypeError, r"^lines\(\) got an unexpected keyword argument 'foo'$"): ["lines(b'', foo=1)"],
    (TypeError, r"^lines\(\) missing 1 required positional argument: 'source'$"): ["lines()"],
    (TypeError, "^layout must be str, not int$"): ["lines(b'').batches(5)"],
    (ValueError, "^max_length must be 0 or more, not -1$"): ["lines(b'', max_length=-1)", "rows(b'', max_length=-1)"],
    (ValueError, "^max_length is too large: 18446744073709551616$"): ["lines(b'', max_length=2**64)", "rows(b'', [0], max_length=2**64)"],
    (ValueError, "^threads is too large: 4294967296$"): ["count_lines(b'', threads=2**32)", "open(b'', threads=2**32)"],
    (ValueError, "^ragged must be 'keep', 'fail' or 'pad', not 'x'$"): ["rows(b'', ragged='x')"],
    (TypeError, None): [
        "lines(None)", "lines([1.5])", "lines(1.5)", "lines(True)", "lines(object())", "count_lines(True)",
        "count_lines(b'', 2)", "lines(b'', decode=1)", "values(('path', 0, 1, 1, 0, 0), 'u1')", "LineIndex()",
        "LineIndex.__new__(LineIndex)", "type(lines).__new__(type(lines))(b'')", "rows(b'', separator=1)", "rows(b'', columns='a')",
        "rows(b'', quoting=None, strict=True)", "rows(TABLE, 'ab')", "rows(TABLE, 1)", "rows(TABLE, [1.5])",
        "rows(TABLE, [-1])", "columns(TABLE, {1.5: 'f64'})", "columns(TABLE, ['a'])", "columns(TABLE, 'a')",
        "columns(TABLE, {-1: 'f64'})", "columns(TABLE, {True: 'f64'})", "list(lines(io.StringIO('text'), encoding='utf-16'))",
        *[f"list(lines({wrong}, encoding='utf-16'))" for wrong in ("None", "True", "1.5")],
    ],
    (TypeError, "pass quote=None for csv.QUOTE_NONE, and nothing for the others"): [
        "rows(b'', quoting=3)", "rows(b'', quote=None, quoting=0)", "columns(TABLE, {'id': 'f64'}, quoting=1)",
    ],
    (ValueError, "cannot know all columns; give types by indices"): ["columns(TABLE, header=False)", "columns(TABLE, {0: 'u8'}, others='str', header=False)"],
    (ValueError, "no column 'c' is among the fieldnames"): ["rows(b'', ['c'], fieldnames=['a', 'b'])"],
    (riffle_io.RiffleError, "no quote that could be doubled"): ["rows(b'', quote=None, double_quote=False)"],
    (TypeError, "not list; pass one of them$"): [
        "values(['a', 'b'], 'u1')", "line_index(['a', 'b'])", "columns(['a', 'b'], {0: 'f64'})",
    ],
    (TypeError, "byte must be bytes or int, not str"): ["count_byte(b'', 'a')"],
    (TypeError, "dtype must be str or a dtype of numpy"): ["sum(b'', None)", "sum(b'', 2)", "values(b'', [('a', 'i4')])"],
    (TypeError, "split must be a riffle_io.Split, not str"): ["read_split('path')"],
    (BufferError, None): ["lines(memoryview(b'abcd')[::2])"],
    (OverflowError, None): ["lines(2**40)"],
    (LookupError, "nonesuch"): [
        "open(b'', encoding='nonesuch')", "lines(b'', encoding='nonesuch')", "next(lines(b'\\xff', encoding='utf-8', errors='nonesuch'))",
    ],
    (UnicodeEncodeError, None): ["rows('é'.encode('latin-1'), ['語'], encoding='latin-1')"],
    (UnicodeDecodeError, None): ["list(rows(b'\\xff\\n', encoding='utf-8'))"],
    (ValueError, None): [
        "lines(-1)", "rows(b'', dialect='excel')", "rows(b'', quoting='none')", "rows(b'', quote=None, quoting='lax')",
        "rows(b'', columns=['a'], header=False)", "columns(TABLE, {})", "columns(TABLE, others='float')",
        *[f"columns(TABLE, {{0: '{wrong}'}})" for wrong in (
            "date]", "]", "[]", "date[us]", "timestamp[us", "timestamp[m]", "timestamp[us, UTC, x]", "decimal", "decimal()",
            "decimal(0)", "decimal(39, 1)", "decimal(9, -1)", "decimal(9, 39)")],
        "columns(TABLE, {'a': 'float'})", "columns(TABLE, {'a': float})",
        "columns(TABLE, {'a': None})",
    ],
    (ValueError, "mode|argument|newline|unknown"): [
        f"open(b'', {how})" for how in (
            "'w'", "'rw'", "'r+'", "''", "'b'", "'rb', encoding='utf-8'", "'rb', errors='strict'", "'rb', newline=''", "newline='x'",
            "decode='gz'", "method='fast'")
    ],
    (ValueError, "delimiter must be one byte"): [
        "lines(b'', b'')", "lines(b'', b'\\r\\n')", "lines(b'', 'utf-8')", "line_index(b'', b'ab')", "rows(b'', delimiter='')",
    ],
    (ValueError, "must be one byte"): [
        "rows(b'', separator=';;')", "rows(b'', quote='')", "rows(b'', separator='é')", "rows(b'', comment=b'')",
    ],
    (ValueError, "byte must be one byte, or a number from 0 to 255"): [
        f"count_byte(b'', {wrong})" for wrong in ("b''", "b'ab'", "-1", "256", "1 << 80")
    ],
    (TypeError, "text"): ["count_occurrences(b'a', 1)", "count_lines_with(b'a', 1)"],
    (ValueError, "text must not be empty"): ["count_occurrences(b'a', b'')", "count_lines_with(b'a', b'')"],
    (ValueError, "need columns"): [
        f"value_counts(b'a', {how})" for how in ("separator=';'", "bad_rows='skip'", "null=['a']", "quoted_null=False")
    ],
    (ValueError, "byte order mark of utf-8-sig"): ["value_counts(b'a', encoding='utf-8-sig')"],
    (ValueError, "not both"): ["value_counts(b'a', [0], words=True)"],
    (ValueError, "one column at least"): ["value_counts(b'a', [])", "sum_by(b'1', [], 0)", "sum_by(b'1', 0, [])"],
    (ValueError, "dtype must be 'float64', 'int64' or 'uint64'"): ["sum_by(b'1', 0, 0, dtype='int8')"],
    (riffle_io.RiffleError, "sum them as f64"): ["sum_by(b'a,1\\na,9223372036854775807', 0, 1, dtype='int64')"],
    (riffle_io.RiffleError, "distinct keys"): ["sum_by(b'1\\n2\\n', 0, 0, max_memory=10)"],
    (riffle_io.RiffleError, "row 1 is no number: 'a'"): ["sum_by(b'a,1', 1, 0)"],
    (ValueError, "become the same text"): ["sum_by(b'\\xff,1\\n\\xfe,1\\n', 0, 1, encoding='utf-8', errors='replace')"],
    (riffle_io.RiffleError, "distinct values"): ["value_counts(b'a\\nb\\n', max_memory=10)"],
    (ValueError, "text must not hold a newline"): ["count_lines_with(b'a', 'a\\n')"],
    (ValueError, "threads must be 0 or more"): [
        "count_lines(b'', threads=-1)", "columns(TABLE, {'id': 'f64'}, threads=-1)",
    ],
    (ValueError, "unknown method 'fast'"): ["count_lines(b'', method='fast')"],
    (ValueError, "unknown format 'rar' to decode: give automatic, none, gzip, zlib, zstd, xz, bzip2, lz4"): [
        f"{function}(b'', decode='rar')" for function in ("lines", "count_lines", "line_index", "splits")
    ],
    (ValueError, "errors needs an encoding"): [  # as open refuses it
        f"{call}, errors='replace')" for call in ("lines(b'a\\n'", "words(b'a\\n'", "rows(b'a\\n'", "rows(b'a\\n', [0]")
    ],
    (ValueError, "cannot be cut"): ["rows(b'', encoding='utf-7')"],
    (ValueError, 'encoding must be "utf-8"'): ["scan_lines(b'a', encoding='latin-1')"],
    (ValueError, "pass gzip.open"): ["lines(b'', encoding='utf-16', decode='gzip')"],
    (ValueError, "split_size must be at least 1"): ["splits('path', 0)"],
    (ValueError, "unknown dtype"): [f"values(b'', {wrong!r})" for wrong in ("int", "<>i2", "", "i16", "str")]
    + ["sum(b'', numpy.complex64)"],
    (ValueError, "numpy.frombuffer reads structs of uint8"): ["values(b'', numpy.dtype([('a', 'i4')]))"],
    (ValueError, "sum adds integers, float32 and float64"): ["sum(b'', 'float16')", "sum(b'', 'bool')"],
    (ValueError, "order must be 'little', 'big' or None, not 'middle'"): ["values(b'', 'int16', order='middle')"],
    (ValueError, "different byte orders"): ["values(b'', '<i2', order='big')"],
    (ValueError, "surrogates"): ["values(b'', '\\ud800')", "values(b'', 'uint8', order='\\ud800')"],
    (ValueError, "keeps what ends a line"): ["lines(b'', strip_cr=True).batches('terminated')"],
    (ValueError, "'view', 'terminated' or 'packed'"): ["lines(b'').batches('string')"],
    (ValueError, "above 0x7F"): ["lines(b'', b'\\xff').batches(string=True)"],
    (ValueError, "an Arrow string is UTF-8"): [
        "pyarrow.table(lines(b'\\xe9', encoding='latin-1'))",
        "pyarrow.table(lines(b'\\xe9', encoding='utf-8', errors='replace'))",
        "lines(b'', encoding='latin-1').__arrow_c_schema__()",
    ],
    (ValueError, "PyCapsule"): [
        f"lines(b'').__arrow_c_stream__({wrong})" for wrong in ("3", "lines(b'').__arrow_c_stream__()")
    ],
    (FileNotFoundError, "missing"): ["columns('missing', {'a': 'f64'})", "splits('missing')", "count_lines('missing')", "open('missing')"],
    (IsADirectoryError, "cannot .* '/'"): ["lines('/')", "count_lines('/')", "splits(['/'])"],
    (riffle_io.RiffleError, "descriptor 999"): ["lines(999)"],
    (riffle_io.RiffleError, "same byte"): ["rows(b'', separator='\"')"],
    (riffle_io.RiffleError, "no column 'cost'; the columns are 'id', 'name'"): [
        "columns(TABLE, {'cost': 'f64'})", "list(rows(TABLE, ['cost']))",
    ],
    (riffle_io.RiffleError, "ends inside a value"): ["values(b'12345', '<i4')"],
    (riffle_io.RiffleError, "another process cannot open it; pass the path of a file"): [
        "splits(0)", "splits(b'bytes')", "splits(bytearray(b'bytes'))", "splits(io.BytesIO(b''))",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("call", "error", "words"), [(call, *key) for key, calls in REFUSED.items() for call in calls])
def test_the_call_is_refused(call, error, words):
    with pytest.raises(error, match=words) as raised:
        eval(call, globals() | vars(riffle_io))
    assert not re.search(r"\b_[A-Z]", str(raised.value)), "a private name"
