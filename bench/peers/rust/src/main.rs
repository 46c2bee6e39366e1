/// The loops of the Rust peers, each printing its answer. All of their SIMD is chosen at run time.
use bstr::io::BufReadExt;
use memmap2::Mmap;
use std::fs::File;
use std::io::{BufReader, Error, Result};

const BUFFER_SIZE: usize = 1 << 20;

/// What every loop over lines answers: how many, and the sum of their lengths without the newline.
#[derive(Default)]
struct Lines {
    count: u64,
    length: u64,
}

impl Lines {
    fn add(&mut self, line: &[u8]) {
        self.count += 1;
        self.length += line.len() as u64;
    }
}

fn map(path: &str) -> Result<Mmap> {
    // SAFETY: the race's inputs do not change while it runs.
    unsafe { Mmap::map(&File::open(path)?) }
}

fn lines_memchr(path: &str) -> Result<Lines> {
    let file = map(path)?;
    let mut lines = Lines::default();
    let mut start = 0;
    for newline in memchr::memchr_iter(b'\n', &file) {
        lines.add(&file[start..newline]);
        start = newline + 1;
    }
    if start < file.len() {
        lines.add(&file[start..]);
    }
    Ok(lines)
}

fn lines_bstr(path: &str) -> Result<Lines> {
    let mut lines = Lines::default();
    BufReader::with_capacity(BUFFER_SIZE, File::open(path)?).for_byte_line(|line| {
        lines.add(line);
        Ok(true)
    })?;
    Ok(lines)
}

fn lines_ripline(path: &str) -> Result<Lines> {
    use ripline::{
        line_buffer::{LineBufferBuilder, LineBufferReader},
        lines::LineIter,
        LineTerminator,
    };
    let newline = LineTerminator::byte(b'\n');
    let mut buffer = LineBufferBuilder::new().capacity(BUFFER_SIZE).build();
    let mut reader = LineBufferReader::new(File::open(path)?, &mut buffer);
    let mut lines = Lines::default();
    while reader.fill()? {
        for line in LineIter::new(newline.as_byte(), reader.buffer()) {
            // ripline keeps the newline.
            lines.add(line.strip_suffix(b"\n").unwrap_or(line));
        }
        reader.consume(reader.buffer().len());
    }
    Ok(lines)
}

fn csv_reader(path: &str, delimiter: u8, quoting: bool, headers: bool) -> Result<csv::Reader<File>> {
    Ok(csv::ReaderBuilder::new()
        .has_headers(headers)
        .flexible(!headers)
        .delimiter(delimiter)
        .quoting(quoting)
        .buffer_capacity(BUFFER_SIZE)
        .from_path(path)?)
}

/// The third field of each row, as the crate unescapes it.
fn column(path: &str, delimiter: u8, quoting: bool) -> Result<Lines> {
    let mut reader = csv_reader(path, delimiter, quoting, false)?;
    let mut record = csv::ByteRecord::new();
    let mut fields = Lines::default();
    while reader.read_byte_record(&mut record)? {
        fields.add(record.get(2).unwrap_or_default());
    }
    Ok(fields)
}

/// Four passes, as bytecount counts one byte at a time; over pieces, such as stay in the second-level cache.
fn gc_bytecount(path: &str, size: usize) -> Result<usize> {
    let count = |piece: &[u8]| b"cCgG".iter().map(|&letter| bytecount::count(piece, letter)).sum::<usize>();
    Ok(map(path)?.chunks(size).map(count).sum())
}

/// The sum of the column `price`, which the first row names.
fn sum(path: &str, delimiter: u8, quoting: bool) -> Result<f64> {
    let mut reader = csv_reader(path, delimiter, quoting, true)?;
    let column = reader.byte_headers()?.iter().position(|name| name == b"price");
    let column = column.ok_or(Error::other("no column 'price'"))?;
    let mut record = csv::ByteRecord::new();
    let mut sum = 0.0;
    while reader.read_byte_record(&mut record)? {
        let field = std::str::from_utf8(&record[column]).map_err(Error::other)?;
        sum += field.parse::<f64>().map_err(Error::other)?;
    }
    Ok(sum)
}

#[derive(serde::Deserialize)]
struct Order<'a> {
    city: &'a str,
    price: f64,
}

/// The lengths of the column `city`, and the sum of `price`, by their names.
fn columns_serde(path: &str) -> Result<(usize, f64)> {
    let mut reader = csv_reader(path, b',', true, true)?;
    let names = reader.headers()?.clone();
    let mut record = csv::StringRecord::new();
    let (mut length, mut sum) = (0, 0.0);
    while reader.read_record(&mut record)? {
        let order: Order = record.deserialize(Some(&names))?;
        length += order.city.len();
        sum += order.price;
    }
    Ok((length, sum))
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, task, path] = arguments.as_slice() else {
        return Err(Error::other("usage: rust-loops TASK FILE"));
    };
    let print = |lines: Lines| println!("{} {}", lines.count, lines.length);
    match task.as_str() {
        "lines-memchr" => print(lines_memchr(path)?),
        "lines-bstr" => print(lines_bstr(path)?),
        "lines-ripline" => print(lines_ripline(path)?),
        "tsv-csv-crate" => print(column(path, b'\t', false)?),
        "csv-csv-crate" => print(column(path, b',', true)?),
        "newlines-bytecount" => println!("{}", bytecount::count(&map(path)?, b'\n')),
        "gc-bytecount" => println!("{}", gc_bytecount(path, usize::MAX)?),
        "gc-bytecount-pieces" => println!("{}", gc_bytecount(path, 256 << 10)?),
        "sum-tsv" => println!("{:.2}", sum(path, b'\t', false)?),
        "sum-csv" => println!("{:.2}", sum(path, b',', true)?),
        "columns-serde" => {
            let (length, sum) = columns_serde(path)?;
            println!("{length} {sum:.2}");
        }
        _ => return Err(Error::other("no such task")),
    }
    Ok(())
}
