//! Colours from first to last, and which of them a terminal can show.

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// No colours.
    None,
    /// The 6 by 6 by 6 colours that nearly all have.
    Cube,
    /// 24 bits.
    Full,
}

/// What the environment says about colours.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// If the user has not said anything.
    pub usual: Depth,
    /// If the user wants colours.
    pub best: Depth,
}

impl Wish {
    /// Reads `COLORTERM`, `NO_COLOR` and `TERM`; `terminal` says whether the output is one.
    pub fn of_environment(terminal: bool) -> Wish {
        let is = |name: &str, values: &[&str]| {
            std::env::var(name).is_ok_and(|v| values.contains(&v.as_str()))
        };
        let best = if is("COLORTERM", &["truecolor", "24bit"]) { Depth::Full } else { Depth::Cube };
        let refused =
            std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || is("TERM", &["dumb"]);
        Wish { usual: if terminal && !refused { best } else { Depth::None }, best }
    }

    /// What to show, given what the user said.
    pub fn given(self, word: Option<bool>) -> Depth {
        match word {
            None => self.usual,
            Some(true) => self.best,
            Some(false) => Depth::None,
        }
    }
}

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

/// `text` on a background of this colour, as a terminal takes it.
pub fn paint(text: &str, background: [u8; 3], depth: Depth) -> String {
    let ink = if is_dark(background) { 97 } else { 30 };
    let [r, g, b] = background;
    match depth {
        Depth::None => text.to_string(),
        Depth::Full => format!("\x1b[{ink};48;2;{r};{g};{b}m{text}\x1b[0m"),
        Depth::Cube => {
            // The levels of the cube are 0, 95, 135, 175, 215 and 255.
            let level = |v: u8| if v < 48 { 0 } else { ((u16::from(v) - 35) / 40).max(1) };
            let code = 16 + 36 * level(r) + 6 * level(g) + level(b);
            format!("\x1b[{ink};48;5;{code}m{text}\x1b[0m")
        }
    }
}

/// `text` in grey.
pub fn faint(text: &str, depth: Depth) -> String {
    if depth == Depth::None { text.to_string() } else { format!("\x1b[90m{text}\x1b[0m") }
}
