"""Tests fastq and fasta against plain loops over lines: the records, the errors, and what is held of them."""

import gc
import gzip
import io
import random

import pytest
import riffle_io

READS = b"@a 1\nACGT\n+\n!!I~\n\n@b\r\n\r\n+b\r\n\r\n@c\nN\n+c\n#"
GENOME = b"\n>a 1\nAC\nGT\n\n>b\r\n>c\nN"
FUNCTIONS = {"fastq": riffle_io.fastq, "fasta": riffle_io.fasta}


def drawn_text(seed, name):
    drawn = random.Random(seed)
    end, text, records = drawn.choice([b"\n", b"\r\n"]), [], []
    for _ in range(drawn.randrange(300)):
        size = drawn.randrange(drawn.choice([3, 20, 200, 900]))
        title = bytes(drawn.choices(b"ab 1>@+", k=drawn.randrange(20)))
        bases = bytes(drawn.choices(b"ACGTN", k=size))
        qualities = bytes(drawn.choices(range(33, 127), k=size))
        if name == "fastq":
            text += [b"@", title, end, bases, end, b"+", drawn.choice([b"", title]), end, qualities, end]
            records.append((title, bases, qualities))
        else:
            text += [b">", title, end, *(bases[at : at + 60] + end for at in range(0, size, 60))]
            records.append((title, bases))
    return b"".join(text), records


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_records_are_those_that_were_written(name, seed, write):
    read = FUNCTIONS[name]
    text, records = drawn_text(seed, name)
    decoded = [tuple(part.decode() for part in record) for record in records]
    path = write(text)
    for size in (0, 1, 100, 4096):
        assert list(read(path, block_size=size, method="read")) == records
    assert list(read(text)) == list(read(io.BytesIO(text))) == list(read(gzip.compress(text))) == records
    assert list(read(path, encoding="utf-8")) == list(read(path, encoding="latin-1")) == decoded
    assert list(read([path, text[:0], text])) == records * 2
    assert list(read(text.decode().encode("utf-16"), encoding="utf-16")) == decoded
    kept = [record for record in read(path)]  # none changes while others are made
    assert kept == records
    for found, expected in zip(read(path, encoding="ascii"), decoded, strict=True):
        assert found == expected and [hash(part) for part in found] == [hash(part) for part in expected]


def test_what_stands_between_and_where_records_stand():
    reads = riffle_io.fastq(READS)
    assert reads.offset is None
    assert [(*record, reads.offset) for record in reads] == [
        (b"a 1", b"ACGT", b"!!I~", 0), (b"b", b"", b"", 18), (b"c", b"N", b"#", 30),
    ]  # fmt: skip
    sequences = riffle_io.fasta(GENOME, encoding="utf-8")
    assert [(*record, sequences.offset) for record in sequences] == [("a 1", "ACGT", 1), ("b", "", 13), ("c", "N", 17)]
    assert list(riffle_io.fasta(b"")) == list(riffle_io.fastq(b"\n\r\n")) == []
    assert list(riffle_io.fasta("\ufeff>a\nA".encode(), encoding="utf-8-sig")) == [("a", "A")]
    assert list(riffle_io.fasta(">é\nA".encode(), encoding="utf-8")) == [("é", "A")]


@pytest.mark.parametrize(
    ("text", "offset", "words"),
    [
        (b"a\nAC\n+\nII\n", 14, "record 2 does not start with '@'$"),
        (b">a\nAC\n", 14, "record 2 starts with '>', as FASTA does"),
        (b"@a\nAC\nGT\n", 20, "record 2 has no '\\+' after one line of bases"),
        (b"@a\nAC\n+b\nII\n", 20, "record 2 has another name after its '\\+'"),
        (b"@a\nAC\n+\nIII\n", 22, "record 2 has 3 qualities for 2 bases"),
        (b"@a\nAC\n+\nI \n", 23, "record 2 has a quality that is not from '!' to '~'"),
        (b"@a\nAC\n+\n", 14, "unexpected end of the input; record 2 is cut"),
    ],
)
def test_a_malformed_read_ends_the_file_after_the_records_before_it(text, offset, words, write):
    for encoding in (None, "utf-8"):
        reads = riffle_io.fastq(write(b"@r\nACG\n+r\n#II\n" + text), encoding=encoding)
        assert next(reads)[1] in (b"ACG", "ACG")
        for _ in range(2):
            with pytest.raises(riffle_io.RiffleError, match=words) as failed:
                next(reads)
            assert failed.value.offset == offset


def test_what_is_refused(write):
    with pytest.raises(riffle_io.RiffleError, match="record 1 starts with '@', as FASTQ does"):
        next(riffle_io.fasta(READS))
    with pytest.raises(riffle_io.RiffleError, match="max_length") as failed:
        list(riffle_io.fasta(b">a\nA\n>b\nACGT\n", max_length=5))
    assert failed.value.offset == 5
    with pytest.raises(ValueError, match="errors needs an encoding"):
        riffle_io.fastq(READS, errors="replace")
    with pytest.raises(riffle_io.RiffleError, match="read the file whole"):
        riffle_io.fastq(riffle_io.splits(write(READS))[0])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_records_that_cannot_be_decoded_leave_nothing_behind(name):
    read = FUNCTIONS[name]
    long = b"b" * 100_000
    text = b"@a\nA\n+\n!\n@\xff%b\nA\n+\n!\n" % long if name == "fastq" else b">a\nA\n>%b\n\xff" % long

    def fail():
        records = read(text, encoding="utf-8")
        assert next(records)[0] == "a"
        with pytest.raises(UnicodeDecodeError):
            next(records)
        assert list(records) == []

    fail()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(50):
        fail()
    gc.collect()
    assert len(gc.get_objects()) - before < 20
    replaced = list(read(text, encoding="utf-8", errors="replace"))
    assert "\ufffd" in replaced[1][0] + replaced[1][1]
