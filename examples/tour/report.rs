//! The slice, its encoding, its plan and its time, for a person to read.

use super::array::{Array, zeros};
use super::common::{Failure, Tuple};
use pyslice::{Plan, SpecRef};
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Prints what a slice is, what it becomes on this array, and how long that takes.
pub fn slice(
    out: &mut dyn Write,
    spec: SpecRef<'_>,
    input: &Array,
    plan: &Plan,
) -> Result<(), Failure> {
    let (planning, copying) = time(spec, input, plan)?;
    print(out, spec, plan, planning, copying, input.dtype.size)
        .map_err(|e| Failure(format!("cannot print: {e}")))
}

fn print(
    out: &mut dyn Write,
    spec: SpecRef<'_>,
    plan: &Plan,
    planning: Duration,
    copying: Duration,
    size: usize,
) -> io::Result<()> {
    let m = spec.masks();
    writeln!(
        out,
        "    slice     s![{}]",
        if spec.is_empty() { String::new() } else { spec.to_string() }
    )?;
    writeln!(out, "    begin     {:?}", spec.begin())?;
    writeln!(out, "    end       {:?}", spec.end())?;
    writeln!(out, "    strides   {:?}", spec.strides())?;
    writeln!(
        out,
        "    masks     begin {}, end {}, ellipsis {}, new_axis {}, shrink_axis {}",
        m.begin, m.end, m.ellipsis, m.new_axis, m.shrink_axis
    )?;
    let (shape, strides) = (Tuple(plan.shape()), Tuple(plan.strides()));
    writeln!(out, "    plan      shape {shape}, strides {strides}, offset {}", plan.offset())?;
    let rate = plan.len() as f64 * size as f64 / copying.as_secs_f64().max(1e-9) / 1e9;
    writeln!(out, "    time      plan {planning:.1?}, copy {copying:.1?} ({rate:.1} GB/s)")
}

/// How long planning takes, and copying into memory that is already there: the best of a few.
fn time(spec: SpecRef<'_>, input: &Array, plan: &Plan) -> Result<(Duration, Duration), Failure> {
    const PLANS: u32 = 256;
    let mut planning = Duration::MAX;
    for _ in 0..8 {
        let start = Instant::now();
        for _ in 0..PLANS {
            let _ = black_box(black_box(spec).plan(black_box(&input.shape)));
        }
        planning = planning.min(start.elapsed() / PLANS);
    }
    let mut to = zeros(plan.len(), input.dtype.size)?;
    let (begin, mut copying) = (Instant::now(), Duration::MAX);
    for _ in 0..16 {
        let start = Instant::now();
        let view = plan.bytes(input.dtype.size).on(black_box(&input.bytes));
        let done = view.and_then(|view| view.copy_into(black_box(&mut to[..])));
        copying = copying.min(start.elapsed());
        done.map_err(|e| Failure::new(e.to_string()))?;
        if begin.elapsed() > Duration::from_millis(50) {
            break;
        }
    }
    Ok((planning, copying))
}
