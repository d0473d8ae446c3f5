//! Several ranks at once, each checking what it gets against the index-by-index reference. `./test`
//! starts four.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use pyslice::{Chunk, Entry, Plan, SliceError, SpecBuf, s};
use pyslice_mpi::{Error, SliceType, share};
use pyslice_zarrs::PyArray;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

type Test = fn(&SimpleCommunicator);

fn main() {
    let early = SliceType::<u8>::new(&s![:].plan(&[3]).unwrap());
    assert_eq!(early.map(drop), Err(Error::NotInitialized));
    let universe = mpi::initialize().expect("nobody else has");
    let world = universe.world();
    // A rank that fails takes the others along: they would wait for it for ever.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        mpi::topology::SimpleCommunicator::world().abort(101);
    }));
    assert!(world.size() >= 2, "this test wants several ranks: mpirun -n 4");
    let tests: [(&str, Test); 6] = [
        ("slices go from array to array", slices_go_from_array_to_array),
        ("two slices of one array are exchanged", two_slices_of_one_array_are_exchanged),
        ("what does not fit is refused", what_does_not_fit_is_refused),
        ("every chunk is one rank's", every_chunk_is_one_ranks),
        ("chunks travel as bytes", chunks_travel_as_bytes),
        ("each rank writes its part of a Zarr array", each_rank_writes_its_part),
    ];
    for (name, test) in tests {
        test(&world);
        world.barrier();
        if world.rank() == 0 {
            println!("test {name}, on {} ranks ... ok", world.size());
        }
    }
    if world.rank() == 0 {
        println!("test result: ok. {} passed; 0 failed", tests.len());
    }
}

/// Numbers that are the same on every rank.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A slice that takes so many positions of each axis, at one distance, and all of these.
    fn block(&mut self, shape: [usize; 2], taken: [usize; 2]) -> (Plan, Vec<usize>) {
        let [rows, columns] = [0, 1].map(|axis| {
            let (n, len) = (shape[axis], taken[axis]);
            let step = 1 + if len > 1 { self.below((n - 1) / (len - 1)) } else { 0 };
            let first = self.below(n - (len - 1) * step);
            let mut places: Vec<usize> = (0..len).map(|k| first + k * step).collect();
            let mut step = step as i64;
            if self.below(2) == 0 {
                (places, step) = (places.into_iter().rev().collect(), -step);
            }
            // The place before the axis is left out: -1 is its last one.
            let stop = Some(places[len - 1] as i64 + step.signum()).filter(|&stop| stop >= 0);
            (Entry::Range { start: Some(places[0] as i64), stop, step }, places)
        });
        let spec = SpecBuf::from_entries([rows.0, columns.0]).unwrap();
        let places = rows.1.iter().flat_map(|i| columns.1.iter().map(move |j| i * shape[1] + j));
        (spec.plan(&shape).unwrap(), places.collect())
    }

    /// A slice with steps of either sign, indices and new axes, and the positions that it takes.
    fn slice(&mut self) -> (Plan, Vec<usize>) {
        let shape: Vec<usize> = (0..1 + self.below(4)).map(|_| 1 + self.below(9)).collect();
        let mut entries = Vec::new();
        // The positions taken on each axis.
        let mut taken: Vec<Vec<usize>> = Vec::new();
        for &n in &shape {
            if self.below(8) == 0 {
                entries.push(Entry::NewAxis);
            }
            if self.below(4) == 0 {
                let at = self.below(n);
                entries.push(Entry::Index(at as i64));
                taken.push(vec![at]);
                continue;
            }
            let (one, other) = (self.below(n), self.below(n + 1));
            let (low, high) = (one.min(other), one.max(other));
            let step = 1 + self.below(3);
            if self.below(2) == 0 {
                let (start, stop) = (Some(low as i64), Some(high as i64));
                entries.push(Entry::Range { start, stop, step: step as i64 });
                taken.push((low..high).step_by(step).collect());
            } else {
                // From high - 1 down to low.
                let stop = if low == 0 { None } else { Some(low as i64 - 1) };
                let start = if high == 0 { i64::MIN } else { high as i64 - 1 };
                entries.push(Entry::Range { start: Some(start), stop, step: -(step as i64) });
                taken.push((low..high).rev().step_by(step).collect());
            }
        }
        let plan = SpecBuf::from_entries(&entries).unwrap().plan(&shape).unwrap();
        let mut places = vec![0];
        for (axis, &n) in taken.iter().zip(&shape) {
            places = places.iter().flat_map(|at| axis.iter().map(move |i| at * n + i)).collect();
        }
        (plan, places)
    }
}

