//! Systems that do not run here: every small case against the formula of the system's own page,
//! element by element.

use pyslice::interop::{InteropError, Operator, directml, mdspan, tensorrt};
use pyslice::{Dim, SliceError};

/// What an operator takes of an axis of `n` elements; `None` where it is refused.
fn taken(op: &dyn Operator, n: usize) -> Result<Vec<i64>, InteropError> {
    let input: Vec<i64> = (0..n as i64).collect();
    let dims = op.infer(Some(&[Dim::Known(n)]))?.expect("a known rank");
    let got = op.to_spec(&[n])?.plan(&[n])?.copy(&input)?;
    assert_eq!(*dims, [Dim::Known(got.len())], "inferred, and taken");
    Ok(got)
}

/// All of `first + k * step`, or `None` unless they lie on the axis.
fn walked(first: i64, step: i64, count: i64, n: usize) -> Option<Vec<i64>> {
    let all: Vec<i64> = (0..count).map(|k| first + k * step).collect();
    all.iter().all(|at| (0..n as i64).contains(at)).then_some(all)
}

#[test]
fn directml_walks_a_window_from_its_end_where_the_stride_is_negative() {
    let mut compared = 0;
    for n in 0..5_usize {
        for (offset, size) in (0..6_i64).flat_map(|o| (0..6).map(move |s| (o, s))) {
            for stride in (-3..4_i64).filter(|&s| s != 0) {
                // CopyStart += InputWindowSizes - 1, and OutputSizes up to 1 + (InputWindowSize -
                // 1) / |InputWindowStrides|.
                let start = if stride < 0 { offset + size - 1 } else { offset };
                let most = if size > 0 { 1 + (size - 1) / stride.abs() } else { 0 };
                let fits = size > 0 && offset + size <= n as i64;
                let (offsets, sizes, strides) = ([offset], [size], [stride]);
                let op = directml::slice1(&offsets, &sizes, &strides);
                let wanted = if fits { walked(start, stride, most, n) } else { None };
                assert_eq!(taken(&op, n).ok(), wanted, "{op:?} on {n}");
                for output in 0..most + 2 {
                    let fits = fits && (1..=most).contains(&output);
                    let wanted = if fits { walked(start, stride, output, n) } else { None };
                    let output = [output];
                    let op = op.output(&output);
                    assert_eq!(taken(&op, n).ok(), wanted, "{op:?} on {n}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 900, "{compared}");
    assert!(matches!(
        taken(&directml::slice1(&[0], &[2], &[0]), 3),
        Err(InteropError::Slice(SliceError::ZeroStep { entry: 0 }))
    ));
}

#[test]
fn tensorrt_is_a_slice_where_no_position_lies_outside() {
    use tensorrt::Mode;
    for n in 0..5_usize {
        for (start, size) in (-2..6_i64).flat_map(|o| (0..5).map(move |s| (o, s))) {
            for stride in (-3..4_i64).filter(|&s| s != 0) {
                let inside = walked(start, stride, size, n);
                let (starts, sizes, strides) = ([start], [size], [stride]);
                let strict = tensorrt::slice(&starts, &sizes, &strides);
                // An empty slice is asked for its start all the same.
                let wanted = inside.clone().filter(|_| size > 0 || (0..=n as i64).contains(&start));
                assert_eq!(taken(&strict, n).ok(), wanted, "{strict:?} on {n}");
                for (mode, name) in [
                    (Mode::Wrap, "WRAP"),
                    (Mode::Clamp, "CLAMP"),
                    (Mode::Fill, "FILL"),
                    (Mode::Reflect, "REFLECT"),
                ] {
                    let op = strict.mode(mode);
                    match (taken(&op, n), &wanted) {
                        (Ok(got), Some(wanted)) => assert_eq!(got, *wanted),
                        (Err(InteropError::Slice(SliceError::NotRepresentable { what })), None) => {
                            assert!(what.contains(name), "{what}")
                        }
                        (got, _) => panic!("{op:?} on {n}: {got:?}, not {wanted:?}"),
                    }
                    // Only a length that may be too short leaves the slice unknown.
                    let longer = op.spec_if_known(&[Dim::Between(n, n + 9)]).unwrap_or(None);
                    assert_eq!(longer.is_some(), wanted.is_some(), "{op:?} on {n} or more");
                    let anywhere = op.spec_if_known(&[Dim::Unknown]).unwrap_or(None);
                    assert_eq!(anywhere.is_some(), size == 0 && start == 0, "{op:?}");
                }
            }
        }
    }
}

#[test]
fn extents_of_the_result_and_of_the_input_are_two_things() {
    use mdspan::{Slice, submdspan};
    for n in 0..7_usize {
        for (offset, extent) in (-1..7_i64).flat_map(|o| (-1..7).map(move |e| (o, e))) {
            for stride in -1..4_i64 {
                // [mdspan.sub.range.slices]: `extent` indices that increase by `stride`.
                let at_start = extent == 0 && (0..=n as i64).contains(&offset);
                let counted = walked(offset, stride, extent.max(0), n)
                    .filter(|_| at_start || extent == 1 || extent > 1 && stride > 0);
                let slices = [Slice::Extent { offset, extent, stride }];
                assert_eq!(taken(&submdspan(&slices), n).ok(), counted, "{slices:?} on {n}");
                // P2630: the input's `extent` positions, every `stride`-th of them.
                let inside = offset >= 0 && extent >= 0 && offset + extent <= n as i64;
                let strided = (inside && (stride > 0 || extent < 2))
                    .then(|| (offset..offset + extent).step_by(stride.max(1) as usize).collect());
                for slice in [
                    Slice::Strided { offset, extent, stride },
                    Slice::Range { first: offset, last: offset + extent, stride },
                    Slice::Extent { offset, extent, stride },
                ] {
                    let got = taken(&submdspan(&[slice]), n);
                    // What the window is comes before what the stride is.
                    let step = matches!(got, Err(InteropError::StepTooSmall { .. }));
                    assert!(!step || (0..n as i64).contains(&offset), "{slice:?} on {n}");
                    if !matches!(slice, Slice::Extent { .. }) {
                        assert!(!step || inside, "{slice:?} on {n}");
                        assert_eq!(got.ok(), strided, "{slice:?} on {n}");
                    }
                }
            }
        }
    }
    // The note of the standard's page.
    for slice in [
        Slice::Extent { offset: 1, extent: 4, stride: 3 },
        Slice::Range { first: 1, last: 11, stride: 3 },
    ] {
        assert_eq!(taken(&submdspan(&[slice]), 12).unwrap(), [1, 4, 7, 10]);
    }
}
