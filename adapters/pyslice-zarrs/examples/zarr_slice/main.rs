//! Python slices of a Zarr v3 array on disk, and what each takes to read.
//!
//! ```text
//! cargo run --release --example zarr_slice -- [OPTION ...] [SLICE ...]
//! ```
//!
//! See the crate's README for what comes out, and `--help` for the options.

mod memory;
mod sample;

use pyslice::{SpecBuf, s};
use pyslice_zarrs::{FileStore, PyArray};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;

/// Whatever went wrong, as text for people.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// A directory whose reads are counted.
type Store = PerformanceMetricsStorageAdapter<FileStore>;

const USAGE: &str = "usage: zarr_slice [--shape 24,1500,1999] [--chunk 8,128,256] [--shards] \
                     [--large] [--gaps BYTES] [--dir PATH] [SLICE ...]

  --shape, --chunk   the sample array of u32 (default: 274 MiB in chunks of 1 MiB) and its chunks
  --shards           the chunks are shards of smaller chunks, 8 along each axis
  --large            a sample of 2 GiB
  --gaps BYTES       gaps of so many bytes are read through (default: 4096)
  --dir PATH         where the array is, or is made; kept afterwards (default: a temporary \
                     directory, removed)
  SLICE              Python slices, such as '::-1, 5, ::100' (default: a few of many kinds)";

/// What the command line asks for.
struct Options {
    shape: Vec<usize>,
    chunk: Vec<usize>,
    shards: bool,
    gaps: Option<u64>,
    dir: Option<PathBuf>,
    slices: Vec<SpecBuf>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, Error> {
        let mut options = Options {
            shape: vec![24, 1500, 1999],
            chunk: vec![8, 128, 256],
            shards: false,
            gaps: None,
            dir: None,
            slices: Vec::new(),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{USAGE}"));
            match arg.as_str() {
                "--shape" => options.shape = numbers(&value()?)?,
                "--chunk" => options.chunk = numbers(&value()?)?,
                "--dir" => options.dir = Some(value()?.into()),
                "--shards" => options.shards = true,
                "--gaps" => options.gaps = Some(value()?.parse()?),
                "--large" => options.shape = vec![180, 1500, 1999],
                "--help" | "-h" => return Err(USAGE.into()),
                _ => options.slices.push(arg.parse().map_err(|e| format!("`{arg}`: {e}"))?),
            }
        }
        if options.shape.len() != options.chunk.len() {
            return Err(
                format!("--shape and --chunk give one length for each axis\n{USAGE}").into()
            );
        }
        if options.slices.is_empty() && matches!(options.shape[..], [_, 1500, 1999]) {
            // As they would stand inline in a program.
            options.slices = vec![
                s![3, ..., 700].to_buf(),
                s![::-1, 5, ::100].to_buf(),
                s![..., -1::-500, ::-400].to_buf(),
                s![11, 300:100:-1, 4:-4:2].to_buf(),
                s![::7, None, ::97, 1990:].to_buf(),
                s![-1].to_buf(),
            ];
        } else if options.slices.is_empty() {
            options.slices = vec![s![..., 0].to_buf(), s![-1].to_buf(), s![::-2].to_buf()];
        }
        Ok(options)
    }
}

/// `1,2,3` as numbers.
fn numbers(text: &str) -> Result<Vec<usize>, Error> {
    text.split(',').map(|n| n.trim().parse().map_err(|e| format!("`{text}`: {e}").into())).collect()
}

fn run(options: &Options) -> Result<(), Error> {
    let temporary = std::env::temp_dir().join(format!("zarr_slice-{}", std::process::id()));
    let dir = options.dir.as_ref().unwrap_or(&temporary);
    let done = answer_all(options, dir);
    if options.dir.is_none() && temporary.exists() {
        std::fs::remove_dir_all(&temporary)?;
    }
    done
}

fn answer_all(options: &Options, dir: &std::path::Path) -> Result<(), Error> {
    std::fs::create_dir_all(dir)?;
    let store = Arc::new(Store::new(Arc::new(FileStore::new(dir)?)));
    let array = sample::open_or_create(&store, &options.shape, &options.chunk, options.shards)?;
    let bytes: u64 = array.shape().iter().product::<u64>() * size_of::<u32>() as u64;
    println!(
        "array {:?} of u32, {}, in {} of {:?}",
        array.shape(),
        memory::size(bytes),
        if options.shards { "shards" } else { "chunks" },
        options.chunk,
    );
    println!(
        "{:>23}  {:<16} {:>9} {:>12} {:>8} {:>9} {:>6}",
        "slice", "shape", "in memory", "chunks read", "requests", "read", "time"
    );
    for spec in &options.slices {
        store.reset();
        let start = Instant::now();
        let slice = array.pyslice(spec).map_err(|e| format!("`{spec}`: {e}"))?;
        let slice = options.gaps.iter().fold(slice, |slice, &gaps| slice.with_gaps(gaps));
        let answer = slice.read::<u32>()?;
        let time = start.elapsed();
        sample::check(slice.plan(), answer.values())?;
        println!(
            "{:>23}  {:<16} {:>9} {:>4} of {:<4} {:>8} {:>9} {:>3} ms",
            spec.to_string(),
            format!("{:?}", answer.shape()),
            memory::size(4 * answer.values().len() as u64),
            slice.chunks()?.len(),
            slice.chunks()?.total(),
            store.reads(),
            memory::size(store.bytes_read() as u64),
            time.as_millis(),
        );
    }
    println!("every value checked");
    if let Some(peak) = memory::peak() {
        println!(
            "peak memory of this process, the making of the sample included: {}",
            memory::size(peak)
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
