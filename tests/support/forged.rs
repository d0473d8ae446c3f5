//! Passes slices under types that are not theirs to everything that takes a slice. They are
//! refused, or taken for what they are.

use super::layouts::{layouts, numbered};
use ndarray::{
    Array, ArrayD, ArrayViewD, ArrayViewMut, ArrayViewMutD, Axis, Dimension, Ix3, IxDyn,
};
use pyslice::interop::openvino;
use pyslice::nd::{SliceOf, slice_info};
use pyslice::{
    __private, AsSpec, Dim, Entry, FixedPlan, Plan, PySlice, SliceError, Spec, SpecBuf, SpecRef,
};
use std::panic::catch_unwind;

/// Numbers below a bound, mostly small ones from all of `i64`.
pub struct Numbers<'a> {
    pub below: &'a mut dyn FnMut(u64) -> u64,
    /// Whether panics are caught, as panics of constants are when the program runs. A fuzzer takes
    /// each for a finding.
    pub catches: bool,
}

impl Numbers<'_> {
    fn below(&mut self, n: u64) -> u64 {
        (self.below)(n)
    }

    fn number(&mut self) -> i64 {
        match self.below(40) {
            0 => i64::MIN,
            1 => i64::MAX,
            n => n as i64 % 9 - 4,
        }
    }

    fn bound(&mut self) -> Option<i64> {
        (self.below(3) > 0).then(|| self.number())
    }

    /// An entry of kind 0 to 3.
    fn entry(&mut self, kind: usize) -> Entry {
        match kind {
            0 => Entry::Index(self.number()),
            1 => Entry::Range { start: self.bound(), stop: self.bound(), step: self.number() },
            2 => Entry::NewAxis,
            _ => Entry::Ellipsis,
        }
    }
}

/// What lies between the elements of an array, which no correct view shows.
const GAP: u32 = u32::MAX;

/// Every way to slice an array; only elements of its own are seen or written.
///
/// What does not depend on the type of the slice stands in functions of its own, since this one is
/// compiled for each.
fn sliced<D: Dimension, S: SliceOf<D> + Copy>(array: &ArrayD<u32>, spec: S, matching: bool) {
    let x = array.clone().into_dimensionality::<D>().expect("its rank");
    let seen = [
        x.try_pyslice(spec).map(|view| elements(view.into_dyn())),
        x.try_pyslice_copy(spec).map(|out| elements(out.view().into_dyn())),
        x.clone().try_pyslice_move(spec).map(|out| elements(out.view().into_dyn())),
    ];
    let made = slice_info(spec, x.raw_dim()).is_ok();
    let count = read(array, seen, made, matching);

    let mut long = Long::new(array);
    {
        let mut y = long.array().into_dimensionality::<D>().expect("its rank");
        if let Ok(view) = y.try_pyslice_mut(spec) {
            view.into_dyn().fill(7);
        }
        let _ = y.try_pyslice_fill(spec, 8);
        let _ = y.try_pyslice_assign(spec, &Array::<u32, IxDyn>::zeros(IxDyn(&[])));
        let two = y.try_pyslice_many_mut([spec, spec]).map(|[a, b]| a.len() + b.len());
        written(&y.into_dyn(), two, count);
    }
    long.check();
}

fn elements(view: ArrayViewD<'_, u32>) -> Vec<u32> {
    view.iter().copied().collect()
}

/// Checks that three ways to read agree, and that they read elements of the array. Returns how
/// many.
fn read(
    array: &ArrayD<u32>,
    [found, copied, moved]: [Result<Vec<u32>, SliceError>; 3],
    made: bool,
    matching: bool,
) -> Option<usize> {
    assert!(matching || found.is_err(), "{found:?}");
    assert!(
        found.iter().flatten().all(|&value| value < array.len() as u32),
        "not the array's: {found:?}"
    );
    assert_eq!(copied, found);
    assert_eq!(moved, found);
    assert_eq!(made, found.is_ok());
    found.ok().map(|found| found.len())
}

/// A view of the middle of a longer buffer, reversed on all axes.
struct Long {
    shape: Vec<usize>,
    buffer: Vec<u32>,
    x: ArrayD<u32>,
}

impl Long {
    const FIRST: usize = 3;

    fn new(x: &ArrayD<u32>) -> Long {
        let buffer = vec![GAP; Long::FIRST + x.len() + 5];
        Long { shape: x.shape().to_vec(), buffer, x: x.clone() }
    }

