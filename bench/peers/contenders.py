"""Who races whom: the programs, how to get them, the command lines of each task, and its table in a plan."""

import re
import shlex
import string
from dataclasses import dataclass, field
from pathlib import Path

import inputs

# The programs that belong to riffle: `race --before` has each of them of an earlier commit too.
OWN = ("riffle", "riffle-loops", "one_billion_rows", "frequent_words", "fastq_stats", "column_sum",
       "port_vocabulary", "port_fastq", "port_vectors")
# The versions of what pip installs.
VERSIONS = dict(line.split("==") for line in
                Path(__file__).with_name("requirements.txt").read_text(encoding="ascii").split() if "==" in line)
BUILD = "bench/peers/build"
ENGINES = Path(__file__).with_name("engines.py")
# The one-billion-row task, by public programs, long and short.
BRC = "lehuyduc dannyvankooten dannyvankooten-4 happycerberus happycerberus-5 mlataza-baseline randyzhao randyzhao-1".split()
# How to get a program: the names of those. A name is looked up in the directory of built peers, then on the PATH.
# riffle is a copy by cp, as the peers are: a program lies in the page cache in small pieces if a linker or CMake wrote it,
# and then takes a quarter longer to start.
HOW = {
    BUILD: [*OWN, "loops-O2", "loops-O3"],
    "--before COMMIT, or --peer": [f"{name}-before" for name in OWN],
    f"{BUILD}, which needs a static C library": ["nothing"],
    f"{BUILD}, which needs pip": ["python", "rapidgzip"],
    f"{BUILD}, which needs cargo": ["fastwc", "cw", "fwc", "fcat", "gzippy"],
    f"{BUILD}, which needs cargo 1.85 or newer": ["rust-loops", "cuniq"],
    f"{BUILD}, which needs cargo 1.88 or newer": ["uutils-wc", "rapidgzip-rust"],
    f"{BUILD}, which needs cargo 1.89 or newer": ["csv-loops"],
    f"{BUILD}, which needs cargo; or the package ripgrep": ["rg"],
    "the package coreutils": ["wc", "cat", "cut"],
    "the package isal": ["igzip"],
    "the package tabix": ["bgzip"],
    "the package xz-utils": ["xz"],
    "the package {0}": "grep mawk seqtk gzip pigz zstd lz4 bzip2 lbzip2 perl busybox".split(),
    "--peer {0}=PATH; README.md says what it has to do": [
        "wc-newer", "cat-newer", "fastlwc", "fastlwc-mt", "zsv", "zsv-rows", "csv-zero-rows", "qsv", "simdutf-chars", "nvwa-lines",
        "fast_io-lines", "fast_io-loader-lines", *(f"brc-{author}" for author in BRC)],
}
IN_PYTHON = {name: f"build/peers/python/bin/{name}" for name in ("python", "rapidgzip")}
# name: (where to look, how to get it)
PROGRAMS = {name: (IN_PYTHON.get(name, name), how.format(name)) for how, names in HOW.items() for name in names}

# The states of the page cache that a plan has no word for, as it has them. tmpfs: a file that lives in memory; cgroup:
# it is too large for the memory that its readers may fill.
STATES = {"tmpfs": "written", "cgroup": "cold"}


