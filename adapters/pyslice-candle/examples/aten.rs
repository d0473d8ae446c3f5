//! A slice as a chain of PyTorch's operators, which any library of that kind can run: here candle,
//! on any device. With tch, the arm of the loop is `y.slice(dim, start, end, step)`.

use candle_core::{Device, Tensor};
use pyslice::interop::Bound::At;
use pyslice::interop::aten::{self, Step};
use pyslice::{AsSpec, SpecBuf};
use std::error::Error;

/// `x[spec]`, by candle's own operators.
fn slice(x: &Tensor, spec: impl AsSpec) -> Result<Tensor, Box<dyn Error>> {
    let (forwards, turn) = spec.as_spec().plan(x.dims())?.forwards()?;
    // candle's `index_select` and `flip` take no other layout.
    let mut y = x.contiguous()?;
    for operator in aten::steps(&forwards)? {
        let Step::Slice { dim, start: At(start), end: At(end), step } = operator else {
            return Err("`forwards` keeps every axis".into());
        };
        y = if step == 1 {
            y.narrow(dim as usize, start as usize, (end - start) as usize)?.contiguous()?
        } else {
            let at: Vec<i64> = (start..end).step_by(step as usize).collect();
            y.index_select(&Tensor::new(at, y.device())?, dim as usize)?
        };
    }
    let ranges = turn.to_step_ranges()?;
    let backwards: Vec<usize> = (0..x.rank()).filter(|&axis| ranges[axis].step < 0).collect();
    Ok(y.flip(&backwards)?.reshape(turn.shape())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let x = Tensor::arange(0i64, 4 * 6 * 8, &Device::Cpu)?.reshape((4, 6, 8))?;
    let elements = x.flatten_all()?.to_vec1::<i64>()?;
    for text in ["", "1", "::-1", "..., ::-3, 5", "1:3, None, 4:0:-2", "3:1", "0, 0, 0"] {
        let spec: SpecBuf = text.parse()?;
        let (y, plan) = (slice(&x, &spec)?, spec.plan(x.dims())?);
        assert_eq!(y.dims(), plan.shape(), "{text}");
        assert_eq!(y.flatten_all()?.to_vec1::<i64>()?, plan.copy(&elements)?, "{text}");
    }
    Ok(())
}
