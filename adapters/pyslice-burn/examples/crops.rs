//! Crops of a batch of pictures, as a training loop makes them: cut out, flipped, every second
//! pixel, the channels reversed. The slices are Python's, the tensors burn's.

use burn_tensor::Tensor;
use pyslice::{AsSpec, s};
use pyslice_burn::{InteropError, to_slices, to_slices_and_shape};

/// `x[spec]`, for slices that keep all axes.
fn crop(x: &Tensor<4>, spec: impl AsSpec) -> Result<Tensor<4>, InteropError> {
    Ok(x.clone().slice(&to_slices(spec, &x.dims())?))
}

/// `x[0, 0, :, 0]`, printed.
fn reds(x: &Tensor<4>) -> Result<String, InteropError> {
    let (slices, shape) = to_slices_and_shape(s![0, 0, :, 0], &x.dims())?;
    let reds: Tensor<1> = x.clone().slice(&slices).reshape(shape);
    Ok(reds.into_data().to_string())
}

fn main() -> Result<(), InteropError> {
    // Two pictures of 6 rows, 8 columns and 3 channels.
    let device = Default::default();
    let pictures = Tensor::<1, burn_tensor::Int>::arange(0..2 * 6 * 8 * 3, &device)
        .float()
        .reshape([2, 6, 8, 3]);

    for (top, left) in [(0, 0), (1, 3), (2, 4)] {
        let cut = crop(&pictures, s![:, top:top + 4, left:left + 4])?;
        let flipped = crop(&cut, s![:, :, ::-1])?;
        println!("first row of reds from {top}, {left}: {}", reds(&cut)?);
        println!("                     flipped: {}", reds(&flipped)?);
    }
    let small = crop(&pictures, s![..., ::2, ::2, ::-1])?;
    assert_eq!(small.dims(), [2, 3, 4, 3]);

    // One picture's last column, as a matrix: an axis less for each index.
    let (slices, shape) = to_slices_and_shape(s![1, :, -1], &pictures.dims())?;
    let column: Tensor<2> = pictures.clone().slice(&slices).reshape(shape);
    assert_eq!(column.dims(), [6, 3]);
    println!("{column}");

    // pictures[:, 1:5:3] = 0
    let (slices, shape) = to_slices_and_shape(s![:, 1:5:3], &pictures.dims())?;
    let zeros = Tensor::zeros(shape, &device);
    let striped = pictures.slice_assign(&slices, zeros);
    let rows: Tensor<2> = striped.sum_dim(3).sum_dim(2).reshape([2, 6]);
    println!("{rows}");
    let empty = rows.equal_elem(0).int().sum_dim(0).into_data();
    empty.assert_eq(&[[0i64, 2, 0, 0, 2, 0]].into(), false);
    Ok(())
}
