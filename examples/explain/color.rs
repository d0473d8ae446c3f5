//! Colours from first to last.

/// From the first to the last: light to dark, so that the order shows without colours too.
const STOPS: [[u8; 3]; 5] =
    [[253, 224, 120], [151, 212, 110], [53, 172, 138], [42, 110, 150], [66, 40, 120]];

/// The colour of the element at `place` of `count`.
pub fn of(place: usize, count: usize) -> [u8; 3] {
    let share = if count > 1 { place as f64 / (count - 1) as f64 } else { 0.0 };
    let along = share * (STOPS.len() - 1) as f64;
    let from = (along as usize).min(STOPS.len() - 2);
    let part = along - from as f64;
    std::array::from_fn(|c| {
        let (a, b) = (f64::from(STOPS[from][c]), f64::from(STOPS[from + 1][c]));
        (a + (b - a) * part).round() as u8
    })
}

/// Whether white is easier to read on this colour than black.
pub fn is_dark([r, g, b]: [u8; 3]) -> bool {
    u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114 < 140_000
}

/// `text` on a background of this colour: one of the 6 by 6 by 6 that nearly all terminals have.
pub fn paint(text: &str, background: [u8; 3]) -> String {
    let ink = if is_dark(background) { 97 } else { 30 };
    // The levels of the cube are 0, 95, 135, 175, 215 and 255.
    let level = |v: u8| if v < 48 { 0 } else { ((u16::from(v) - 35) / 40).max(1) };
    let [r, g, b] = background.map(level);
    format!("\x1b[{ink};48;5;{}m{text}\x1b[0m", 16 + 36 * r + 6 * g + b)
}

/// `text` in grey.
pub fn faint(text: &str) -> String {
    format!("\x1b[90m{text}\x1b[0m")
}