@dataclass
class Contender:
    """A command line, and which numbers of the last line of its output are the answer."""

    name: str
    line: str  # {program}, {input} and {files} are filled in; with a '|' the shell runs it
    answer: tuple | str = (0,)  # or "all": the whole output; or "none": nothing is compared
    role: str = ""  # "peer", though a program of riffle's runs it; "before"; or "limit": it does a part of the work, and has no rank

    def needs(self) -> set:
        return {name for _, name, _, _ in string.Formatter().parse(self.line) if name} - {"input", "files", "engines"}

    def before(self):
        """The same by an earlier build of riffle; None for a contender that is not riffle's."""
        line = re.sub(f"{{({'|'.join(OWN)})}}", r"{\1-before}", self.line)
        return None if line == self.line else Contender(f"{self.name}, before", line, self.answer, self.role or "before")

    def planned(self, programs: dict, paths: list, start=lambda words: words) -> dict:
        """Its part of a plan. `programs`: the paths of those that are here; `start`: makes a command of another's words."""
        if missing := sorted(self.needs() - set(programs)):
            return {"name": self.name, "missing": "; ".join(f"{name}: {PROGRAMS[name][1]}" for name in missing)}
        line = self.line.format_map({name: shlex.quote(str(path)) for name, path in programs.items()} | {
            "input": shlex.quote(str(paths[0])), "engines": shlex.quote(str(ENGINES)), "files": "{files}"})
        words, environment = shlex.split(line), {"LC_ALL": "C"}
        while re.match(r"\w+=", words[0]):
            environment.update([words.pop(0).split("=", 1)])
        if "|" in line:
            words = ["sh", "-c", line]
        if "{files}" in words:
            at = words.index("{files}")
            words[at:at + 1] = [path.name for path in paths]
        role = self.role or ("ours" if self.needs() & set(OWN) else "peer")
        return {"name": self.name, **({role: True} if role != "peer" else {}), "command": start(words), "directory": str(paths[0].parent),
                "environment": environment, "answer": self.answer}


@dataclass
class Task:
    """What all contenders do to one input. The first contender is riffle; the others are compared with it."""

    name: str
    title: str
    input: str  # see inputs.py
    contenders: list = field(default_factory=list)
    state: str = "hot"  # of the page cache before each run: that of a plan, or one of STATES
    group: str = ""  # `race --task GROUP` runs all of it

    def needs(self) -> set:
        """What has to be here for the task: its first contender's programs, and the one that compresses its input."""
        packer = inputs.PACKERS.get(self.input.partition(".")[2])
        return self.contenders[0].needs() | ({packer[0].split()[0]} if packer else set())

    def planned(self, programs: dict, paths: list, pause: float = 0, start=lambda words: words) -> dict:
        """Its table in a plan. `pause`: seconds before each run."""
        earlier = [before for each in self.contenders if (before := each.before()) and before.needs() <= set(programs)]
        return {"name": self.name, "title": self.title, "files": [str(path) for path in paths],
                "bytes": sum(inputs.unpacked(path).stat().st_size for path in paths),
                "cache": STATES.get(self.state, self.state), **({"pause": pause} if pause else {}),
                "contenders": [each.planned(programs, paths, start) for each in [*self.contenders, *earlier]]}


def wc(option: str, programs: str, prefix: str = "", suffix: str = "{input}") -> list:
    """Programs that take wc's options, with one thread. Rayon takes the number of threads from the environment."""
    one_thread = dict.fromkeys(["fastwc", "fwc"], "RAYON_NUM_THREADS=1 ")
    return [Contender(f"{p} {option}".strip(), f"{prefix}{one_thread.get(p, '')}{{{p}}} {option} {suffix}") for p in programs.split()]


def loop(program: str, task: str) -> Contender:
    """A loop that answers with the number of records and the sum of their lengths."""
    return Contender(f"{program} {task}".strip(), f"{{{program}}} {task} {{input}}", (0, 1))


def lines(name: str, title: str) -> Task:
    """The sum of the lines' lengths, by everyone who hands out lines."""
    return Task(name, title, name, [
        loop("riffle-loops", "lines-range-for"), loop("riffle-loops", "lines-for-each"),
        *(loop("loops-O2", t) for t in ("lines-mask", "lines-memchr", "lines-getline", "lines-std-getline")),
        *(loop("rust-loops", t) for t in ("lines-memchr", "lines-ripline", "lines-bstr")),
        *(loop(p, "") for p in ("nvwa-lines", "fast_io-lines", "fast_io-loader-lines"))])


def with_threads(options: str) -> str:
    """The options with one thread, which is what the other programs have, unless they name a number."""
    return options if "--threads" in options else f"--threads 1 {options}"


def riffle_wc(options: str, suffix: str = "{input}", prefix: str = "") -> Contender:
    return Contender(f"riffle wc {options}".strip(), f"{prefix}{{riffle}} wc {with_threads(options)} {suffix}")


