//! Crops of a batch of pictures, as a training loop makes them: cut out, flipped, every second
//! pixel, the channels reversed.

use burn_tensor::{Int, Tensor};
use pyslice::s;
use pyslice_burn::{Error, PySlice};

fn main() -> Result<(), Error> {
    // Two pictures of 6 rows, 8 columns and 3 channels.
    let device = Default::default();
    let pictures =
        Tensor::<1, Int>::arange(0..2 * 6 * 8 * 3, &device).float().reshape([2, 6, 8, 3]);

    for (top, left) in [(0, 0), (1, 3), (2, 4)] {
        let cut = pictures.pyslice(s![:, top:top + 4, left:left + 4])?;
        let flipped = cut.pyslice(s![:, :, ::-1])?;
        println!(
            "first row of reds from {top}, {left}: {}",
            cut.pyslice(s![0, 0, :, 0])?.into_data()
        );
        println!("                     flipped: {}", flipped.pyslice(s![0, 0, :, 0])?.into_data());
    }
    assert_eq!(pictures.pyslice(s![..., ::2, ::2, ::-1])?.dims(), [2, 3, 4, 3]);

    // One picture's last column, as a matrix: an axis less for each index.
    let column: Tensor<2> = pictures.pyslice(s![1, :, -1])?;
    assert_eq!(column.dims(), [6, 3]);
    println!("{column}");

    let striped = pictures.pyslice_fill(s![:, 1:5:3], 0)?; // pictures[:, 1:5:3] = 0
    let rows: Tensor<2> = striped.sum_dim(3).sum_dim(2).reshape([2, 6]);
    println!("{rows}");
    let empty = rows.equal_elem(0).int().sum_dim(0).into_data();
    empty.assert_eq(&[[0i64, 2, 0, 0, 2, 0]].into(), false);
    Ok(())
}
