//! Slices of burn's tensors, and assignments, against the reference.

mod common;

use burn_tensor::kind::Basic;
use burn_tensor::{Bool, DType, Device, Int, Tensor, TensorData};
use common::{another_device, case, elements, generate, naive, numbers, spec_of};
use proptest::prelude::*;
use pyslice::{SliceError, SpecBuf, s};
use pyslice_burn::{Error, PySlice};

/// burn's shape for a shape of NumPy's: a single element has one axis.
fn of_burns(shape: &[usize]) -> Vec<usize> {
    if shape.is_empty() { vec![1] } else { shape.to_vec() }
}

/// The shape of values for a slice of that shape: axes at the front are left out, and those that a
/// bit is set for are of length 1.
fn broadcasting(shape: &[usize], leave_out: usize, ones: u32) -> Vec<usize> {
    let kept = shape.iter().enumerate().skip(leave_out.min(shape.len()));
    kept.map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n }).collect()
}

fn tensor<const D: usize>(values: &[f32], shape: &[usize], device: &Device) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values.to_vec(), shape.to_vec()), device)
}

/// A tensor of that shape whose axes lie in another order in memory.
fn turned(shape: [usize; 3], device: &Device) -> Tensor<3> {
    let [a, b, c] = shape;
    numbers([c, a, b], device).permute([1, 2, 0])
}

