#!/usr/bin/env python3
"""Lays out what mkdocs makes the site of: the pages of the repository, which keep their places so that their links hold,
the man pages, the examples and the reference of the library.

usage: assemble.py SOURCES MANUAL INTO
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

import reference

PAGES = {
    "Use": ["docs/guide.md", "docs/cookbook.md", "docs/faq.md", "docs/install.md", "docs/platforms.md", "docs/python.md",
            "docs/scaling.md", "examples/index.md"],
    "Tool": ["docs/cli.md", "docs/bench.md", "docs/bench-json.md"],
    "Judge": ["docs/performance.md", "docs/results.md", "docs/reliability.md", "docs/choosing.md", "docs/storage.md",
              "docs/methodology.md", "docs/tried.md", "docs/prior-art.md"],
    "Change": ["docs/change.md", "docs/design.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
}
# What the search lists before or after other pages.
BOOST = {"docs/guide.md": 2, "docs/cli.md": 3, "docs/reliability.md": 3, "CONTRIBUTING.md": 4, "docs/prior-art.md": 0.3,
         "docs/tried.md": 0.5, "CHANGELOG.md": 0.3}
# The search prefers titles. So a section has the words in its title by which people look for it, and keeps its anchor.
TITLES = {
    "docs/guide.md": {"## Compressed input": "Compressed input: read a gz, gzip, zst, xz or bz2",
                      "## Memory": "Memory is bounded", "### Columns": "Columns by the names in the header",
                      "## Rows and fields": "Rows and fields of CSV and TSV", "## Lifetimes": "Lifetimes: when a view dangles",
                      "## Errors": "Errors and exceptions", "## Paths and bytes": "Paths, and bytes in memory"},
    "docs/choosing.md": {"## The methods": "The methods: read, mmap (memory mapped), io_uring, O_DIRECT"},
    "docs/reliability.md": {"## Faults of the file": "Faults of the file: truncated, SIGBUS, a bad disk"},
    "docs/cli.md": {"## wc": "wc: count lines and words", "## cat": "cat: copy lines and columns, as head, tail, cut and grep",
                    "## bench": "bench: which method is the fastest"},
}


def with_titles(name, text):
    for heading, title in TITLES.get(name, {}).items():
        level, old = heading.split(" ", 1)
        line = f"{level} {title} {{ #{old.lower().replace(' ', '-')} }}"
        changed = re.sub(rf"(?m)^{re.escape(heading)}$", lambda _: line, text, count=1)
        assert changed != text, f"{name} has no {heading}"
        text = changed
    return text


def as_python_markdown(text):
    """GitHub takes a list right below a paragraph, and items indented by less than four; Python-Markdown does not."""
    lines, fenced, listed = [], False, False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        item = re.match(r"( {0,3})(?:[-*]|\d+\.) ", line)
        if not fenced and item and not listed and lines and lines[-1].strip():
            lines.append("")
        if not fenced and not fence:
            listed = bool(item) or (listed and line.startswith(" "))
        if listed and not item and not fenced and (indent := re.match(r" +", line)) and len(indent[0]) < 4:
            line = "    " + line.lstrip()
        fenced = fenced != fence
        lines.append(line)
    return "\n".join(lines)


def titles(sources):
    """The first heading of each page, by the name of its file."""
    return {path.name: re.search(r"(?m)^# (.*)$", path.read_text())[1] for path in [*sources.glob("*.md"), *sources.glob("docs/*.md")]}


def repository_page(text, title_of):
    text = re.sub(r"\[([\w-]+\.md)\]\(", lambda link: f"[{title_of.get(link[1], link[1])}](", text)
    text = re.sub(r"\]\(\.\./examples/(\w+)\.cpp\)", r"](../examples/index.md#\1)", text)
    return as_python_markdown(text.replace("](../examples)", "](../examples/index.md)"))


def manual_page(path, names):
    """A man page as HTML, with the names of other pages as links."""
    said = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], check=True, capture_output=True, text=True).stdout
    said = re.sub(r"<table class=\"(?:head|foot)\">.*?</table>", "", said, flags=re.S)
    said = said.replace('<div class="manual-text">', "").rstrip().removesuffix("</div>")
    said = re.sub(r"<(/?)h2\b", r"<\1h3", said)
    said = re.sub(r"<(/?)h1\b", r"<\1h2", said)
    said = re.sub(r'<a class="permalink" href="#[^"]*">(.*?)</a>', lambda m: " ".join(m[1].split()), said, flags=re.S)
    # A heading as Markdown stands in the page's contents, and is found by the search.
    said = re.sub(r'<h([23]) class="S[hs]" id="([^"]*)">(.*?)</h[23]>',
                  lambda m: "</div>\n\n" + "#" * int(m[1]) + f" {m[3]}\n\n<div class=\"manual\">", said, flags=re.S)
    said = re.sub(r"<b>([\w-]+)</b>\(1\)",
                  lambda m: f'<a href="{m[1]}.1.html"><b>{m[1]}</b>(1)</a>' if m[1] in names else m[0], said)
    said = re.sub(r"</?section[^>]*>", "", said)
    return f'# {path.stem.replace("riffle-", "riffle ")}(1)\n\n<div class="manual">{said}</div>\n'


def examples(folder):
    lines = ["# Examples", "", "Whole programs, which the tests compile and run.", ""]
    for path in sorted(folder.glob("*.cpp")):
        text = path.read_text()
        lines += [f"## {path.stem}", "", text.split("\n")[0].removeprefix("/// "), "", "```cpp",
                  text.split("\n", 1)[1].strip(), "```", ""]
    return "\n".join(lines)


def landing(sources):
    # Nested in `.chart`, the rules of the page of `riffle bench --html` hold for this chart alone.
    rules = re.search(r'R"css\((.*)\)css"', (sources / "bench/show/page.cpp").read_text(), re.S)[1]
    chart = "<style>.chart {" + re.sub(r"\n+", "\n", rules) + "}</style>\n" + (sources / "site/chart.svg").read_text()
    return (sources / "site/index.md").read_text().replace("<!-- chart -->", chart)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    sources, manual, into = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    shutil.rmtree(into, ignore_errors=True)
    pages = into / "pages"
    write(pages / "index.md", landing(sources))
    shutil.copy(sources / "site/site.css", pages)
    title_of = titles(sources)
    for path in [*sources.glob("*.md"), *sources.glob("docs/**/*.md")]:
        if path.name not in ("README.md", "AGENTS.md"):
            name = str(path.relative_to(sources))
            head = f"---\nsearch:\n  boost: {BOOST[name]}\n---\n\n" if name in BOOST else ""
            write(pages / name, head + repository_page(with_titles(name, path.read_text()), title_of))
    for path in [path for path in sources.glob("docs/**/*") if path.is_file() and path.suffix != ".md"]:
        (pages / path.relative_to(sources)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, pages / path.relative_to(sources))
    write(pages / "examples/index.md", examples(sources / "examples"))
    manuals = sorted(manual.glob("man1/*.1"))
    names = {path.stem for path in manuals}
    for path in manuals:
        write(pages / f"man/{path.name}.md", manual_page(path, names))
    for name, text in reference.write(sources / "include").items():
        write(pages / "api" / name, f"---\nsearch:\n  boost: 0.5\n---\n\n{text}")
    nav = [{"Home": "index.md"}, *({title: list(listed)} for title, listed in PAGES.items())]
    nav[2]["Tool"] += [{"Man pages": [f"man/{path.name}.md" for path in manuals]}]
    api = sorted(path.name for path in (pages / "api").glob("*.md") if path.name != "index.md")
    nav.insert(3, {"API": ["api/index.md", *(f"api/{name}" for name in api)]})
    write(into / "mkdocs.yml", f"INHERIT: {sources}/site/mkdocs.yml\ndocs_dir: {pages}\nsite_dir: {into.parent}/site\n"
          f"nav: {json.dumps(nav)}\n")


if __name__ == "__main__":
    main()
