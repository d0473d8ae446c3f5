//! Every error text, word for word, from the call that causes it.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::interop::tf;
use pyslice::{AxesForm, Dim, Entry, FixedPlan, Masks, Shaped, SliceError, SpecBuf};

/// The greatest length, which differs between targets.
const MOST: usize = isize::MAX as usize;

fn spec(entries: &[Entry]) -> SpecBuf {
    SpecBuf::from_entries(entries).unwrap()
}

fn range(start: i64, stop: i64, step: i64) -> Entry {
    Entry::Range { start: Some(start), stop: Some(stop), step }
}

#[track_caller]
fn says<T: std::fmt::Debug, E: std::error::Error>(result: Result<T, E>, words: &str) {
    let error = result.expect_err("refused");
    assert_eq!(error.to_string(), words);
    // Lower case, no full stop, no name of a type: it goes into somebody's sentence.
    assert!(!words.ends_with('.') && !words.starts_with(char::is_uppercase));
}

#[test]
fn slices() {
    let new = |entries: &[Entry]| SpecBuf::from_entries(entries);
    says(
        new(&[Entry::NewAxis, range(0, 1, 0)]),
        "step is 0 on entry 1; a step must be 1 or more, or -1 or less",
    );
    says(
        new(&[Entry::Ellipsis, Entry::FULL, Entry::Ellipsis]),
        "entry 2 is a second `...`; keep the first and write `:` for each axis here",
    );
    says(
        new(&[Entry::FULL; 32]),
        "the slice has 32 entries, but it can have at most 31; slice in two steps",
    );
}

#[test]
fn masks() {
    let ellipses = |ellipsis, entries: usize| {
        let (zeros, ones) = (vec![0; entries], vec![1; entries]);
        SpecBuf::from_masks(&zeros, &zeros, &ones, Masks { ellipsis, ..Masks::default() })
    };
    says(
        ellipses(5, 3),
        "entry 2 is a second `...`; keep the first and write `:` for each axis here",
    );
    says(
        ellipses(12, 2),
        "the ellipsis mask has a second bit, 3, but the slice has 2 entries; clear bit 3",
    );
    says(
        ellipses(3, 1),
        "the ellipsis mask has a second bit, 1, but the slice has 1 entry; clear bit 1",
    );
}

#[test]
fn indices_and_bounds() {
    let at = |at| spec(&[Entry::FULL, Entry::Index(at)]);
    says(
        at(7).plan(&[2, 4]),
        "index 7 is outside axis 1 of length 4; use -4 to 3, or a range, which is clamped",
    );
    says(
        at(-5).plan(&[2, 4]),
        "index -5 is outside axis 1 of length 4; use -4 to 3, or a range, which is clamped",
    );
    says(
        at(1).plan(&[2, 1]),
        "index 1 is outside axis 1 of length 1; use 0 or -1, or a range, which is clamped",
    );
    let use_ = "use -4 to 3, or a range, which is clamped";
    let wide = u128::MAX;
    says(
        pyslice::s![wide].plan(&[4]),
        &format!("index 9223372036854775807 or more is outside axis 0 of length 4; {use_}"),
    );
    let wide = i128::MIN;
    says(
        pyslice::s![wide].plan(&[4]),
        &format!("index -9223372036854775808 or less is outside axis 0 of length 4; {use_}"),
    );
    says(
        at(0).plan(&[2, 0]),
        "index 0 is outside axis 1 of length 0; the axis is empty and has no valid index",
    );
    says(
        spec(&[range(0, 9, 1)]).strict().plan(&[4]),
        "bound 9 is outside axis 0 of length 4; use -4 to 4 (under a negative step, -4 to 3 as a \
         start and -5 to 3 as a stop), leave the bound out, or slice without strict bounds, which \
         clamps it",
    );
    let empty = "the axis is empty, so use 0, leave the bound out, or slice without strict \
                 bounds, which clamps it";
    for bound in [1, -1] {
        says(
            spec(&[range(bound, 0, 1)]).strict().plan(&[0]),
            &format!("bound {bound} is outside axis 0 of length 0; {empty}"),
        );
    }
    assert!(spec(&[range(0, 0, 1)]).strict().plan(&[0]).is_ok_and(|plan| plan.is_empty()));
}

