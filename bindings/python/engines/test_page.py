"""Runs the Python snippets of docs/scaling.md, and compares what they print with the block behind each."""

import pathlib
import re
import subprocess
import sys

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs/scaling.md"
SNIPPETS = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
)
LOGS = {
    "a.log": ["2026-11-20 INFO start", "2026-11-20 ERROR disk full", "2026-11-20 ERROR network lost"],
    "b.log": ["2026-11-21 INFO start", "2026-11-21 ERROR network lost", "2026-11-21 INFO stop"],
}


def test_each_snippet_has_its_output():
    assert len(SNIPPETS) == PAGE.read_text("utf-8").count("```python\n") > 0


@pytest.mark.parametrize(("code", "output"), SNIPPETS)
def test_snippet(tmp_path, code, output):
    (tmp_path / "logs").mkdir()
    for name, lines in LOGS.items():
        (tmp_path / "logs" / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "snippet.py").write_text(code)
    command = [sys.executable, "snippet.py"]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.stdout == output, run.stderr
