"""The stubs accept what docs/python.md shows, by mypy."""

import subprocess
import sys

PROGRAM = """
import riffle_io

index = riffle_io.line_index(b"a")
offsets: memoryview = memoryview(index)
first: bytes = index[0]
some: list[bytes] = index[:1]
held: bool = b"a" in index
for line in index:
    line.split()
numbers = riffle_io.values(b"", "u1")
count: int = len(numbers)
listed: list[int] = numbers.tolist()
mean: float = riffle_io.sum(b"", "u1") / 2
for batch in riffle_io.lines(b"").batches():
    rows: int = len(batch)
for each in riffle_io.lines("a.gz", decode="automatic", max_size=1 << 30):
    each.split()
lines: int = riffle_io.count_lines("a.gz", threads=2, decode="gzip", max_size=None)
parts: list[riffle_io.Split] = riffle_io.splits("a.gz", decode="gzip")
version: str = riffle_io.__version__
"""


def test_stubs_accept_what_the_docs_show(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", program]
    run = subprocess.run(mypy, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
