#!/usr/bin/env python3
"""Compares what riffle.h declares with promise.txt, which a program may have been compiled with: each function, constant and
member, and where the member lies. What is gone or changed breaks such programs, and is never accepted. What is new is added to
the file by --accept.

usage: promise.py RIFFLE_H [--accept]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROMISE = pathlib.Path(__file__).with_name("promise.txt")
FIXED = {"riffle_string", "riffle_error", "riffle_row", "riffle_text_counts"}  # structs without a size, which cannot grow


def declarations(header):
    """The declarations of the header as the compiler sees them, one at a time."""
    text = subprocess.run(["gcc", "-std=c99", "-E", header], check=True, capture_output=True, text=True).stdout
    own, lines = False, []
    for line in text.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            own = marker[1] == str(header)
        elif own:
            lines.append(line)
    flat = re.sub(r"__attribute__ *\(\(.*?\)\)\)?", "", " ".join(lines))
    return [" ".join(found.split()) for found in re.findall(r"(?:[^;{]|\{[^}]*\})+;", flat)]


def described(header):
    found, members, constants = [], [], []
    for one in declarations(header):
        if body := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1;", one):
            for text in filter(None, map(str.strip, body[2].split(";"))):
                members.append((body[1], text, re.search(r"\(\*(\w+)\)|(\w+)(?:\[\d+\])?$", text)))
        elif one.startswith("enum {"):
            constants += re.findall(r"(\w+) =", one)
        else:
            found.append(one.rstrip(";"))
    prints = [f'printf("constant {name} = %lld\\n", (long long){name});' for name in [*constants, "RIFFLE_NO_OFFSET"]]
    prints += [f'printf("%s at %zu\\n", "member of {of}: {text}", offsetof({of}, {name[1] or name[2]}));'
               for of, text, name in members]
    prints += [f'printf("{name} has %zu bytes\\n", sizeof({name}));' for name in sorted(FIXED)]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "layout")
        source = '#include <stdio.h>\n#include "%s"\nint main(void) {\n%s\nreturn 0; }\n' % (header, "\n".join(prints))
        subprocess.run(["gcc", "-x", "c", "-", "-o", program], check=True, input=source, text=True)
        found += subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return found


def main():
    if not shutil.which("gcc") or sys.maxsize < 2**32:
        print("skipped: it needs gcc and pointers of 64 bits")
        return 77
    new = described(pathlib.Path(sys.argv[1]).resolve())
    promised = PROMISE.read_text().splitlines() if PROMISE.exists() else []
    gone, added = [line for line in promised if line not in new], [line for line in new if line not in promised]
    print(*(f"gone or changed, which breaks programs: {line}" for line in gone), sep="\n", end="\n" if gone else "")
    if "--accept" in sys.argv and not gone:
        PROMISE.write_text("\n".join(promised + added) + "\n")
        return 0
    print(*(f"new, to be added by --accept: {line}" for line in added), sep="\n", end="\n" if added else "")
    print(f"{len(promised)} promises, {len(gone)} broken, {len(added)} new")
    return bool(gone or added)


if __name__ == "__main__":
    sys.exit(main())