def copy(name: str, title: str, line: str, option: str = "") -> Task:
    """cat as X in a command line that ends by the number of its bytes."""
    return Task(f"copy-{name}", f"copy {title}", "text", [
        Contender(f"{name} {option}".strip(), line.replace("X", f"{cat} {option}".strip()))
        for name, cat in (("riffle cat", "{riffle} cat"), *((cat, f"{{{cat}}}") for cat in ("cat", "cat-newer", "fcat")))])


def csv_loop(task: str, name: str, threads: int = 1, answer: tuple | str = (0,)) -> Contender:
    return Contender(name + (f", {threads} threads" if threads > 1 else ""), f"{{csv-loops}} {task} {threads} {{input}}", answer)


def engines(task: str, names: str = "duckdb polars pyarrow vroom_csv") -> list:
    """The Python programs of engines.py with two threads. vroom_csv is the package of libvroom."""
    return [Contender(f"{name} {VERSIONS[name]}", f"{{python}} {{engines}} {name} {task} 2 {{input}}", (0,) if task == "count" else "all")
            for name in names.split()]


def threads(name: str, line: str, end: str = "", answer: tuple | str = (0, 1)) -> list:
    """A command of riffle with one thread and with two."""
    return [Contender(f"{name} --threads {n}", f"{{riffle}} {line} --threads {n} {{input}}{end}", answer) for n in (1, 2)]


def chosen(name: str, title: str, line: str, **peers: str) -> Task:
    """The lines of a log that a command chooses, into a pipe: grep stops at its first line if nobody reads them."""
    end = " | {wc} -lc"
    return Task(name, title, "log", [*threads("riffle cat", f"cat {line}", end), *(
        Contender(peer.replace("_", " "), f"{command}{end}", (0, 1), "peer") for peer, command in peers.items())], group="chosen")


def packed(input_: str, title: str, *decoders: str) -> Task:
    """The lines of compressed input, beside programs that decompress it into wc. `decoders`: PROGRAM OPTIONS."""
    return Task(input_, f"count the lines of {title}, GB/s of the text", input_, [
        Contender("riffle wc -lz", "{riffle} wc -lz {input}"),
        Contender("riffle wc -lz, one thread", "{riffle} wc -lz --threads 1 {input}"),
        *(Contender(f"{decoder} | wc -l", re.sub(r"^\S+", r"{\g<0>}", decoder) + " {input} | {wc} -l") for decoder in decoders)])


def choice(name: str, title: str, input_: str, methods: str, state: str = "hot", options: str = "-l",
           prefix: str = "", suffix: str = "{input}") -> Task:
    """The automatic choice beside the methods it chooses from."""
    return Task(f"choice-{name}", f"automatic or by method: {title}", input_, [
        Contender(m, f"{prefix}{{riffle}} wc {with_threads(options)} --method {m} {suffix}") for m in ["automatic", *methods.split()]],
        state=state)


def port(program: str, input_: str, old: str, new: str, title: str) -> Task:
    """An example of a port: one program with the loop before and the loop after."""
    return Task(f"port-{input_}", f"a port: {title}", input_, [
        Contender(new, f"{{port_{program}}} after {{input}}", "all"), Contender(old, f"{{port_{program}}} before {{input}}", "all", "peer")],
        group="ports")


GUNZIPS = ("rapidgzip -dc -P 2", "rapidgzip-rust -dc -P 2", "gzippy -dc -p 2")  # with two threads
ALL_METHODS = "read mmap uring direct stdio iostream"

# Ten texts that few lines of a log have.
TEN = [f" /item/{n} " for n in (3, 77, 301, 555, 812, 1009, 1234, 1500, 1777, 1999)]
# The numbers of each station, sorted, as the other programs of the task print them.
BY_STATION = """ | {mawk} -F '\\t' 'NR > 1 {{ printf "%s %d %.1f %.1f %.1f\\n", $6, $1, $2, $3, $4 }}' | sort"""
MAWK_BY = """{mawk} -F ';' '{{ k = $1; x = $2 + 0; s[k] += x; if (!n[k]++ || x < l[k]) l[k] = x; if (n[k] == 1 || x > h[k]) h[k] = x }}
END {{ for (k in n) printf "%s %d %.1f %.1f %.1f\\n", k, n[k], l[k], h[k], s[k] }}' {input} | sort"""

