use pyslice::s;

macro_rules! between {
    ($from:expr, $to:expr) => {
        s![$from..$to]
    };
}

fn main() {
    let _ = between!(1, 3);
}
