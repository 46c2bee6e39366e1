"""Runs the Python snippets of docs/scaling.md, and compares what they print with the block after each."""

import pathlib
import re
import subprocess
import sys

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs/scaling.md"
TEXT = PAGE.read_text("utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
MAKE_LOGS = re.search(r"^```sh\n(mkdir -p logs\n.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]


def test_each_snippet_has_its_output():
    assert len(SNIPPETS) == TEXT.count("```python\n") > 0


@pytest.mark.parametrize(("code", "output"), SNIPPETS)
def test_snippet(tmp_path, code, output):
    subprocess.run(["sh", "-c", MAKE_LOGS], check=True, cwd=tmp_path)
    (tmp_path / "snippet.py").write_text(code)
    command = [sys.executable, "snippet.py"]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.stdout == output, run.stderr
