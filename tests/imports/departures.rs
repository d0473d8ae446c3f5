//! Lists, by name, where a system gives no answer that could be right. A predicate looks only at
//! the case.

use crate::case::{Answer, Case};
use pyslice::interop::InteropError;
use pyslice::{Dim, SliceError};

type Departure = (&'static str, fn(&Case) -> bool);

/// It crashed, read outside its input, or its compiler contradicted itself.
const NOTHING: Departure =
    ("the system has no answer of its own", |case| matches!(case.answer, Answer::Nothing));

fn known(system: &str) -> &'static [Departure] {
    match system {
        "openvino" => &[NOTHING],
        "paddle" => &[("Paddle overflows on strides beyond 62 bits", |case| {
            case.ints("steps").iter().any(|step| step.unsigned_abs() > 1 << 62)
        })],
        "coreml" => &[
            NOTHING,
            ("Core ML has one empty window that its compiler is at one about", |case| {
                case.op == "slice_by_size" && case.ints("size").contains(&0)
            }),
            (
                "coremltools clamps an index before the axis, and Core ML has no such index",
                |case| squeezes_outside(case) && matches!(case.answer, Answer::Result(..)),
            ),
            ("of two mistakes, coremltools names a range before an index", |case| {
                squeezes_outside(case) && refused_as(case, "refused")
            }),
        ],
        "aten" => &[("PyTorch empties an axis that it added, and no slice does", |case| {
            matches!(&case.answer, Answer::Result(shape, _) if shape.contains(&0))
                && case.args["chain"]
                    .as_array()
                    .is_some_and(|chain| chain.iter().any(|step| step[0] == "unsqueeze"))
        })],
        "hdf5" => &[
            (
                "HDF5 asks nothing of the other axes where the selection is empty",
                |case| matches!(&case.answer, Answer::Result(shape, _) if shape.contains(&0)),
            ),
            ("HDF5 takes blocks with gaps between them, and no slice does", |case| {
                let [block, count, stride] = ["block", "count", "stride"].map(|key| case.ints(key));
                (0..block.len()).any(|i| block[i] > 1 && count[i] > 1 && stride[i] > block[i])
            }),
        ],
        "mlir" => &[
            NOTHING,
            ("MLIR repeats a position by a stride of 0, and no slice does", |case| {
                case.ints("strides").contains(&0)
            }),
            ("MLIR asks where position -1 of an empty slice would lie", |case| {
                refused_as(case, "window") && case.ints("sizes").contains(&0)
            }),
        ],
        "litert" => &[
            NOTHING,
            ("LiteRT refuses what overflows 32 bits", |case| refused_as(case, "far")),
            ("LiteRT takes two ellipses", |case| {
                (case.ints("masks")[2] & (case.ints("masks")[2] - 1)) != 0
            }),
            ("LiteRT's ellipsis takes an axis where none is left for it", |case| {
                let [_, _, ellipsis, new, _] = case.ints("masks").try_into().expect("five masks");
                let added = (0..case.ints("begin").len())
                    .filter(|i| (new & !ellipsis) >> i & 1 == 1)
                    .count();
                ellipsis != 0 && case.ints("begin").len() - added == case.shape.len() + 1
            }),
            ("LiteRT takes more entries than there are axes", |case| {
                let [_, _, ellipsis, new, _] = case.ints("masks").try_into().expect("five masks");
                let entries = 0..case.ints("begin").len();
                entries.filter(|i| (new | ellipsis) >> i & 1 == 0).count() > case.shape.len()
            }),
            ("LiteRT's `offset` lets a range leave its axis, and gives garbage", |case| {
                let ours = crate::operators::with(case, |_| false, |op| op.to_spec(&case.shape));
                matches!(ours, Err(InteropError::WindowOutOfRange { .. }))
            }),
            ("LiteRT's `offset` gives garbage under an ellipsis and an end bit", |case| {
                let masks = case.ints("masks");
                case.args["offset"] == true && (masks[1] != 0 || masks[2] != 0)
            }),
            (
                "LiteRT's `offset` gives garbage beside new axes and where an axis has no entry",
                |case| {
                    case.args["offset"] == true
                        && (case.ints("begin").len() != case.shape.len()
                            || case.ints("masks")[3] != 0)
                },
            ),
            ("LiteRT's `offset` lets a range leave its axis where the result is empty", |case| {
                case.args["offset"] == true
                    && matches!(&case.answer, Answer::Result(shape, _) if shape.contains(&0))
            }),
            ("LiteRT takes a negative stride on an index where the result is empty", |case| {
                let shrink = case.ints("masks")[4];
                case.ints("strides").iter().enumerate().any(|(i, &s)| s < 0 && shrink >> i & 1 == 1)
            }),
        ],
        _ => &[],
    }
}

