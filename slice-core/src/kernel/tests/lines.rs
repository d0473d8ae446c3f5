//! What lines of shuffles load, from made-up addresses: a byte too many in the same line as others
//! neither changes a result nor faults.

use super::Random;
use crate::kernel::isa::sets;
use crate::kernel::nest::{Loop, place_reach};
use crate::kernel::prefetch::RowNest;
use crate::kernel::shuffled_lines::ShuffledLines;
use crate::kernel::tables::Shuffle;
use core::ptr::{without_provenance, without_provenance_mut};

#[test]
fn lines_load_nothing_outside() {
    let (mut random, mut moved) = (Random(5), 0);
    let signed =
        |random: &mut Random, most: usize| random.below(2 * most + 1) as isize - most as isize;
    for (_, vectors) in sets().filter_map(|(isa, set)| Some((isa, set.vectors?))) {
        for _ in 0..3000 {
            let pitch = [1, 2, 3, 6, 12][random.below(5)];
            let inner = [Loop { n: pitch, src: signed(&mut random, 3), dst: 1 }];
            let inner = &inner[usize::from(pitch == 1)..];
            let step = signed(&mut random, 14);
            let walk = Loop { n: 40 + random.below(300), src: step, dst: pitch as isize };
            let Some(unit) = vectors.unit(inner, 1, walk) else { continue };
            let (mut low, mut high) = (0, 1);
            for it in inner.iter().chain([&walk]) {
                let reach = it.src * (it.n as isize - 1);
                (low, high) = (low + reach.min(0), high + reach.max(0));
            }
            // Hardly more than the source can be read.
            let (before, after) = (random.below(70), random.below(70));
            let src = (1 << 20) + random.below(64);
            let start = src.wrapping_add_signed(low) - before;
            let readable = (start, before + (high - low) as usize + after);
            let dst = (1 << 30) + random.below(64);
            let at = (without_provenance(src), without_provenance_mut(dst));
            let rows = RowNest { walk, span: place_reach(inner, 1), outer: &[] };
            // SAFETY: the CPU has the set.
            let lines = unsafe { ShuffledLines::new(vectors, &unit, readable, &rows, at) };
            let Some(lines) = lines else { continue };
            let (first, inside) = lines.vectors(at, walk.n);
            let phases = lines.phases.items();
            let off = dst.wrapping_neg() % vectors.bytes;
            for vector in inside {
                let phase = &phases[(first + vector) % phases.len()];
                let position = (off + vector * vectors.bytes) / pitch;
                for base in &phase.base[..vectors.bytes / vectors.lane] {
                    let load = src.wrapping_add_signed(step * position as isize + base);
                    let end = load + phase.loads * vectors.lane;
                    let right = load >= start && end <= start + readable.1;
                    assert!(right, "{walk:?} {inner:?} {readable:?} {at:?}, vector {vector}");
                }
                moved += 1;
            }
        }
    }
    assert!(moved > 1000 || sets().all(|(_, set)| set.vectors.is_none()));
}

#[test]
fn long_rows_between_bytes_that_stay_begin_on_vectors() {
    for vectors in sets().filter_map(|(_, set)| set.between) {
        let bytes = vectors.bytes;
        let units = |run: usize, pitch: isize, place: usize| {
            let walk = Loop { n: 1000, src: run as isize, dst: pitch };
            let unit = vectors.unit(&[], run, walk)?;
            let place = without_provenance(place);
            let begin = unit.between(bytes, place);
            Some((begin, Shuffle::new(bytes, &unit, begin).crossing(place)))
        };
        assert_eq!(units(4, 8, bytes), Some((None, (0, 0))), "there it begins");
        assert_eq!(units(4, 8, 2 * bytes - 8), Some((None, (1, 1))));
        assert_eq!(units(4, 8, bytes + 8), Some((None, (bytes / 8 - 1, bytes / 8 - 1))));
        // Behind a gap, vectors begin with the one behind a unit that is moved by itself.
        assert_eq!(units(4, 8, 2 * bytes - 4), Some((Some(4), (0, 1))));
        assert_eq!(units(4, 8, 2 * bytes - 12), Some((Some(4), (1, 2))));
        assert_eq!(units(1, 4, 2 * bytes + 2), Some((Some(2), (bytes / 4 - 1, bytes / 4))));
        assert_eq!(units(2, 4, 2 * bytes + 3), Some((None, (0, 0))), "inside a unit");
        assert_eq!(units(2, 6, 2 * bytes - 6), Some((None, (0, 0))), "they do not fill a vector");
    }
}