    fn array(&mut self) -> ArrayViewMutD<'_, u32> {
        let middle = &mut self.buffer[Long::FIRST..Long::FIRST + self.x.len()];
        let mut y =
            ArrayViewMut::from_shape(&self.shape[..], middle).expect("as long as its shape");
        (0..y.ndim()).for_each(|axis| y.invert_axis(Axis(axis)));
        y.assign(&self.x);
        y
    }

    /// Nothing around the array was written.
    fn check(&self) {
        let (before, rest) = self.buffer.split_at(Long::FIRST);
        assert!(
            before.iter().chain(&rest[self.x.len()..]).all(|&value| value == GAP),
            "written beside the array: {:?}",
            self.buffer
        );
    }
}

/// The slice was filled with zeros, `count` of them; `two` is how many elements two views of it at
/// once have.
fn written(y: &ArrayViewMutD<'_, u32>, two: Result<usize, SliceError>, count: Option<usize>) {
    match two {
        Ok(two) => assert!(two == 0 && count.is_none_or(|n| n == 0), "two views of one element"),
        Err(error) => assert!(count.is_none() || matches!(error, SliceError::Overlap { .. })),
    }
    let (zeros, count) = (y.iter().filter(|&&value| value == 0).count(), count.unwrap_or(0));
    assert!(zeros >= count && zeros <= count + 1, "{zeros} written, {count} in the slice");
}

/// Every way to plan a slice. Any input gives an error or a sound plan.
fn planned(spec: SpecRef<'_>, entries: &[Entry], matching: bool) {
    let reference = SpecBuf::from_entries(entries);
    for shape in [&[3, 4, 2][..], &[4, 1], &[2, 0, 3], &[5], &[], &[1; 10]] {
        let plan = spec.plan(shape);
        let wanted = reference.clone().and_then(|spec| spec.plan(shape));
        assert_eq!(
            plan.is_ok(),
            matching && wanted.is_ok(),
            "{spec} ({entries:?}, {matching}) on {shape:?}: {plan:?} {wanted:?}"
        );
        let strides: Vec<isize> = (0..shape.len() as isize).map(|axis| 7 - 5 * axis).collect();
        let strided = spec.plan_strided(shape, &strides);
        assert_eq!(strided.is_ok(), plan.is_ok());
        let whole = SpecBuf::default().plan(shape).expect("a small shape");
        assert_eq!(whole.then(spec).is_ok(), plan.is_ok());
        let dims: Vec<Dim> = shape.iter().map(|&n| Dim::Known(n)).collect();
        assert!(matching || spec.infer_shape(&dims).is_err());
        assert_eq!(spec.to_axes(shape).is_ok(), plan.is_ok());
        assert_eq!(spec.same_on(spec, shape).is_ok(), plan.is_ok());
        let _ = spec.canonical_on(shape);
        if let (Ok(plan), Ok(wanted)) = (plan, wanted) {
            assert!(plan.selects_same(&wanted));
            [plan, strided.unwrap()].iter().for_each(sound);
        }
    }
    let fixed = FixedPlan::<3, 2>::new(spec, [3, 4, 2]);
    assert!(matching || fixed.is_err());
    assert!(!spec.to_string().is_empty() && format!("{spec:?}").contains("masks"));
    let _ = serde_json::to_string(&spec);
}

/// Checks that a plan moves what it says, and answers every question.
fn sound(plan: &Plan) {
    assert_eq!(plan.len(), plan.shape().iter().product::<usize>());
    let data: Vec<usize> = (0..plan.input_len()).collect();
    let out = plan.copy(&data).expect("a buffer of the right length");
    let mut back = vec![usize::MAX; data.len()];
    plan.assign(&mut back, &out).expect("of the right length");
    assert!(out.iter().all(|&at| back[at] == at));
    let _ = plan.to_spec();
    let _ = (plan.to_axes(), plan.to_step_ranges(), openvino::STRIDED_SLICE.write(plan));
    if let Ok(chunks) = plan.chunks(&vec![2; plan.input_shape().len()]) {
        assert_eq!(chunks.map(|chunk| chunk.plan().len()).sum::<usize>(), plan.len());
    }
    assert_eq!(plan.overlaps(plan), Ok(!plan.is_empty()));
}

