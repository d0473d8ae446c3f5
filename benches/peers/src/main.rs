//! The slices that candle and burn know too, this library beside them in turn.
//!
//! ```text
//! cargo run --release [part of a name]
//! ```
//!
//! candle has no steps: what its users call there is `index_select`. burn keeps an indexed axis as
//! one of length 1, which moves the same elements. Both give a new tensor, so ours makes a new
//! vector; planning is part of it.

#[path = "../../workloads/timing.rs"]
mod timing;

use std::hint::black_box;
use std::rc::Rc;

use burn_backend::TensorData;
use burn_flex::{FlexTensor, ops::slice::slice};
use burn_std::Slice;
use candle_core::{Device, Tensor, WithDType};
use pyslice::{Plan, SpecBuf};
use timing::Peer;

/// An element that all three know.
trait Element: WithDType + burn_backend::Element + PartialEq {
    fn at(i: usize) -> Self;
}
impl Element for f32 {
    fn at(i: usize) -> f32 {
        i as f32
    }
}
impl Element for f64 {
    fn at(i: usize) -> f64 {
        i as f64
    }
}
impl Element for u8 {
    fn at(i: usize) -> u8 {
        (i % 251) as u8
    }
}

/// An axis of the input: first position, length, step.
type Axis = (usize, usize, isize);

/// What the plan takes of each axis of the input; an axis that is not in the result is one position
/// of it.
fn axes(plan: &Plan) -> Vec<Axis> {
    let mut strides = vec![1usize; plan.input_shape().len()];
    for i in (1..strides.len()).rev() {
        strides[i - 1] = strides[i] * plan.input_shape()[i];
    }
    let mut rest = plan.offset();
    let mut axes: Vec<Axis> = strides
        .iter()
        .map(|&s| {
            let at = rest / s;
            rest %= s;
            (at, 1, 1)
        })
        .collect();
    for (i, source) in plan.source_axes().enumerate() {
        if let Some(source) = source {
            let step = plan.strides()[i] / strides[source] as isize;
            axes[source] = (axes[source].0, plan.shape()[i], step);
        }
    }
    axes
}

fn candle(x: &Tensor, axes: &[Axis]) -> Tensor {
    let mut t = x.clone();
    for (dim, &(start, len, step)) in axes.iter().enumerate() {
        if step == 1 && t.dims()[dim] != len {
            t = t.narrow(dim, start, len).expect("inside the axis");
        }
    }
    let plain = axes.iter().all(|axis| axis.2 == 1);
    for (dim, &(start, len, step)) in axes.iter().enumerate() {
        if step != 1 {
            let at: Vec<u32> =
                (0..len as isize).map(|i| (start as isize + i * step) as u32).collect();
            let at = Tensor::from_vec(at, len, &Device::Cpu).expect("a short vector");
            t = t.contiguous().and_then(|t| t.index_select(&at, dim)).expect("inside the axis");
        }
    }
    if plain { t.force_contiguous().expect("memory") } else { t }
}

fn work<T: Element>(name: &str, shape: &[usize], text: &str) {
    let spec: SpecBuf = text.parse().expect("a right slice");
    let plan = spec.plan(shape).expect("that fits its shape");
    let data: Vec<T> = (0..plan.input_len()).map(T::at).collect();
    let want = plan.copy(&data).expect("the lengths fit");
    let axes = axes(&plan);
    let tensor =
        Tensor::from_vec(data.clone(), shape, &Device::Cpu).expect("the shape holds the data");
    let got =
        candle(&tensor, &axes).flatten_all().and_then(|t| t.to_vec1::<T>()).expect("one axis");
    assert!(got == want, "candle differs: {name}");
    let slices: Rc<Vec<Slice>> = Rc::new(
        axes.iter()
            .map(|&(start, len, step)| {
                let last = start as isize + (len as isize - 1) * step;
                let (low, high) =
                    if step > 0 { (start as isize, last + 1) } else { (last, start as isize + 1) };
                Slice::new(low, Some(high), step)
            })
            .collect(),
    );
    let flex = FlexTensor::from_data(TensorData::new(data.clone(), shape.to_vec()));
    let got = slice(flex.clone(), &slices).to_contiguous().into_data();
    assert!(got.as_slice::<T>().expect("the same type") == want, "burn differs: {name}");
    let shape = shape.to_vec();
    let mut peers = vec![
        Peer {
            name: "ours",
            run: Box::new(move || {
                drop(black_box(spec.plan(&shape).and_then(|plan| plan.copy(&data))))
            }),
        },
        Peer { name: "candle", run: Box::new(move || drop(black_box(candle(&tensor, &axes)))) },
        Peer {
            name: "burn",
            run: Box::new(move || drop(black_box(slice(flex.clone(), &slices).to_contiguous()))),
        },
    ];
    let found = timing::interleaved(&mut peers, 5);
    print!("{name:18} {:12.1} ns", found[0].ns);
    found[1..].iter().for_each(|peer| print!("   / {} {:.2}", peer.name, peer.ratio));
    println!();
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let (line, plane, picture, batch) =
        ([1usize << 24], [4096, 4096], [2160, 3840, 3], [32, 64, 112, 112]);
    macro_rules! go {
        ($($name:literal $t:ty, $shape:expr, $spec:literal;)*) => {
            $(if $name.contains(&*wanted) { work::<$t>($name, &$shape, $spec) })*
        };
    }
    go! {
        "small2d" f32, [8, 8], "1:, 1:";
        "smallidx" f32, [4, 4, 4], "2, ..., ::2";
        "stride2_1d" f32, line, "::2";
        "stride7_1d" f32, line, "::7";
        "reverse_1d" f32, line, "::-1";
        "stride2_1d_l2" f32, [1 << 16], "::2";
        "reverse_1d_l2" f32, [1 << 16], "::-1";
        "crop2d" f32, plane, "512:3584, 512:3584";
        "crop_narrow" f32, plane, ":, 100:116";
        "column" f32, plane, ":, 7";
        "hwc_bgr" u8, picture, "..., ::-1";
        "hwc_hflip" u8, picture, ":, ::-1, :";
        "hwc_vflip" u8, picture, "::-1";
        "hwc_channel" u8, picture, "..., 0";
        "hwc_down2" u8, picture, "::2, ::2, :";
        "nchw_stride2" f32, batch, ":, :, ::2, ::2";
        "nchw_rot180" f32, batch, ":, :, ::-1, ::-1";
        "nchw_unpad" f32, batch, ":, :, 1:-1, 1:-1";
        "rows3_2" f32, [1_000_000, 3], ":, :2";
        "rows5_step2" f32, [1_000_000, 5], ":, ::2";
        "stride2_1d_f64" f64, line, "::2";
    }
}
