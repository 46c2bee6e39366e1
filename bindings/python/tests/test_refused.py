"""Tests what is refused at the call, by each function: the class of the error, and words of its message."""

import io  # noqa: F401

import numpy
import pyarrow  # noqa: F401
import pytest
import riffle_io

TABLE = b"id,name\n1,nut\n"

REFUSED = {  # calls, by the error and the words
    (TypeError, "^source must not be None$"): ["lines(None)", "count_lines(None)", "open(None)", "columns(None, {})"],
    (TypeError, "^threads must be int, not str$"): ["count_lines(b'', threads='a')", "open(b'', threads='a')"],
    (TypeError, "^separator must be bytes or str or None, not int$"): ["rows(b'', separator=5)", "splits('a', dialect='csv', separator=5)"],
    (TypeError, r"^columns must be Sequence\[int . str\] . None, not 'a'$"): ["rows(b'', 'a')"],
    (TypeError, r"^types must be Mapping.*, not \['a'\]$"): ["columns(b'', ['a'])"],
    (TypeError, r"^lines\(\) got an unexpected keyword argument 'foo'$"): ["lines(b'', foo=1)"],
    (TypeError, r"^lines\(\) missing 1 required positional argument: 'source'$"): ["lines()"],
    (TypeError, "^layout must be str, not int$"): ["lines(b'').batches(5)"],
    (ValueError, "^max_length must be 0 or more, not -1$"): ["lines(b'', max_length=-1)", "rows(b'', max_length=-1)"],
    (ValueError, "^ragged must be 'keep', 'fail' or 'pad', not 'x'$"): ["rows(b'', ragged='x')"],
    (TypeError, None): [
        "lines(None)", "lines([1.5])", "lines(1.5)", "lines(True)", "lines(object())", "count_lines(True)",
        "count_lines(b'', 2)", "lines(b'', decode=1)", "values(('path', 0, 1, 1, 0, 0), 'u1')", "LineIndex()",
        "LineIndex.__new__(LineIndex)", "rows(b'', separator=1)", "rows(b'', columns='a')",
        "rows(b'', quoting=None, strict=True)", "rows(TABLE, 'ab')", "rows(TABLE, 1)", "rows(TABLE, [1.5])",
        "rows(TABLE, [-1])", "columns(TABLE, {1.5: 'f64'})", "columns(TABLE, ['a'])", "columns(TABLE, 'a')",
        "columns(TABLE, {-1: 'f64'})", "columns(TABLE, {True: 'f64'})", "list(lines(io.StringIO('text'), encoding='utf-16'))",
        *[f"list(lines({wrong}, encoding='utf-16'))" for wrong in ("None", "True", "1.5")],
    ],
    (TypeError, "pass quote=None for csv.QUOTE_NONE, and nothing for the others"): [
        "rows(b'', quoting=3)", "rows(b'', quote=None, quoting=0)", "columns(TABLE, {'id': 'f64'}, quoting=1)",
    ],
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
        "lines(b'', encoding='nonesuch')", "next(lines(b'\\xff', encoding='utf-8', errors='nonesuch'))",
    ],
    (UnicodeEncodeError, None): ["rows('é'.encode('latin-1'), ['語'], encoding='latin-1')"],
    (UnicodeDecodeError, None): ["list(rows(b'\\xff\\n', encoding='utf-8'))"],
    (ValueError, None): [
        "lines(-1)", "rows(b'', dialect='excel')", "rows(b'', quoting='none')", "rows(b'', quote=None, quoting='lax')",
        "rows(b'', columns=['a'], header=False)", "columns(TABLE, {})", "columns(TABLE, {'a': 'float'})", "columns(TABLE, {'a': float})",
        "columns(TABLE, {'a': None})",
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
    (ValueError, "need columns"): ["value_counts(b'a', separator=';')", "value_counts(b'a', bad_rows='skip')"],
    (ValueError, "byte order mark of utf-8-sig"): ["value_counts(b'a', encoding='utf-8-sig')"],
    (ValueError, "not both"): ["value_counts(b'a', [0], words=True)"],
    (ValueError, "one column at least"): ["value_counts(b'a', [])"],
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
    (FileNotFoundError, "missing"): ["columns('missing', {'a': 'f64'})", "splits('missing')", "count_lines('missing')"],
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
    with pytest.raises(error, match=words):
        eval(call, globals() | vars(riffle_io))
