//! Python's slicing, index by index, sharing no code with the crates under test.
//!
//! Positions are listed by walking them one at a time in `i128`, so neither a closed formula nor an
//! overflow can hide a mistake. Slow and obvious on purpose: everything else is compared with this.

/// One entry of a slice, as plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Takes one element of an axis and drops the axis. `stride` is 1 unless masks said otherwise.
    Index { at: i128, stride: i128 },
    /// `start:stop:step`.
    Range { start: Option<i128>, stop: Option<i128>, step: i128 },
    /// A new axis of length 1.
    NewAxis,
    /// As many full axes as there is room for.
    Ellipsis,
}

/// Why a slice is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Lengths,
    TwoEllipses,
    ZeroStep,
    ShrinkStride,
    TooMany,
    Outside,
    Broadcast,
    Axis,
}

/// A range over everything.
pub const FULL: Item = Item::Range { start: None, stop: None, step: 1 };

/// The positions `start:stop:step` selects on an axis of `n` elements, in order.
///
/// `step` is not 0. For the ends of `i64` use [`first_and_count`], which does not walk.
pub fn positions(n: i128, start: Option<i128>, stop: Option<i128>, step: i128) -> Vec<i128> {
    let (start, stop) = bounds(n, start, stop, step);
    let mut found = Vec::new();
    let mut at = start;
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        found.push(at);
        at += step;
    }
    found
}

/// First position and number of positions, by division where walking would take too long.
pub fn first_and_count(
    n: i128,
    start: Option<i128>,
    stop: Option<i128>,
    step: i128,
) -> (i128, i128) {
    let (start, stop) = bounds(n, start, stop, step);
    let way = if step > 0 { stop - start } else { start - stop };
    (start, if way <= 0 { 0 } else { (way - 1) / step.abs() + 1 })
}

/// Negative bounds count from the end, then both are clamped to what the direction can reach.
fn bounds(n: i128, start: Option<i128>, stop: Option<i128>, step: i128) -> (i128, i128) {
    assert!(step != 0, "the caller refuses a step of 0");
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let (from, to) = if step > 0 { (low, high) } else { (high, low) };
    let place = |bound: i128| (if bound < 0 { bound + n } else { bound }).clamp(low, high);
    (start.map_or(from, place), stop.map_or(to, place))
}

/// Whether both bounds are among those that the array API standard lists, which the strict mode
/// asks for.
pub fn is_strict(n: i128, start: Option<i128>, stop: Option<i128>, step: i128) -> bool {
    let last = (n - 1).max(0);
    let (starts, stops) = if step > 0 { (-n..=n, -n..=n) } else { (-n..=last, -n - 1..=last) };
    start.is_none_or(|start| starts.contains(&start))
        && stop.is_none_or(|stop| stops.contains(&stop))
}

/// What a slice selects from a row-major input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Shape of the result.
    pub shape: Vec<usize>,
    /// For each result element in row-major order, its position in the input.
    pub from: Vec<usize>,
}

/// Expands the ellipsis (one is implied at the end) so that every axis has its entry.
pub fn expand(rank: usize, items: &[Item]) -> Result<Vec<Item>, Fault> {
    let ellipses = items.iter().filter(|i| **i == Item::Ellipsis).count();
    if ellipses > 1 {
        return Err(Fault::TwoEllipses);
    }
    let takes =
        items.iter().filter(|i| matches!(i, Item::Index { .. } | Item::Range { .. })).count();
    if takes > rank {
        return Err(Fault::TooMany);
    }
    let mut all = items.to_vec();
    if ellipses == 0 {
        all.push(Item::Ellipsis);
    }
    let mut expanded = Vec::new();
    for item in all {
        match item {
            Item::Ellipsis => expanded.extend(std::iter::repeat_n(FULL, rank - takes)),
            other => expanded.push(other),
        }
    }
    Ok(expanded)
}

