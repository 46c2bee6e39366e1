"""Tests the iterator over lines against bytes.split."""

import riffle_io


def test_path(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"one\ntwo\n\nlast")
    assert list(riffle_io.lines(path)) == [b"one", b"two", b"", b"last"]
    assert list(riffle_io.lines(str(path), keep=True)) == [b"one\n", b"two\n", b"\n", b"last"]
