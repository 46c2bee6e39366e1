"""The race's inputs: made up, the same bytes on every machine, and cheap to make."""

import os
import random
import subprocess
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

BLOCK = 8 << 20  # this much is made up, then repeated: far more than a branch predictor remembers
FILES, FILE_SIZES = 20_000, {"files": 4096, "files16": 16384}
VERSION = 1  # to be raised when the bytes change


def words(rng: random.Random, size: int) -> bytearray:
    """Text of words of 1 to 12 letters, short ones more often, with a comma or a full stop here and there."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    vocabulary = ["".join(letters[int(26 * rng.random() ** 2)] for _ in range(1 + int(12 * rng.random() ** 1.5)))
                  for _ in range(4096)]
    text, length = [], 0
    while length < size:
        word = vocabulary[int(4096 * rng.random() ** 2)] + (" " if rng.random() < 0.88 else ", ")
        text.append(word)
        length += len(word)
    return bytearray("".join(text)[:size], "ascii")


def text(mean: int) -> bytearray:
    """Lines whose sizes, newline included, are spread evenly over mean/2 to 3/2 mean."""
    rng = random.Random(mean)
    block = words(rng, BLOCK)
    at = -1
    while (at := at + max(1, mean // 2 + int((mean + 1) * rng.random()))) < BLOCK:
        block[at] = 10
    block[-1] = 10
    return block


def genome() -> bytes:
    """Lines of 60 bases, half of them in lower case, as masked genomes have them."""
    bases = random.Random(60).randbytes(BLOCK).translate(bytes(b"ACGTacgt"[i & 7] for i in range(256)))
    return b"".join(bases[i:i + 60] + b"\n" for i in range(0, BLOCK // 61 * 60, 60))


def table() -> list:
    """Rows of eight fields of seven letters and digits: 64 bytes with their delimiters."""
    rng = random.Random(8)
    letters = bytes(b"abcdefghijklmnopqrstuvwxyz012345"[i & 31] for i in range(256))
    bytes_ = rng.randbytes(BLOCK).translate(letters).decode("ascii")
    return [[bytes_[at + 8 * i:at + 8 * i + 7] for i in range(8)] for at in range(0, BLOCK, 64)]


def tsv() -> bytes:
    return "".join("\t".join(row) + "\n" for row in table()).encode()


def csv() -> bytes:
    """The same with commas; three fields of a row have quotes, every sixteenth third field has doubled ones in it.

    A row is 64 bytes, so a size in KiB or MiB cuts none."""
    rows = table()
    for number, row in enumerate(rows):
        for i in (1, 2, 5):
            row[i] = f'"{row[i][:5]}"'
        if number % 16 == 0:
            row[2] = '"a,""b"'
    return "".join(",".join(row) + "\n" for row in rows).encode()


def utf8() -> bytes:
    """The text in a script of one, two, three and four bytes a character."""
    return text(67).decode("ascii").translate(str.maketrans("aeiouthr", "аéіöűт漢😀")).encode()


def numbered() -> bytes:
    """Lines of 95 bytes, each of its number and ten words, which the races of riffle_io read."""
    line = b"%08d abcdefg hijklmno pqrstuv wxyzabcd efghijk lmnopqrs tuvwxyz abcdefgh ijklmnopqrstuvwxx\n"
    return b"".join(line % number for number in range(BLOCK // len(line % 0)))


# Records of a format, and texts of several bytes a character.


def repeated(record, rng: random.Random, size: int) -> bytes:
    """At least `size` bytes of records, each made by `record(rng)`."""
    records, length = [], 0
    while length < size:
        records.append(record(rng).encode())
        length += len(records[-1])
    return b"".join(records)


def place(rng: random.Random, size: int) -> str:
    """A made-up name of a place: `size` letters, some of two bytes, in one or two words."""
    letters = [rng.choice("aeiouáéö" if i % 2 else "bcdfghjklmnprstvwz") for i in range(size)]
    if size > 9:
        letters[size // 2] = " "
    return "".join(letters).title()


def stations(size: int) -> bytes:
    """Rows of the one-billion-row task, `Station;12.3`: 413 stations, whose temperatures spread around their means."""
    rng = random.Random(413)
    means = {}
    while len(means) < 413:
        means[place(rng, int(3 + 3 * rng.random() + 4 * rng.random() + 13 * rng.random() ** 10))] = rng.uniform(-10, 30)
    climates = list(means.items())

    def row(rng: random.Random) -> str:
        station, mean = rng.choice(climates)
        tenths = int(10 * mean + 120 * (rng.random() + rng.random() + rng.random() - 1.5))
        return f"{station};{tenths / 10}\n"

    return repeated(row, rng, size)


def fastq(size: int) -> bytes:
    """Reads of 151 bases with their qualities, as sequencers write them; some are cut short."""

    def read(rng: random.Random) -> str:
        length = 151 if rng.random() < 0.9 else rng.randint(30, 150)
        bases, qualities = "".join(rng.choices("ACGT", k=length)), "".join(rng.choices("#,:FFFFF", k=length))
        return f"@M1:7:FC:1:{rng.randint(1101, 2119)}:{rng.randint(1000, 30000)} 1:N:0:1\n{bases}\n+\n{qualities}\n"

    return repeated(read, random.Random(151), size)


def fasta(bases: int, size: int) -> bytes:
    """Sequences of about so many bases, in lines of 60, a tenth in lower case."""

    def sequence(rng: random.Random) -> str:
        length = rng.randint(bases // 2, bases + bases // 2)
        letters = "".join(rng.choices("ACGTacgtN", [40] * 4 + [4] * 4 + [1], k=length))
        lines = "\n".join(letters[at:at + 60] for at in range(0, length, 60))
        return f">contig{rng.randint(1, 10 ** 6)} length={length}\n{lines}\n"

    return repeated(sequence, random.Random(bases), size)


def orders(separator: str, quote: str, size: int) -> bytes:
    """Rows of eight columns. Two are in quotes, if there are quotes; one of these holds a separator then."""

    def row(rng: random.Random) -> str:
        return separator.join([
            str(rng.randint(10 ** 6, 10 ** 7)), place(rng, 7),
            f"{quote}{place(rng, 8)}{separator if quote else ' '}{place(rng, 5)}{quote}", f"{rng.uniform(0, 1000):.2f}",
            f"20{rng.randint(10, 26)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            rng.choice(["new", "paid", "sent"]), f"{quote}{place(rng, 11)}{quote}", str(rng.randint(1, 99))]) + "\n"

    return repeated(row, random.Random(8), size)


def sales(size: int) -> bytes:
    """The rows of orders, and four columns more. Four of the twelve are in quotes; one note in sixteen has doubled quotes."""
    rng = random.Random(12)

    def more(row: str) -> str:
        note = f'{place(rng, 6)} ""{place(rng, 4)}""' if rng.random() < 1 / 16 else place(rng, 12)
        return f'{row},"{place(rng, 5)}, {place(rng, 7)}",{rng.randint(0, 1)},"{note}",{place(rng, 4)}\n'

    return "".join(map(more, orders(",", '"', size * 2 // 3).decode().splitlines())).encode()


def trades(size: int) -> bytes:
    """Rows of a time with microseconds, a name, and two numbers of two and of eight decimals."""

    def row(rng: random.Random) -> str:
        day, seconds = f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}", rng.randint(0, 86399)
        time = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rng.randint(0, 999999):06}"
        return f"{day}T{time},{place(rng, 4)},{rng.uniform(0, 10000):.2f},{rng.uniform(0, 100):.8f}\n"

    return repeated(row, random.Random(80), size)


def vectors(size: int) -> bytes:
    """Rows of 100 numbers of five digits, as vectors of words are published."""

    def row(rng: random.Random) -> str:
        return " ".join(f"{rng.gauss(0, 0.4):.5g}" for _ in range(100)) + "\n"

    return repeated(row, random.Random(100), size)


def log(size: int) -> bytes:
    """Lines of a web server's log."""

    def request(rng: random.Random) -> str:
        hour, minute, second = rng.randint(0, 23), rng.randint(0, 59), rng.randint(0, 59)
        return (f"10.{rng.randint(0, 3)}.{rng.randint(0, 255)}.{rng.randint(1, 254)} - - [26/Nov/2026:{hour:02}:{minute:02}:"
                f"{second:02} +0000] \"GET /item/{int(2000 * rng.random() ** 3)} HTTP/1.1\" {rng.choice([200, 200, 304, 404])} "
                f"{rng.randint(100, 99999)}\n")

    return repeated(request, random.Random(80), size)