/// Entries of every kind under one type, whether it is theirs or not.
pub fn every_kind<const L: usize, const T: usize, const D: usize, const A: usize>(
    numbers: &mut Numbers<'_>,
) where
    Spec<L, T, D, A>: SliceOf<Ix3> + SliceOf<IxDyn>,
{
    for kinds in 0..4_usize.pow(L as u32) {
        {
            let entries: [Entry; L] = std::array::from_fn(|i| numbers.entry(kinds >> (2 * i) & 3));
            let spec: Spec<L, T, D, A> = __private::build(entries);
            let matching = SpecBuf::from_entries(entries)
                .or_else(|error| match error {
                    // The one thing that is not refused before a plan is made.
                    SliceError::ZeroStep { .. } => SpecBuf::from_entries(entries.map(walkable)),
                    error => Err(error),
                })
                // An index and a new axis that were not counted leave the rank as it was; such a
                // slice means what its entries say.
                .is_ok_and(|wanted| (wanted.takes(), wanted.drops() + A) == (T, wanted.adds() + D));
            if numbers.catches {
                let constant = catch_unwind(|| __private::plan::<3, 2>(spec.as_ref(), [3, 4, 2]));
                assert_eq!(constant.ok(), FixedPlan::new(spec.as_ref(), [3, 4, 2]).ok());
            }
            planned(spec.as_spec(), &entries, matching);
            planned(spec.to_buf().as_spec(), &entries, matching);
            // With the type's own counts, what was built goes through a conversion as well.
            if let Ok(again) = Spec::<L, T, D, A>::try_from(spec.as_ref()) {
                planned(again.as_spec(), &entries, matching);
            }
            for shape in [[3, 4, 2], [1, 3, 1], [2, 0, 2]] {
                for (_, x) in layouts(&numbered(&shape, |k| k as u32), GAP) {
                    sliced::<Ix3, _>(&x, spec, matching);
                    sliced::<IxDyn, _>(&x, spec, matching);
                }
            }
        }
        if !numbers.catches {
            continue;
        }
        // Masks that no encoder gives: a constant does not compile, and elsewhere that is a panic.
        let masks: [u32; 5] = std::array::from_fn(|_| numbers.below(1 << (L + 1)) as u32);
        let arrays: [[i64; L]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| numbers.number()));
        let made = catch_unwind(|| {
            let [begin, end, strides] = arrays;
            __private::spec::<L, T, D, A>(begin, end, strides, masks)
        });
        if let Ok(spec) = made {
            let entries: Vec<Entry> = spec.as_ref().entries().collect();
            for (_, x) in layouts(&numbered(&[3, 4, 2], |k| k as u32), GAP) {
                sliced::<Ix3, _>(&x, spec, true);
            }
            for shape in [&[3, 4, 2][..], &[4, 1, 1, 3]] {
                if let Ok(plan) = spec.plan(shape) {
                    sound(&plan);
                    assert!(entries.len() == L && plan.shape().len() + D == shape.len() + A);
                }
            }
        }
    }
}

fn walkable(entry: Entry) -> Entry {
    match entry {
        Entry::Range { start, stop, step: 0 } => Entry::Range { start, stop, step: 1 },
        other => other,
    }
}

/// [`every_kind`] for the type of number `which`, of all those with up to three entries.
pub fn one_type(which: usize, numbers: &mut Numbers<'_>) {
    type Check = fn(&mut Numbers<'_>);
    macro_rules! types {
        ($($len:literal $takes:literal $drops:literal $adds:literal;)*) => {
            [$( every_kind::<$len, $takes, $drops, $adds> ),*]
        };
    }
    let all: [Check; TYPES] = types! {
        0 0 0 0;
        1 0 0 0; 1 0 0 1; 1 1 0 0; 1 1 1 0;
        2 0 0 1; 2 0 0 2; 2 1 0 0; 2 1 0 1; 2 1 1 0; 2 1 1 1; 2 2 0 0; 2 2 1 0; 2 2 2 0;
        3 0 0 2; 3 0 0 3; 3 1 0 1; 3 1 0 2; 3 1 1 1; 3 1 1 2;
        3 2 0 0; 3 2 0 1; 3 2 1 0; 3 2 1 1; 3 2 2 0; 3 2 2 1;
        3 3 0 0; 3 3 1 0; 3 3 2 0; 3 3 3 0;
    };
    all[which % TYPES](numbers);
}

/// How many such types there are.
pub const TYPES: usize = 30;
