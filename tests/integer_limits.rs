//! The planner at the ends of the target's integers, of 32 bits or of 64, against arithmetic that
//! cannot overflow.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::interop::{Operator, onnx};
use pyslice::{AxisRun, Dim, Entry, Plan, SliceError, SpecBuf, axis_run, s};
use support::{generate, naive};

/// The greatest length, and count of elements.
const MOST: i128 = isize::MAX as i128;
const LONGEST: usize = isize::MAX as usize;
/// How many bits that takes.
const BITS: u32 = isize::BITS - 1;

/// What a plan holds, in numbers of any size. Strides only where there are elements.
#[derive(Debug, PartialEq)]
struct Planned {
    shape: Vec<i128>,
    strides: Vec<i128>,
    offset: i128,
    len: i128,
    input_len: i128,
}

impl From<&Plan> for Planned {
    fn from(plan: &Plan) -> Self {
        let strides = plan.strides().iter().map(|&s| s as i128);
        Planned {
            shape: plan.shape().iter().map(|&n| n as i128).collect(),
            strides: if plan.is_empty() { vec![] } else { strides.collect() },
            offset: plan.offset() as i128,
            len: plan.len() as i128,
            input_len: plan.input_len() as i128,
        }
    }
}

fn product(shape: &[usize]) -> i128 {
    // A product that saturates before it meets the 0 would not be 0.
    if shape.contains(&0) {
        0
    } else {
        shape.iter().fold(1, |count: i128, &n| count.saturating_mul(n as i128))
    }
}

/// How far elements lie from `[0, 0, …]`, on either side.
fn reach(shape: &[usize], strides: &[isize]) -> (i128, i128) {
    let axes = shape.iter().zip(strides).filter(|&(&n, _)| n > 0);
    axes.fold((0, 0), |(below, above): (i128, i128), (&n, &s)| {
        let far = (n as i128 - 1) * s as i128;
        (below.saturating_add((-far).max(0)), above.saturating_add(far.max(0)))
    })
}

/// What the plan is to be; `None` for an error. `spec` takes no more axes than there are.
fn reference(
    spec: &SpecBuf,
    shape: &[usize],
    strides: Option<&[isize]>,
    strict: bool,
) -> Option<Planned> {
    let count = product(shape);
    let (below, above) = strides.map_or((0, 0), |strides| reach(shape, strides));
    let spans = below.saturating_add(above);
    if count > MOST || spans >= MOST || shape.iter().any(|&n| n as i128 > MOST) {
        return None;
    }
    let mut steps: Vec<i128> = match strides {
        Some(strides) => strides.iter().map(|&s| s as i128).collect(),
        None => (0..shape.len()).map(|i| product(&shape[i + 1..])).collect(),
    };
    if count == 0 {
        steps.fill(0);
    }
    let mut axes = shape.iter().map(|&n| n as i128).zip(steps);
    let spare = shape.len() - spec.takes();
    let (mut out, mut offset) = (vec![], below);
    for entry in spec.entries() {
        match entry {
            Entry::NewAxis => out.push((1, 0)),
            Entry::Ellipsis => out.extend(axes.by_ref().take(spare)),
            Entry::Index(at) => {
                let (n, stride) = axes.next()?;
                let at = i128::from(at);
                if at < -n || at >= n {
                    return None;
                }
                offset += at.rem_euclid(n) * stride;
            }
            Entry::Range { start, stop, step } => {
                let (n, stride) = axes.next()?;
                let (start, stop, step) =
                    (start.map(i128::from), stop.map(i128::from), i128::from(step));
                if step == 0 || strict && !naive::is_strict(n, start, stop, step) {
                    return None;
                }
                let (first, count) = naive::first_and_count(n, start, stop, step);
                offset += first * stride;
                let scaled = stride * step;
                let cut = scaled.clamp(isize::MIN as i128, MOST);
                assert!(count < 2 || cut == scaled, "a stride that is walked fits");
                out.push((count, cut));
            }
        }
    }
    out.extend(axes);
    let len = out.iter().map(|&(n, _)| n).fold(1, i128::saturating_mul);
    let input_len = if count > 0 && strides.is_some() { spans + 1 } else { count };
    assert!((0..=MOST).contains(&len) && (len == 0 || (0..input_len).contains(&offset)));
    Some(Planned {
        shape: out.iter().map(|&(n, _)| n).collect(),
        strides: if len == 0 { vec![] } else { out.iter().map(|&(_, s)| s).collect() },
        offset: if len == 0 { 0 } else { offset },
        len,
        input_len,
    })
}

