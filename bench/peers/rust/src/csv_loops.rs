/// The loops of csveee and simd-csv over CSV of twelve columns, each printing its answer. SIMD is chosen at run time.
use csveee::ParserBackend::{self, Dfa, Simd};
use csveee::{Arity, Bytes, Parser, ParserBuilder, QuoteHandling};
use std::error::Error;
use std::fs::File;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const COLUMNS: usize = 12;
const ADDRESS: usize = 2;
const PRICE: usize = 3;
const BUFFER_SIZE: usize = 1 << 20;

/// How many rows, and the lengths of one field of each.
type Rows = (u64, u64);

/// csveee's SIMD parser knows one rule for quotes only, under which each toggles; the DFA refuses stray ones here.
fn parser(backend: ParserBackend, headers: bool, threads: usize) -> Parser<Arity, Bytes> {
    let quotes = match backend {
        Simd => QuoteHandling::Toggle,
        _ => QuoteHandling::Strict,
    };
    ParserBuilder::new()
        .bytes()
        .has_headers(headers)
        .concurrency(threads)
        .quote_handling(quotes)
        .parser_backend(backend)
        .build()
}

fn csveee_rows(path: &str, backend: ParserBackend, headers: bool, threads: usize) -> Outcome<Rows> {
    Ok(parser(backend, headers, threads).parse(
        path,
        Rows::default,
        |(count, length), fields: [&mut [u8]; COLUMNS]| {
            *count += 1;
            *length += fields[ADDRESS].len() as u64;
            Ok(())
        },
        |parts| parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1)),
    )?)
}

fn csveee_sum(path: &str, threads: usize) -> Outcome<f64> {
    Ok(parser(Simd, true, threads).parse(
        path,
        f64::default,
        |sum, fields: [&mut [u8]; COLUMNS]| {
            *sum += std::str::from_utf8(fields[PRICE])?.parse::<f64>()?;
            Ok(())
        },
        |parts| parts.iter().sum::<f64>(),
    )?)
}

fn simd_csv_rows(path: &str) -> Outcome<Rows> {
    let mut reader =
        simd_csv::ZeroCopyReaderBuilder::with_capacity(BUFFER_SIZE).has_headers(false).from_reader(File::open(path)?);
    let (mut count, mut length) = Rows::default();
    while let Some(record) = reader.read_byte_record()? {
        count += 1;
        length += record.unescape(ADDRESS).map_or(0, |field| field.len()) as u64;
    }
    Ok((count, length))
}

fn simd_csv_count(path: &str) -> Outcome<u64> {
    let mut splitter =
        simd_csv::SplitterBuilder::with_capacity(BUFFER_SIZE).has_headers(true).from_reader(File::open(path)?);
    Ok(splitter.count_records()?)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, task, threads, path] = arguments.as_slice() else {
        return Err("usage: csv-loops TASK THREADS FILE".into());
    };
    let threads: usize = threads.parse()?;
    let print = |(count, length): Rows| println!("{count} {length}");
    match task.as_str() {
        "csveee-rows" => print(csveee_rows(path, Simd, false, threads)?),
        "csveee-rows-dfa" => print(csveee_rows(path, Dfa, false, threads)?),
        "csveee-count" => println!("{}", csveee_rows(path, Simd, true, threads)?.0),
        "csveee-sum" => println!("{:.2}", csveee_sum(path, threads)?),
        "simd-csv-rows" => print(simd_csv_rows(path)?),
        "simd-csv-count" => println!("{}", simd_csv_count(path)?),
        _ => return Err("no such task".into()),
    }
    Ok(())
}
