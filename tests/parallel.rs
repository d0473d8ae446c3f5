//! The operations by several threads give what they give by one, in pools of any size.
#![cfg(feature = "rayon")]
#![allow(clippy::expect_used, reason = "a test")]

use pyslice::{Plan, SpecBuf};

/// Slices of every class, all of 2 MiB and more of `u32`, which is where work begins to be shared out.
const CASES: [(&str, &[usize]); 9] = [
    ("::2", &[1 << 20]),
    ("::-1", &[600_001]),
    ("7:-9", &[600_001]),
    ("100:-100, 50:-50", &[900, 1000]),
    ("..., ::-1", &[400, 500, 3]),
    ("..., 1", &[700, 1000, 3]),
    (":, :, ::2, ::2", &[4, 7, 300, 300]),
    ("::-1, ::-1, ::-1", &[80, 80, 90]),
    ("1:", &[3, 300_000]),
];

fn plan(spec: &str, shape: &[usize]) -> Plan {
    let spec: SpecBuf = spec.parse().expect("the specs above are right");
    spec.plan(shape).expect("and fit their shapes")
}

fn in_pools(f: impl Fn(&str) + Send + Sync) {
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| f(&format!("{threads} threads")));
    }
}

/// One element after the other, by the plan's own offset and strides.
fn places(plan: &Plan) -> Vec<usize> {
    let mut places = vec![plan.offset() as isize];
    for (&n, &stride) in plan.shape().iter().zip(plan.strides()) {
        places = places.iter().flat_map(|&at| (0..n as isize).map(move |i| at + i * stride)).collect();
    }
    places.into_iter().map(|at| at as usize).collect()
}

#[test]
fn every_class_in_every_pool() {
    for (spec, shape) in CASES {
        let plan = plan(spec, shape);
        let (len, places) = (plan.input_len(), places(&plan));
        let data: Vec<u32> = (0..len as u32).collect();
        let values: Vec<u32> = (0..plan.len() as u32).map(|i| i ^ 0x8000_0000).collect();
        let slice: Vec<u32> = places.iter().map(|&at| data[at]).collect();
        let (mut assigned, mut filled, mut sums, mut grad) = (data.clone(), data.clone(), data.clone(), vec![0; len]);
        for (&at, &value) in places.iter().zip(&values) {
            assigned[at] = value;
            filled[at] = 7;
            sums[at] += value;
            grad[at] = value;
        }
        in_pools(|pool| {
            assert!(plan.par_copy(&data).expect(spec) == slice, "copy {spec} {pool}");
            let mut out = vec![1; plan.len()];
            plan.par_copy_into(&data, &mut out).expect(spec);
            assert!(out == slice, "copy_into {spec} {pool}");
            out.clear();
            plan.par_copy_into_vec(&data, &mut out).expect(spec);
            assert!(out == slice, "copy_into_vec {spec} {pool}");
            let mut x = data.clone();
            plan.par_assign(&mut x, &values).expect(spec);
            assert!(x == assigned, "assign {spec} {pool}");
            let mut x = data.clone();
            plan.par_fill(&mut x, 7).expect(spec);
            assert!(x == filled, "fill {spec} {pool}");
            let mut x = data.clone();
            plan.par_add_assign(&mut x, &values).expect(spec);
            assert!(x == sums, "add_assign {spec} {pool}");
            assert!(plan.par_grad(&values).expect(spec) == grad, "grad {spec} {pool}");
            let mut x = vec![5; len];
            plan.par_grad_into(&values, &mut x).expect(spec);
            assert!(x == grad, "grad_into {spec} {pool}");
            // The plain forms share out their work too.
            assert!(plan.copy(&data).expect(spec) == slice, "plain copy {spec} {pool}");
            let mut x = data.clone();
            plan.assign(&mut x, &values).expect(spec);
            assert!(x == assigned, "plain assign {spec} {pool}");
        });
    }
}

#[test]
fn little_and_wrong_lengths() {
    let plan = plan("::2", &[9]);
    in_pools(|_| {
        assert_eq!(plan.par_copy(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), Ok(vec![0, 2, 4, 6, 8]));
        assert!(plan.par_copy(&[0; 8]).is_err());
        assert!(plan.par_copy_into(&[0; 9], &mut [0; 4]).is_err());
        assert!(plan.par_assign(&mut [0; 9], &[0; 6]).is_err());
        assert!(plan.par_fill(&mut [0; 10], 0).is_err());
        assert!(plan.par_grad(&[0; 4]).is_err());
        assert!(plan.par_add_assign(&mut [0; 9], &[0; 4]).is_err());
        // Elements without size, and no elements.
        assert_eq!(plan.par_copy(&[(); 9]), Ok(vec![(); 5]));
        assert_eq!(plan.par_grad(&[(); 5]), Ok(vec![(); 9]));
    });
}

#[test]
fn the_last_value_wins_where_positions_share_an_element() {
    let spec: SpecBuf = "..., :".parse().expect("a right spec");
    let n = 1usize << 19;
    let plan = spec.plan_strided(&[2, n], &[0, 1]).expect("an array of two rows in one place");
    let values: Vec<u32> = (0..2 * n as u32).collect();
    in_pools(|pool| {
        let mut x = vec![0; n];
        plan.par_assign(&mut x, &values).expect("the lengths fit");
        assert!(x == values[n..], "{pool}");
    });
}