/// Plans and compares. Returns whether there is a plan.
fn compare(spec: &SpecBuf, shape: &[usize], strides: Option<&[isize]>, strict: bool) -> bool {
    let given = if strict { spec.clone().strict() } else { spec.clone() };
    let plan = match strides {
        Some(strides) => given.plan_strided(shape, strides),
        None => given.plan(shape),
    };
    let (found, wanted) =
        (plan.as_ref().ok().map(Planned::from), reference(spec, shape, strides, strict));
    assert!(
        found == wanted,
        "{spec} on {shape:?}, {strides:?}, strict {strict}: {plan:?}, reference {wanted:?}"
    );
    found.is_some()
}

fn range(start: Option<i64>, stop: Option<i64>, step: i64) -> SpecBuf {
    SpecBuf::from_entries([Entry::Range { start, stop, step }]).unwrap()
}

/// Numbers near which something could overflow or change sign.
fn edges(n: usize) -> [i128; 13] {
    let n = n as i128;
    [
        0,
        n,
        n / 2,
        -n,
        -n / 2,
        1 << 16,
        -1 << 16,
        1 << 31,
        -1 << 31,
        1 << 32,
        -1 << 32,
        1 << 63,
        -1 << 63,
    ]
}

/// These numbers, and those next to them.
fn near_edges(n: usize) -> Vec<i64> {
    let beside = |v: i128| (-2..=2).filter_map(move |by| i64::try_from(v + by).ok());
    let mut all: Vec<i64> = edges(n).into_iter().flat_map(beside).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn one_axis_at_the_edges() {
    let half = 1 << (BITS / 2);
    let mut compared = 0;
    for n in [0, 1, 2, 3, half, 2 * half - 1, 2 * half, LONGEST / 2 + 1, LONGEST - 1, LONGEST] {
        let numbers = near_edges(n);
        let bounds: Vec<_> = numbers.iter().copied().map(Some).chain([None]).collect();
        for &step in numbers.iter().filter(|&&step| step != 0) {
            for &start in &bounds {
                for &stop in &bounds {
                    let AxisRun { start: first, len, step: by } =
                        axis_run(n, start, stop, step).unwrap();
                    let wide = |bound: Option<i64>| bound.map(i128::from);
                    let wanted =
                        naive::first_and_count(n as i128, wide(start), wide(stop), step.into());
                    assert_eq!(
                        (first.into(), len as i128),
                        wanted,
                        "{start:?}:{stop:?}:{step} on {n}"
                    );
                    assert_eq!(by, step);
                    compared += 1;
                }
                for stop in [None, Some(-1), start] {
                    compare(&range(start, stop, step), &[n], None, false);
                }
            }
        }
    }
    assert!(compared > 1_000_000);
    for n in [LONGEST + 1, LONGEST + 2, usize::MAX] {
        assert_eq!(axis_run(n, None, None, 1), Err(SliceError::ShapeTooLarge));
        assert_eq!(range(None, None, 1).plan(&[n]), Err(SliceError::ShapeTooLarge));
    }
}

/// Shape inference has no array that could refuse such a length. It takes the longest one instead,
/// as a reversal shows on each target.
#[test]
fn lengths_that_no_array_has() {
    for n in [LONGEST, LONGEST + 1, usize::MAX] {
        let longest = |spec: SpecBuf, dim| spec.infer_shape(&[dim]).map(|dims| dims.to_vec());
        assert_eq!(longest(range(None, None, -1), Dim::Known(n)), Ok(vec![Dim::Known(LONGEST)]));
        assert_eq!(
            longest(range(None, None, -1), Dim::Between(2, n)),
            Ok(vec![Dim::Between(2, LONGEST)])
        );
        let index = SpecBuf::from_entries([Entry::Index(LONGEST as i64)]).unwrap();
        let outside = SliceError::IndexOutOfRange { index: LONGEST as i64, axis: 0, len: n };
        assert_eq!(longest(index, Dim::Known(n)), Err(outside));
        let onnx = onnx::slice(&[1], &[2]).steps(&[-1]).to_spec(&[n]);
        assert_eq!(onnx.err(), (n > LONGEST).then_some(SliceError::ShapeTooLarge.into()));
    }
}

/// ONNX takes an end of 2^31 - 1 for the end of the axis, so no writer may mean the position.
#[test]
#[cfg(target_pointer_width = "64")]
fn onnx_reads_what_is_written_about_long_axes() {
    const SENTINEL: i64 = i32::MAX as i64;
    for n in [SENTINEL, SENTINEL + 1, SENTINEL + 2, 3_000_000_000] {
        let shape = [n as usize];
        let ends = [SENTINEL - 1, SENTINEL, SENTINEL + 1, n].map(Some);
        let ranges = ends.into_iter().chain([None]).flat_map(|stop| {
            [(Some(5), stop, 1), (None, stop, 2), (Some(-1), stop, -1), (stop, None, -1)]
        });
        let ranges = ranges.map(|(start, stop, step)| range(start, stop, step));
        let index = |i| SpecBuf::from_entries([Entry::Index(i)]).unwrap();
        for spec in ranges.chain([index(SENTINEL - 1), index(n - 1)]) {
            let plan = spec.plan(&shape).unwrap();
            let form = plan.to_axes().unwrap();
            let op = onnx::slice(&form.starts, &form.ends).axes(&form.axes).steps(&form.strides);
            let read = op.to_spec(&shape).unwrap().plan(&shape).unwrap();
            assert_eq!((read.offset(), read.len()), (plan.offset(), plan.len()), "{spec} of {n}");
            let paddle = SpecBuf::from_axes(1, &form.axes, &form.starts, &form.ends, &form.strides);
            let paddle = paddle.unwrap().plan(&shape).unwrap();
            assert_eq!((paddle.offset(), paddle.len()), (plan.offset(), plan.len()), "{spec}");
        }
    }
}

/// Every shape of so many axes with these lengths.
fn every_shape(rank: usize, lengths: &[usize], mut look: impl FnMut(&[usize])) {
    let mut places = vec![0; rank];
    loop {
        look(&places.iter().map(|&at| lengths[at]).collect::<Vec<_>>());
        let Some(axis) = places.iter().position(|&at| at + 1 < lengths.len()) else { return };
        places[..axis].fill(0);
        places[axis] += 1;
    }
}

/// The greatest length at which this many axes have no more elements than a shape may have.
fn root(rank: u32) -> usize {
    let fits = |n: usize| (n as i128).checked_pow(rank).is_some_and(|count| count <= MOST);
    (0..BITS)
        .rev()
        .map(|bit| 1 << bit)
        .fold(0, |root, bit| if fits(root + bit) { root + bit } else { root })
}

#[test]
fn counts_of_elements_at_the_edges() {
    let whole = SpecBuf::default();
    // Lengths with exactly as many bits as count as few (15 of 63, 7 of 31), and with one more.
    let few = |bits: u32| [(1 << bits) - 1, 1 << bits];
    let [most, more] = few(BITS / 4);
    let (half, longest) = (1 << BITS.div_ceil(2), LONGEST);
    let many = [
        [0, 1, 2, 3, 7, 8].as_slice(),
        &[most, more, more + 1, root(4), root(4) + 1, root(3), root(3) + 1],
        &[half / 2 - 1, half / 2, root(2), root(2) + 1, half - 1, half, half + 1],
        &[longest / 2 + 1, longest / 2 + 2, longest, longest + 1, usize::MAX],
    ]
    .concat();
    let (mut taken, mut refused) = (0, 0);
    let mut look = |shape: &[usize]| match compare(&whole, shape, None, false) {
        true => taken += 1,
        false => refused += 1,
    };
    (0..=4).for_each(|rank| every_shape(rank, &many, &mut look));
    let ([most, more], [least, less]) = (few(BITS / 4 * 2 / 3), few(BITS / 4 / 2));
    every_shape(5, &[0, 1, most, more, root(5), root(5) + 1], &mut look);
    every_shape(6, &[1, most, more, root(6), root(6) + 1], &mut look);
    every_shape(7, &[0, 1, least, less, root(7), root(7) + 1], &mut look);
    every_shape(8, &[1, least, less, root(8), root(8) + 1], &mut look);
    every_shape(9, &[1, least, less, root(9) + 1], &mut look);
    assert!(taken > 100_000 && refused > 100_000, "{taken} taken, {refused} refused");
}

/// A pseudo-random sequence (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number near an edge.
    fn edge(&mut self, n: usize) -> i64 {
        let number = self.of(&edges(n)) + self.below(5) as i128 - 2;
        number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// Lengths whose product is mostly about as large as it may be.
    fn shape(&mut self) -> Vec<usize> {
        let rank = self.below(6);
        let most = MOST + 1;
        let mut left = self.of(&[most, most, 2 * most, most >> 11, 0]);
        let mut shape: Vec<usize> = (0..rank)
            .map(|i| {
                let most = if i + 1 == rank { left } else { 1 << self.below(isize::BITS as usize) };
                let n = (most.min(left) - self.below(3) as i128).clamp(0, usize::MAX as i128);
                left /= n.max(1);
                n as usize
            })
            .collect();
        if rank > 0 {
            let axis = self.below(rank);
            shape.rotate_left(axis);
        }
        shape
    }

    fn entries(&mut self, shape: &[usize]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = shape[..self.below(shape.len() + 1)]
            .iter()
            .map(|&n| {
                if self.below(4) == 0 {
                    // Mostly inside.
                    let inside = if n == 0 { 0 } else { self.below(n) as i64 };
                    let (back, any) = (inside.wrapping_sub(n as i64), self.edge(n));
                    return Entry::Index(self.of(&[0, -1, inside, back, any]));
                }
                let mut bound = || (self.below(3) > 0).then(|| self.edge(n));
                let (start, stop) = (bound(), bound());
                let small = [1, -1, 2, -2, 3, 1000];
                let step = if self.below(2) == 0 { self.of(&small) } else { self.edge(n) };
                Entry::Range { start, stop, step }
            })
            .collect();
        for more in [Entry::NewAxis, Entry::Ellipsis] {
            if self.below(3) == 0 {
                entries.insert(self.below(entries.len() + 1), more);
            }
        }
        entries
    }
}

/// Compares slices of random arrays, with the strides that `lay` gives them.
fn slices(seed: u64, mut lay: impl FnMut(&mut Random, &[usize]) -> Option<Vec<isize>>) {
    let cases = generate::config(400_000).cases;
    let (mut random, mut taken, mut refused) = (Random(seed), 0, 0);
    for _ in 0..cases {
        let shape = random.shape();
        let strides = lay(&mut random, &shape);
        let Ok(spec) = SpecBuf::from_entries(random.entries(&shape)) else { continue };
        let strict = random.of(&[false, false, true]);
        match compare(&spec, &shape, strides.as_deref(), strict) {
            true => taken += 1,
            false => refused += 1,
        }
    }
    assert!(taken.min(refused) > cases / 10, "{taken} taken, {refused} refused");
}

#[test]
fn slices_of_large_arrays() {
    slices(31, |_, _| None);
}

/// Layouts that would reach outside any memory are refused; the rest report what they reach.
#[test]
fn strides_of_large_arrays() {
    slices(32, |random, shape| {
        let strides = shape.iter().map(|&n| {
            // About as long as the axis allows, or anything.
            let longest = (LONGEST / n.max(1)) as isize;
            let long = longest.saturating_add(random.below(3) as isize - 1);
            random.of(&[0, 1, -1, 2, long, -long, long / 2, isize::MIN, isize::MAX, 1 - isize::MAX])
        });
        Some(strides.collect())
    });
}

#[test]
fn a_new_axis_beyond_the_last_one_a_plan_holds() {
    let none: SpecBuf = "None".parse().unwrap();
    let error = SliceError::RankTooHigh { rank: 255, limit: 254 };
    assert_eq!(none.plan(&[1; 254]), Err(error));
    assert!("None, 0".parse::<SpecBuf>().unwrap().plan(&[1; 254]).is_ok());
}

#[test]
fn where_an_array_begins_counts() {
    let all = SpecBuf::default();
    let empty = all.plan_strided_at(&[0], &[1_isize], 5).unwrap();
    assert_eq!((empty.input_len(), empty.copy::<u8>(&[])), (0, Ok(vec![])));
    let last = isize::MAX as usize;
    assert_eq!(all.plan_strided_at(&[2], &[1_isize], last), Err(SliceError::ReachTooLarge));
}

/// `-n` of a number that `i64` does not hold is the end of `i64` on its side.
#[test]
fn negated_numbers_beyond_i64() {
    let front = [u128::MAX, u128::MAX / 2 + 1, u128::MAX / 2, 1 << 63];
    for n in front {
        let spec = s![-n:-n - 1, -n];
        assert_eq!((spec.begin(), spec.end()[0]), (&[i64::MIN; 2][..], i64::MIN), "{n}");
    }
    for n in [i128::MIN, -(1 << 64), i64::MIN.into()] {
        let spec = s![-n:-n + 1, -n];
        assert_eq!((spec.begin(), spec.end()[0]), (&[i64::MAX; 2][..], i64::MAX), "{n}");
    }
    let (few, cast) = (3_u8, -2_i8);
    let spec = s![-few * 2:-2 * few - 1, -few as i64 * 5, -cast as isize:];
    assert_eq!((spec.begin(), spec.end()[0]), (&[-6, -15, 2][..], -7));
    // A cast to a narrower type on the way is Rust's own calculation.
    let k = 3_i64;
    assert_eq!(s![-k as u8 as i64, -k as u32 as i64 + k].begin(), [253, 1 << 32]);
    let (small, most) = (i8::MIN, u64::MAX);
    let spec = s![-small, -most];
    assert_eq!(spec.begin(), [128, i64::MIN]);
}
