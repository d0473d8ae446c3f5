//! Single elements of slices, and pairs of elements of two slices, against positions that are
//! listed one by one.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Buffer, SliceError, SpecBuf, plan, s};
use support::{check, generate};

/// Every index of a shape, in C order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &n| {
        all.iter().flat_map(|index| (0..n).map(move |i| [&index[..], &[i]].concat())).collect()
    })
}

proptest! {
    #![proptest_config(generate::config(400))]

    #[test]
    fn offsets_are_those_of_the_reference((shape, items) in generate::case(5, 1500)) {
        let (plan, picked) = check::planned(&shape, &items).unwrap();
        let indices = indices(&picked.shape);
        prop_assert_eq!(indices.len(), picked.from.len());
        for (index, &from) in indices.iter().zip(&picked.from) {
            prop_assert_eq!(plan.offset_at(index), Ok(from));
        }
        // One position outside, on each axis.
        for (axis, &len) in picked.shape.iter().enumerate().filter(|_| !indices.is_empty()) {
            let mut index = indices[0].clone();
            index[axis] = len;
            let outside = SliceError::IndexOutOfRange { index: len as i64, axis, len };
            prop_assert_eq!(plan.offset_at(&index), Err(outside));
        }
        let (expected, found) = (picked.shape.len(), picked.shape.len() + 1);
        let ranks = SliceError::RankMismatch { expected, found };
        prop_assert_eq!(plan.offset_at(&vec![0; found]), Err(ranks));

        let mut x: Vec<usize> = (0..plan.input_len()).collect();
        match picked.shape[..] {
            [] => {
                prop_assert_eq!(plan.get(&x), Ok(&picked.from[0]));
                *plan.get_mut(&mut x).unwrap() = usize::MAX;
                prop_assert_eq!(x[picked.from[0]], usize::MAX);
            }
            _ => {
                let left = Err(SliceError::AxesLeft { left: expected });
                prop_assert_eq!(plan.get(&x).copied(), left);
                prop_assert_eq!(plan.get_mut(&mut x).copied(), left);
            }
        }
    }

    #[test]
    fn zipping_two_slices_is_zipping_their_elements((shape, items) in generate::case(4, 300)) {
        let (from, picked) = check::planned(&shape, &items).unwrap();
        // The other one takes all of a larger array but its first element on each axis, backwards.
        let larger: Vec<usize> = picked.shape.iter().map(|&n| n + 1).collect();
        let text = vec![":0:-1"; larger.len()].join(", ");
        let to = text.parse::<SpecBuf>().unwrap().plan(&larger).unwrap();
        let y: Vec<u64> = (0..from.input_len() as u64).map(|i| i * i + 1).collect();
        let mut x: Vec<u64> = (0..to.input_len() as u64).map(|i| 1000 * i).collect();
        let mut expected = x.clone();
        for (index, &at) in indices(&picked.shape).iter().zip(&picked.from) {
            expected[to.offset_at(index).unwrap()] += y[at];
        }
        to.on_mut(&mut x).unwrap().zip(from.on(&y).unwrap(), |a, b| *a += b).unwrap();
        prop_assert_eq!(x, expected);
    }
}

#[test]
fn buffers_that_do_not_fit_are_refused() {
    let corner = s![-1, 0].plan(&[2, 3]).unwrap();
    let short = |buffer| SliceError::BufferLength { buffer, expected: 6, found: 5 };
    assert_eq!(corner.get(&[0; 5]), Err(short(Buffer::Source)));
    assert_eq!(corner.get_mut(&mut [0; 5]), Err(short(Buffer::Target)));
    assert_eq!(plan!([2, 3]; -1, 0).get(&[0, 1, 2, 3, 4, 5]), Ok(&3));

    let row = s![0].plan(&[2, 3]).unwrap();
    let mut x = [1; 6];
    assert_eq!(row.on(&[0; 5]).err(), Some(short(Buffer::Source)));
    assert_eq!(row.on_mut(&mut x[..5]).err(), Some(short(Buffer::Target)));
    let pair = s![0, 1:].plan(&[2, 3]).unwrap();
    let refused = pair.on_mut(&mut x).unwrap().zip(row.on(&[0; 6]).unwrap(), |a, b| *a = *b);
    assert_eq!(refused, Err(SliceError::broadcast(1, &[3], &[2])));
    assert_eq!(x, [1; 6]);
    // One value for a row, and an element for nothing.
    let one = s![1, 2].plan(&[2, 3]).unwrap();
    row.on_mut(&mut x).unwrap().zip(one.on(&[9; 6]).unwrap(), |a, b| *a += b).unwrap();
    assert_eq!(x, [10, 10, 10, 1, 1, 1]);
    let none = s![:, :0].plan(&[2, 3]).unwrap();
    let nothing = none.on(&[9; 6]).unwrap();
    let never = |_: &mut i32, _: &i32| unreachable!("no element is selected");
    none.on_mut(&mut x).unwrap().zip(nothing, never).unwrap();
}
