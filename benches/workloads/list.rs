//! The workloads: element type, shape, and the slice in the words of each library.

use mdarray::{DArray, step};
use ndarray::{Ix1, Ix2, Ix3, Ix4, Ix6, IxDyn, SliceInfo, SliceInfoElem, s as nd};
use pyslice::s;

use crate::peers::{Kind, Md, Ours, Work, back, slice};

/// ndarray's info for an axis list of any rank: reversed where `true`.
fn reversed(axes: &[bool]) -> SliceInfo<Vec<SliceInfoElem>, IxDyn, IxDyn> {
    let entry = |&back: &bool| SliceInfoElem::Slice {
        start: 0,
        end: None,
        step: if back { -1 } else { 1 },
    };
    SliceInfo::try_from(axes.iter().map(entry).collect::<Vec<_>>()).expect("one range an axis")
}

/// mdarray's view, copied.
macro_rules! md {
    ($t:ty, $shape:expr, ($($view:expr),*)) => {
        Some((|x: Vec<$t>| {
            let x = DArray::<$t, 1>::from(x).into_shape($shape);
            let mut out = x.view($($view),*).to_array();
            let result = out.clone().into_vec();
            let y = x.clone();
            Md {
                alloc: Box::new(move || drop(std::hint::black_box(y.view($($view),*).to_array()))),
                into: Box::new(move || {
                    out.assign(x.view($($view),*));
                    std::hint::black_box(&out);
                }),
                result,
            }
        }) as fn(Vec<$t>) -> Md<$t>)
    };
}