proptest! {
    #![proptest_config(generate::config(1500))]

    #[test]
    fn slices_and_assignments_are_the_references(
        (shape, items) in case(),
        (leave_out, ones) in (0..3_usize, any::<u32>()),
        (backend, lies_turned) in (0..2, any::<bool>()),
    ) {
        let device = if backend == 0 { Device::flex() } else { another_device() };
        let x = if lies_turned { turned(shape, &device) } else { numbers(shape, &device) };
        let (data, spec): (Vec<f32>, _) = (elements(x.clone()), spec_of(&items));
        let picked = naive::pick(&shape, &items).unwrap();
        let of_values = of_burns(&broadcasting(&picked.shape, leave_out, ones));
        let values: Vec<f32> = (1..=of_values.iter().product()).map(|k: usize| -(k as f32)).collect();

        let wanted_shape = of_burns(&picked.shape);
        with_rank!(wanted_shape.len(), OUT => {
            let y: Tensor<OUT> = x.pyslice(&spec).unwrap();
            prop_assert_eq!(&y.dims()[..], &wanted_shape[..]);
            let wanted: Vec<f32> = picked.from.iter().map(|&at| data[at]).collect();
            prop_assert_eq!(elements::<_, _, f32>(y), wanted, "{}", spec);
            let wrong = SliceError::RankMismatch { expected: OUT + 1, found: OUT };
            prop_assert_eq!(x.pyslice::<{ OUT + 1 }>(&spec).unwrap_err(), Error::Slice(wrong));
        });

        let mut wanted = data.clone();
        let from = naive::broadcast(&picked.shape, &of_values).unwrap();
        picked.from.iter().zip(from).for_each(|(&at, value)| wanted[at] = values[value]);
        let assigned = with_rank!(of_values.len(), V => {
            x.clone().pyslice_assign(&spec, tensor::<V>(&values, &of_values, &device)).unwrap()
        });
        prop_assert_eq!(elements::<_, _, f32>(assigned), wanted, "{} of {:?}", spec, of_values);

        let mut wanted = data.clone();
        picked.from.iter().for_each(|&at| wanted[at] = -1.);
        prop_assert_eq!(elements::<_, _, f32>(x.clone().pyslice_fill(&spec, -1).unwrap()), wanted);
        // The tensor itself is as it was.
        prop_assert_eq!(elements::<_, _, f32>(x), data);
    }

    #[test]
    fn values_are_refused_where_numpy_refuses_them(
        (shape, items) in case(),
        of_values in proptest::collection::vec(0..4_usize, 1..5),
    ) {
        let device = Device::default();
        let picked = naive::pick(&shape, &items).unwrap();
        let refused = naive::broadcast(&picked.shape, &of_values).is_err();
        let zeros = vec![0.; of_values.iter().product()];
        let assigned = with_rank!(of_values.len(), V => {
            let values = tensor::<V>(&zeros, &of_values, &device);
            numbers(shape, &device).pyslice_assign(spec_of(&items), values)
        });
        match assigned {
            Ok(_) => prop_assert!(!refused),
            Err(Error::Slice(SliceError::Broadcast { .. })) => prop_assert!(refused),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn the_rank_is_in_the_type() -> Result<(), Error> {
    fn rank<const D: usize, K: Basic>(_: &Tensor<D, K>) -> usize {
        D
    }
    let x = numbers([4, 6], &Device::default());
    let i = 2;
    assert_eq!(rank(&x.pyslice(s![i])?), 1);
    assert_eq!(rank(&x.pyslice(s![-1, ::-1, None, None])?), 3);
    assert_eq!(rank(&x.pyslice(s![1, 2])?), 1);
    assert_eq!(elements::<_, _, f32>(x.pyslice(s![1, 2])?), [8.]);
    // Of a rank that is generic.
    fn halved<const D: usize>(x: &Tensor<D>, spec: &SpecBuf) -> Result<Tensor<D>, Error> {
        x.pyslice(spec)
    }
    assert_eq!(halved(&x, &"::2, ::2".parse::<SpecBuf>()?)?.dims(), [2, 3]);
    Ok(())
}

#[test]
fn tensors_of_every_kind_are_sliced_and_written() -> Result<(), Error> {
    let device = Device::default();
    let bools = Tensor::<1, Bool>::from_data([true, false, false], &device);
    let bools = bools.clone().pyslice_assign(s![::-1], bools.pyslice(s![:])?)?;
    assert_eq!(elements::<_, _, bool>(bools.clone()), [false, false, true]);
    assert_eq!(elements::<_, _, bool>(bools.pyslice_fill(s![0], true)?), [true, false, true]);

    for dtype in [DType::I64, DType::I32, DType::U8] {
        let ints = Tensor::<1, Int>::from_data([1, 2, 3], (&device, dtype));
        let ints = ints.pyslice_fill(s![-1], 7)?;
        assert_eq!(ints.dtype(), dtype);
        assert_eq!(ints.pyslice(s![2:0:-1])?.dtype(), dtype);
        assert_eq!(ints.pyslice(s![3:, None])?.dtype(), dtype);
        ints.into_data().assert_eq(&TensorData::from([1, 2, 7]).convert_dtype(dtype), true);
    }
    Ok(())
}

/// burn's `reshape` copies a view that is not contiguous: a slice that keeps the axes needs none.
#[test]
fn a_slice_that_keeps_the_axes_is_burns_own_view() -> Result<(), Error> {
    let x = numbers([1000, 1000], &Device::flex());
    let time = |slice: &dyn Fn() -> Tensor<2>| {
        let runs = (0..50).map(|_| {
            let start = std::time::Instant::now();
            std::hint::black_box(slice());
            start.elapsed()
        });
        runs.min().unwrap()
    };
    let ours = time(&|| x.pyslice(s![::-1, ::2]).unwrap());
    let copied = time(&|| {
        x.clone().slice(burn_tensor::s![..;-1, ..;2]).reshape([500_000]).reshape([1000, 500])
    });
    assert!(ours * 20 < copied, "{ours:?}, and a copy {copied:?}");
    Ok(())
}

#[test]
fn errors_name_what_is_wrong() {
    let (device, other) = (Device::flex(), another_device());
    let x = || numbers([2, 3], &device);
    let said = |error: Error| error.to_string();

    let typed: SpecBuf = ":, 9".parse().unwrap();
    let outside = Error::Slice(SliceError::IndexOutOfRange { index: 9, axis: 1, len: 3 });
    assert_eq!(x().pyslice::<1>(&typed).unwrap_err(), outside);
    assert_eq!(x().pyslice_fill(&typed, 0).unwrap_err(), outside);
    assert_eq!(x().pyslice_assign(&typed, x()).unwrap_err(), outside);

    let values = Tensor::<1>::from_data([1., 2.], (&device, DType::F64));
    let error = x().pyslice_assign(s![:, 0], values).unwrap_err();
    assert_eq!(error, Error::ElementType { tensor: DType::F32, values: DType::F64 });
    assert_eq!(said(error), "the values are F64, but the tensor is F32; cast the values first");
    let error = x().pyslice_assign(s![:], numbers([2, 3], &other)).unwrap_err();
    assert_eq!(error, Error::Device);
    assert!(said(error).starts_with("the values are on another device than the tensor; use"));
    let error = x().pyslice_assign(s![:, :2], numbers([2, 3], &device)).unwrap_err();
    assert!(said(error).contains("(2, 3)") && said(error).contains("(2, 2)"), "{error}");
}

#[test]
fn quantized_tensors_are_read_and_not_written() -> Result<(), Error> {
    use burn_tensor::quantization::{QuantScheme, QuantValue};
    let scheme = QuantScheme::default().with_value(QuantValue::Q8S);
    let x = numbers([4, 4], &Device::flex()).quantize_dynamic(&scheme);
    let row = x.pyslice(s![3])?.dequantize();
    let near: Vec<f32> = elements(row);
    assert!(near.iter().zip(12..16).all(|(a, b)| (a - b as f32).abs() < 0.2), "{near:?}");
    assert_eq!(x.clone().pyslice_fill(s![0], 1).unwrap_err(), Error::Quantized);
    assert_eq!(x.clone().pyslice_assign(s![0], x.pyslice(s![1])?).unwrap_err(), Error::Quantized);
    Ok(())
}

proptest! {
    #![proptest_config(generate::config(300))]

    /// The loss weights each element of the slice, so the gradient is the weights in their places.
    #[test]
    fn gradients_go_to_the_tensor_and_to_the_values((shape, items) in case()) {
        let device = Device::flex().autodiff();
        let picked = naive::pick(&shape, &items).unwrap();
        prop_assume!(!picked.from.is_empty());
        let spec = spec_of(&items);
        let weights: Vec<f32> = (1..=picked.from.len()).map(|k| k as f32).collect();
        let w = numbers(shape, &device).require_grad();
        let mut wanted = vec![0.; shape.iter().product()];
        picked.from.iter().zip(&weights).for_each(|(&at, &weight)| wanted[at] = weight);

        let of_weights = of_burns(&picked.shape);
        with_rank!(of_weights.len(), OUT => {
            let c = tensor::<OUT>(&weights, &of_weights, &device);
            let grads = (w.pyslice(&spec).unwrap() * c.clone()).sum().backward();
            prop_assert_eq!(elements::<_, _, f32>(w.grad(&grads).unwrap()), wanted.clone());

            // Of the sum of x², with c at the slice: 2 c there, and 2 x elsewhere.
            let c = c.require_grad();
            let put = w.clone().pyslice_assign(&spec, c.clone()).unwrap();
            let grads = (put.clone() * put).sum().backward();
            let of_values: Vec<f32> = elements(c.grad(&grads).unwrap());
            prop_assert_eq!(of_values, weights.iter().map(|a| 2. * a).collect::<Vec<f32>>());
            let elsewhere = (0..wanted.len()).map(|k| if wanted[k] == 0. { 2. * k as f32 } else { 0. });
            let of_tensor: Vec<f32> = elements(w.grad(&grads).unwrap());
            prop_assert_eq!(of_tensor, elsewhere.collect::<Vec<f32>>());
        });
    }
}