/// Ranks go in pairs: the even one sends, the odd one receives.
fn pair(world: &SimpleCommunicator) -> Option<(bool, i32)> {
    let (rank, sends) = (world.rank(), world.rank() % 2 == 0);
    let other = if sends { rank + 1 } else { rank - 1 };
    (other < world.size()).then_some((sends, other))
}

/// Sends a slice of one array, and receives into a slice of another and into a buffer.
fn there_and_back<T: Equivalence + Copy + PartialEq + Debug>(
    world: &SimpleCommunicator,
    plan: &Plan,
    places: &[usize],
    value: fn(usize) -> T,
) {
    let Some((sends, other)) = pair(world) else { return };
    let slice = SliceType::<T>::new(plan).unwrap();
    let len = plan.input_len();
    let data: Vec<T> = (0..len).map(value).collect();
    let taken: Vec<T> = places.iter().map(|&at| data[at]).collect();
    let process = world.process_at_rank(other);
    if sends {
        process.send(&slice.view(&data).unwrap());
        process.send(&taken[..]);
        process.send(&slice.view(&data).unwrap());
        return;
    }
    let mut packed = vec![value(len + 1); places.len()];
    process.receive_into(&mut packed[..]);
    assert_eq!(packed, taken, "{plan:?}");
    // Elements outside of the slice stay as they were.
    let before: Vec<T> = (0..len).map(|k| value(k + 100)).collect();
    let mut wanted = before.clone();
    places.iter().for_each(|&at| wanted[at] = data[at]);
    for _ in 0..2 {
        let mut array = before.clone();
        process.receive_into(&mut slice.view_mut(&mut array).unwrap());
        assert_eq!(array, wanted, "{plan:?}");
    }
}

fn slices_go_from_array_to_array(world: &SimpleCommunicator) {
    let mut numbers = Numbers(7);
    for _ in 0..300 {
        let (plan, places) = numbers.slice();
        there_and_back(world, &plan, &places, |k| k as u8);
        there_and_back(world, &plan, &places, |k| k as f64 / 2.0);
    }
    // Strides of its own: columns of a transposed array, backwards, and one behind the end.
    let plan = s![::-1, 1:].plan_strided(&[3, 4], &[1, 3]).unwrap();
    let places = [5, 8, 11, 4, 7, 10, 3, 6, 9];
    there_and_back(world, &plan, &places, |k| k as i32);
    let (deep, all) = (s![...].plan(&[1; 60]).unwrap(), s![...].plan(&[2, 0, 3]).unwrap());
    there_and_back(world, &deep, &[0], |k| k as u16);
    there_and_back(world, &all, &[], |k| k as u16);
    // A rank-0 slice, and one large enough to go in several fragments.
    there_and_back(world, &s![2, 1].plan(&[3, 4]).unwrap(), &[9], |k| k as u64);
    let places: Vec<usize> = (0..500_000).rev().map(|k| 2 * k).collect();
    there_and_back(world, &s![-2::-2].plan(&[1_000_000]).unwrap(), &places, |k| k as u32);
}

/// Each rank sends one slice of an array to the next one, and receives into another slice of it, if
/// the reference finds no position in both.
fn two_slices_of_one_array_are_exchanged(world: &SimpleCommunicator) {
    let mut numbers = Numbers(3);
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let last = world.process_at_rank((rank + size - 1) % size);
    let (mut exchanged, mut refused) = (0, 0);
    for _ in 0..400 {
        let shape = [2 + numbers.below(8), 2 + numbers.below(8)];
        let taken = shape.map(|n| 1 + numbers.below(n / 2 + 1));
        let [(edge, from), (ghost, to)] = [(); 2].map(|()| numbers.block(shape, taken));
        let len = edge.input_len();
        let array = |rank: i32| (0..len as i32).map(|i| rank * 100_000 + i).collect::<Vec<_>>();
        let mut data = array(rank);
        let (send, receive) = (SliceType::new(&edge).unwrap(), SliceType::new(&ghost).unwrap());
        let both = send.view_beside(&receive, &mut data);
        if from.iter().any(|place| to.contains(place)) {
            assert!(matches!(both, Err(Error::Slice(SliceError::Overlap { .. }))), "{edge:?}");
            refused += 1;
            continue;
        }
        let (sent, mut received) = both.unwrap();
        // Both kinds of exchange.
        if exchanged % 2 == 0 {
            mpi::point_to_point::send_receive_into(&sent, &next, &mut received, &last);
        } else {
            mpi::request::scope(|scope| {
                let request = next.immediate_send(scope, &sent);
                last.receive_into(&mut received);
                request.wait();
            });
        }
        let (theirs, mut expected) = (array((rank + size - 1) % size), array(rank));
        for (&from, &to) in from.iter().zip(&to) {
            expected[to] = theirs[from];
        }
        assert_eq!(data, expected, "{edge:?} to {ghost:?}");
        exchanged += 1;
    }
    assert!(exchanged > 20 && refused > 20, "{exchanged} exchanged, {refused} refused");
}

