"""Runs CPython's own tests of gzip, bz2, lzma and csv with riffle_io in the place of their files and reader."""

import csv
import importlib
import unittest

import pytest
import riffle_io

DIFFERS = {  # by the reason
    "members of GzipFile, BZ2File and LZMAFile that a BufferedReader lacks, or has of another kind": {
        "test_mtime", "test_compress_mtime", "test_mode", "test_fileobj_mode", "test_paddedfile_getattr", "test_prepend_error",
        "test_io_on_closed_object", "test_decompress_limited", "testDecompressLimited", "test_close",
    },
    "name is what open() gives for a Path: the Path": {"test_write_read_with_pathlike_file"},
    "seek, readline and writable take and refuse what those of io.BufferedReader do": {
        "test_seek_whence", "testReadLine", "testReadLines", "testReadLineMultiStream", "testReadLinesMultiStream", "testWritable",
        "test_writable",
    },
    "a position before the start is an error, as in a file of open()": {
        "testSeekPreStart", "testSeekPreStartMultiStream", "test_seek_past_start",
    },
    "a decoded file has no descriptor of its bytes": {"testFileno", "test_fileno"},
    "bytes are what is read, and no path": {"testOpenBytesFilename"},
    "bytes after the last member are an error": {
        "testReadTrailingJunk", "testReadMultiStreamTrailingJunk", "test_read_trailing_junk", "test_read_multistream_trailing_junk",
    },
    "a RiffleError, not the error of that module": {"test_bad_gzip_file", "test_read_bad_data"},
    "the old format .lzma is not decoded": {"test_read", "test_iterator", "test_read_multistream"},
    "arguments of the module's own": {"testBadArgs", "test_init_bad_mode"},
}  # fmt: skip


def ran(tests, wanted=lambda case: True):
    """Returns how many of these tests ran, and the text of each that fell, by its name."""
    suites = list(unittest.defaultTestLoader.loadTestsFromModule(tests))
    suite = unittest.TestSuite(case for each in suites for case in each if wanted(case))
    result = unittest.TestResult()
    suite.run(result)
    fell = result.errors + result.failures
    return result.testsRun, {str(getattr(case, "test_case", case)).partition(" ")[0]: text for case, text in fell}


def standing_in(real, name, decode):
    """Returns a class whose files for reading are those of riffle_io.open."""

    class File(real):
        def __new__(cls, filename=None, mode=None, *more, **options):
            fileobj = options.get("fileobj") or (more[1] if name == "GzipFile" and len(more) > 1 else None)
            asked = mode or getattr(fileobj, "mode", None)
            reads = asked in ("r", "rb", "rt") or not isinstance(asked, str)
            if reads and not {"format", "filters", "check", "preset"} & set(options):
                return riffle_io.open(filename if fileobj is None else fileobj, "rb", decode=decode)
            return real(filename, *([] if mode is None else [mode]), *more, **options)

    return File


@pytest.mark.parametrize(
    ("module", "name", "decode"), [("gzip", "GzipFile", "gzip"), ("bz2", "BZ2File", "bzip2"), ("lzma", "LZMAFile", "xz")]
)
@pytest.mark.filterwarnings("ignore")
def test_the_tests_of_cpython_pass(module, name, decode, monkeypatch, tmp_path):
    tests = pytest.importorskip(f"test.test_{module}", reason="this Python has no tests of its own")
    of = importlib.import_module(module)
    stand_in = standing_in(getattr(of, name), name, decode)
    monkeypatch.setattr(of, name, stand_in)
    monkeypatch.setattr(tests, name, stand_in, raising=False)
    monkeypatch.chdir(tmp_path)
    count, fell = ran(tests)
    assert set(fell) <= set.union(*DIFFERS.values()), "\n".join(fell.values())
    assert count > 50 and len(fell) < 15


CSV_DIFFERS = {  # by the reason
    "an input that ends inside quotes, or after an escape, is an error": {"test_read_eof"},
    "a lone CR is a byte of its field": {"test_read_eol"},
    "an empty line is no row": {"test_read_oddinputs"},
    "max_length is that of a row, and no limit of fields": {"test_read_bigfield"},
    "what is not quoted is text by csv.QUOTE_NONNUMERIC too": {"test_read_quoting"},
    "the stand-in is no function of the module": {"test__all__"},
}  # fmt: skip


class Reader:
    """Is what csv.reader returns, as far as its tests of reading ask."""

    def __init__(self, lines, *dialect, **more):
        rules = _reader([], *dialect, **more).dialect  # which refuses what csv refuses
        iter(lines)
        self.dialect, self._rows = rules, self._read(lines, rules)

    @property
    def line_num(self):
        return self._rows.line_num

    def _read(self, lines, rules):
        quote = rules.quotechar if rules.quoting != csv.QUOTE_NONE else None
        how = {} if quote is None else {"double_quote": rules.doublequote}
        how |= {"escape": rules.escapechar} if rules.escapechar else {}
        how |= {"quoting": "strict"} if rules.strict and quote else {}
        how["skip_initial_space"] = rules.skipinitialspace
        source = riffle_io.from_lines(lines)
        return riffle_io.rows(source, separator=rules.delimiter, quote=quote, encoding="utf-8", block_size=1, **how)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self._rows)
        except riffle_io.RiffleError as error:
            raise csv.Error(str(error)) from error


_reader = csv.reader


def test_the_tests_of_csv_pass(monkeypatch):
    tests = pytest.importorskip("test.test_csv", reason="this Python has no tests of its own")
    monkeypatch.setattr(csv, "reader", Reader)

    def reads(case):
        name = str(getattr(case, "_testMethodName", ""))
        return "write" not in name and "leak" not in type(case).__name__.lower() and "sniff" not in name

    count, fell = ran(tests, reads)
    assert set(fell) <= set.union(*CSV_DIFFERS.values()), "\n".join(fell.values())
    assert count > 60 and len(fell) < 10