def russian(english: str) -> str:
    """The English words, letter for letter: two bytes each."""
    return english.translate(str.maketrans("etaoinshrdlucmfwypvbgkjqxz", "оеаинтсрвлкмдпуяыьгзбчйхжш"))


def chinese(characters: int) -> str:
    """Sentences of 4 to 15 of 3000 characters, without spaces: three bytes each. Lines have a few sentences."""
    rng = random.Random(3)
    known = [chr(0x4E00 + each) for each in rng.sample(range(0x51A6), 3000)]
    parts, length = [], 0
    while length < characters:
        parts.append("".join(known[int(3000 * rng.random() ** 2)] for _ in range(rng.randrange(4, 16))))
        parts[-1] += rng.choices("，。、\n", [50, 25, 5, 20])[0]
        length += len(parts[-1])
    return "".join(parts) + "\n"


def emoji(characters: int) -> str:
    """Groups of 1 to 8 emoji, four bytes each, with spaces between; some have a colour, or are joined to another."""
    rng = random.Random(4)
    known = [chr(each) for each in (*range(0x1F300, 0x1F321), *range(0x1F400, 0x1F43F), *range(0x1F600, 0x1F650),
                                    *range(0x1F90C, 0x1F93A))]
    parts, length = [], 0
    while length < characters:
        parts += rng.choices(known, k=rng.randrange(1, 9))
        if rng.random() < 0.1:
            parts.append(rng.choice(["\U0001F3FD", "\u200d" + rng.choice(known), "\ufe0f"]))
        parts.append(rng.choices(" \n", [90, 10])[0])
        length += 6
    return "".join(parts) + "\n"


