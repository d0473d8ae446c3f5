//! Decides whether a sum of bounded multiples can equal a number. Every question about shared
//! elements is reduced to this one.
//!
//! The positions of a view are `offset + s₀·i₀ + s₁·i₁ + …` with `0 ≤ iₖ < nₖ`. So two views share
//! an element if and only if `Σ coefₖ·zₖ = target` has a solution with `0 ≤ zₖ ≤ topₖ`. That
//! problem is hard in general (subset sum is a case of it) and easy for the strides that arrays
//! have. This method is exact for all of them:
//!
//! 1. Terms are merged where they leave no gap: `a·z₁ + ka·z₂` is `a·z` if `z₁` reaches `k − 1`.
//! 2. Terms, in ascending order, are cut into groups. If all coefficients above a cut are multiples
//!    of g, the sum of the terms below it is known modulo g. If these terms reach less than g, or a
//!    few times g, only a few sums have to be tried. Strides of nested layouts (C, Fortran, any
//!    permutation, with steps and flips) fall into groups of at most two terms, one from each view.
//! 3. A group of one term takes a division, and a group of two a modular inverse (Chinese
//!    remainders). A larger group takes a search over its largest term. Its interval and its
//!    divisibility leave few candidates.
//!
//! Only the search can take long. Its steps are counted, and after [`WORK`] steps it stops with an
//! error.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers and reaches stay below 2⁶⁴ (`Sum`), so a sum of two, a multiple inside a \
              reach and a product of two residues of strides fit i128; coefficients are not 0, \
              and a divisor of none is made 1"
)]

use crate::error::SliceError;
use core::cell::Cell;
use core::ops::Rem;
use smallvec::{SmallVec, smallvec};

/// How many steps of the search in groups of three and more terms are allowed for one question.
const WORK: u32 = 1 << 20;

/// How many sums may be tried at a cut.
const FEW: i128 = 4;

/// `coef·z` with `0 ≤ z ≤ top`; both are at least 1.
#[derive(Clone, Copy, Debug)]
struct Term {
    coef: i128,
    top: i128,
}

type Terms = SmallVec<[Term; 8]>;

/// What may be left of a number once some terms have taken their part of it.
type Rests = SmallVec<[i128; FEW as usize]>;

/// A count of steps, shared by all parts of one question.
#[derive(Debug)]
pub(crate) struct Work(Cell<u32>);

impl Work {
    #[inline]
    pub(crate) fn new() -> Work {
        Work::of(WORK)
    }

    /// A limit of this many steps.
    #[inline]
    pub(crate) fn of(steps: u32) -> Work {
        Work(Cell::new(steps))
    }

    #[inline]
    pub(crate) fn step(&self) -> Result<(), SliceError> {
        let left = self.0.get().checked_sub(1).ok_or(SliceError::WorkLimit)?;
        self.0.set(left);
        Ok(())
    }
}

/// `Σ coefₖ·zₖ` with `0 ≤ zₖ ≤ topₖ`, where coefficients may be negative.
///
/// No number may exceed 2⁶⁴ in size, and neither may the whole range of the sum: two arrays of at
/// most `isize::MAX` elements stay below that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    terms: Terms,
    /// The least value of the sum.
    low: i128,
}

impl Sum {
    /// Adds the term `coef·z`, `0 ≤ z < count`.
    #[inline]
    pub(crate) fn add(&mut self, coef: isize, count: usize) {
        self.add_wide(coef as i128, (count as i128).saturating_sub(1));
    }

    /// Adds the term `coef·z`, `0 ≤ z ≤ top`.
    #[inline]
    pub(crate) fn add_wide(&mut self, coef: i128, top: i128) {
        if coef == 0 || top <= 0 {
            return;
        }
        if coef < 0 {
            // coef·z = coef·top + |coef|·(top − z)
            self.low += coef * top;
        }
        self.terms.push(Term { coef: coef.abs(), top });
    }

    /// The least and the greatest value.
    #[inline]
    pub(crate) fn range(&self) -> (i128, i128) {
        (self.low, self.low + reach(&self.terms))
    }

    /// The greatest common divisor of all differences of two values; 0 if there is only one value.
    #[inline]
    pub(crate) fn gcd(&self) -> i128 {
        gcd_of(&self.terms)
    }

    /// Whether the sum can be `target`.
    ///
    /// # Errors
    ///
    /// [`SliceError::WorkLimit`] if `work` is used up.
    #[inline]
    pub(crate) fn hits(&self, target: i128, work: &Work) -> Result<bool, SliceError> {
        let terms = merged(&self.terms);
        let target = target - self.low;
        if target < 0 || target > reach(&terms) {
            return Ok(false);
        }
        // For each group, from the small coefficients up: what may be left for the larger
        // coefficients.
        let mut left: Rests = smallvec![target];
        let (mut rest, mut below) = (terms.as_slice(), 0i128);
        while !rest.is_empty() {
            let at = next_cut(rest, below);
            let (group, above) = rest.split_at(at);
            let mut next = Rests::new();
            for &t in &left {
                carry(group, gcd_of(above), reach(above), t, &mut next, work)?;
            }
            below += reach(group);
            (left, rest) = (next, above);
        }
        Ok(left.contains(&0))
    }
}

