//! Views of views: chains of slices, permutations, broadcasts and reshapes against lists of
//! positions.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{AsSpec, Plan, SliceError, SpecBuf, s};
use support::naive::{self, Item};
use support::{check, generate};

/// A view as NumPy could hold it: a shape, and which position of the storage is at each place.
#[derive(Clone, Debug)]
struct Listed {
    shape: Vec<usize>,
    from: Vec<usize>,
}

impl Listed {
    /// The places of another shape, each taken from the place that `at` gives for its index.
    fn rearranged(&self, shape: Vec<usize>, at: impl Fn(&[usize]) -> Vec<usize>) -> Listed {
        let count: usize = shape.iter().product();
        let own = |index: &[usize]| index.iter().zip(&self.shape).fold(0, |k, (&i, &n)| k * n + i);
        let from = (0..count).map(|k| self.from[own(&at(&unravel(k, &shape)))]).collect();
        Listed { shape, from }
    }

    fn sliced(&self, items: &[Item]) -> Listed {
        let picked = naive::pick(&self.shape, items).unwrap();
        Listed { shape: picked.shape, from: picked.from.iter().map(|&at| self.from[at]).collect() }
    }

    fn permuted(&self, order: &[usize]) -> Listed {
        self.rearranged(order.iter().map(|&axis| self.shape[axis]).collect(), |index| {
            let mut own = vec![0; index.len()];
            order.iter().zip(index).for_each(|(&axis, &i)| own[axis] = i);
            own
        })
    }

    fn broadcast(&self, shape: &[usize]) -> Listed {
        let front = shape.len() - self.shape.len();
        self.rearranged(shape.to_vec(), |index| {
            index[front..]
                .iter()
                .zip(&self.shape)
                .map(|(&i, &n)| if n == 1 { 0 } else { i })
                .collect()
        })
    }

    /// Whether some strides give this list under another shape.
    fn has_strides(&self, shape: &[usize]) -> bool {
        let at = |k: usize| self.from[k] as i128;
        let mut strides = vec![0; shape.len()];
        let mut one = 1;
        for (stride, &n) in strides.iter_mut().zip(shape).rev() {
            if n > 1 {
                *stride = at(one) - at(0);
            }
            one *= n;
        }
        (0..self.from.len()).all(|k| {
            let moved =
                unravel(k, shape).iter().zip(&strides).map(|(&i, &s)| i as i128 * s).sum::<i128>();
            at(k) == at(0) + moved
        })
    }

    fn repeats(&self) -> bool {
        let mut seen = self.from.clone();
        seen.sort_unstable();
        seen.windows(2).any(|pair| pair[0] == pair[1])
    }
}

fn unravel(mut k: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (slot, &n) in index.iter_mut().zip(shape).rev() {
        (*slot, k) = (k % n, k / n);
    }
    index
}

/// One step of a chain; numbers are fitted to the shape at hand.
#[derive(Clone, Debug)]
enum Step {
    Slice(Vec<(u8, Option<i8>, Option<i8>, i8)>),
    Permute(u64),
    Broadcast(Vec<u8>, u8),
    Reshape(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let bound = || prop::option::of(-4..5_i8);
    let entry = (0..10_u8, bound(), bound(), prop::sample::select(vec![1_i8, 1, -1, 2, -2, 3]));
    prop_oneof![
        4 => prop::collection::vec(entry, 0..4).prop_map(Step::Slice),
        3 => any::<u64>().prop_map(Step::Permute),
        2 => (prop::collection::vec(1..4_u8, 6), 0..3_u8).prop_map(|(to, front)| Step::Broadcast(to, front)),
        3 => any::<u64>().prop_map(Step::Reshape),
    ]
}

/// Entries that fit the shape.
fn items(shape: &[usize], entries: &[(u8, Option<i8>, Option<i8>, i8)]) -> Vec<Item> {
    let mut axes = shape.iter();
    let mut items = Vec::new();
    for &(kind, start, stop, step) in entries {
        let item = match kind {
            0 => Item::NewAxis,
            1 if !items.contains(&Item::Ellipsis) => {
                // The entries behind it take the last axes; here those are left out.
                items.push(Item::Ellipsis);
                break;
            }
            2..=3 => match axes.next() {
                Some(&n) if n > 0 => Item::Index {
                    at: i128::from(start.unwrap_or(0)).rem_euclid(n as i128),
                    stride: 1,
                },
                Some(_) => naive::FULL,
                None => break,
            },
            _ => match axes.next() {
                Some(_) => Item::Range {
                    start: start.map(i128::from),
                    stop: stop.map(i128::from),
                    step: step.into(),
                },
                None => break,
            },
        };
        items.push(item);
    }
    items
}

fn order(rank: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|&axis| seed.rotate_left(axis as u32 * 7) % 64);
    order
}

