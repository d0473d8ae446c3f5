//! `x[spec] = values` against the index-by-index reference.

mod common;

use candle_core::{DType, Device, Result, Tensor, Var};
use common::{case, elements, generate, naive, numbers, spec_of};
use proptest::prelude::*;
use pyslice::s;
use pyslice_candle::PySlice;

/// What of a shape is kept, and what becomes 1, which is broadcast again.
fn narrowed(shape: &[usize], ones: u8, left_out: usize) -> Vec<usize> {
    let lengths = shape.iter().enumerate();
    lengths.map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n }).skip(left_out).collect()
}

/// The elements of the larger tensor after `x`, which lies in it, got these.
fn expected(base: &Tensor, x: &Tensor, elements_of_x: &[f64]) -> Result<Vec<f64>> {
    // The larger tensor, in C order, is what the storage holds.
    let layout = x.layout();
    let mut places = vec![layout.start_offset()];
    for (&n, &stride) in layout.dims().iter().zip(layout.stride()) {
        places = places.iter().flat_map(|at| (0..n).map(move |k| at + k * stride)).collect();
    }
    let mut all = elements(base)?;
    places.iter().zip(elements_of_x).for_each(|(&at, &v)| all[at] = v);
    Ok(all)
}

proptest! {
    #![proptest_config(generate::config(2000))]

    #[test]
    fn values_go_where_the_reference_puts_them(
        (shape, laid, items) in case(),
        ones in any::<u8>(),
        left_out in 0..3_usize,
        columns_first in any::<bool>(),
    ) {
        let base = numbers(&laid.long, DType::F64)?;
        let x = laid.of(&base)?;
        let spec = spec_of(&items);
        let picked = naive::pick(&shape, &items).unwrap();
        let shape_of_values = narrowed(&picked.shape, ones, left_out);
        let mut values = (numbers(&shape_of_values, DType::F64)? + 1000.)?;
        if columns_first && values.rank() > 1 {
            values = values.transpose(0, 1)?.contiguous()?.transpose(0, 1)?;
        }
        let written = elements(&values)?;
        let from = naive::broadcast(&picked.shape, &shape_of_values).unwrap();
        let mut wanted = elements(&x)?;
        picked.from.iter().zip(from).for_each(|(&at, v)| wanted[at] = written[v]);

        let before = elements(&base)?;
        let scattered = x.pyslice_scatter(&spec, &values)?;
        prop_assert_eq!(scattered.dims(), x.dims());
        prop_assert_eq!(&elements(&scattered)?, &wanted);
        prop_assert_eq!(elements(&base)?, before, "written in place");

        let all = expected(&base, &x, &wanted)?;
        x.pyslice_assign(&spec, &values)?;
        prop_assert_eq!(elements(&base)?, all);

        picked.from.iter().for_each(|&at| wanted[at] = -1.);
        let all = expected(&base, &x, &wanted)?;
        x.pyslice_fill(&spec, -1f64)?;
        prop_assert_eq!(elements(&base)?, all);
    }

    #[test]
    fn values_of_the_same_storage_are_read_first(
        (shape, laid, items) in case(),
        rolled in 0..4_usize,
    ) {
        let base = numbers(&laid.long, DType::F64)?;
        let x = laid.of(&base)?;
        let picked = naive::pick(&shape, &items).unwrap();
        prop_assume!(!shape.is_empty());
        // As many positions as the slice takes, from other places of the tensor.
        let mut source = x.clone();
        let axis = rolled % shape.len();
        source = source.narrow(axis, 0, shape[axis].min(1))?;
        let values = elements(&source)?;
        let Ok(from) = naive::broadcast(&picked.shape, source.dims()) else { return Ok(()) };
        let mut wanted = elements(&x)?;
        picked.from.iter().zip(from).for_each(|(&at, v)| wanted[at] = values[v]);
        let all = expected(&base, &x, &wanted)?;
        x.pyslice_assign(spec_of(&items), &source)?;
        prop_assert_eq!(elements(&base)?, all);
    }
}

#[test]
fn a_tensor_is_reversed_and_shifted_in_place() -> Result<()> {
    let x = numbers(&[7], DType::U32)?;
    x.pyslice_assign(s![2:], &x.pyslice(s![:-2])?)?;
    assert_eq!(x.to_vec1::<u32>()?, [0, 1, 0, 1, 2, 3, 4]);
    x.pyslice_assign(s![::-1], &x)?;
    assert_eq!(x.to_vec1::<u32>()?, [4, 3, 2, 1, 0, 1, 0]);
    x.pyslice_assign(s![::2], &x.pyslice(s![-4:])?)?;
    assert_eq!(x.to_vec1::<u32>()?, [1, 3, 0, 1, 1, 1, 0]);
    Ok(())
}

#[test]
fn a_view_writes_into_its_tensor() -> Result<()> {
    let x = numbers(&[2, 5], DType::U8)?;
    let view = x.pyslice(s![1, ::2])?;
    view.pyslice_assign(s![::-2], &Tensor::new(&[20u8, 10], &Device::Cpu)?)?;
    assert_eq!(x.to_vec2::<u8>()?, [[0, 1, 2, 3, 4], [10, 6, 7, 0, 20]]);
    Ok(())
}