fn what_does_not_fit_is_refused(_: &SimpleCommunicator) {
    let plan = s![::2].plan(&[9]).unwrap();
    let slice = SliceType::<u32>::new(&plan).unwrap();
    let length = |buffer, found| SliceError::BufferLength { buffer, expected: 9, found };
    let (source, target) = (pyslice::Buffer::Source, pyslice::Buffer::Target);
    for found in [0, 8, 10] {
        let mut other = vec![0; found];
        let error = slice.view(&other).map(drop).unwrap_err();
        assert_eq!(error, length(source, found).into());
        let error = slice.view_mut(&mut other).map(drop).unwrap_err();
        assert_eq!(error, length(target, found).into());
    }
    // An element that is met twice can be sent, but nothing can be received into it.
    let windows = s![].plan_strided(&[3, 2], &[1, 1]).unwrap();
    let slice = SliceType::<u32>::new(&windows).unwrap();
    assert!(slice.view(&[0; 5]).is_ok());
    assert_eq!(slice.view_mut(&mut [0; 5]).map(drop).unwrap_err(), SliceError::Repeats.into());
    assert!(slice.view(&[0; 3]).is_err());
    let long = s![::2].plan(&[1 << 33]).unwrap();
    assert_eq!(SliceType::<u8>::new(&long).map(drop), Err(Error::TooLong { len: 1 << 32 }));
    let large = s![:].plan(&[isize::MAX as usize]).unwrap();
    assert!(matches!(SliceType::<f64>::new(&large), Err(Error::Slice(_) | Error::TooLong { .. })));
    let words = Error::TooLong { len: 1 << 32 }.to_string();
    assert!(words.contains("4294967296") && words.contains("2147483647"), "{words}");
}

fn every_chunk_is_one_ranks(world: &SimpleCommunicator) {
    for (shape, chunk) in
        [([100, 70], [7, 9]), ([3, 1], [1, 1]), ([1, 1], [5, 5]), ([0, 4], [1, 1])]
    {
        let plan = s![::-3, 1:].plan(&shape).unwrap();
        let all: Vec<Chunk> = plan.chunks(&chunk).unwrap().collect();
        let mine: Vec<Chunk> = share(plan.chunks(&chunk).unwrap(), world).collect();
        let fair = all.len() / world.size() as usize;
        assert!((fair..=fair + 1).contains(&mine.len()), "{} of {}", mine.len(), all.len());
        // How many ranks have each chunk.
        let here: Vec<u32> = all.iter().map(|chunk| u32::from(mine.contains(chunk))).collect();
        let mut owners = vec![0; all.len()];
        world.all_reduce_into(&here[..], &mut owners[..], mpi::collective::SystemOperation::sum());
        assert!(owners.iter().all(|&n| n == 1), "{owners:?}");
    }
}