#[test]
fn shapes() {
    says(
        spec(&[Entry::FULL; 3]).plan(&[2, 2]),
        "the slice needs 3 axes, but the array has 2; remove 1 entry, or insert axes with `None` \
         in a slice before this one",
    );
    says(
        spec(&[Entry::Index(0)]).plan(&[]),
        "the slice needs 1 axis, but the array has 0; remove 1 entry, or insert axes with `None` \
         in a slice before this one",
    );
    says(
        spec(&[]).plan(&[usize::MAX]),
        &format!(
            "the shape, or an axis of it, has more elements than isize::MAX ({MOST}); use a \
             smaller shape"
        ),
    );
    says(
        spec(&[]).plan(&[1; 300]),
        "the number of axes is 300, but a plan holds at most 254; merge some before slicing",
    );
    says(
        spec(&[]).plan_strided(&[2, 3], &[1]),
        "the number of axes is 1, but it must be 2; give one value for each axis, or change the rank in \
         the type",
    );
    says(
        FixedPlan::<2, 1>::new(spec(&[]).as_ref(), [2, 3]),
        "the number of axes is 2, but it must be 1; give one value for each axis, or change the rank \
         in the type",
    );
}

#[test]
fn buffers() {
    let plan = spec(&[Entry::FULL]).plan(&[4]).unwrap();
    let advice = "pass the buffer the plan was made for";
    let each = "give one value for each element of the slice";
    says(
        plan.copy(&[0; 3]),
        &format!("the source buffer has length 3, but the plan needs 4; {advice}"),
    );
    says(
        plan.copy_into(&[0; 4], &mut [0; 9]),
        "the destination buffer has length 9, but the plan needs 4; pass a buffer of that length",
    );
    says(
        plan.fill(&mut [0; 5], 1),
        &format!("the target buffer has length 5, but the plan needs 4; {advice}"),
    );
    says(
        plan.assign(&mut [0; 4], &[0; 2]),
        &format!(
            "the values buffer has length 2, but the plan needs 4; {each}, or \
             `Shaped(&values, &shape)`, which broadcasts"
        ),
    );
    says(
        plan.bytes(2).on(&[0; 7]),
        &format!(
            "the source buffer has 7 bytes, but the plan needs 8 (elements of 2 bytes); {advice}"
        ),
    );
    says(
        plan.bytes(2).on_mut(&mut [0; 8]).and_then(|mut x| x.assign(Shaped(&[0; 3], &[]))),
        "the values buffer has 3 bytes, but their shape needs 2 (elements of 2 bytes); give one \
         value for each element of their shape",
    );
    says(
        plan.grad(&[0; 1]),
        &format!("the gradient buffer has length 1, but the plan needs 4; {each}"),
    );
    says(
        plan.assign(&mut [0; 4], Shaped(&[0; 3], &[3])),
        "shape (3,) does not broadcast to shape (4,): its axis -1 has length 3; it must have \
         length 4 or 1",
    );
    says(
        plan.assign(&mut [0; 4], Shaped(&[0; 3], &[4])),
        "the values buffer has length 3, but their shape needs 4; give one value for each element \
         of their shape",
    );
    says(
        plan.assign(&mut [0; 4], Shaped(&[0; 8], &[2, 4])),
        "shape (2, 4) does not broadcast to shape (4,): its axis -2 has length 2; it must have \
         length 1",
    );
    let deep = spec(&[]).plan(&[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let long = usize::MAX >> 20;
    let shown = if usize::BITS > 32 { "4294967295+".to_owned() } else { long.to_string() };
    says(
        deep.broadcast_to(&[long]),
        &format!(
            "shape (…, 2, 3, 4, 5, 6, 7, 8) does not broadcast to shape ({shown},): its axis -1 has \
             length 8; it must have length {long} or 1"
        ),
    );
    says(
        plan.reshape(&[2, 3]),
        "the shape has 6 elements, but the slice has 4; give a shape of 4 elements",
    );
    says(
        deep.permute(&[7, 6, 5, 4, 3, 2, 1, 0]).unwrap().reshape(&[40320]),
        "the slice cannot take this shape without a copy; copy it, and reshape the copy",
    );
    says(
        spec(&[]).plan_strided_at(&[4], &[-2_i32], 5),
        "element [0, 0, …] is at position 5, but negative strides reach 6 elements below it; give \
         its position in the buffer, 6 or more",
    );
    says(
        plan.broadcast_to(&[2, 4]).unwrap().grad(&[0; 8]),
        "the slice reads some elements more than once, so its gradient is a sum; use `add_assign` \
         on zeros",
    );
    says(plan.bytes(0).on(&[]), "the element size is 0 bytes; give the size of one element");
    says(
        plan.bytes(usize::MAX / 2).on(&[]),
        &format!(
            "4 elements of {MOST} bytes are more than isize::MAX ({MOST}) bytes; use a smaller \
             shape"
        ),
    );
    // With 32-bit addresses, there may well be that many bytes of memory.
    if usize::BITS > 32 {
        let long = spec(&[range(0, 1, 1)]).plan(&[MOST]).unwrap();
        says(
            long.grad(&[0_u8]),
            &format!(
                "not enough memory for a result of {MOST} bytes; take a smaller slice, or copy \
                 into a buffer of your own"
            ),
        );
    }
}

#[test]
fn other_systems() {
    let shrink = Masks { shrink_axis: 2, ..Masks::default() };
    says(
        SpecBuf::from_masks(&[0, 0], &[1], &[1, 1], shrink),
        "`end` has length 1, but the first vector has length 2; give one value for each entry",
    );
    says(
        SpecBuf::from_masks(&[0, 0], &[1, 1], &[1, -1], shrink).and_then(|spec| spec.plan(&[2, 2])),
        "entry 1 drops axis 1 with a negative stride; use a stride of 1 where the shrink bit is \
         set",
    );
    // The other vectors must be as long as the first one that is known.
    let partial = |begin: Option<&[i64]>, end: Option<&[i64]>, strides: &[i64]| {
        tf::infer_partial(begin, end, Some(strides), Masks::default(), Some(&[Dim::Unknown; 3]))
    };
    let advice = "give one value for each entry";
    says(
        partial(Some(&[0; 2]), Some(&[1; 2]), &[1; 3]),
        &format!("`strides` has length 3, but the first vector has length 2; {advice}"),
    );
    says(
        partial(Some(&[0; 2]), Some(&[1; 3]), &[1; 2]),
        &format!("`end` has length 3, but the first vector has length 2; {advice}"),
    );
    says(
        partial(Some(&[0; 3]), None, &[1; 2]),
        &format!("`strides` has length 2, but the first vector has length 3; {advice}"),
    );
    says(
        partial(None, Some(&[1; 3]), &[1; 2]),
        &format!("`strides` has length 2, but the first vector has length 3; {advice}"),
    );
    let axes = |rank, axes: &[i64]| {
        let n = axes.len();
        SpecBuf::from_axes(rank, axes, &vec![0; n], &vec![1; n], &vec![1; n])
    };
    says(
        axes(2, &[2]),
        "axis 2 is outside an array of rank 2; use 0 to 1, or -2 to -1 from the last one",
    );
    says(axes(1, &[-2]), "axis -2 is outside an array of rank 1; use 0 or -1");
    says(axes(0, &[0]), "axis 0 is outside an array of rank 0; it has no axes, so give none");
    says(axes(3, &[1, -2]), "axis 1 is given twice; give each axis once");
}

#[test]
fn operators_of_other_systems() {
    use pyslice::interop::{Bound, Ints, Operator, aten, hlo, mdspan, onnx, openvino, tf};
    let size = |begin: i64, size: i64| tf::slice(&[0, begin], &[-1, size]).to_spec(&[3, 6]);
    let advice = "this operator does not clamp, so start at 0 or later and stop at 6 or earlier";
    says(size(4, 3), &format!("positions 4..7 are outside axis 1 of length 6; {advice}"));
    says(size(-1, 3), &format!("positions -1..2 are outside axis 1 of length 6; {advice}"));
    says(
        size(4, -2),
        "positions 4..2 on axis 1 of length 6 end before they begin; give a size of 0 or more",
    );
    says(
        size(i64::MAX, i64::MAX),
        &format!("positions {0}..{0} are outside axis 1 of length 6; {advice}", i64::MAX),
    );
    says(
        hlo::slice(&[0], &[4], &[-1]).to_spec(&[4]),
        "step -1 on entry 0 is below 1, which this operator does not support; reverse the axis \
         with a second operator",
    );
    // A step of 0 reverses nothing.
    let zero = "step is 0 on entry 0; a step of this operator must be 1 or more";
    says(hlo::slice(&[0], &[4], &[0]).to_spec(&[4]), zero);
    let (start, end) = (Bound::At(0), Bound::Open);
    says(aten::chain(&[aten::Step::Slice { dim: 0, start, end, step: 0 }]).to_spec(&[4]), zero);
    for slice in [
        mdspan::Slice::Extent { offset: 0, extent: 2, stride: 0 },
        mdspan::Slice::Range { first: 0, last: 2, stride: 0 },
        mdspan::Slice::Strided { offset: 0, extent: 2, stride: 0 },
    ] {
        says(mdspan::submdspan(&[slice]).to_spec(&[4]), zero);
    }
    let short = openvino::strided_slice(&[0, 1], &[1]).strides(&[1, 1]).to_spec(&[4, 4]);
    says(
        short,
        "`end` has length 1, but the first vector has length 2; give one value for each entry",
    );
    says(
        tf::slice(Ints::Later(1), &[2]).to_spec(&[4]),
        "not representable: an operator some of whose numbers the graph computes; import it when \
         they are known",
    );
    says(
        tf::masks(0, 1 << 32, 0, 0, 0),
        "not representable: an `end_mask` of more than 32 bits; set only the bits of entries",
    );
    says(
        onnx::slice(&[0; 4], &[1; 4]).to_spec(&[4, 4, 4]),
        "the slice needs 4 axes, but the array has 3; remove 1 entry, or insert axes with `None` in a \
         slice before this one",
    );
}

#[test]
fn axes_forms() {
    let form = |drop: &[usize], add: &[usize]| {
        let (axes, starts, ends, strides) =
            (vec![0, 1], vec![1, 9], vec![2, i64::MIN], vec![1, -1]);
        AxesForm { axes, starts, ends, strides, drop: drop.to_vec(), add: add.to_vec() }
            .to_spec(&[4, 6, 1])
    };
    assert_eq!(form(&[0, 2], &[1, 0]).unwrap().plan(&[4, 6, 1]).unwrap().shape(), [1, 1, 6]);
    assert_eq!(form(&[2], &[1, 3]).unwrap().plan(&[4, 6, 1]).unwrap().shape(), [1, 1, 6, 1]);
    let advice = "take one position on it";
    says(
        form(&[1], &[]),
        &format!("axis 1 cannot be dropped, because it has length 6 after slicing; {advice}"),
    );
    says(
        form(&[3], &[]),
        "axis 3 is outside an array of rank 3; use 0 to 2, or -3 to -1 from the last one",
    );
    says(form(&[0, 0], &[]), "axis 0 is given twice; give each axis once");
    says(
        form(&[0], &[3]),
        "axis 3 is outside an array of rank 3; use 0 to 2, or -3 to -1 from the last one",
    );
    says(form(&[], &[1, 1]), "axis 1 is given twice; give each axis once");
    let none = AxesForm {
        axes: vec![0],
        starts: vec![4],
        ends: vec![9],
        strides: vec![1],
        drop: vec![0],
        add: vec![],
    };
    says(
        none.to_spec(&[4]),
        &format!("axis 0 cannot be dropped, because it has length 0 after slicing; {advice}"),
    );
    let short = AxesForm { axes: vec![0], ..AxesForm::default() };
    says(
        short.to_spec(&[4]),
        "`starts` has length 0, but the first vector has length 1; give one value for each entry",
    );
}

/// Variants whose causes lie in optional or rarely reached parts.
#[test]
fn texts_without_a_cause_here() {
    let error = SliceError::Overlap { first: 0, second: 2 };
    says(Err::<(), _>(error), "slices 0 and 2 share elements; take slices that do not overlap");
    let error = SliceError::NotRepresentable { what: "an index of 3" };
    says(Err::<(), _>(error), "not representable: an index of 3");
}

/// Errors are plain values: compared, copied, boxed.
#[test]
fn an_error_is_a_value() {
    let error = spec(&[Entry::Index(7)]).plan(&[4]).unwrap_err();
    assert_eq!(error, SliceError::IndexOutOfRange { index: 7, axis: 0, len: 4 });
    let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(error);
    assert_eq!(boxed.to_string(), error.to_string());
}

#[test]
fn what_an_operator_of_another_system_cannot_say() {
    use pyslice::interop::{coreml, hdf5, hlo, mdspan, tflite};
    let plan = |text: &str, shape: &[usize]| text.parse::<SpecBuf>().unwrap().plan(shape).unwrap();
    says(
        hlo::SLICE.write(&plan(":, ::-2", &[2, 5])),
        "step -2 on axis 1 is not supported by StableHLO's `slice`; `Plan::forwards` splits the \
         plan into one that goes forwards and one that turns its result",
    );
    says(
        coreml::SLICE_BY_SIZE.write(&plan("::2", &[5])),
        "step 2 on axis 0 is not supported by Core ML's `slice_by_size`; use an operator that has \
         steps",
    );
    says(
        coreml::SLICE_BY_SIZE.write(&plan(":, 3:3", &[2, 5])),
        "the slice takes nothing from axis 1, which Core ML's `slice_by_size` cannot express; \
         make the empty result without it",
    );
    says(
        hdf5::HYPERSLAB.write(&plan("", &[])),
        "an array with 0 axes is not supported by an HDF5 hyperslab; reshape it in another \
         operator",
    );
    says(
        mdspan::slices(&plan("1, None", &[5])),
        "axis 0 of the result is new, but C++'s `submdspan` cannot add axes; add it with a second \
         operator",
    );
    if usize::BITS > 32 {
        let long = i32::MAX as usize + 2;
        says(
            tflite::SLICE.write(&plan("2147483648:", &[long])),
            "2147483648 on axis 0 does not fit in the numbers of TFLite's `SLICE`; use an \
             operator with 64-bit numbers",
        );
    }
}

#[test]
fn a_shape_of_seven_axes_is_shown_whole() {
    let shape = pyslice::Lengths::new(&[1, 2, 3, 4, 5, 6, 7]).to_string();
    assert_eq!(shape, "(1, 2, 3, 4, 5, 6, 7)");
}