/// A shape of as many elements, by the factors of their number.
fn factors(mut count: usize, mut seed: u64) -> Vec<usize> {
    if count == 0 {
        return [&[0][..], &[2, 0], &[0, 3]][seed as usize % 3].to_vec();
    }
    let mut shape = vec![1];
    for prime in [2, 3, 5, 7, 11, 13] {
        while count.is_multiple_of(prime) {
            count /= prime;
            if seed & 1 == 1 {
                shape.push(prime)
            } else {
                *shape.last_mut().unwrap() *= prime
            }
            if seed & 6 == 6 {
                shape.push(1);
            }
            seed >>= 3;
        }
    }
    *shape.last_mut().unwrap() *= count;
    if seed & 1 == 1 && shape[0] == 1 {
        shape.remove(0);
    }
    shape
}

/// Everything about a plan that a view of these positions has.
fn compare(plan: &Plan, listed: &Listed) {
    let Listed { shape, from } = listed;
    assert_eq!((plan.shape(), plan.len()), (&shape[..], from.len()), "{plan:?}");
    assert_eq!(&check::walk(plan), from, "{plan:?}");
    assert_eq!(plan.repeats(), Ok(listed.repeats()), "{plan:?}");
    let data: Vec<u32> = (0..plan.input_len() as u32).map(|k| k * 3 + 1).collect();
    let wanted: Vec<u32> = from.iter().map(|&at| data[at]).collect();
    assert_eq!(plan.copy(&data), Ok(wanted));
    // Where places repeat, the last value stays and every value is added.
    let values: Vec<u32> = (1000..).take(from.len()).collect();
    let (mut assigned, mut added, mut filled) = (data.clone(), data.clone(), data.clone());
    plan.assign(&mut assigned, &values).unwrap();
    plan.add_assign(&mut added, &values).unwrap();
    plan.fill(&mut filled, 7).unwrap();
    let (mut last, mut sum, mut sevens) = (data.clone(), data.clone(), data.clone());
    for (&at, &value) in from.iter().zip(&values) {
        (last[at], sevens[at]) = (value, 7);
        sum[at] += value;
    }
    assert_eq!((assigned, added, filled), (last, sum, sevens), "{plan:?}");
    match plan.grad(&values) {
        Err(error) => assert_eq!((error, true), (SliceError::Repeats, listed.repeats())),
        Ok(dx) => {
            assert!(!listed.repeats());
            let mut wanted = vec![0; data.len()];
            from.iter().zip(&values).for_each(|(&at, &value)| wanted[at] = value);
            assert_eq!(dx, wanted);
        }
    }
    assert!(
        plan.offsets().eq(from.iter().copied()) && plan.offsets().len() == from.len(),
        "{plan:?}"
    );
    assert!(
        plan.runs().flat_map(|(first, len)| first..first + len).eq(from.iter().copied()),
        "{plan:?}"
    );
    let (mut sorted, runs) = (from.clone(), plan.runs().sorted().unwrap());
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(
        runs.len(),
        sorted.iter().filter(|&&at| !sorted.contains(&at.wrapping_sub(1))).count(),
        "{plan:?}"
    );
    assert!(runs.flat_map(|(first, len)| first..first + len).eq(sorted), "{plan:?}");
    let texts: Vec<String> = data.iter().map(u32::to_string).collect();
    let cloned: Vec<String> = from.iter().map(|&at| texts[at].clone()).collect();
    assert!(plan.on(&texts).unwrap().iter().cloned().eq(cloned));
    for at in 0..plan.input_len().min(12) {
        let first = from.iter().position(|&p| p == at).map(|k| unravel(k, shape));
        assert_eq!(plan.inverse(at), Ok(first), "{at} in {plan:?}");
    }
    let half: Vec<usize> = from.iter().copied().step_by(2).collect();
    let other = s![::2].plan(&[plan.input_len()]).unwrap();
    if plan.input_len() > 0 {
        assert_eq!(plan.overlaps(&other), Ok(from.iter().any(|at| at % 2 == 0)), "{half:?}");
    }
    let text = serde_json::to_string(plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&text).ok().as_ref(), Some(plan), "{text}");
}

