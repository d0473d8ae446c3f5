//! Slices of HDF5's datasets: negative steps, new axes and all, by one read of a hyperslab.

use hdf5_metno::{Dataset, File, H5Type, Hyperslab, SliceOrIndex};
use ndarray::{Array3, ArrayD};
use pyslice::{AsSpec, SpecBuf};
use std::error::Error;

/// `x[spec]`.
fn read<T: H5Type + Copy>(x: &Dataset, spec: impl AsSpec) -> Result<ArrayD<T>, Box<dyn Error>> {
    let (forwards, turn) = spec.as_spec().plan(&x.shape())?.forwards()?;
    let ranges = forwards.to_step_ranges()?;
    let axes =
        ranges.iter().zip(forwards.shape()).map(|(range, &count)| SliceOrIndex::SliceCount {
            start: range.start as usize,
            step: range.step as usize,
            count,
            block: 1,
        });
    let read: ArrayD<T> = x.read_slice(Hyperslab::new(axes.collect::<Vec<_>>()))?;
    let elements = read.as_slice().ok_or("HDF5 reads in C order")?;
    Ok(ArrayD::from_shape_vec(turn.shape(), turn.copy(elements)?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = tempfile::NamedTempFile::new()?;
    let numbers = Array3::from_shape_fn((5, 6, 7), |(i, j, k)| (100 * i + 10 * j + k) as i32);
    let x = File::create(path.path())?.new_dataset_builder().with_data(&numbers).create("x")?;
    for text in ["", "2", "::-1", "..., ::-2, None, 3", "1:4:2, 4:0:-3", "3:1", "0, -1, 2"] {
        let spec: SpecBuf = text.parse()?;
        let y = pyslice::PySlice::pyslice_copy(&numbers, &spec);
        assert_eq!(read::<i32>(&x, &spec)?, y, "{text}");
    }
    Ok(())
}