# name: what makes so many bytes of it, and the first line of the input, which is not repeated
COLUMNS = "id city address price date state customer count".split()
RECORDS = {
    "stations": (stations, ""),
    "fastq": (fastq, ""),
    "contigs": (partial(fasta, 10 ** 6), ""),
    "reads": (partial(fasta, 150), ""),
    "orders-tsv": (partial(orders, "\t", ""), "\t".join(COLUMNS) + "\n"),
    "orders-csv": (partial(orders, ",", '"'), ",".join(COLUMNS) + "\n"),
    "sales": (sales, ",".join([*COLUMNS, "depot", "gift", "note", "clerk"]) + "\n"),
    "trades": (trades, "time,name,price,amount\n"),
    "vectors": (vectors, "100\n"),
    "log": (log, ""),
}
# The end of the name of a compressed input: the command that makes it, and the bytes of text that each call gets (-1: all).
PACKERS = {"gz": ("gzip -6 -c", -1), "bgzf.gz": ("bgzip -c", -1), "zst": ("zstd -q -3 -c", -1),
           "8M.zst": ("zstd -q -3 -c", 8 << 20), "lz4": ("lz4 -q -c", -1), "xz": ("xz --block-size=3MiB -T0 -c", -1),
           "bz2": ("bzip2 -c", -1)}