/// Selects from an input whose element at a multi-index sits at the sum of index times stride.
///
/// Returns the result's shape and those sums, in row-major order of the result.
pub fn pick_strided(
    shape: &[usize],
    strides: &[i128],
    items: &[Item],
) -> Result<(Vec<usize>, Vec<i128>), Fault> {
    let mut kept = Vec::new();
    let mut from = vec![0_i128];
    let mut axis = 0;
    for item in expand(shape.len(), items)? {
        let chosen = match item {
            Item::NewAxis => {
                kept.push(1);
                continue;
            }
            Item::Ellipsis => unreachable!("expanded above"),
            Item::Index { at, stride } => {
                if stride == 0 {
                    return Err(Fault::ZeroStep);
                }
                if stride < 0 {
                    return Err(Fault::ShrinkStride);
                }
                let n = shape[axis] as i128;
                if !(-n..n).contains(&at) {
                    return Err(Fault::Outside);
                }
                vec![if at < 0 { at + n } else { at }]
            }
            Item::Range { start, stop, step } => {
                if step == 0 {
                    return Err(Fault::ZeroStep);
                }
                let chosen = positions(shape[axis] as i128, start, stop, step);
                kept.push(chosen.len());
                chosen
            }
        };
        let stride = strides[axis];
        from = from
            .iter()
            .flat_map(|outer| chosen.iter().map(move |at| outer + at * stride))
            .collect();
        axis += 1;
    }
    Ok((kept, from))
}

/// Only the result's shape, without listing positions: for axes too long to walk.
pub fn shape_of(shape: &[usize], items: &[Item]) -> Result<Vec<usize>, Fault> {
    let mut kept = Vec::new();
    let mut lengths = shape.iter().map(|&n| n as i128);
    for item in expand(shape.len(), items)? {
        if item == Item::NewAxis {
            kept.push(1);
            continue;
        }
        let n = lengths.next().ok_or(Fault::TooMany)?;
        match item {
            Item::Index { stride: 0, .. } | Item::Range { step: 0, .. } => {
                return Err(Fault::ZeroStep);
            }
            Item::Index { stride, .. } if stride < 0 => return Err(Fault::ShrinkStride),
            Item::Index { at, .. } if !(-n..n).contains(&at) => return Err(Fault::Outside),
            Item::Range { start, stop, step } => {
                kept.push(first_and_count(n, start, stop, step).1 as usize);
            }
            _ => {}
        }
    }
    Ok(kept)
}

/// Selects from a row-major input.
pub fn pick(shape: &[usize], items: &[Item]) -> Result<Picked, Fault> {
    let strides: Vec<i128> = row_major(shape);
    let (shape, from) = pick_strided(shape, &strides, items)?;
    Ok(Picked { shape, from: from.into_iter().map(|at| at as usize).collect() })
}

/// Elements to step for each axis of a row-major array.
pub fn row_major(shape: &[usize]) -> Vec<i128> {
    (0..shape.len()).map(|axis| shape[axis + 1..].iter().map(|&n| n as i128).product()).collect()
}

/// Which value element each target element receives, under NumPy's broadcasting.
///
/// Axes are matched from the last one back; surplus leading axes of the value must be 1 long.
pub fn broadcast(target: &[usize], value: &[usize]) -> Result<Vec<usize>, Fault> {
    let surplus = value.len().saturating_sub(target.len());
    if value[..surplus].iter().any(|&n| n != 1) {
        return Err(Fault::Broadcast);
    }
    let value = &value[surplus..];
    let missing = target.len() - value.len();
    let strides = row_major(value);
    let mut from = vec![0_i128];
    for (axis, &n) in target.iter().enumerate() {
        let stride = match axis.checked_sub(missing) {
            None => 0,
            Some(at) if value[at] == n => strides[at],
            Some(at) if value[at] == 1 => 0,
            Some(_) => return Err(Fault::Broadcast),
        };
        from = from
            .iter()
            .flat_map(|outer| (0..n as i128).map(move |at| outer + at * stride))
            .collect();
    }
    Ok(from.into_iter().map(|at| at as usize).collect())
}

/// Reads TensorFlow's encoding: begin, end, strides and the five masks
/// (begin, end, ellipsis, new axis, shrink axis).
pub fn from_masks(
    begin: &[i64],
    end: &[i64],
    strides: &[i64],
    masks: [u32; 5],
) -> Result<Vec<Item>, Fault> {
    let [begin_mask, end_mask, ellipsis, new_axis, shrink] = masks;
    if begin.len() != end.len() || begin.len() != strides.len() || begin.len() > 31 {
        return Err(Fault::Lengths);
    }
    if ellipsis.count_ones() > 1 {
        return Err(Fault::TwoEllipses);
    }
    let has = |mask: u32, at: usize| (mask >> at) & 1 == 1;
    let read = |at: usize| {
        if has(ellipsis, at) {
            Item::Ellipsis
        } else if has(new_axis, at) {
            Item::NewAxis
        } else if has(shrink, at) {
            Item::Index { at: begin[at].into(), stride: strides[at].into() }
        } else {
            Item::Range {
                start: (!has(begin_mask, at)).then(|| begin[at].into()),
                stop: (!has(end_mask, at)).then(|| end[at].into()),
                step: strides[at].into(),
            }
        }
    };
    Ok((0..begin.len()).map(read).collect())
}