/// Rank 0 plans and puts the result together, by the datatype of each chunk's target; the others
/// know only what they are sent.
fn chunks_travel_as_bytes(world: &SimpleCommunicator) {
    let (shape, chunk_shape) = ([40, 33], [8, 7]);
    let workers = world.size() - 1;
    if world.rank() != 0 {
        let rank_0 = world.process_at_rank(0);
        loop {
            let (message, _) = rank_0.receive_vec::<u8>();
            if message.is_empty() {
                return;
            }
            let chunk: Chunk = postcard::from_bytes(&message).unwrap();
            // This part of the array, made up from where it lies.
            let (origin, extent) = (chunk.origin(), chunk.extent());
            let (rows, columns) = (extent[0], extent[1]);
            let value =
                |k: usize| ((origin[0] + k / columns) * shape[1] + origin[1] + k % columns) as u32;
            let data: Vec<u32> = (0..rows * columns).map(value).collect();
            let part = SliceType::new(&chunk.clipped()).unwrap();
            rank_0.send(&part.view(&data).unwrap());
        }
    }
    let plan = s![::-1, None, 30:2:-3].plan(&shape).unwrap();
    let mut result = vec![u32::MAX; plan.len()];
    let chunks: Vec<Chunk> = plan.chunks(&chunk_shape).unwrap().collect();
    for round in chunks.chunks(workers as usize) {
        for (chunk, worker) in round.iter().zip(1..) {
            world.process_at_rank(worker).send(&postcard::to_allocvec(chunk).unwrap()[..]);
        }
        for (chunk, worker) in round.iter().zip(1..) {
            let target = SliceType::new(chunk.target()).unwrap();
            let mut place = target.view_mut(&mut result).unwrap();
            world.process_at_rank(worker).receive_into(&mut place);
        }
    }
    (1..=workers).for_each(|worker| world.process_at_rank(worker).send(&[0_u8; 0][..]));
    let wanted: Vec<u32> =
        (0..40).rev().flat_map(|i| (3..31).rev().step_by(3).map(move |j| i * 33 + j)).collect();
    assert_eq!(result, wanted);
}

/// A folder that all ranks know, gone when rank 0 is done with it.
struct Folder(PathBuf);

impl Folder {
    fn of(world: &SimpleCommunicator) -> Folder {
        let mut id = std::process::id();
        world.process_at_rank(0).broadcast_into(&mut id);
        Folder(std::env::temp_dir().join(format!("pyslice-mpi-{id}")))
    }
}

fn each_rank_writes_its_part(world: &SimpleCommunicator) {
    let folder = Folder::of(world);
    let (shape, spec) = ([60, 50, 40], s![::-2, 3:45:3, None, 5:]);
    let value = |i: usize, j: usize, k: usize| ((i * 50 + j) * 40 + k) as u32;
    let plan = spec.plan(&shape).unwrap();
    let wide = |shape: &[usize]| shape.iter().map(|&n| n as u64).collect::<Vec<u64>>();
    // Chunks of the result, each of which one rank writes: no two write to one file.
    let chunk_shape = [7, 4, 1, 9];
    if world.rank() == 0 {
        let store = Arc::new(FilesystemStore::new(&folder.0).unwrap());
        let source = ArrayBuilder::new(wide(&shape), [16, 9, 40], data_type::uint32(), 0_u32)
            .build(store.clone(), "/source")
            .unwrap();
        source.store_metadata().unwrap();
        let all: Vec<u32> = (0..60 * 50 * 40).collect();
        source.py_assign(s![...], (&all[..], &shape[..])).unwrap();
        let result =
            ArrayBuilder::new(wide(plan.shape()), wide(&chunk_shape), data_type::uint32(), 7_u32)
                .build(store, "/result")
                .unwrap();
        result.store_metadata().unwrap();
    }
    world.barrier();
    let store = Arc::new(FilesystemStore::new(&folder.0).unwrap());
    let source = Array::open(store.clone(), "/source").unwrap();
    let result = Array::open(store, "/result").unwrap();
    let whole = s![...].plan(plan.shape()).unwrap();
    let mut written = 0_u64;
    for chunk in share(whole.chunks(&chunk_shape).unwrap(), world) {
        // The block of the result, and what it is of the source.
        let block = chunk.target().to_spec().unwrap();
        let part = source.py::<u32>(plan.then(&block).unwrap().to_spec().unwrap()).unwrap();
        result.py_assign(&block, (part.values(), part.shape())).unwrap();
        written += 1;
    }
    assert!(written > 0, "there are chunks for all");
    world.barrier();
    let mut total = 0_u64;
    world.all_reduce_into(&written, &mut total, mpi::collective::SystemOperation::sum());
    assert_eq!(total, 5 * 4 * 4, "as many as the grid has");
    if world.rank() == 0 {
        let rows = (0..60).rev().step_by(2);
        let wanted: Vec<u32> = rows
            .flat_map(|i| {
                let columns = (3..45).step_by(3);
                columns.flat_map(move |j| (5..40).map(move |k| value(i, j, k)))
            })
            .collect();
        let found = result.py::<u32>(s![...]).unwrap();
        assert_eq!((found.shape(), found.values()), (&[30, 14, 1, 35][..], &wanted[..]));
        std::fs::remove_dir_all(&folder.0).unwrap();
    }
}
