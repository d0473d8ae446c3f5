//! Heat that spreads over a torus: each rank has some of its rows, with a ghost row above and below
//! for the borders of its neighbours. Rank 0 compares the result with a run of its own.
//!
//! ```sh
//! mpirun -n 4 target/debug/examples/stencil
//! ```

use mpi::point_to_point::send_receive_into;
use mpi::traits::*;
use pyslice::{SliceError, s};
use pyslice_mpi::SliceType;
use std::error::Error;

/// Rows of a rank, columns, steps.
const ROWS: usize = 16;
const COLUMNS: usize = 40;
const STEPS: usize = 25;

/// One step for `rows` rows between two ghost rows, in which no border is left out: the columns
/// meet at the ends.
fn spread(x: &[f64], rows: usize) -> Result<Vec<f64>, SliceError> {
    let shape = [rows + 2, COLUMNS];
    let center = s![1:-1].plan(&shape)?.copy(x)?;
    let mut change: Vec<f64> = center.iter().map(|value| -4.0 * value).collect();
    let all = s![...].plan(&[rows, COLUMNS])?;
    // The rows above and below.
    all.add_assign(&mut change, &s![:-2].plan(&shape)?.copy(x)?)?;
    all.add_assign(&mut change, &s![2:].plan(&shape)?.copy(x)?)?;
    // The columns to the left and to the right, and around the ends.
    for (to, from) in [(s![:, 1:], s![:, :-1]), (s![:, :-1], s![:, 1:])] {
        let values = from.plan(&[rows, COLUMNS])?.copy(&center)?;
        to.plan(&[rows, COLUMNS])?.add_assign(&mut change, &values)?;
    }
    for (to, from) in [(s![:, 0], s![:, -1]), (s![:, -1], s![:, 0])] {
        let values = from.plan(&[rows, COLUMNS])?.copy(&center)?;
        to.plan(&[rows, COLUMNS])?.add_assign(&mut change, &values)?;
    }
    Ok(center.iter().zip(change).map(|(value, change)| value + 0.1 * change).collect())
}

/// The heat of row `row` at the beginning.
fn first(row: usize) -> impl Iterator<Item = f64> {
    (0..COLUMNS).map(move |column| ((row * 7 + column * 13) % 31) as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI runs already")?;
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let (above, below) = ((rank + size - 1) % size, (rank + 1) % size);
    let (above, below) = (world.process_at_rank(above), world.process_at_rank(below));

    let shape = [ROWS + 2, COLUMNS];
    let inside = s![1:-1].plan(&shape)?;
    let (top, bottom) =
        (SliceType::new(&s![1].plan(&shape)?)?, SliceType::new(&s![-2].plan(&shape)?)?);
    let (ghost_above, ghost_below) =
        (SliceType::new(&s![0].plan(&shape)?)?, SliceType::new(&s![-1].plan(&shape)?)?);

    let mut x = vec![0.0; shape[0] * shape[1]];
    let rows = ROWS * rank.unsigned_abs() as usize;
    inside.assign(&mut x, &(rows..rows + ROWS).flat_map(first).collect::<Vec<_>>())?;
    for _ in 0..STEPS {
        // x[1] goes up while x[-1] comes from below, and x[-2] goes down while x[0] comes.
        let (sent, mut received) = top.view_beside(&ghost_below, &mut x)?;
        send_receive_into(&sent, &above, &mut received, &below);
        let (sent, mut received) = bottom.view_beside(&ghost_above, &mut x)?;
        send_receive_into(&sent, &below, &mut received, &above);
        let next = spread(&x, ROWS)?;
        inside.assign(&mut x, &next)?;
    }

    let mine = inside.copy(&x)?;
    if rank != 0 {
        world.process_at_rank(0).gather_into(&mine[..]);
        return Ok(());
    }
    let rows = ROWS * size.unsigned_abs() as usize;
    let mut all = vec![0.0; rows * COLUMNS];
    world.process_at_rank(0).gather_into_root(&mine[..], &mut all[..]);
    // The same without messages.
    let mut expected: Vec<f64> = (0..rows).flat_map(first).collect();
    for _ in 0..STEPS {
        let (last, first) = (&expected[(rows - 1) * COLUMNS..], &expected[..COLUMNS]);
        expected = spread(&[last, &expected, first].concat(), rows)?;
    }
    if all != expected {
        return Err("the ranks found something else than one process".into());
    }
    println!("{size} ranks, {rows} rows, {STEPS} steps: as by one process");
    Ok(())
}