# perl's <> is what the published script used; the loop over lines is its.
PERL_GC = "{perl} -e 'my $n = 0; while (<>) {{ $n += tr/cCgG//; }} print \"$n\\n\";' {input}"
EVERYONE = "wc wc-newer uutils-wc cw fastwc fwc"
CSVEEE = "csveee, SIMD parser (each quote toggles)"
CSVEEE_DFA = "csveee, DFA parser (strict quotes)"

TASKS = [
    Task("newlines", "count newlines", "text", [
        riffle_wc("-l"), Contender("bytecount over mmap", "{rust-loops} newlines-bytecount {input}"),
        *wc("-l", EVERYONE), Contender("grep -c ''", "{grep} -c '' {input}"),
        Contender("rg -c ''", "{rg} --no-config -c '' {input}"), Contender("busybox wc -l", "{busybox} wc -l {input}")]),
    Task("gc", "count the bytes cCgG of a genome", "genome", [
        Contender("riffle count --any-of cCgG", "{riffle} count --any-of cCgG {input}"),
        Contender("bytecount, four passes", "{rust-loops} gc-bytecount {input}"),
        Contender("bytecount, four passes over pieces of 256 KiB", "{rust-loops} gc-bytecount-pieces {input}"),
        Contender("C++ loop over mmap, -O2", "{loops-O2} gc-mapped {input}"),
        Contender("C++ loop over mmap, -O3", "{loops-O3} gc-mapped {input}"), Contender("perl tr", PERL_GC)]),
    Task("gc-loop", "count cCgG byte by byte, all compiled with -O2", "genome", [
        Contender("riffle::bytes", "{riffle-loops} gc-bytes {input}"),
        Contender("riffle::mapped_file", "{riffle-loops} gc-mapped-file {input}"),
        Contender("C++ loop over mmap", "{loops-O2} gc-mapped {input}")]),
    lines("lines67", "lines of 67 bytes: sum of their lengths"),
    lines("lines10", "lines of 10 bytes: sum of their lengths"),
    lines("lines4096", "lines of 4096 bytes: sum of their lengths"),
    Task("tsv", "TSV of 8 columns of 7 bytes: sum of the lengths of column 3", "tsv", [
        loop("riffle-loops", "tsv-rows"), loop("loops-O2", "tsv-memchr"), loop("loops-O2", "tsv-memchr-first"),
        loop("rust-loops", "tsv-csv-crate"), Contender("cut -f 3 | wc", "{cut} -f 3 {input} | {wc} -lc", "none")]),
    Task("csv", "the same as quoted CSV, unescaped", "csv", [
        loop("riffle-loops", "csv-rows"), loop("rust-loops", "csv-csv-crate")]),
    Task("column", "write column 3 of TSV", "tsv", [
        Contender(f"{name} | wc", f"{line} | {{wc}} -lc", (0, 1)) for name, line in (
            ("riffle cat --tsv --columns 3", "{riffle} cat --tsv --columns 3 {input}"), ("cut -f 3", "{cut} -f 3 {input}"))]),
    Task("words", "count words", "text", [
        riffle_wc("-w"), Contender("fastlwc (lines, words and bytes)", "{fastlwc} {input}", (1,)), *wc("-w", EVERYONE),
        *(Contender(f"{p} -w, UTF-8 locale", f"LC_ALL=C.UTF-8 {{{p}}} -w {{input}}") for p in ("wc", "wc-newer")),
        Contender("busybox wc -w", "{busybox} wc -w {input}")]),
    Task("word-views", "words as views: sum of their lengths", "text", [
        loop("riffle-loops", "words-range-for"), loop("riffle-loops", "words-for-each"),
        loop("loops-O2", "words-bytes"), loop("loops-O3", "words-bytes")]),
    Task("wordsx2", "count words, two threads", "text", [
        riffle_wc("-w --threads 2"), riffle_wc("-w --threads 1"),
        Contender("fastlwc-mt (lines, words and bytes)", "OMP_NUM_THREADS=2 {fastlwc-mt} {input}", (1,)),
        *wc("-w --threads=2", "cw"), Contender("fastwc -w", "RAYON_NUM_THREADS=2 {fastwc} -w {input}")]),
    Task("chars", "count UTF-8 characters of multibyte text", "utf8",
         [riffle_wc("-m", prefix="LC_ALL=C.UTF-8 "), *wc("-m", EVERYONE, "LC_ALL=C.UTF-8 ")]),
    *(Task(f"{name}{option}", f"wc {option} of {name} text in C.UTF-8", name, [
        riffle_wc(option, prefix="LC_ALL=C.UTF-8 "),
        *([Contender("simdutf: validate and count", "{simdutf-chars} {input}")] if option == "-m" else []),
        *wc(option, EVERYONE, "LC_ALL=C.UTF-8 ")])
      for name in ("russian", "chinese", "emoji") for option in ("-m", "-w", "-L")),
    Task("width", "the width of the widest line, wc -L", "text", [riffle_wc("-L"), *wc("-L", EVERYONE)]),
    Task("default", "lines, words and bytes", "text", [
        Contender(c.name, c.line, (0, 1, 2)) for c in
        [riffle_wc(""), Contender("fastlwc", "{fastlwc} {input}"), *wc("", EVERYONE),
         Contender("busybox wc", "{busybox} wc {input}")]]),
    Task("stations", "one-billion-row task: lowest, mean and highest of 413 stations", "stations", [
        Contender("example one_billion_rows", "{one_billion_rows} {input}", "all"),
        Contender("std::getline, unordered_map", "{loops-O2} stations {input}", "all"),
        *(Contender(f"brc-{author}", f"{{brc-{author}}} {{input}}", "all") for author in BRC)]),
    Task("sum-by", "count, lowest, highest and sum of 413 stations", "stations", [
        *threads("riffle sum --by 1 --column 2 --stats", "sum --separator ';' --by 1 --column 2 --stats", BY_STATION, "all"),
        Contender("example one_billion_rows, which parses tenths", "{one_billion_rows} {input}", "none", "limit"),
        Contender("mawk", MAWK_BY, "all"), *engines("by", "duckdb polars")]),
    chosen("where", "the lines of a log with status 404", "--whitespace --where 9=404", mawk="{mawk} '$9 == 404' {input}"),
    chosen("ten-texts", "the lines of a log with one of ten texts", " ".join(f"--containing '{text}'" for text in TEN), **{
        f"{grep} -F": f"{{{grep}}} -F {' '.join(f'-e {shlex.quote(text)}' for text in TEN)} {{input}}" for grep in ("grep", "rg")}),
    chosen("ignore-case", "the lines of a log with a text in either case", "-i --containing 'get /item/77 '", **{
        f"{grep} -F -i": f"{{{grep}}} -F -i 'get /item/77 ' {{input}}" for grep in ("grep", "rg")}),
    chosen("chosen-columns", "column 7 of the lines of a log with status 404", "--containing ' 404 ' --whitespace --columns 7",
           two_riffles_in_a_pipe="{riffle} cat --containing ' 404 ' {input} | {riffle} cat --whitespace --columns 7",
           mawk="{mawk} '/ 404 / {{ print $7 }}' {input}"),
    Task("frequent-words", "the ten most frequent words", "text", [
        Contender("example frequent_words", "{frequent_words} {input}", "all"),
        Contender("the words alone, without a map", "{riffle-loops} words-for-each {input}", "none", "limit"),
        Contender(">> and unordered_map", "{loops-O2} frequent-words {input}", "all")]),
    Task("freq", "how often each line occurs: the ten most frequent ones", "stations", [
        *threads("riffle freq", "freq --top 10", " | tail -n 1", (0,)),
        *(Contender(f"cuniq -c --threads {n}, sort", f"{{cuniq}} -c --threads {n} {{input}} | sort -rn | sed -n 10p") for n in (1, 2)),
        Contender("mawk, sort", "{mawk} '{{ ++n[$0] }} END {{ for (k in n) print n[k], k }}' {input} | sort -rn | sed -n 10p")]),
    Task("distinct", "the first of equal lines", "stations", [
        *threads("riffle cat --distinct", "cat --distinct", " | {wc} -lc"),
        Contender("mawk", "{mawk} '!seen[$0]++' {input} | {wc} -lc", (0, 1))]),
    port("vocabulary", "text", "std::getline and >>", "riffle::tokens", "words and sentences of a text"),
    port("fastq", "fastq", "gzread", "reader::read", "FASTQ by a parser with its own buffer"),
    port("fastq", "fastq.gz", "gzread", "reader::read", "the same of gzip"),
    port("vectors", "vectors", ">> of std::ifstream", "reader::number", "vectors of text"),
    Task("fastq", "FASTQ: reads, bases, GC, mean quality, N50", "fastq", [
        Contender("example fastq_stats", "{fastq_stats} {input}", (1,)),
        Contender("std::getline", "{loops-O2} fastq {input}", (1,)),
        Contender("seqtk fqchk (bases and qualities at each position)", "{seqtk} fqchk {input} | sed -n 3p")]),
    Task("contigs", "FASTA of about a million bases a sequence: length and bases of each", "contigs", [
        Contender("riffle count --fasta", "{riffle} count --fasta {input} | {cut} -f 1-7", "all"),
        Contender("seqtk comp", "{seqtk} comp {input} | {cut} -f 1-6,9", "all")]),
    Task("per-line", "how many lines have how many G", "genome", [
        Contender("riffle count --per-line", "{riffle} count --byte G --per-line {input}", "all"),
        Contender("mawk gsub", "{mawk} '{{ ++n[gsub(/G/, \"\")] }} END {{ for (k in n) print k \"\\t\" n[k] }}' {input} | sort -n", "all"),
        Contender("perl tr", "{perl} -ne '++$n[tr/G//]; END {{ for (0..$#n) {{ print \"$_\\t$n[$_]\\n\" if $n[$_] }} }}' {input}", "all")]),
    Task("sum-tsv", "sum of a column of TSV", "orders-tsv", [
        Contender("example column_sum tsv", "{column_sum} tsv {input} price", "all"),
        Contender("std::getline, find and stod", "{loops-O2} sum-tsv {input}", "all"),
        Contender("csv crate", "{rust-loops} sum-tsv {input}", "all"),
        Contender("mawk -F tab", "{mawk} -F '\\t' 'NR > 1 {{ sum += $4 }} END {{ printf \"%.2f\\n\", sum }}' {input}", "all")]),
    Task("columns", "two columns of CSV by name: lengths and sum", "orders-csv", [
        Contender("riffle::columns", "{riffle-loops} columns {input}", "all"),
        Contender("csv crate with serde", "{rust-loops} columns-serde {input}", "all")]),
    Task("rows12", "CSV of 12 columns, four in quotes: rows, and the lengths of field 3", "sales", [
        loop("riffle-loops", "csv-rows"), csv_loop("csveee-rows", CSVEEE, 1, (0, 1)),
        csv_loop("csveee-rows-dfa", CSVEEE_DFA, 1, (0, 1)), csv_loop("simd-csv-rows", "simd-csv, zero copy", 1, (0, 1)),
        loop("rust-loops", "csv-csv-crate"), loop("zsv-rows", ""), loop("csv-zero-rows", "")]),
    Task("rows12x2", "the same with two threads", "sales", [
        loop("riffle-loops", "csv-rows-two-threads"), loop("riffle-loops", "csv-rows"),
        csv_loop("csveee-rows", CSVEEE, 2, (0, 1)), csv_loop("csveee-rows-dfa", CSVEEE_DFA, 2, (0, 1))]),
    Task("count-rows", "count the rows of CSV of 12 columns", "sales", [
        *threads("riffle count --rows", "count --rows --header", answer=(0,)),
        csv_loop("csveee-count", CSVEEE), csv_loop("csveee-count", CSVEEE, 2), csv_loop("simd-csv-count", "simd-csv, splitter"),
        *(Contender(f"zsv count{o}", f"{{zsv}} count{o} {{input}}") for o in ("", " --parser fast", " --parallel")),
        Contender("qsv count", "{qsv} count {input}"), *engines("count")]),
    Task("sum-price", "sum of a column of CSV of 12 columns", "sales", [
        *(Contender(f"riffle sum --threads {n}", f"{{riffle}} sum --column price --threads {n} {{input}}", "all") for n in (2, 1)),
        csv_loop("csveee-sum", CSVEEE, 1, "all"), csv_loop("csveee-sum", CSVEEE, 2, "all"),
        Contender("csv crate", "{rust-loops} sum-csv {input}", "all"), *engines("sum"),
        *(Contender(f"Python that imports {name}", f"{{python}} -c 'import {name}'", "none", "limit") for name in ("duckdb", "polars", "pyarrow"))]),
    *(packed(f"{name}.{end}", f"{title}, {form}", "igzip -dc", peer, *GUNZIPS) for end, form, peer in (
        ("gz", "gzip, one member", "pigz -dc"), ("bgzf.gz", "BGZF", "bgzip -dc -@2")) for name, title in (("log", "a log"), ("fastq", "FASTQ"))),
    packed("log.zst", "a log, Zstandard, one frame", "zstd -dcq"),
    packed("log.8M.zst", "a log, Zstandard, frames of 8 MiB", "zstd -dcq"), packed("log.lz4", "a log, LZ4", "lz4 -dcq"),
    packed("log.xz", "a log, xz, blocks of 3 MiB", "xz -dc -T0"), packed("log.bz2", "a log, bzip2", "bzip2 -dc", "lbzip2 -dc -n2"),
    Task("pipe", "count newlines of a pipe: cat FILE | X wc -l", "text", [
        Contender("riffle wc -l", "cat {input} | {riffle} wc -l"), *wc("-l", EVERYONE, "cat {input} | ", "")]),
    *(Task(f"files{option}", f"20,000 files of 4 KiB, wc {option}", "files", [
        riffle_wc(f"{option} --threads 1", "{files}"), riffle_wc(f"{option} --threads 2", "{files}"),
        *wc(option, "wc wc-newer uutils-wc fastwc", suffix="{files}"),
        *wc(f"{option} --threads=1", "cw", suffix="{files}"), *wc(f"{option} --threads=2", "cw", suffix="{files}")])
      for option in ("-l", "-w")),
    Task("startup", "start-up: wc of a file of 1 KiB", "small", [
        Contender(c.name, c.line, (0, 1, 2)) for c in [riffle_wc(""), *wc("", EVERYONE)]] + [
            Contender("a static program that does nothing", "{nothing}", "none", "limit")]),
    copy("pipe", "a file to a pipe", "X {input} | {wc} -c"),
    copy("file", "a file to a file", "X {input} > {input}.copy; cat {input}.copy | {wc} -c; rm {input}.copy"),
    copy("number", "a file with numbers of lines to a pipe", "X {input} | {wc} -c", "-n"),
    choice("hot", "hot, filled by readahead", "text", ALL_METHODS),
    choice("written", "hot, just written", "text", ALL_METHODS, "written"),
    choice("cold", "cold: evicted before each run", "text", ALL_METHODS, "cold"),
    choice("tmpfs", "a file on tmpfs", "text", "read mmap uring stdio iostream", "tmpfs"),
    choice("cgroup", "twice as large as its memory cgroup", "text", ALL_METHODS, "cgroup"),
    choice("files", "20,000 files of 16 KiB", "files16", "read mmap stdio iostream", suffix="{files}"),
    choice("hot-x2", "hot, filled by readahead, two threads", "text", "read mmap uring", options="-l --threads 2"),
    choice("pipe", "a pipe from cat", "text", "read stdio iostream", prefix="cat {input} | ", suffix=""),
]