/// Gives every workload whose name is wanted to `sink`.
pub(crate) fn each(wanted: &dyn Fn(&str) -> bool, sink: &mut dyn FnMut(Work)) {
    macro_rules! work {
        ($name:literal, $t:ty, $dim:expr, [$($ours:tt)*], $nd:expr, $md:expr) => {
            if wanted($name) {
                // Each on one line, as users write it: plan and copy are then compiled as one.
                let ours = Ours::<$t> {
                    alloc: |shape, x| s![$($ours)*].plan(shape).and_then(|plan| plan.copy(x)).expect("a right slice"),
                    into: |shape, x, out| {
                        s![$($ours)*].plan(shape).and_then(|plan| plan.copy_into(x, out)).expect("a right slice")
                    },
                };
                slice::<$t, _, _>($name, ($dim, $nd), ours, $md, sink);
            }
        };
    }
    macro_rules! back {
        ($name:literal, $kind:ident, $t:ty, $dim:expr, [$($ours:tt)*], $nd:expr) => {
            if wanted($name) {
                let plan = |shape: &[usize]| s![$($ours)*].plan(shape).expect("a right slice");
                back::<$t, _, _>($name, Kind::$kind, ($dim, $nd), plan, sink);
            }
        };
    }
    const N: usize = 1 << 24;
    const L2: usize = 1 << 16;

    let seed = || Ix6(5, 5, 5, 5, 5, 5);
    let (line, short) = (|| Ix1(N), || Ix1(L2));
    let (plane, picture, batch) =
        (|| Ix2(4096, 4096), || Ix3(2160, 3840, 3), || Ix4(32, 64, 112, 112));

    work!("seed6", f32, seed(), [1, 2:4, None, ..., :-3:-1, :], nd![1, 2..4, ndarray::NewAxis, .., .., -2..;-1, ..], None);
    work!("small2d", f32, Ix2(8, 8), [1:, 1:], nd![1.., 1..], md!(f32, [8, 8], (1.., 1..)));
    work!("smallidx", f32, Ix3(4, 4, 4), [2, ..., ::2], nd![2, .., ..;2], md!(f32, [4, 4, 4], (2usize, .., step(.., 2))));
    work!("stride2_1d", f32, line(), [::2], nd![..;2], md!(f32, [N], (step(.., 2))));
    work!("stride3_1d", f32, line(), [::3], nd![..;3], md!(f32, [N], (step(.., 3))));
    work!("stride4_1d", f32, line(), [::4], nd![..;4], md!(f32, [N], (step(.., 4))));
    work!("stride7_1d", f32, line(), [::7], nd![..;7], md!(f32, [N], (step(.., 7))));
    work!("stride16_1d", f32, line(), [::16], nd![..;16], md!(f32, [N], (step(.., 16))));
    work!("reverse_1d", f32, line(), [::-1], nd![..;-1], md!(f32, [N], (step(.., -1))));
    work!("rev_stride2_1d", f32, line(), [::-2], nd![..;-2], md!(f32, [N], (step(.., -2))));
    work!("stride2_1d_l2", f32, short(), [::2], nd![..;2], md!(f32, [L2], (step(.., 2))));
    work!("stride3_1d_l2", f32, short(), [::3], nd![..;3], md!(f32, [L2], (step(.., 3))));
    work!("stride4_1d_l2", f32, short(), [::4], nd![..;4], md!(f32, [L2], (step(.., 4))));
    work!("stride7_1d_l2", f32, short(), [::7], nd![..;7], md!(f32, [L2], (step(.., 7))));
    work!("stride16_1d_l2", f32, short(), [::16], nd![..;16], md!(f32, [L2], (step(.., 16))));
    work!("reverse_1d_l2", f32, short(), [::-1], nd![..;-1], md!(f32, [L2], (step(.., -1))));
    work!("rev_stride2_1d_l2", f32, short(), [::-2], nd![..;-2], md!(f32, [L2], (step(.., -2))));
    let crop = || nd![512..3584, 512..3584];
    work!("crop2d", f32, plane(), [512:3584, 512:3584], crop(), md!(f32, [4096, 4096], (512..3584, 512..3584)));
    work!("crop_narrow", f32, plane(), [:, 100:116], nd![.., 100..116], md!(f32, [4096, 4096], (.., 100..116)));
    work!("column", f32, plane(), [:, 7], nd![.., 7], md!(f32, [4096, 4096], (.., 7usize)));
    work!("colpair", f32, plane(), [:, 5:7], nd![.., 5..7], md!(f32, [4096, 4096], (.., 5..7)));
    work!("hwc_bgr", u8, picture(), [..., ::-1], nd![.., .., ..;-1], md!(u8, [2160, 3840, 3], (.., .., step(.., -1))));
    work!("hwc_hflip", u8, picture(), [:, ::-1, :], nd![.., ..;-1, ..], md!(u8, [2160, 3840, 3], (.., step(.., -1), ..)));
    work!("hwc_vflip", u8, picture(), [::-1], nd![..;-1, .., ..], md!(u8, [2160, 3840, 3], (step(.., -1), .., ..)));
    work!("hwc_channel", u8, picture(), [..., 0], nd![.., .., 0], md!(u8, [2160, 3840, 3], (.., .., 0usize)));
    work!("hwc_down2", u8, picture(), [::2, ::2, :], nd![..;2, ..;2, ..], md!(u8, [2160, 3840, 3], (step(.., 2), step(.., 2), ..)));
    let md = md!(f32, [32, 64, 112, 112], (.., .., step(.., 2), step(.., 2)));
    work!("nchw_stride2", f32, batch(), [:, :, ::2, ::2], nd![.., .., ..;2, ..;2], md);
    let md = md!(f32, [32, 64, 112, 112], (.., .., step(.., -1), step(.., -1)));
    work!("nchw_rot180", f32, batch(), [:, :, ::-1, ::-1], nd![.., .., ..;-1, ..;-1], md);
    let md = md!(f32, [32, 64, 112, 112], (.., step(.., 2), .., ..));
    work!("nchw_chan2", f32, batch(), [:, ::2], nd![.., ..;2, .., ..], md);
    let md = md!(f32, [32, 64, 112, 112], (.., .., 1..111, 1..111));
    work!("nchw_unpad", f32, batch(), [:, :, 1:-1, 1:-1], nd![.., .., 1..-1, 1..-1], md);
    work!("laststep", f32, Ix3(64, 512, 1024), [:, -1, :], nd![.., -1, ..], md!(f32, [64, 512, 1024], (.., 511usize, ..)));
    work!("manyrank4", f32, IxDyn(&[4; 8]), [::-1, ::-1, ::-1, ::-1, ::-1, ::-1, ::-1, ::-1], reversed(&[true; 8]), None);
    let mut second = [false; 16];
    second[1] = true;
    work!("manyrank2", f32, IxDyn(&[2; 16]), [:, ::-1, ...], reversed(&second), None);
    work!("rows3_2", f32, Ix2(1_000_000, 3), [:, :2], nd![.., ..2], md!(f32, [1_000_000, 3], (.., ..2)));
    work!("rows4_mid2", f32, Ix2(1_000_000, 4), [:, 1:3], nd![.., 1..3], md!(f32, [1_000_000, 4], (.., 1..3)));
    work!("rows5_step2", f32, Ix2(1_000_000, 5), [:, ::2], nd![.., ..;2], md!(f32, [1_000_000, 5], (.., step(.., 2))));
    work!("stride2_1d_u8", u8, line(), [::2], nd![..;2], md!(u8, [N], (step(.., 2))));
    work!("reverse_1d_u8", u8, line(), [::-1], nd![..;-1], md!(u8, [N], (step(.., -1))));
    work!("stride2_1d_u16", u16, line(), [::2], nd![..;2], md!(u16, [N], (step(.., 2))));
    work!("reverse_1d_u16", u16, line(), [::-1], nd![..;-1], md!(u16, [N], (step(.., -1))));
    work!("stride2_1d_f64", f64, line(), [::2], nd![..;2], md!(f64, [N], (step(.., 2))));
    work!("reverse_1d_f64", f64, line(), [::-1], nd![..;-1], md!(f64, [N], (step(.., -1))));
    work!("stride2_1d_c128", [f64; 2], line(), [::2], nd![..;2], md!([f64; 2], [N], (step(.., 2))));
    work!("reverse_1d_c128", [f64; 2], line(), [::-1], nd![..;-1], md!([f64; 2], [N], (step(.., -1))));

    back!("assign_stride2", Assign, f32, line(), [::2], nd![..;2]);
    back!("assign_reverse", Assign, f32, line(), [::-1], nd![..;-1]);
    back!("assign_crop2d", Assign, f32, plane(), [512:3584, 512:3584], crop());
    back!("assign_channel", Assign, u8, picture(), [..., 0], nd![.., .., 0]);
    back!("fill_stride2", Fill, f32, line(), [::2], nd![..;2]);
    back!("fill_reverse", Fill, f32, line(), [::-1], nd![..;-1]);
    back!("fill_crop2d", Fill, f32, plane(), [512:3584, 512:3584], crop());
    back!("fill_channel", Fill, u8, picture(), [..., 0], nd![.., .., 0]);
    back!("grad_nchw_stride2", Grad, f32, batch(), [:, :, ::2, ::2], nd![.., .., ..;2, ..;2]);
    let info = nd![1, 2..4, ndarray::NewAxis, .., .., -2..;-1, ..];
    back!("grad_seed6", Grad, f32, seed(), [1, 2:4, None, ..., :-3:-1, :], info);
}