/// Whether an index of Core ML's `slice_by_index` lies outside its axis.
fn squeezes_outside(case: &Case) -> bool {
    let [begin, squeeze, mask] = ["begin", "squeeze_mask", "begin_mask"]
        .map(|key| case.numbers(key).unwrap_or_default().into_iter().flatten().collect::<Vec<_>>());
    let mut axes = case.shape.iter().zip(begin).zip(squeeze.into_iter().zip(mask));
    axes.any(|((&n, at), bits)| bits == (1, 0) && !(-(n as i64)..n as i64).contains(&at))
}

fn refused_as(case: &Case, reason: &str) -> bool {
    matches!(&case.answer, Answer::Refused(class) if class == reason)
}

/// The departure that the case falls under.
pub(crate) fn name(system: &str, case: &Case) -> Option<&'static str> {
    // The others of LiteRT look at the masks.
    let all = if case.op == "SLICE" { &[NOTHING] } else { known(system) };
    all.iter().find(|(_, applies)| applies(case)).map(|&(name, _)| name)
}

/// All departures of a system; each must occur.
pub(crate) fn names(system: &str) -> impl Iterator<Item = &'static str> {
    known(system).iter().map(|&(name, _)| name)
}

/// The departure of a system's shape inference that the case falls under.
pub(crate) fn infers(system: &str, case: &Case) -> Option<&'static str> {
    let numbers = |key: &str| case.numbers(key).unwrap_or_default();
    match system {
        "openvino" | "tensorflow"
            if ours_is(case, |error| matches!(error, SliceError::IndexOutOfRange { .. })) =>
        {
            Some("it infers shapes of indices that its kernel refuses")
        }
        "openvino" => contradicted(case).then_some(
            "OpenVINO infers lengths that its kernel does not compute, under a negative stride",
        ),
        "tensorflow" => {
            let axes = case.dims.iter().zip(numbers("begin")).zip(numbers("size"));
            axes.into_iter()
                .any(|((dim, begin), size)| {
                    matches!((begin, size), (Some(b), Some(s)) if s >= 0 && (b + s) as usize > dim.limits().1)
                })
                .then_some("TensorFlow infers shapes of windows that its kernel refuses")
        }
        "paddle" if ours_is(case, |error| matches!(error, SliceError::NotRepresentable { .. })) => {
            Some("Paddle infers shapes of strides beyond 62 bits, with which it overflows")
        }
        "onnx" if numbers("steps").contains(&Some(0)) => {
            Some("onnx infers shapes of steps of 0, which ONNX Runtime refuses")
        }
        // The kernel's two rules were recorded from it (`onnx_slice`).
        "onnx" => {
            let (starts, ends) = (numbers("starts"), numbers("ends"));
            let far = [Some(i64::from(i32::MAX)), Some(i64::MAX)];
            let backwards =
                numbers("steps").into_iter().enumerate().filter(|(_, s)| s.is_some_and(|s| s < 0));
            backwards
                .into_iter()
                .any(|(i, _)| far.contains(&ends[i]) || starts[i].is_some_and(|s| s < 0))
                .then_some("onnx infers what ONNX Runtime does not compute, under a negative step")
        }
        _ => None,
    }
}

/// Whether our own answer is this refusal.
fn ours_is(case: &Case, is: impl Fn(&SliceError) -> bool) -> bool {
    let ours = crate::operators::with(case, |_| false, |op| op.infer(Some(&case.dims)));
    matches!(&ours, Err(InteropError::Slice(error)) if is(error))
}

/// Whether some length that the case allows gives a result that the inference rules out. What we
/// say of known lengths is what the kernel computes: the records of its values show it.
fn contradicted(case: &Case) -> bool {
    let Answer::Inferred(Some(theirs)) = &case.answer else { return false };
    let mut shapes = vec![Vec::new()];
    for dim in &case.dims {
        let (least, most) = dim.limits();
        let lengths = least..=most.min(least + 12);
        let longer =
            |shape: Vec<Dim>| lengths.clone().map(move |n| [&shape[..], &[Dim::Known(n)]].concat());
        shapes = shapes.into_iter().flat_map(longer).collect();
    }
    shapes.iter().any(|shape| {
        let ours = crate::operators::with(case, |_| false, |op| op.infer(Some(shape)));
        let ours = ours.ok().flatten().unwrap_or_default();
        ours.iter().zip(theirs).any(|(ours, theirs)| {
            let (least, most) = theirs.limits();
            matches!(ours, Dim::Known(n) if !(least..=most).contains(n))
        })
    })
}
