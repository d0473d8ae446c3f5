//! error: index 7 is outside axis 0 of length 4; use -4 to 3, or a range, which is clamped
//! under: const { 7 }

fn main() {
    let _ = pyslice::plan!([4, 6]; const { 7 });
}