/// Python's rules in axes form: `starts[i]:ends[i]:steps[i]` on `axes[i]`, all other axes full.
pub fn from_axes(
    rank: usize,
    axes: &[i64],
    starts: &[i64],
    ends: &[i64],
    steps: &[i64],
) -> Result<Vec<Item>, Fault> {
    if [starts.len(), ends.len(), steps.len()].iter().any(|&n| n != axes.len()) {
        return Err(Fault::Lengths);
    }
    let mut items = vec![FULL; rank];
    for (i, axis) in real_axes(rank, axes)?.into_iter().enumerate() {
        items[axis] = Item::Range {
            start: Some(starts[i].into()),
            stop: Some(ends[i].into()),
            step: steps[i].into(),
        };
    }
    Ok(items)
}

/// ONNX Runtime's `Slice`: as [`from_axes`], but a start before the axis is position 0 for a
/// negative step too, and an end of INT32_MAX or INT64_MAX is "to the end" in either direction.
pub fn from_onnx(
    shape: &[usize],
    axes: Option<&[i64]>,
    starts: &[i64],
    ends: &[i64],
    steps: Option<&[i64]>,
) -> Result<Vec<Item>, Fault> {
    let first: Vec<i64> = (0..starts.len() as i64).collect();
    let axes = axes.unwrap_or(&first);
    let ones = vec![1; starts.len()];
    let steps = steps.unwrap_or(&ones);
    let mut items = from_axes(shape.len(), axes, starts, ends, steps)?;
    for (axis, item) in items.iter_mut().enumerate() {
        if let Item::Range { start, stop, step } = item {
            if *step < 0 && start.is_some_and(|s| s < -(shape[axis] as i128)) {
                *start = Some(0);
            }
            if [i32::MAX as i128, i64::MAX as i128].contains(&stop.unwrap_or(0)) {
                *stop = None;
            }
        }
    }
    Ok(items)
}

/// Axes counted from the front; a repeated one or one that does not exist is refused.
fn real_axes(rank: usize, axes: &[i64]) -> Result<Vec<usize>, Fault> {
    let rank = rank as i128;
    let mut real = Vec::new();
    for &axis in axes {
        let axis = i128::from(axis);
        let axis = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&axis) || real.contains(&(axis as usize)) {
            return Err(Fault::Axis);
        }
        real.push(axis as usize);
    }
    Ok(real)
}

/// Reads plain slice text: decimal integers, `a:b:c`, `None`, `...`; `None` for anything else.
///
/// A bound may be larger than `i64`, as in Python.
pub fn from_text(text: &str) -> Option<Vec<Item>> {
    let text = text.trim();
    if text == "()" || text.is_empty() {
        return Some(Vec::new());
    }
    let text = text.strip_suffix(',').unwrap_or(text);
    text.split(',').map(|entry| from_entry(entry.trim())).collect()
}

fn from_entry(entry: &str) -> Option<Item> {
    let bound = |text: &str| match text.trim() {
        "" | "None" => Some(None),
        number => number.parse::<i128>().ok().map(Some),
    };
    match entry {
        "None" | "newaxis" | "np.newaxis" | "tf.newaxis" => return Some(Item::NewAxis),
        "..." | "Ellipsis" => return Some(Item::Ellipsis),
        _ => {}
    }
    let parts: Vec<&str> = entry.split(':').collect();
    match parts[..] {
        [index] => Some(Item::Index { at: bound(index)??, stride: 1 }),
        [start, stop] => Some(Item::Range { start: bound(start)?, stop: bound(stop)?, step: 1 }),
        [start, stop, step] => Some(Item::Range {
            start: bound(start)?,
            stop: bound(stop)?,
            step: bound(step)?.unwrap_or(1),
        }),
        _ => None,
    }
}
