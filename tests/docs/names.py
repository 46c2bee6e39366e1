#!/usr/bin/env python3
"""Each name that README.md, CHANGELOG.md and docs/*.md write in backticks exists: in the code, in the help of the tool, in
the tree.

usage: names.py SOURCES RIFFLE

  `--option`, `riffle count --option`   the help of that command; a bare one: any help, or a script of the project
  `keyword=`, `riffle_io.name`          the Python package; in python.md also `name.member` and `name(`
  `errc::name`, `type::name`            the C++ code
  `./dev command`                       ./dev help
  `src/file.cpp`, `src/folder`          a path that ends so; `*` stands for any text
  any other identifier                  a word of any file but these pages

A name of another project that is in no file stands in OTHERS.
"""
import fnmatch
import functools
import pathlib
import re
import subprocess
import sys

sources, riffle = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]

OTHERS = """KSEQ_INIT w8 seqkit gzgets gzgetc gzungetc gzeof gztell gzseek fscanf mremap
mavx2 PhysicalDrive1 TarFile urlopen musllinux_1_2 ComputeError lineSep chrt dev_* --component sep plot PermissionError""".split()
# What a span of python.md may begin with that is not the package's.
FOREIGN = "numpy pandas polars totals nanoarrow obstore collections tarfile urllib sys".split()

TREE = "include src text cli bench bindings cmake tests fuzz packaging examples debian site .ci .github".split()
SCRIPTS = "dev bench/peers bindings/python/bench packaging tests/platforms tests/torture site".split()
PYTHON = "bindings/python/native bindings/python/riffle_io".split()


@functools.cache
def files(*places):
    found = [path for place in places for path in [sources / place, *(sources / place).rglob("*")] if path.is_file()]
    return [path for path in found if path != pathlib.Path(__file__).resolve() and "__pycache__" not in path.parts]


@functools.cache
def words(*places, pattern=r"[A-Za-z_]\w*"):
    texts = [path.read_text(encoding="latin-1") for path in files(*places)]
    of_cases = {re.sub(r"\W", "_", title) for text in texts for title in re.findall(r"(?m)^== (.+)$", text)}
    return of_cases | {word for text in texts for word in re.findall(pattern, text)}


@functools.cache
def texts_of_extension():
    code = "\n".join(path.read_text() for path in files("bindings/python/native"))
    return {word for text in re.findall(r'"([^"\n]*)"', code) for word in re.findall(r"\w+", text)}


@functools.cache
def help_of(*command):
    said = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    return said, set(re.findall(r"--[a-z][a-z0-9-]*", said))


def commands():
    """Yields the words of each command, and of those that its help names, `bench reproduce`."""
    for name in dict.fromkeys(re.findall(r"^  ([a-z]+) ", help_of(riffle)[0], re.MULTILINE)):
        deeper = re.findall(rf"'riffle ({name} [a-z]+) --help'", " ".join(help_of(riffle, name)[0].split()))
        yield from ([*each.split()] for each in [*deeper, name])


def has_option(span, option):
    for command in commands():
        if re.match(rf"riffle {' '.join(command)}\b", span):
            return option in help_of(riffle, *command)[1]
    everywhere = help_of(riffle)[1].union(*(help_of(riffle, *command)[1] for command in commands()))
    return option in everywhere or option[2:] in words(*SCRIPTS, pattern=r"[\w-]+")


def is_path(name):
    there = [str(path.relative_to(sources)) for path in files(*TREE, "docs")]
    return any(fnmatch.fnmatch("/" + each, f"*/{name}") or f"/{name}/" in f"/{each}" for each in there)


def dead_names(page, span):
    """Yields what is in a span and nowhere else."""
    program = span.split()[0]
    if span.startswith("--") or program in ("riffle", "./dev"):
        yield from (option for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", span) if not has_option(span, option))
    if program == "./dev" and (command := re.match(r"\./dev ([a-z-]+)", span)):
        if not re.search(rf"^  {command[1]}\b", help_of(str(sources / "dev"))[0], re.MULTILINE):
            yield span
    if (keyword := re.match(r"([a-z_]+)=(?!=)", span)) and keyword[1] not in words(*PYTHON):
        yield keyword[1]
    code = re.sub(r"b?'[^']*'|b?\"[^\"]*\"|-D(?=[A-Z])|\b[A-Z]+\b", "", span)  # no texts, and nothing like FILE
    for scope, name in re.findall(r"\b(\w+)::(\w+)", code):
        if scope != "std" and name not in words("include", "src", "text", "cli", "bench", "tests"):
            yield f"{scope}::{name}"
    for scope, names in re.findall(r"\b([A-Za-z]\w*)((?:\.\w+)+)", code):
        if scope in ("riffle_io", *CLASSES) or (page == "docs/python.md" and scope not in FOREIGN):
            there = texts_of_extension() if scope in CLASSES else words(*PYTHON) | BUILT_IN
            yield from (scope + names for name in names[1:].split(".") if name not in there)
    if re.fullmatch(rf"({'|'.join(TREE)}|docs)(/[\w.*-]+)+|[\w*-]+\.(cpp|hpp|h|py|cmake|pl)", span):
        if not is_path(re.sub(r"\b[A-Z]+\b", "*", span)):
            yield span
    else:
        for name in re.findall(r"[A-Za-z_]\w*\*?", code):
            there = words(*TREE, "dev", "CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "LICENSE")
            if name not in there and not (name.endswith(("*", "_")) and any(word.startswith(name.rstrip("*")) for word in there)):
                yield name


# Those of the extension, whose members stand in its texts: the code has words of C++ too.
CLASSES = "Lines LineIndex Rows Fasta Fastq Columns LineBatches".split()
BUILT_IN = {name for kind in (str, bytes, list, dict, int, object) for name in dir(kind)}


def main():
    if ["bench"] not in commands():
        print("skipped: the tool was built without the benchmark")
        return 77
    found = 0
    for path in [sources / "README.md", sources / "CHANGELOG.md", *sorted(sources.glob("docs/*.md"))]:
        page = str(path.relative_to(sources))
        text = re.sub(r"^( *)```.*?^\1```", lambda block: "\n" * block[0].count("\n"), path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for span in re.finditer(r"`([^`]+)`", text):
            for name in dead_names(page, span[1]):
                if name not in OTHERS:
                    print(f"{page}:{text[: span.start()].count(chr(10)) + 1}: `{span[1]}`: no file has {name}")
                    found += 1
    return found != 0


if __name__ == "__main__":
    sys.exit(main())
