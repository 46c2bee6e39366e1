"""Tests riffle_io.bench with a tool that only writes its page, and with the real one if it is built."""

import os
import pathlib

import pytest
import riffle_io

BUILDS = pathlib.Path(__file__).parents[3] / "build"
BUILT = next((tool for name in ("release", "dev") if (tool := BUILDS / name / "riffle").exists()), None)


@pytest.fixture
def tool(tmp_path, monkeypatch):
    def make(text):
        (tmp_path / "riffle").write_text("#!/bin/sh\n" + text)
        (tmp_path / "riffle").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    return make


WRITE = """
while [ $# -gt 0 ]; do
  case $1 in --html) page=$2;; esac
  all="$all $1"; shift
done
printf '<style>p { color: "red" }</style><p>%s</p>' "$all" > "$page"
"""


def test_a_report_shows_its_page_in_a_frame(tool):
    tool(WRITE)
    report = riffle_io.bench("some file", "--quick")
    assert " bench --quick --html " in report.html and report.html.endswith("/some file</p>")
    shown = report._repr_html_()
    assert shown.startswith("<iframe srcdoc=\"&lt;style&gt;p { color: &quot;red&quot; }") and shown.endswith("</iframe>")
    assert "<style>" not in shown


def test_a_tool_that_fails_or_is_missing_is_an_error(tool, monkeypatch, tmp_path):
    tool("echo 'cannot open it' >&2; exit 1\n")
    with pytest.raises(RuntimeError, match="'riffle bench' failed: cannot open it"):
        riffle_io.bench("a")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="riffle is not on the PATH"):
        riffle_io.bench("a")


@pytest.mark.skipif(BUILT is None, reason="needs the tool: ./dev build")
def test_the_real_tool(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"line\n" * 10_000)
    monkeypatch.setenv("PATH", f"{BUILT.parent}:{os.environ['PATH']}")
    assert "<html" in riffle_io.bench(tmp_path / "file", "--rounds", "1", "--time", "2", "--task", "lines").html
