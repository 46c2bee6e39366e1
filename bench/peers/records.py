"""The race's inputs that are records of a format, or of several bytes a character: made up, the same bytes everywhere."""

import random
from functools import partial


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
    "vectors": (vectors, "100\n"),
    "log": (log, ""),
}
