//! What crates for vectors can do for the gathers of this library, each as well as its interface allows.
//!
//! ```text
//! cargo run --release [bytes that the buffers lie behind the start of a line; 0]
//! ```
//!
//! A crate is measured as a user's program gets it, compiled for the base set of the target: wider ones are used where the crate
//! finds them at run time. Intrinsics of `core::arch` are not used, whatever name they go by. Here each step is a constant of
//! the program; this library learns it at run time, and its times include making the tables for it.

mod fearless;
mod macerator;
mod plain;
mod pulp;
#[path = "../../workloads/timing.rs"]
mod timing;
mod wide;

use std::cell::RefCell;
use std::rc::Rc;

use ::wide::bytemuck::{Pod, cast_slice, cast_slice_mut};
use ::wide::f32x16;
use pyslice::SpecBuf;
use timing::Peer;

/// A gather into a buffer that is there.
type Gather<T> = fn(&[T], &mut [T]);

/// The same, whoever does it.
type Run<T> = Box<dyn Fn(&[T], &mut [T])>;

/// One column: the five slices by one crate.
pub(crate) struct Layer {
    name: &'static str,
    /// `[::-1]`
    reverse: Gather<f32>,
    /// `[::2]`
    second: Gather<f32>,
    /// `[..., ::-1]` of pixels of three bytes
    bgr: Gather<u8>,
    /// `[:, :2]` of rows of three
    columns: Gather<f32>,
    /// `[::2]`
    bytes: Gather<u8>,
}

const LAYERS: [Layer; 5] = [wide::LAYER, pulp::LAYER, fearless::LAYER, macerator::LAYER, plain::LAYER];

/// Memory that begins with a line.
type Lines = Vec<f32x16>;

fn lines(bytes: usize) -> Lines {
    // One more for a place that is not the start of a line.
    vec![f32x16::ZERO; bytes.div_ceil(64) + 1]
}

/// The slice `text` of an array of `shape`, whose buffers lie `off` bytes behind the start of a line.
fn case<T: Pod + PartialEq>(text: &str, shape: &[usize], off: usize, at: fn(usize) -> T, layers: [Gather<T>; 5]) {
    let plan = text.parse::<SpecBuf>().and_then(|spec| spec.plan(shape)).expect("a slice that fits its shape");
    let (from, input, output) = (off / size_of::<T>(), plan.input_len(), plan.len());
    let mut source = lines(size_of::<T>() * input);
    for (i, place) in cast_slice_mut(&mut source)[from..][..input].iter_mut().enumerate() {
        *place = at(i);
    }
    let source = Rc::new(source);
    let result = Rc::new(RefCell::new(lines(size_of::<T>() * output)));
    // All write to the same memory, so that none is nearer to it.
    let peer = |name, run: Run<T>| {
        let (source, result) = (source.clone(), result.clone());
        let run = move || {
            let mut result = result.borrow_mut();
            run(&cast_slice(&source)[from..][..input], &mut cast_slice_mut(&mut result)[from..][..output]);
        };
        Peer { name, run: Box::new(run) }
    };
    let ours = move |src: &[T], dst: &mut [T]| plan.copy_into(src, dst).expect("the lengths fit");
    let mut peers = vec![peer("pyslice", Box::new(ours))];
    peers.extend(LAYERS.iter().zip(layers).map(|(layer, run)| peer(layer.name, Box::new(run))));

    let mut want = vec![T::zeroed(); output];
    layers[4](&cast_slice(&source)[from..][..input], &mut want);
    for peer in &mut peers {
        result.borrow_mut().fill(f32x16::splat(-1.0));
        (peer.run)();
        assert!(cast_slice::<_, T>(&result.borrow())[from..][..output] == want, "{} differs: {text}", peer.name);
    }
    let found = timing::interleaved(&mut peers, 25);
    let name = format!("{} {text}", std::any::type_name::<T>());
    print!("{name:16} {:9.1} us", found[0].ns / 1e3);
    found.iter().for_each(|peer| print!(" {:>13.2}", 1.0 / peer.ratio));
    let fastest = found.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    println!("  {}", fastest.map_or("", |peer| peer.name));
}

fn main() {
    let off: usize = std::env::args().nth(1).map_or(0, |text| text.parse().expect("a number of bytes"));
    assert!(off < 64 && off.is_multiple_of(4), "whole elements, less than a line");
    print!("{:29}{:>13}", "", "pyslice");
    LAYERS.iter().for_each(|layer| print!(" {:>13}", layer.name));
    println!("  fastest");
    for bytes in [256 << 10, 64 << 20] {
        println!("{} KiB of input", bytes >> 10);
        let words = bytes / 4;
        case("::-1", &[words], off, |i| i as f32, LAYERS.map(|layer| layer.reverse));
        case("::2", &[words], off, |i| i as f32, LAYERS.map(|layer| layer.second));
        case("..., ::-1", &[bytes / 3, 3], off, |i| (i % 251) as u8, LAYERS.map(|layer| layer.bgr));
        case(":, :2", &[words / 3, 3], off, |i| i as f32, LAYERS.map(|layer| layer.columns));
        case("::2", &[bytes], off, |i| (i % 251) as u8, LAYERS.map(|layer| layer.bytes));
    }
    println!("Times of a call by pyslice, and how many times as long each takes (medians of 25 rounds, in turn).");
    println!("* cannot: no operation of the crate does it; the plain loop, compiled for the set that it finds");
}
