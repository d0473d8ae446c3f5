use pyslice::{AsSpec, Spec, s};

fn first(n: usize) -> Spec<1> {
    s![n..]
}

fn take(spec: impl AsSpec) -> usize {
    spec.as_spec().len()
}

fn main() {
    let from = 3;
    let unused_elsewhere = 4;
    let _ = take(s![from:unused_elsewhere:0]) + take(&s![..]);
    let plan = match first(1).plan(&[4]) {
        Ok(_) => s![1;2].plan(&[4]),
        Err(_) => py(),
    };
    let _: Vec<f32> = plan.unwrap().copy(&[1.0; 4]).unwrap();
}

fn py() -> Result<pyslice::Plan, pyslice::SliceError> {
    pyslice::py![0, 2 3].plan(&[1, 2])
}
