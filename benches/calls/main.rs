//! Small calls of the adapter beside ndarray's own, in turn: nanoseconds and the median ratio.
//! Both sides give results of the same type; a rank known only at run time costs either of them.
//!
//! ```text
//! cargo bench --bench calls [-- NAME]
//! ```

#[path = "../workloads/timing.rs"]
mod timing;

use ndarray::{Array1, Array2, Array3, ArrayD, Ix2, IxDyn, SliceInfo, s as nd};
use pyslice::{PySlice, SpecBuf, s};
use std::hint::black_box as at;
use timing::{Peer, interleaved};

fn compare(name: &str, ours: Box<dyn FnMut()>, theirs: Box<dyn FnMut()>) {
    if std::env::args().skip(1).any(|a| !a.starts_with("--") && !name.contains(&a)) {
        return;
    }
    let peers = [("pyslice", ours), ("ndarray", theirs)].map(|(name, run)| Peer { name, run });
    let found = interleaved(&mut { peers }, 5);
    print!("{name:20}");
    found.iter().for_each(|peer| print!("  {} {:6.1} ns", peer.name, peer.ns));
    println!("  ratio {:5.2}", found[1].ratio);
}

/// What either side does with arrays of its own, clones of those named.
macro_rules! calls {
    ($($name:literal ($($x:ident),*): $ours:expr, $theirs:expr;)*) => { $( {
        let (ours, theirs) = (($($x.clone(),)*), ($($x.clone(),)*));
        #[allow(unused_mut, unused_variables, reason = "one side may only read, or need less")]
        compare(
            $name,
            { let ($(mut $x,)*) = ours; Box::new(move || { at($ours); }) },
            { let ($(mut $x,)*) = theirs; Box::new(move || { at($theirs); }) },
        );
    } )* };
}

fn main() {
    let line: Array1<f32> = (0..64).map(|k| k as f32).collect();
    let square = Array2::from_shape_fn((8, 8), |(i, j)| (8 * i + j) as f32);
    let cube = Array3::<f32>::zeros((4, 4, 4));
    let (flat, five) = (square.clone().into_dyn(), ArrayD::<f32>::zeros(IxDyn(&[3; 5])));
    let buf = SpecBuf::from(s![1:, ::2]);
    // Both known at run time only, as are the ranks of the views.
    let info: SliceInfo<_, Ix2, IxDyn> = match SliceInfo::try_from(nd![1.., ..;2].as_ref().to_vec())
    {
        Ok(info) => info,
        Err(e) => panic!("{e}"),
    };
    calls! {
        "view" (square):
            at(&square).pyslice(s![1:, ::2]),
            at(&square).slice(nd![1.., ..;2]);
        "view row" (square):
            at(&square).pyslice(s![at(3)]),
            at(&square).slice(nd![at(3), ..]);
        "view ellipsis" (cube):
            at(&cube).pyslice(s![2, ..., ::2]),
            at(&cube).slice(nd![2, .., ..;2]);
        "view IxDyn" (flat):
            at(&flat).pyslice(s![1:, ::2]),
            at(&flat).slice(nd![1.., ..;2]).into_dyn();
        "view IxDyn row" (flat):
            at(&flat).pyslice(s![3]),
            at(&flat).slice(nd![3, ..]).into_dyn();
        "view IxDyn 5" (five):
            at(&five).pyslice(s![..., 0]),
            at(&five).slice(nd![.., .., .., .., 0]).into_dyn();
        "view SpecBuf" (square, buf, info):
            at(&square).pyslice(at(&buf)),
            at(&square).slice(at(&info));
        "move" (square):
            at(&square).view().pyslice_move(s![1:, ::2]),
            at(&square).view().slice_move(nd![1.., ..;2]);
        "get" (square):
            at(&square).pyslice_get(s![at(3), at(4)]),
            &at(&square)[[at(3), at(4)]];
        "get IxDyn" (flat):
            at(&flat).pyslice_get(s![at(3), at(4)]),
            &at(&flat)[[at(3), at(4)]];
        "copy 4" (line):
            at(&line).pyslice_copy(s![1:5]),
            at(&line).slice(nd![1..5]).to_owned();
        "copy 28" (square):
            at(&square).pyslice_copy(s![1:, ::2]),
            at(&square).slice(nd![1.., ..;2]).to_owned();
        "copy 49" (square):
            at(&square).pyslice_copy(s![1:, 1:]),
            at(&square).slice(nd![1.., 1..]).to_owned();
        "fill 4" (line):
            at(&mut line).pyslice_fill(s![1:5], 1.),
            at(&mut line).slice_mut(nd![1..5]).fill(1.);
        "fill 49" (square):
            at(&mut square).pyslice_fill(s![1:, 1:], 1.),
            at(&mut square).slice_mut(nd![1.., 1..]).fill(1.);
        "assign 8" (square, line):
            at(&mut square).pyslice_assign(s![3], &line.pyslice(s![:8])),
            at(&mut square).slice_mut(nd![3, ..]).assign(&line.slice(nd![..8]));
        "add 4" (line):
            at(&mut line).pyslice_add_assign(s![1:5], 1.),
            { let mut part = at(&mut line).slice_mut(nd![1..5]); part += 1. };
        "many rows" (square):
            at(&mut square).pyslice_many_mut([s![0], s![1]]),
            at(&mut square).multi_slice_mut((nd![0, ..], nd![1, ..]));
        "many columns" (square):
            at(&mut square).pyslice_many_mut([s![:, 0], s![:, 1]]),
            at(&mut square).multi_slice_mut((nd![.., 0], nd![.., 1]));
        "within" (square):
            at(&mut square).pyslice_move_within(s![0], s![1]),
            { let row = at(&square).row(0).to_owned(); square.row_mut(1).assign(&row) };
    }
}
