//! Gradients through slices, against finite differences and against candle's `index_select`.

mod common;

use candle_core::{DType, Device, Result, Tensor, Var};
use common::{case, elements, generate, naive, numbers, spec_of};
use proptest::prelude::*;
use pyslice::s;
use pyslice_candle::PySlice;
use std::process::Command;

fn gradient(loss: &Tensor, of: &Tensor) -> Result<Vec<f64>> {
    match loss.backward()?.get(of) {
        Some(gradient) => elements(gradient),
        None => Ok(vec![0.; of.elem_count()]),
    }
}

/// `∂f/∂x` by central differences.
fn differences(x: &Tensor, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Vec<f64>> {
    let values = elements(x)?;
    let at = |k: usize, by: f64| -> Result<f64> {
        let mut moved = values.clone();
        moved[k] += by;
        f(&Tensor::from_vec(moved, x.shape(), x.device())?)?.to_scalar()
    };
    (0..values.len()).map(|k| Ok((at(k, 1e-3)? - at(k, -1e-3)?) / 2e-3)).collect()
}

fn close(ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= 1e-6 * b.abs().max(1.), "{ours:?}, and not {theirs:?}");
    }
}

proptest! {
    #![proptest_config(generate::config(500))]

    #[test]
    fn a_slice_has_the_gradient_of_index_select((shape, laid, items) in case()) {
        // candle's own operators panic on an empty tensor that begins behind its storage.
        prop_assume!(!shape.contains(&0));
        let w = Var::from_tensor(&numbers(&laid.long, DType::F64)?)?;
        let x = laid.of(&w)?;
        let picked = naive::pick(&shape, &items).unwrap();
        let n = picked.from.len();
        let weights: Vec<f64> = (1..=n).map(|k| k as f64).collect();
        let weights = Tensor::from_vec(weights, n, &Device::Cpu)?;
        let loss = |taken: &Tensor| (taken.flatten_all()?.sqr()? * &weights)?.sum_all();

        let at: Vec<u32> = picked.from.iter().map(|&at| at as u32).collect();
        let at = Tensor::from_vec(at, n, &Device::Cpu)?;
        let theirs = gradient(&loss(&x.flatten_all()?.index_select(&at, 0)?)?, &w)?;
        let spec = spec_of(&items);
        prop_assert_eq!(&gradient(&loss(&x.pyslice(&spec)?)?, &w)?, &theirs);
        prop_assert_eq!(&gradient(&loss(&x.pyslice_copy(&spec)?)?, &w)?, &theirs);
        // A gradient that is not in C order: it is one number, repeated.
        let theirs = gradient(&x.flatten_all()?.index_select(&at, 0)?.sum_all()?, &w)?;
        prop_assert_eq!(&gradient(&x.pyslice(&spec)?.sum_all()?, &w)?, &theirs);
        prop_assert_eq!(&gradient(&x.pyslice_copy(&spec)?.sum_all()?, &w)?, &theirs);
    }

    #[test]
    fn a_scatter_has_the_gradients_of_finite_differences(
        (shape, items) in generate::case(3, 30),
        ones in any::<u8>(),
    ) {
        let picked = naive::pick(&shape, &items).unwrap();
        let lengths = picked.shape.iter().enumerate();
        let of_values: Vec<usize> =
            lengths.map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n }).collect();
        let spec = spec_of(&items);
        let x = Var::from_tensor(&(numbers(&shape, DType::F64)? / 10.)?)?;
        let y = Var::from_tensor(&(numbers(&of_values, DType::F64)? / 7.)?)?;
        let weights = numbers(&shape, DType::F64)?;
        let f = |x: &Tensor, y: &Tensor| {
            let z = x.pyslice_scatter(&spec, y)?;
            (z.sqr()? * &weights)?.sum_all()
        };
        let loss = f(&x, &y)?;
        close(&gradient(&loss, &x)?, &differences(&x, |x| f(x, &y))?);
        close(&gradient(&loss, &y)?, &differences(&y, |y| f(&x, y))?);
    }
}

#[test]
fn an_empty_slice_has_a_gradient_of_zeros() -> Result<()> {
    let x = Var::ones((2, 3), DType::F64, &Device::Cpu)?;
    for taken in [x.pyslice(s![2:, 1:])?, x.pyslice(s![-1, 5:])?] {
        assert_eq!(gradient(&taken.sum_all()?, &x)?, [0.; 6]);
    }
    Ok(())
}

#[test]
fn the_values_of_a_scatter_may_have_leading_axes() -> Result<()> {
    let x = Var::zeros(4, DType::F64, &Device::Cpu)?;
    let y = Var::ones((1, 1, 2), DType::F64, &Device::Cpu)?;
    let loss = x.pyslice_scatter(s![::-2], &y)?.affine(3., 0.)?.sum_all()?;
    let grads = loss.backward()?;
    assert_eq!(elements(grads.get(&x).unwrap())?, [3., 0., 3., 0.]);
    let dy = grads.get(&y).unwrap();
    assert_eq!((dy.dims(), elements(dy)?), (&[1, 1, 2][..], vec![3., 3.]));
    Ok(())
}

/// candle keeps gradients of gradients only if this is set before the first one, on each thread. So
/// the test starts itself once more, with it.
#[test]
fn gradients_have_gradients() -> Result<()> {
    const SWITCH: &str = "CANDLE_GRAD_DO_NOT_DETACH";
    if std::env::var_os(SWITCH).is_none() {
        let done = Command::new(std::env::current_exe()?)
            .env(SWITCH, "1")
            .args(["--exact", "gradients_have_gradients", "--nocapture"])
            .output()?;
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
        return Ok(());
    }
    let of = |loss: Tensor, x: &Var| -> Result<Tensor> {
        Ok(loss.backward()?.get(x).expect("a gradient").clone())
    };
    let x = Var::new(&[1f64, 2., 3., 4., 5.], &Device::Cpu)?;
    let cube = |x: &Tensor| x.sqr()? * x;
    // sum(x[::-2] ** 3): the second derivative of each element taken is 6 x.
    let dx = of(cube(&x.pyslice(s![::-2])?)?.sum_all()?, &x)?;
    assert_eq!(elements(&dx)?, [3., 0., 27., 0., 75.]);
    assert_eq!(elements(&of(dx.sum_all()?, &x)?)?, [6., 0., 18., 0., 30.]);

    // z = x.copy(); z[1::2] = y; sum(z ** 3)
    let y = Var::new(7f64, &Device::Cpu)?;
    let dx = of(cube(&x.pyslice_scatter(s![1::2], &y)?)?.sum_all()?, &x)?;
    assert_eq!(elements(&dx)?, [3., 0., 27., 0., 75.]);
    assert_eq!(elements(&of(dx.sum_all()?, &x)?)?, [6., 0., 18., 0., 30.]);
    let dy = of(cube(&x.pyslice_scatter(s![1::2], &y)?)?.sum_all()?, &y)?;
    assert_eq!(dy.to_scalar::<f64>()?, 2. * 3. * 49.);
    assert_eq!(of(dy, &y)?.to_scalar::<f64>()?, 2. * 6. * 7.);
    Ok(())
}