/// Where to cut `terms`, if the terms before them reach `below`.
#[inline]
fn next_cut(terms: &[Term], mut below: i128) -> usize {
    for (i, t) in terms.iter().enumerate() {
        below += t.coef * t.top;
        let above = terms.get(i + 1..).unwrap_or(&[]);
        if below / gcd_of(above).max(1) < FEW {
            return i + 1;
        }
    }
    terms.len()
}

/// Adds to `next` what can be left of `target` once the group has taken its part: a multiple of `g`
/// (0 if g is 0) that the terms above, which reach `above`, do not exceed.
#[inline]
fn carry(
    group: &[Term],
    g: i128,
    above: i128,
    target: i128,
    next: &mut Rests,
    work: &Work,
) -> Result<(), SliceError> {
    let most = reach(group).min(target);
    let mut part = if g == 0 { target } else { target % g };
    while part <= most {
        let left = target - part;
        if left <= above && !next.contains(&left) && group_hits(group, part, work)? {
            next.push(left);
        }
        if g == 0 {
            break;
        }
        part += g;
    }
    Ok(())
}

/// Whether a group can add up to `target`, by search.
#[inline]
fn group_hits(group: &[Term], target: i128, work: &Work) -> Result<bool, SliceError> {
    match *group {
        [] => Ok(target == 0),
        [t] => Ok(target >= 0 && target % t.coef == 0 && target / t.coef <= t.top),
        [a, b] => Ok(pair_hits(a, b, target)),
        [ref rest @ .., t] => {
            for z in candidates(t.coef, t.top, target, (0, reach(rest)), gcd_of(rest)) {
                work.step()?;
                if group_hits(rest, target - t.coef * z, work)? {
                    return Ok(true);
                }
            }
            // A call without candidates is a step too.
            work.step()?;
            Ok(false)
        }
    }
}

/// Whether `a·x + b·y = target` has a solution within bounds.
#[inline]
fn pair_hits(a: Term, b: Term, target: i128) -> bool {
    // y is what is left over: it must be a multiple of b within 0..=b·top.
    candidates(a.coef, a.top, target, (0, b.coef * b.top), b.coef).next().is_some()
}

/// The z in `0..=top`, ascending, for which `target − coef·z` lies in the `rest` range and is a
/// multiple of `g`.
///
/// `coef` is not 0 and may be negative. If `g` is 0 the rest is 0.
#[inline]
pub(crate) fn candidates(
    coef: i128,
    top: i128,
    target: i128,
    rest: (i128, i128),
    g: i128,
) -> impl Iterator<Item = i128> {
    // rest.0 ≤ target − coef·z ≤ rest.1
    let (p, q) = (target - rest.1, target - rest.0);
    let (low, high) = if coef > 0 {
        (ceil_div(p, coef), q.div_euclid(coef))
    } else {
        (ceil_div(-q, -coef), (-p).div_euclid(-coef))
    };
    let (low, high) = (low.max(0), high.min(top));
    // g = 0 leaves one candidate at most, which the interval (of rest = 0) has found; 1 divides
    // everything.
    let g = g.max(1);
    let (d, inverse) = inverse(coef.rem_euclid(g), g);
    let step = g / d;
    let first = if target % d == 0 {
        let class = ((target / d).rem_euclid(step) * inverse).rem_euclid(step);
        low + (class - low).rem_euclid(step)
    } else {
        high + 1
    };
    (0..).map(move |k| first + k * step).take_while(move |&z| z <= high)
}

#[inline]
fn ceil_div(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// `d = gcd(a, m)` and the inverse of `a/d` modulo `m/d`, for `0 ≤ a < m`.
#[inline]
fn inverse(a: i128, m: i128) -> (i128, i128) {
    let ((mut r, mut s), (mut x, mut y)) = ((m, a), (0i128, 1i128));
    while s != 0 {
        let q = r / s;
        (r, s) = (s, r - q * s);
        (x, y) = (y, x - q * y);
    }
    (r, x.rem_euclid(m / r))
}

/// The greatest common divisor; of 0 and `a`, `a`.
#[inline]
pub(crate) fn gcd<T: Copy + Default + PartialEq + Rem<Output = T>>(mut a: T, mut b: T) -> T {
    while b != T::default() {
        (a, b) = (b, a % b);
    }
    a
}

#[inline]
fn gcd_of(terms: &[Term]) -> i128 {
    terms.iter().fold(0, |g, t| gcd(g, t.coef))
}

#[inline]
fn reach(terms: &[Term]) -> i128 {
    terms.iter().map(|t| t.coef * t.top).sum()
}

/// The same values with fewer terms, whose coefficients are ascending.
#[inline]
fn merged(terms: &[Term]) -> Terms {
    let mut rest = Terms::from_slice(terms);
    rest.sort_unstable_by_key(|t| t.coef);
    let mut out = Terms::new();
    while !rest.is_empty() {
        let mut first = rest.remove(0);
        rest.retain(|t| {
            let runs_on = t.coef % first.coef == 0 && first.top >= t.coef / first.coef - 1;
            if runs_on {
                first.top += t.coef / first.coef * t.top;
            }
            !runs_on
        });
        out.push(first);
    }
    out
}
