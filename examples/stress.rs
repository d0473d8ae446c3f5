//! Load: threads that share plans and specs, random plans without end, and an input of 4 GiB sliced
//! with a small result. Memory must stay where it was.
//!
//!     cargo run --release --example stress -- [SECONDS]
//!
//! Prints counts and the memory in use, and fails if that grows.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyslice::{Entry, SliceError, SpecBuf, s};

/// How much more memory may be in use at the end than at the start: buffers, stacks, a page table.
const SLACK: u64 = 96 << 20;

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Plans made.
    pub plans: u64,
    /// Elements moved by shared plans.
    pub moved: u64,
    /// Bytes of the large input, and of the result.
    pub large: (u64, u64),
    /// Bytes in use at the start and at the end, where the system says.
    pub memory: Option<(u64, u64)>,
}

/// Runs all three for about `time` each.
///
/// # Errors
///
/// None is expected: any error is a defect.
pub fn run(time: Duration) -> Result<Report, SliceError> {
    let before = in_use();
    let plans = random_plans(time)?;
    let moved = shared_plans(time)?;
    // 1 GiB where addresses have 32 bits.
    let large = large_input(1 << if usize::BITS > 32 { 32 } else { 30 })?;
    let memory = before.zip(in_use());
    Ok(Report { plans, moved, large, memory })
}

/// Whether memory stayed where it was.
pub fn is_constant(report: &Report) -> bool {
    report.memory.is_none_or(|(before, after)| after < before + SLACK)
}

/// A pseudo-random sequence (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bound(&mut self) -> Option<i64> {
        let v = self.next();
        (v & 3 != 0).then_some((v >> 8) as i64 % 50 - 25)
    }
}

/// Plans of every kind on two threads; the wrong ones are refused, which is as good.
fn random_plans(time: Duration) -> Result<u64, SliceError> {
    let (until, made) = (Instant::now() + time, AtomicU64::new(0));
    let work = |seed: u64| {
        let mut random = Random(seed);
        let mut shape = [0_usize; 12];
        while Instant::now() < until {
            for _ in 0..1000 {
                let rank = (random.next() % 12) as usize;
                shape[..rank].iter_mut().for_each(|n| *n = (random.next() % 30) as usize);
                let mut entries = [Entry::FULL; 12];
                for entry in &mut entries[..rank] {
                    *entry = match random.next() % 8 {
                        0 => Entry::Index((random.next() % 40) as i64 - 20),
                        1 => Entry::NewAxis,
                        2 => Entry::Ellipsis,
                        3 => Entry::FULL,
                        _ => Entry::Range {
                            start: random.bound(),
                            stop: random.bound(),
                            step: random.bound().unwrap_or(1),
                        },
                    };
                }
                let planned = SpecBuf::from_entries(&entries[..rank])
                    .and_then(|spec| spec.plan(&shape[..rank]));
                std::hint::black_box(&planned);
            }
            made.fetch_add(1000, Ordering::Relaxed);
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(|| work(1));
        threads.spawn(|| work(2));
    });
    Ok(made.into_inner())
}

/// One spec and one plan, used by four threads at once, each with its own result.
fn shared_plans(time: Duration) -> Result<u64, SliceError> {
    let spec = s![..., ::-2, 1:-1];
    let plan = spec.plan(&[8, 64, 96])?;
    let data: Vec<u32> = (0..plan.input_len() as u32).collect();
    let wanted = plan.copy(&data)?;
    let (until, moved) = (Instant::now() + time, AtomicU64::new(0));
    std::thread::scope(|threads| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                threads.spawn(|| -> Result<(), SliceError> {
                    let mut out = vec![0; plan.len()];
                    while Instant::now() < until {
                        plan.copy_into(&data, &mut out)?;
                        assert_eq!(out, wanted, "a shared plan gave something else");
                        assert_eq!(spec.plan(&[8, 64, 96])?, plan);
                        moved.fetch_add(out.len() as u64, Ordering::Relaxed);
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    Ok(moved.into_inner())
}

/// A large input that is nearly all untouched memory, and a small result from all over it.
fn large_input(bytes: usize) -> Result<(u64, u64), SliceError> {
    // Zeroed memory costs nothing until it is touched.
    let mut data = vec![0_u8; bytes];
    let step = bytes as i64 / 256;
    let plan = s![5::step].plan(&[bytes])?;
    plan.fill(&mut data, 7)?;
    let out = plan.copy(&data)?;
    assert!(out.len() == 256 && out.iter().all(|&v| v == 7), "256 places, all written");
    let reversed = s![::(-step)].plan(&[bytes])?.copy(&data)?;
    assert!(reversed.iter().all(|&v| v == 0), "other places, none written");
    Ok((bytes as u64, out.len() as u64))
}

/// Bytes of memory in use by this process, where the system says.
fn in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

#[allow(dead_code, reason = "the test of this example calls `run` itself")]
fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    match run(Duration::from_secs(seconds)) {
        Ok(report) => {
            println!(
                "{} random plans, {} elements moved by shared plans",
                report.plans, report.moved
            );
            println!("{} bytes sliced to {}", report.large.0, report.large.1);
            if let Some((before, after)) = report.memory {
                println!("memory in use: {} KiB, then {} KiB", before >> 10, after >> 10);
            }
            if is_constant(&report) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
