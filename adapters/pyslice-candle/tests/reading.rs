//! `x[spec]` against the index-by-index reference, and which slices are views.

mod common;

use candle_core::{DType, Device, Result, Tensor, Var};
use common::{case, elements, generate, naive, numbers, share, spec_of};
use naive::Item;
use proptest::prelude::*;
use pyslice::{SpecBuf, s};
use pyslice_candle::PySlice;

/// Whether candle's layout can say it: there are elements, and on each axis the second lies behind
/// the first; right behind it if a gradient is tracked.
fn is_view(shape: &[usize], items: &[Item], tracked: bool) -> bool {
    if naive::pick(shape, items).unwrap().from.is_empty() {
        return false;
    }
    let ranges = naive::expand(shape.len(), items).unwrap();
    let mut lengths = shape.iter();
    ranges.into_iter().filter(|item| *item != Item::NewAxis).all(|item| {
        let n = *lengths.next().unwrap() as i128;
        let Item::Range { start, stop, step } = item else { return true };
        match naive::positions(n, start, stop, step)[..] {
            [first, second, ..] => second == first + 1 || (second > first && !tracked),
            _ => true,
        }
    })
}

proptest! {
    #![proptest_config(generate::config(2000))]

    #[test]
    fn slices_take_what_the_reference_takes((shape, laid, items) in case()) {
        let x = laid.of(&numbers(&laid.long, DType::F32)?)?;
        let spec = spec_of(&items);
        let picked = naive::pick(&shape, &items).unwrap();
        let data = elements(&x)?;
        let wanted: Vec<f64> = picked.from.iter().map(|&at| data[at]).collect();

        let slice = x.pyslice(&spec)?;
        prop_assert_eq!(slice.dims(), &picked.shape);
        prop_assert_eq!(&elements(&slice)?, &wanted);
        prop_assert_eq!(share(&x, &slice), is_view(&shape, &items, false), "{}", spec);

        let copy = x.pyslice_copy(&spec)?;
        prop_assert_eq!(copy.dims(), &picked.shape);
        prop_assert_eq!(&elements(&copy)?, &wanted);
        prop_assert!(copy.is_contiguous() && !share(&x, &copy));

        let x = Var::from_tensor(&x)?;
        let slice = x.pyslice(&spec)?;
        prop_assert_eq!(slice.dims(), &picked.shape);
        prop_assert_eq!(&elements(&slice)?, &wanted);
        prop_assert_eq!(share(&x, &slice), is_view(&shape, &items, true), "{}", spec);
    }
}

#[test]
fn every_type_is_sliced_and_keeps_its_type() -> Result<()> {
    use DType::*;
    for dtype in [U8, U32, I16, I32, I64, BF16, F16, F32, F64, F8E4M3] {
        let x = numbers(&[2, 4], dtype)?;
        for y in [x.pyslice(s![1, ::-2])?, x.pyslice_copy(s![1, ::-2])?] {
            assert_eq!((y.dtype(), elements(&y)?), (dtype, vec![7., 5.]));
        }
        let view = x.pyslice(s![:, 1])?;
        assert_eq!((view.dtype(), elements(&view)?), (dtype, vec![1., 5.]));
        assert!(share(&x, &view));
    }
    Ok(())
}

#[test]
fn types_without_arithmetic_are_sliced_where_they_have_whole_bytes() -> Result<()> {
    let raw = |dtype| Tensor::from_raw_buffer(&[1, 2, 3, 4], dtype, &[4], &Device::Cpu);
    let bytes = raw(DType::F8E8M0)?.pyslice(s![::-2])?;
    let candle_core::CpuStorage::F8E8M0(bytes) = (match &*bytes.storage_and_layout().0 {
        candle_core::Storage::Cpu(bytes) => bytes.clone(),
        _ => unreachable!("made on the CPU"),
    }) else {
        panic!("another type");
    };
    assert_eq!(bytes, [4, 2]);

    let halves = raw(DType::F4)?;
    let error = halves.pyslice(s![::-1]).unwrap_err().to_string();
    assert!(error.starts_with("unsupported dtype F4 for op pyslice_copy"), "{error}");
    Ok(())
}

#[test]
fn repeated_elements_are_copied_as_often_as_they_are_taken() -> Result<()> {
    let x = numbers(&[3, 1], DType::F32)?.broadcast_as((2, 3, 4))?;
    let y = x.pyslice(s![0, ::-2, 1:3])?;
    assert_eq!(y.to_vec2::<f32>()?, [[2., 2.], [0., 0.]]);
    let view = x.pyslice(s![1, :, ::2])?;
    assert_eq!(
        (view.to_vec2::<f32>()?, view.stride()),
        (vec![vec![0., 0.], vec![1., 1.], vec![2., 2.]], &[1, 0][..])
    );
    Ok(())
}

#[test]
fn an_axis_that_candle_cannot_step_over_is_copied() -> Result<()> {
    // `unfold` counts in `f32`, which has no 2^24 + 1.
    let n = (1 << 24) + 3;
    let x = Tensor::zeros(n, DType::U8, &Device::Cpu)?;
    x.pyslice_fill(s![-1], 9u8)?;
    let y = x.pyslice(s![::2])?;
    assert_eq!((y.dims(), y.pyslice(s![-1])?.to_scalar::<u8>()?), (&[(1 << 23) + 2][..], 9));
    Ok(())
}

#[test]
fn errors_keep_their_text() -> Result<()> {
    let x = numbers(&[3, 4], DType::F32)?;
    let specs: [(SpecBuf, &[usize]); 4] = [
        (s![3].to_buf(), &[3, 4]),
        (s![:, -5, ::-1].to_buf(), &[3, 4]),
        (s![:, :, 0].to_buf(), &[3, 4]),
        (s![1:5].strict().to_buf(), &[3, 4]),
    ];
    for (spec, shape) in &specs {
        let ours = spec.plan(shape).unwrap_err().to_string();
        for refused in [
            x.pyslice(spec).map(drop),
            x.pyslice_copy(spec).map(drop),
            x.pyslice_scatter(spec, &x).map(drop),
            x.pyslice_assign(spec, &numbers(&[1], DType::F32)?),
            x.pyslice_fill(spec, 1f32),
        ] {
            let text = refused.unwrap_err().to_string();
            assert!(text.starts_with(&ours), "{text}, and not {ours}");
        }
    }
    assert_eq!(elements(&x)?, elements(&numbers(&[3, 4], DType::F32)?)?);
    Ok(())
}
