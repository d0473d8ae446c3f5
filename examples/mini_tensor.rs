//! A small tensor library that leaves all slicing to pyslice, and what its users write.
//!
//! `cargo run --example mini_tensor`; its tests are in `tests/mini_tensor.rs`.

// A library shows more than its first user needs.
#[allow(dead_code, unreachable_pub, unused_imports, missing_docs, clippy::expect_used)]
#[path = "mini_tensor/lib.rs"]
mod mini_tensor;

use mini_tensor::{DType, Ranked, Result, Tape, Tensor, at};

fn main() -> Result<()> {
    // A picture: rows, columns, channels. Views share its storage; strides are bytes.
    let picture = Tensor::arange::<u8>(&[4, 6, 3])?;
    let swapped = picture.slice(at![::-1, 1:-1, ::-1])?;
    println!(
        "{:?} {:?} -> {:?} {:?}",
        picture.shape(),
        picture.byte_strides()?,
        swapped.shape(),
        swapped.byte_strides()?
    );
    assert!(swapped.shares_storage_with(&picture));
    assert_eq!(swapped.slice(at![0, 0])?.to_vec::<u8>()?, [59, 58, 57]);

    // Views of views are plans too: channels first, and back into one row of pixels.
    let planes = swapped.permute(&[2, 0, 1])?;
    assert_eq!(planes.slice(at![0, 1])?.to_vec::<u8>()?, [41, 44, 47, 50]);
    assert!(
        planes.shares_storage_with(&picture)
            && picture.reshape(&[24, 3])?.shares_storage_with(&picture)
    );

    // The rank may be in the type; `at![0, 0, 0, 0]` would not compile here.
    let pixels: Ranked<3> = Ranked::new(picture.clone())?;
    let row = pixels.slice(at![1, None, ..., 0])?;
    println!("one channel of one row, with a new axis: {:?}", row.shape());

    // Writing copies storage that is shared, and broadcasts.
    let mut framed = picture.clone();
    framed.slice_mut(at![:, ::5])?.fill(255_u8)?;
    framed.slice_mut(at![1:3, 1:-1])?.assign(&Tensor::new(&[4, 1], &[10_u8, 20, 30, 40])?)?;
    println!("first channel of row 1: {:?}", framed.slice(at![1, :, 0])?.to_vec::<u8>()?);
    assert!(!framed.shares_storage_with(&picture));

    // Mistakes are values, in the words of the slicing library.
    if let Err(e) = picture.slice(at![9]) {
        println!("error: {e}");
    }

    // Gradients: neighbours multiplied, so each element gets its neighbours' sum.
    let tape = Tape::default();
    let x = tape.var(Tensor::new(&[5], &[1.0, 2.0, 3.0, 4.0, 5.0])?)?;
    let energy = x.slice(at![1:])?.mul(&x.slice(at![:-1])?)?.sum()?;
    let gradient = energy.gradients(&[&x])?.remove(0);
    println!("{} with gradient {:?}", energy.value().item::<f64>()?, gradient.to_vec::<f64>()?);
    assert_eq!(gradient.to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0, 4.0]);
    assert_eq!(gradient.dtype(), DType::F64);
    Ok(())
}
