//! A slice entry by entry: what it takes, where a bound was clamped, what it gives.

use pyslice::{Entry, SliceError, SpecBuf, axis_run};

/// Whether an entry takes an axis.
pub fn takes(entry: &Entry) -> bool {
    matches!(entry, Entry::Index(_) | Entry::Range { .. })
}

/// Where the entries of a text stand that has been read as a slice: byte ranges without the space
/// around them.
pub fn spans(text: &str) -> Vec<(usize, usize)> {
    let inner = text.trim();
    let bracketed = inner.starts_with('[') && inner.ends_with(']');
    let mut from = text.len() - text.trim_start().len() + usize::from(bracketed);
    let inner = if bracketed { &inner[1..inner.len() - 1] } else { inner };
    let mut spans = Vec::new();
    // A slice that has been read holds no comma inside an entry.
    for part in inner.split(',') {
        let start = from + part.len() - part.trim_start().len();
        spans.push((start, start + part.trim().len()));
        from += part.len() + 1;
    }
    spans
}

/// The entry that takes an axis of the input.
pub fn taking(spec: &SpecBuf, rank: usize, axis: usize) -> Option<usize> {
    let mut at = 0;
    for (i, entry) in spec.entries().enumerate() {
        let taken = match entry {
            Entry::NewAxis => 0,
            Entry::Ellipsis => rank.saturating_sub(spec.takes()),
            _ => 1,
        };
        if (at..at + taken).contains(&axis) {
            return Some(i);
        }
        at += taken;
    }
    None
}

/// The entry that takes an axis of the input, if one is written.
fn entry_on(spec: &SpecBuf, rank: usize, axis: usize) -> Option<Entry> {
    spec.entries().nth(taking(spec, rank, axis)?)
}

/// Whether a position on the last axis is counted from its end.
pub fn counts_from_end(spec: &SpecBuf, rank: usize) -> bool {
    let negative = |bound: Option<i64>| bound.is_some_and(|v| v < 0);
    match rank.checked_sub(1).and_then(|last| entry_on(spec, rank, last)) {
        Some(Entry::Index(index)) => index < 0,
        Some(Entry::Range { start, stop, .. }) => negative(start) || negative(stop),
        _ => false,
    }
}

/// Which bounds are clamped, in words.
pub fn clamped(spec: &SpecBuf, shape: &[usize]) -> Result<Vec<String>, SliceError> {
    let mut all = Vec::new();
    for (axis, &len) in shape.iter().enumerate() {
        if let Some(Entry::Range { start, stop, step }) = entry_on(spec, shape.len(), axis) {
            all.extend(on_axis(len, start, stop, step)?.1);
        }
    }
    Ok(all)
}

/// A row of the table.
type Row = [String; 6];

/// The entries as a table, and the axes that a slice without `...` leaves whole.
pub fn table(spec: &SpecBuf, shape: &[usize]) -> Result<String, SliceError> {
    let head = ["entry", "text", "axis of x", "there it is", "takes", "gives"].map(String::from);
    let (mut rows, mut axis, mut out): (Vec<Row>, _, _) = (vec![head], 0, 0);
    let spare = shape.len().saturating_sub(spec.takes());
    let mut written = spec.entries().collect::<Vec<_>>();
    let implied = spec.masks().ellipsis == 0 && spare > 0;
    if implied {
        written.push(Entry::Ellipsis);
    }
    for (i, entry) in written.iter().enumerate() {
        let number =
            if implied && i + 1 == written.len() { "implied".into() } else { i.to_string() };
        let len = shape.get(axis).copied().unwrap_or(0);
        let (of, there, taken, gives) = match *entry {
            Entry::NewAxis => {
                out += 1;
                (
                    "none".into(),
                    String::new(),
                    "nothing".into(),
                    format!("new axis {}, 1 long", out - 1),
                )
            }
            Entry::Ellipsis => {
                let (from, to) = (axis, out);
                (axis, out) = (axis + spare, out + spare);
                let takes = if spare == 0 { "nothing" } else { "everything" };
                (
                    list(from, axis),
                    String::new(),
                    takes.into(),
                    if spare == 0 { "nothing".into() } else { list(to, out) },
                )
            }
            Entry::Index(index) => {
                axis += 1;
                let at = if index < 0 { index.saturating_add(len as i64) } else { index };
                let there = if index < 0 { at.to_string() } else { String::new() };
                (
                    format!("{}, {len} long", axis - 1),
                    there,
                    at.to_string(),
                    "nothing: it is dropped".into(),
                )
            }
            Entry::Range { start, stop, step } => {
                (axis, out) = (axis + 1, out + 1);
                let run = axis_run(len, start, stop, step)?;
                let positions = positions(run.start, run.step, run.len);
                let (mut there, notes) = on_axis(len, start, stop, step)?;
                if !notes.is_empty() {
                    there += &format!(" ({})", notes.join(", "));
                }
                (
                    format!("{}, {len} long", axis - 1),
                    there,
                    positions,
                    format!("axis {}, {} long", out - 1, run.len),
                )
            }
        };
        rows.push([number, entry.to_string(), of, there, taken, gives]);
    }
    Ok(align(&rows))
}

/// `axis 2`, `axes 2 to 4` or `none`.
fn list(from: usize, to: usize) -> String {
    match to - from {
        0 => "none".into(),
        1 => format!("axis {from}"),
        _ => format!("axes {from} to {}", to - 1),
    }
}

/// The positions of a run, the middle of a long one left out.
fn positions(start: i64, step: i64, len: usize) -> String {
    let at = |i: usize| start.saturating_add(step.saturating_mul(i as i64)).to_string();
    match len {
        0 => "nothing".into(),
        1..=6 => (0..len).map(at).collect::<Vec<_>>().join(" "),
        _ => format!("{} {} {} ... {}", at(0), at(1), at(2), at(len - 1)),
    }
}

/// A range with both bounds as positions on an axis, and words for each bound that was clamped. The
/// bound before position 0, where a walk to the front ends, has no number and is left out.
fn on_axis(
    len: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<(String, Vec<String>), SliceError> {
    // Start and stop are clamped alike, so a bound as the start of a range tells what it becomes.
    let becomes = |bound: Option<i64>| match bound {
        Some(v) => axis_run(len, Some(v), None, step).map(|run| run.start),
        None => Ok(0),
    };
    let n = len as i64;
    let clamped = |bound: Option<i64>, to: i64| {
        bound.filter(|&v| v != to && v.saturating_add(n) != to).map(|v| {
            let to = if to < 0 { "before 0".to_string() } else { to.to_string() };
            format!("{v} clamped to {to}")
        })
    };
    let first = axis_run(len, start, None, step)?.start;
    let last = match stop {
        Some(_) => becomes(stop)?,
        None if step > 0 => n,
        None => -1,
    };
    let show = |v: i64| if v < 0 { String::new() } else { v.to_string() };
    let mut text = format!("{}:{}", show(first), show(last));
    if step != 1 {
        text += &format!(":{step}");
    }
    Ok((text, [clamped(start, first), clamped(stop, last)].into_iter().flatten().collect()))
}

/// Columns, each as wide as its widest cell.
fn align(rows: &[Row]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