/// What a tensor library keeps of a view, and how it slices it again.
#[derive(Clone)]
struct View {
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl View {
    fn of(plan: &Plan) -> View {
        View {
            shape: plan.shape().to_vec(),
            strides: plan.strides().to_vec(),
            offset: plan.offset(),
        }
    }

    fn sliced(&self, spec: impl AsSpec) -> Plan {
        let spec = spec.as_spec();
        let plan = spec.plan_strided_at(&self.shape, &self.strides, self.offset).unwrap();
        let unsigned: Option<Vec<usize>> =
            self.strides.iter().map(|&s| usize::try_from(s).ok()).collect();
        if let Some(strides) = unsigned {
            assert_eq!(
                spec.plan_strided_at(&self.shape, &strides, self.offset).as_ref(),
                Ok(&plan)
            );
        }
        plan
    }
}

proptest! {
    #![proptest_config(generate::config(3000))]

    #[test]
    fn chains_of_views_are_numpys(shape in generate::shape(4, 200), steps in prop::collection::vec(step(), 1..7)) {
        let mut plan = SpecBuf::default().plan(&shape).unwrap();
        let mut listed = Listed { from: (0..shape.iter().product()).collect(), shape };
        compare(&plan, &listed);
        for step in steps {
            match step {
                Step::Slice(entries) => {
                    let items = items(&listed.shape, &entries);
                    let spec = check::spec_of(&items).unwrap().unwrap();
                    let again = View::of(&plan).sliced(&spec);
                    plan = plan.then(&spec).unwrap();
                    listed = listed.sliced(&items);
                    prop_assert_eq!((again.shape(), check::walk(&again)), (plan.shape(), check::walk(&plan)));
                }
                Step::Permute(seed) => {
                    let order = order(listed.shape.len(), seed);
                    plan = plan.permute(&order).unwrap();
                    listed = listed.permuted(&order);
                }
                Step::Broadcast(to, front) => {
                    let longer = |(k, &n): (usize, &usize)| if n == 1 { usize::from(to[k % to.len()]) } else { n };
                    let mut shape = vec![2; usize::from(front)];
                    shape.extend(listed.shape.iter().enumerate().map(longer));
                    if shape.iter().product::<usize>() > 3000 || shape.len() > 8 {
                        continue;
                    }
                    plan = plan.broadcast_to(&shape).unwrap();
                    listed = listed.broadcast(&shape);
                }
                Step::Reshape(seed) => {
                    let shape = factors(listed.from.len(), seed);
                    match plan.reshape(&shape) {
                        Ok(reshaped) => (plan, listed.shape) = (reshaped, shape),
                        Err(error) => {
                            prop_assert_eq!(error, SliceError::NeedsCopy);
                            prop_assert!(!listed.has_strides(&shape), "{:?} to {:?}", plan, shape);
                        }
                    }
                }
            }
            compare(&plan, &listed);
        }
    }
}

#[test]
fn a_view_sliced_again_keeps_its_place() {
    let view = View { shape: vec![2, 3], strides: vec![3, 1], offset: 0 };
    let again = View::of(&View::of(&view.sliced(s![:, ::-1])).sliced(s![0, 1:]));
    assert_eq!((again.offset, again.shape, again.strides), (1, vec![2], vec![-1]));
}

#[test]
fn what_is_no_layout_is_refused() {
    let plan = s![..., ::-1].plan(&[2, 3]).unwrap();
    assert_eq!(plan.permute(&[0]), Err(SliceError::RankMismatch { expected: 2, found: 1 }));
    assert_eq!(plan.permute(&[0, 2]), Err(SliceError::AxisOutOfRange { axis: 2, rank: 2 }));
    assert_eq!(plan.permute(&[1, 1]), Err(SliceError::RepeatedAxis { axis: 1 }));
    let axis = i64::try_from(usize::MAX).unwrap_or(i64::MAX);
    assert_eq!(plan.permute(&[0, usize::MAX]), Err(SliceError::AxisOutOfRange { axis, rank: 2 }));
    for shape in [&[3][..], &[3, 3], &[2, 3, 4], &[2, 1], &[]] {
        let error = plan.broadcast_to(shape).unwrap_err();
        let SliceError::Broadcast { values_shape, slice_shape, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(
            (values_shape, slice_shape),
            (pyslice::Lengths::new(&[2, 3]), pyslice::Lengths::new(shape))
        );
        assert!(error.to_string().contains("(2, 3)"), "{error}");
    }
    assert_eq!(plan.broadcast_to(&[usize::MAX, 2, 3]), Err(SliceError::ShapeTooLarge));
    assert_eq!(
        plan.broadcast_to(&[1; 300]),
        Err(SliceError::RankTooHigh { rank: 300, limit: 254 })
    );
    assert_eq!(plan.reshape(&[4]), Err(SliceError::ElementCount { expected: 6, found: 4 }));
    assert_eq!(plan.reshape(&[6]), Err(SliceError::NeedsCopy));
    assert_eq!(plan.reshape(&[usize::MAX, usize::MAX]), Err(SliceError::ShapeTooLarge));
    let refused = s![].plan_strided_at(&[4], &[-2_isize], 5).unwrap_err();
    assert_eq!(refused, SliceError::BeforeBuffer { first: 5, below: 6 });
    let far = s![].plan_strided_at(&[4], &[1], usize::MAX).unwrap_err();
    assert_eq!(far, SliceError::ReachTooLarge);
    assert_eq!(s![].plan_strided_at(&[3], &[usize::MAX], 0), Err(SliceError::ReachTooLarge));
    // An axis of one position, and an array without elements, lie wherever it is said.
    assert_eq!(
        s![].plan_strided_at(&[1], &[usize::MAX], 4).map(|plan| (plan.offset(), plan.input_len())),
        Ok((4, 5))
    );
    assert_eq!(s![].plan_strided_at(&[0, 3], &[7, -9], 0).map(|plan| plan.input_len()), Ok(0));
}

/// A whole array in another shape is a whole array of that shape: its chunks and its text, too.
#[test]
fn a_whole_array_is_reshaped_into_a_whole_array() {
    let whole = s![].plan(&[4, 6]).unwrap();
    assert_eq!(whole.reshape(&[2, 2, 6]), s![].plan(&[2, 2, 6]));
    let row = whole.reshape(&[24]).unwrap().then(s![3::7]).unwrap();
    assert_eq!(row.to_spec().map(|spec| spec.to_string()), Ok("3::7".into()));
    assert!(matches!(
        whole.permute(&[1, 0]).unwrap().to_spec(),
        Err(SliceError::NeedsContiguous { .. })
    ));
}

#[test]
fn runs_are_as_long_as_rows_allow() {
    let runs = |plan: &Plan| plan.runs().collect::<Vec<_>>();
    let cube = [4, 5, 6];
    assert_eq!(runs(&s![1:3].plan(&cube).unwrap()), [(30, 60)]);
    assert_eq!(runs(&s![1:3, 1:3].plan(&cube).unwrap()), [(36, 12), (66, 12)]);
    assert_eq!(runs(&s![1, 1, ::-2].plan(&cube).unwrap()), [(41, 1), (39, 1), (37, 1)]);
    assert_eq!(runs(&s![2:1].plan(&cube).unwrap()), []);
    assert_eq!(runs(&s![1, 2, 3].plan(&cube).unwrap()), [(45, 1)]);
    // Strides that nest, but whose places touch: 0, 2, 3, 5.
    let plan = s![].plan_strided(&[2, 2], &[3, 2]).unwrap();
    assert_eq!(plan.runs().sorted().unwrap().collect::<Vec<_>>(), [(0, 1), (2, 2), (5, 1)]);
    let far = s![].plan_strided(&[1 << (usize::BITS - 24), 1 << 20], &[0, 0]).unwrap();
    assert_eq!(far.runs().sorted().unwrap().collect::<Vec<_>>(), [(0, 1)]);
    // On 32 bits the memory may well be there.
    assert!(usize::BITS < 64 || matches!(far.copy(&[7]), Err(SliceError::OutOfMemory { .. })));
}

#[test]
fn a_view_is_strided_if_it_is_not_a_slice_of_a_whole_array() {
    assert!(!s![::2, 1:].plan(&[4, 5]).unwrap().permute(&[0, 1]).unwrap().is_strided());
    let strided = s![:].plan_strided(&[6], &[1]).unwrap().reshape(&[2, 3]).unwrap();
    assert!(strided.is_strided());
    assert_eq!(strided.copy(&[0, 1, 2, 3, 4, 5, 6]).unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn an_axis_that_is_split_runs_along_none() {
    let split = s![:, ::2].plan(&[4, 12]).unwrap().reshape(&[4, 2, 3]).unwrap();
    assert_eq!(split.source_axes().collect::<Vec<_>>(), [Some(0), None, None]);
}

#[test]
fn a_shape_of_fewer_axes_is_no_broadcast() {
    let error = s![].plan(&[2, 3]).unwrap().broadcast_to(&[3]).unwrap_err();
    let SliceError::Broadcast { axis_from_back, values, slice, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!((axis_from_back, values, slice), (2, 2, 1));
}
