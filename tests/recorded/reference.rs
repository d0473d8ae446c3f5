//! What the index-by-index reference answers to a record, under this library's rules.

use crate::replay::{Outcome, Refusal, Tensor};
use crate::support::naive::{self, Fault, Item, Picked};
use crate::support::recorded::Record;

/// The entries of a text as the text parser reads them: brackets around it are the call's own,
/// and every number fits in `i64`.
pub fn text_items(text: &str) -> Option<Vec<Item>> {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    let fits = |v: i128| i64::try_from(v).is_ok();
    let items = naive::from_text(inner)?;
    let all_fit = items.iter().all(|item| match *item {
        Item::Index { at, .. } => fits(at) && fits(at + 1),
        Item::Range { start, stop, step } => {
            start.is_none_or(fits) && stop.is_none_or(fits) && fits(step)
        }
        Item::NewAxis | Item::Ellipsis => true,
    });
    all_fit.then_some(items)
}

fn items(r: &Record) -> Result<Vec<Item>, Refusal> {
    match (&r.py, &r.enc) {
        (Some(text), _) => text_items(text).ok_or_else(|| refused("syntax")),
        (None, Some(enc)) => {
            let known = enc.begin.as_ref().zip(enc.end.as_ref()).zip(enc.strides.as_ref());
            let ((begin, end), strides) = known.expect("a case with all values known");
            naive::from_masks(begin, end, strides, enc.masks).map_err(refusal)
        }
        (None, None) => axes_items(r),
    }
}

fn axes_items(r: &Record) -> Result<Vec<Item>, Refusal> {
    let axs = r.axs.as_ref().expect("a case with a slice");
    let shape = r.dims();
    let (starts, ends) = (&axs.starts, &axs.ends);
    if r.op == "onnx.Slice" {
        let axes = axs.axes.as_deref();
        return naive::from_onnx(&shape, axes, starts, ends, axs.steps.as_deref()).map_err(refusal);
    }
    let ones = vec![1; starts.len()];
    let steps = if r.op == "paddle.slice" { None } else { axs.steps.as_ref() };
    let axes = axs.axes.as_deref().unwrap_or_default();
    naive::from_axes(shape.len(), axes, starts, ends, steps.unwrap_or(&ones)).map_err(refusal)
}

fn refusal(fault: Fault) -> Refusal {
    refused(match fault {
        Fault::Lengths => "length_mismatch",
        Fault::TwoEllipses => "multiple_ellipsis",
        Fault::ZeroStep => "zero_stride",
        Fault::ShrinkStride => "shrink_stride",
        Fault::TooMany => "too_many_indices",
        Fault::Outside => "index_out_of_bounds",
        Fault::Broadcast => "broadcast",
        Fault::Axis => "axis",
    })
}

fn refused(class: &'static str) -> Refusal {
    Refusal { class, text: class.to_owned() }
}

fn picked(r: &Record) -> Result<Picked, Refusal> {
    naive::pick(&r.dims(), &items(r)?).map_err(refusal)
}

/// `data[slice]`.
pub fn get(r: &Record) -> Outcome {
    let picked = picked(r)?;
    let values = picked.from.iter().map(|&at| at as i64).collect();
    Ok(Tensor { shape: picked.shape, values })
}

/// `data[slice] = value`.
pub fn set(r: &Record) -> Outcome {
    let picked = picked(r)?;
    let value = r.value.as_ref().expect("a case with a value");
    let from = naive::broadcast(&picked.shape, value).map_err(refusal)?;
    let shape = r.dims();
    let mut values: Vec<i64> = (0..shape.iter().product::<usize>() as i64).collect();
    for (&to, &from) in picked.from.iter().zip(&from) {
        values[to] = 1000 + from as i64;
    }
    Ok(Tensor { shape, values })
}

/// Zeros of the input's shape with the upstream gradient at the selected places.
pub fn grad(r: &Record) -> Outcome {
    let picked = picked(r)?;
    if r.dy.as_ref() != Some(&picked.shape) {
        return Err(refused("dy_shape"));
    }
    let shape = r.dims();
    let mut values = vec![0; shape.iter().product()];
    for (k, &to) in picked.from.iter().enumerate() {
        values[to] = 1 + k as i64;
    }
    Ok(Tensor { shape, values })
}

/// A record of one of the files that hold several operations.
pub fn any(r: &Record) -> Outcome {
    match r.op.as_str() {
        "setitem" | "assign" => set(r),
        "grad" => grad(r),
        _ => get(r),
    }
}
