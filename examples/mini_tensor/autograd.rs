//! Gradients through slices: what a slice took, its gradient puts back, by the same plan.

use super::{DType, Element, Error, Result, Tensor};
use pyslice::{AsSpec, Plan};
use std::cell::RefCell;
use std::rc::Rc;

/// What was done, in order.
#[derive(Clone, Debug, Default)]
pub struct Tape(Rc<RefCell<Vec<Step>>>);

/// One step: how its result came about, by the numbers of earlier steps.
#[derive(Clone, Debug)]
enum How {
    Given,
    Sum(usize),
    Add(usize, usize),
    Mul(usize, usize),
    /// `x[spec]`, as planned.
    Slice(usize, Plan),
    /// `x` with `x[spec] = values`, as planned.
    Set(usize, Plan, usize),
}

#[derive(Clone, Debug)]
struct Step {
    how: How,
    value: Tensor,
}

/// A tensor on a tape.
#[derive(Clone, Debug)]
pub struct Var {
    tape: Tape,
    number: usize,
    value: Tensor,
}

impl Tape {
    /// Puts a tensor on the tape.
    pub fn var(&self, value: Tensor) -> Result<Var> {
        match value.dtype() {
            DType::F32 | DType::F64 => Ok(self.push(How::Given, value.contiguous()?)),
            other => Err(Error::NoGradient(other)),
        }
    }

    fn push(&self, how: How, value: Tensor) -> Var {
        let mut steps = self.0.borrow_mut();
        steps.push(Step { how, value: value.clone() });
        Var { tape: self.clone(), number: steps.len() - 1, value }
    }
}

impl Var {
    pub fn value(&self) -> &Tensor {
        &self.value
    }

    pub fn add(&self, other: &Var) -> Result<Var> {
        Ok(self.tape.push(How::Add(self.number, other.number), self.value.add(&other.value)?))
    }

    pub fn mul(&self, other: &Var) -> Result<Var> {
        Ok(self.tape.push(How::Mul(self.number, other.number), self.value.mul(&other.value)?))
    }

    pub fn sum(&self) -> Result<Var> {
        Ok(self.tape.push(How::Sum(self.number), self.value.sum()?))
    }

    /// `x[spec]`
    pub fn slice(&self, spec: impl AsSpec) -> Result<Var> {
        // Values on the tape are contiguous, so that one plan serves both ways.
        let plan = spec.as_spec().plan(self.value.shape())?;
        let value = self.value.slice(spec)?.contiguous()?;
        Ok(self.tape.push(How::Slice(self.number, plan), value))
    }

    /// `x` with `x[spec] = values`, broadcast; `x` itself stays as it is.
    pub fn set(&self, spec: impl AsSpec, values: &Var) -> Result<Var> {
        let plan = spec.as_spec().plan(self.value.shape())?;
        let mut value = self.value.clone();
        value.slice_mut(spec)?.assign(&values.value)?;
        Ok(self.tape.push(How::Set(self.number, plan, values.number), value))
    }

    /// The gradients of the sum of this tensor's elements with respect to each of `wanted`.
    pub fn gradients(&self, wanted: &[&Var]) -> Result<Vec<Tensor>> {
        match self.value.dtype() {
            DType::F32 => self.back::<f32>(wanted),
            DType::F64 => self.back::<f64>(wanted),
            other => Err(Error::NoGradient(other)),
        }
    }

    fn back<T: Element>(&self, wanted: &[&Var]) -> Result<Vec<Tensor>> {
        let steps = self.tape.0.borrow();
        let zeros = |i: usize| vec![T::default(); steps[i].value.count()];
        let mut grads: Vec<Vec<T>> = (0..=self.number).map(zeros).collect();
        grads[self.number].fill(T::from_count(1));
        for (i, step) in steps.iter().enumerate().take(self.number + 1).rev() {
            let dy = std::mem::take(&mut grads[i]);
            let as_tensor = || Tensor::new(step.value.shape(), &dy);
            match &step.how {
                How::Given => {}
                How::Sum(x) => {
                    let all = as_tensor()?.broadcast_to(steps[*x].value.shape())?;
                    accumulate(&mut grads[*x], &all)?;
                }
                How::Add(x, y) => {
                    for part in [x, y] {
                        accumulate(
                            &mut grads[*part],
                            &as_tensor()?.sum_to(steps[*part].value.shape())?,
                        )?;
                    }
                }
                How::Mul(x, y) => {
                    for (part, other) in [(x, y), (y, x)] {
                        let scaled = as_tensor()?.mul(&steps[*other].value)?;
                        accumulate(&mut grads[*part], &scaled.sum_to(steps[*part].value.shape())?)?;
                    }
                }
                // dx[spec] += dy
                How::Slice(x, plan) => plan.add_assign(&mut grads[*x], &dy)?,
                How::Set(x, plan, values) => {
                    // What was put in flows back to the values; what it replaced gets nothing.
                    let taken = Tensor::new(plan.shape(), &plan.copy(&dy)?)?;
                    let reduced = taken.sum_to(steps[*values].value.shape())?;
                    accumulate(&mut grads[*values], &reduced)?;
                    let mut rest = dy.clone();
                    plan.fill(&mut rest, T::default())?;
                    accumulate(&mut grads[*x], &Tensor::new(step.value.shape(), &rest)?)?;
                }
            }
            grads[i] = dy;
        }
        let tensor = |var: &&Var| {
            let grad = grads.get(var.number).cloned().unwrap_or_else(|| zeros(var.number));
            Tensor::new(var.value.shape(), &grad)
        };
        wanted.iter().map(tensor).collect()
    }
}

fn accumulate<T: Element>(grad: &mut [T], more: &Tensor) -> Result<()> {
    let values = more.to_vec::<T>()?;
    grad.iter_mut().zip(values).for_each(|(to, v)| *to += v);
    Ok(())
}