MAKERS = {"text": lambda: text(67), "lines95": numbered, "lines67": lambda: text(67), "lines10": lambda: text(10),
          "lines4096": lambda: text(4096), "genome": genome, "utf8": utf8, "tsv": tsv, "csv": csv,
          "russian": lambda: russian(text(67).decode("ascii")).encode(),
          "chinese": lambda: chinese(BLOCK // 3).encode(),
          "emoji": lambda: emoji(BLOCK // 4).encode()}


def write(path: Path, name: str, size: int) -> None:
    """Writes a block over and over, up to about `size` bytes of whole records or up to `size` bytes of text."""
    make_records, header = RECORDS.get(name, (None, ""))
    block = make_records(min(BLOCK, size)) if make_records else MAKERS[name]()
    partial = path.with_suffix(".partial")
    with open(partial, "wb") as out:
        out.write(header.encode())
        out.writelines(block for _ in range(max(1, size // len(block)) if make_records else (size - 1) // len(block)))
        if not make_records:
            out.write(block[:(size - 1) % len(block)].decode("utf-8", "ignore").encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())  # or the OS kernel would write while others are timed
    os.replace(partial, path)


def make(name: str, directory: Path, size: int, state: str) -> list:
    """The paths of the input `name` in that state, made if they are not there."""
    directory = {"tmpfs": Path("/dev/shm/riffle-inputs"), "written": directory / "written"}.get(state, directory)
    name, _, packer = name.partition(".")
    if packer:
        [plain] = make(name, directory, size, state)
        packed = plain.with_name(f"{plain.name}.{packer}")
        if not packed.exists():
            pack(plain, packed, *PACKERS[packer])
        return [packed]
    directory.mkdir(parents=True, exist_ok=True)
    if name == "small":
        path, size, name = directory / f"small-{VERSION}", 1024, "text"
    elif name in FILE_SIZES:
        folder, size = directory / f"{name}-{VERSION}", FILE_SIZES[name]
        paths = [folder / f"{i:05}" for i in range(FILES)]
        if not paths[-1].exists():
            folder.mkdir(exist_ok=True)
            block = text(67)
            for i, path in enumerate(paths):
                at = i * size % (BLOCK - size)
                path.write_bytes(block[at:at + size])
        return paths
    else:
        name = "lines67" if name == "text" else name  # the same bytes
        path = directory / f"{name}-{size}-{VERSION}"
    if not path.exists() or state == "written":
        write(path, name, size)
    return [path]


def unpacked(path: Path) -> Path:
    """The text that an input holds: itself unless it is compressed."""
    return path.with_name(path.name.partition(".")[0])


def pack(plain: Path, packed: Path, command: str, piece: int) -> None:
    partial = packed.with_suffix(".partial")
    with open(plain, "rb") as text, open(partial, "wb") as out:
        while some := text.read(piece):
            subprocess.run(command.split(), input=some, stdout=out, check=True)
    os.replace(partial, packed)


@contextmanager
def cgroup(controller: str, old: tuple, new: tuple):
    """Gives what starts a command in a cgroup that one of its files limits: the file and its text, `old` in version 1 with
    that controller, `new` in version 2. Needs root."""
    version1 = Path("/sys/fs/cgroup") / controller
    root, (file, text) = (version1, old) if version1.exists() else (version1.parent, new)
    folder = Path(tempfile.mkdtemp(prefix="riffle-", dir=root))
    try:
        (folder / file).write_text(text, encoding="ascii")
        yield lambda words: ["sh", "-c", 'echo $$ > "$0"; exec "$@"', str(folder / "cgroup.procs"), *words]
    finally:
        folder.rmdir()


def memory_cgroup(size: int):
    return cgroup("memory", ("memory.limit_in_bytes", str(size)), ("memory.max", str(size)))


def reading_cgroup(path: Path, requests: int):
    """Limits the reads a second from the device of the file `path`."""
    device = os.stat(path).st_dev
    place = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    disk = place.parent if (place / "partition").exists() else place
    number = (disk / "dev").read_text(encoding="ascii").strip()
    return cgroup("blkio", ("blkio.throttle.read_iops_device", f"{number} {requests}"), ("io.max", f"{number} riops={requests}"))
