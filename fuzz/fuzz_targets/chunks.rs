//! A slice taken chunk by chunk is the slice: read and written, from whole chunks and clipped ones.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice_fuzz::{Source, check, naive};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let case = source.case();
    if !case.is_small(2000) {
        return;
    }
    let items = case.fitting();
    let (plan, picked) = check::planned(&case.shape, &items).expect("it fits");
    let sizes: Vec<usize> = case.shape.iter().map(|&n| 1 + source.below(n.max(1) + 3)).collect();
    if sizes
        .iter()
        .try_fold(1_usize, |count, &n| count.checked_mul(n))
        .is_none_or(|count| count > 20_000)
    {
        return;
    }
    let strides = naive::row_major(&case.shape);
    let input =
        |at: &[usize]| at.iter().zip(&strides).map(|(&at, &s)| at * s as usize).sum::<usize>();
    let chunks = plan.chunks(&sizes).expect("sizes fit the shape");
    let grid: usize = case.shape.iter().zip(&sizes).map(|(&n, &size)| n.div_ceil(size)).product();
    assert_eq!(chunks.total(), grid);
    let touched = chunks.len();
    let (mut result, mut seen) = (vec![usize::MAX; plan.len()], Vec::new());
    for chunk in chunks {
        let coords = chunk.coords().to_vec();
        assert!(chunk.plan().len() > 0, "an untouched chunk: {coords:?}");
        // The chunk's buffer, of positions in the input; nothing where it ends past the array.
        let mut buffer = Vec::new();
        let mut clipped = Vec::new();
        each(&sizes, |place| {
            let at: Vec<usize> =
                place.iter().zip(&coords).zip(&sizes).map(|((&p, &c), &n)| c * n + p).collect();
            let inside = at.iter().zip(&case.shape).all(|(&at, &n)| at < n);
            buffer.push(if inside { input(&at) } else { usize::MAX - 1 });
            if inside {
                clipped.push(input(&at));
            }
        });
        let part = chunk.plan().copy(&buffer).expect("a whole chunk");
        assert_eq!(chunk.clipped().copy(&clipped), Ok(part.clone()));
        assert_eq!(chunk.is_whole(), part.len() == clipped.len());
        assert_eq!(chunk.plan().shape(), chunk.target().shape());
        let places: Vec<usize> = (0..result.len()).collect();
        for place in chunk.target().copy(&places).unwrap() {
            assert_eq!(result[place], usize::MAX, "place {place} is given twice");
        }
        chunk.target().assign(&mut result, &part).unwrap();
        seen.push(coords);
    }
    assert_eq!(result, picked.from, "{case:?} in chunks of {sizes:?}");
    assert_eq!(seen.len(), touched);
});

/// Calls `body` with every multi-index of `shape`, in C order.
fn each(shape: &[usize], mut body: impl FnMut(&[usize])) {
    let count: usize = shape.iter().product();
    for k in 0..count {
        let (mut index, mut rest) = (vec![0; shape.len()], k);
        for (slot, &n) in index.iter_mut().zip(shape).rev() {
            (*slot, rest) = (rest % n, rest / n);
        }
        body(&index);
    }
}