#[test]
fn every_type_is_written() -> Result<()> {
    use DType::*;
    for dtype in [U8, U32, I16, I32, I64, BF16, F16, F32, F64, F8E4M3] {
        let x = numbers(&[2, 3], dtype)?;
        let seven = numbers(&[8], dtype)?.narrow(0, 7, 1)?;
        let y = x.pyslice_scatter(s![:, ::-2], &seven)?;
        assert_eq!((y.dtype(), elements(&y)?), (dtype, vec![7., 1., 7., 7., 4., 7.]));
        x.pyslice_assign(s![0], &x.pyslice(s![1])?)?;
        x.pyslice_assign(s![1, 1], &seven)?;
        assert_eq!(elements(&x)?, [3., 4., 5., 3., 7., 5.], "{dtype:?}");
    }
    let filled = |x: Tensor| elements(&x);
    macro_rules! fill {
        ($($value:expr, $dtype:ident;)*) => { $(
            let x = numbers(&[4], $dtype)?;
            x.pyslice_fill(s![1::2], $value)?;
            assert_eq!(filled(x)?, [0., 5., 2., 5.]);
        )* };
    }
    fill! {
        5u8, U8; 5u32, U32; 5i16, I16; 5i32, I32; 5i64, I64; 5f32, F32; 5f64, F64;
        half::f16::from_f32(5.), F16; half::bf16::from_f32(5.), BF16;
    }
    Ok(())
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_changes() -> Result<()> {
    let cpu = &Device::Cpu;
    let x = numbers(&[2, 3], DType::F32)?;
    let before = elements(&x)?;
    let starts = |refused: Result<()>, text: &str| {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };

    let text = "shape (2,) does not broadcast to shape (2, 2): its axis -1";
    let two = numbers(&[2], DType::F32)?;
    x.pyslice_assign(s![:, 1:], &two)?;
    x.pyslice_assign(s![:, 1:], &numbers(&[2, 3], DType::F32)?.pyslice_copy(s![:, 1:])?)?;
    let text = text.replace("(2, 2)", "(2, 3)");
    starts(x.pyslice_assign(s![], &two), &text);
    starts(x.pyslice_scatter(s![], &two).map(drop), &text);
    starts(x.pyslice_assign(s![], &x.pyslice(s![:, :2])?), "shape (2, 2) does not");

    let mixed = "dtype mismatch in pyslice_assign, lhs: F32, rhs: F64";
    starts(x.pyslice_assign(s![0], &Tensor::new(1f64, cpu)?), mixed);
    let mixed = mixed.replace("assign", "scatter");
    starts(x.pyslice_scatter(s![0], &Tensor::new(1f64, cpu)?).map(drop), &mixed);
    starts(x.pyslice_fill(s![0], 1u8), "dtype mismatch in pyslice_fill, lhs: F32, rhs: U8");

    let repeated = x.pyslice(s![:, :1])?.broadcast_as((2, 4))?;
    starts(repeated.pyslice_fill(s![0], 1f32), "pyslice_fill: dst has repeated elements");
    starts(repeated.pyslice_assign(s![0], &two), "pyslice_assign: dst has repeated elements");
    assert_eq!(elements(&x)?, before);
    Ok(())
}

#[test]
fn nothing_that_a_gradient_needs_is_written_or_lost() -> Result<()> {
    let w = Var::new(&[1f32, 2., 3.], &Device::Cpu)?;
    let loss = w.sqr()?.sum_all()?;
    let starts = |refused: Result<()>, text: &str| {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    // The gradient of the squares reads the variable again.
    starts(w.pyslice_fill(s![-1], 9f32), "pyslice_fill: the tensor is a variable");
    let values = w.as_detached_tensor().pyslice_copy(s![1:])?;
    starts(w.pyslice_assign(s![:2], &values), "pyslice_assign: the tensor is a variable");
    assert_eq!(loss.backward()?.get(&w).unwrap().to_vec1::<f32>()?, [2., 4., 6.]);

    let computed = w.pyslice(s![1:])?;
    let refused = computed.pyslice_fill(s![0], 0f32);
    starts(refused, "pyslice_fill: the tensor was computed from a variable");

    // Values that have a gradient.
    let z = Tensor::zeros(3, DType::F32, &Device::Cpu)?;
    for values in [(&*w * 3.)?, w.as_tensor().clone()] {
        starts(z.pyslice_assign(s![...], &values), "pyslice_assign: the values are or were");
    }
    let scattered = z.pyslice_scatter(s![...], &(&*w * 3.)?)?;
    assert_eq!(scattered.sum_all()?.backward()?.get(&w).unwrap().to_vec1::<f32>()?, [3.; 3]);
    z.pyslice_assign(s![...], &(&*w * 3.)?.detach())?;
    assert_eq!(z.to_vec1::<f32>()?, [3., 6., 9.]);

    // The same memory without gradients, as at the beginning of a program.
    w.as_detached_tensor().pyslice_fill(s![0], 0f32)?;
    assert_eq!(w.to_vec1::<f32>()?, [0., 2., 3.]);
    Ok(())
}
