//! The slices of the tour.

use super::array::Array;
use super::common::Failure;
use super::input::misfit;
use pyslice::{Plan, Shaped, Spec, SpecBuf, SpecRef, s};

/// What is taken, and what becomes of it.
pub struct Piece {
    /// The slice of the input.
    pub take: SpecBuf,
    /// What becomes of it.
    pub put: Put,
}

/// What becomes of a piece.
pub enum Put {
    /// It is the tile.
    Whole,
    /// It is assigned to this part of a tile twice as high and wide.
    Part(SpecBuf),
    /// Axes 1 and 3, which are new and of length 1, are repeated so often. The tile is a picture
    /// again.
    Repeated(usize),
}

/// One tile of the sheet.
pub struct Cut {
    /// What it shows.
    pub name: &'static str,
    /// What it is made of.
    pub pieces: Vec<Piece>,
}

impl Cut {
    /// A tile that is one slice.
    pub fn new(name: &'static str, take: SpecRef<'_>) -> Cut {
        Cut { name, pieces: vec![Piece { take: take.to_buf(), put: Put::Whole }] }
    }

    /// The tile as a picture of its own, with the plan of its first piece.
    pub fn make(&self, input: &Array) -> Result<(Plan, Array), Failure> {
        let mut made: Option<(Plan, Array)> = None;
        for Piece { take, put } in &self.pieces {
            let plan =
                input.plan(take.as_ref()).map_err(|e| misfit(take.as_ref(), &input.shape, e))?;
            let part = input.cut(&plan)?;
            let place = match put {
                Put::Whole => return Ok((plan, part)),
                Put::Repeated(times) => {
                    let tile = repeated(&part, *times)?;
                    return Ok((plan, tile));
                }
                Put::Part(place) => place,
            };
            if made.is_none() {
                made = Some((plan, twice_as_large(&part)?));
            }
            if let Some((_, tile)) = &mut made {
                tile.assign(place, &part).map_err(|e| misfit(place.as_ref(), &tile.shape, e))?;
            }
        }
        made.ok_or_else(|| Failure::new("a tile without a slice"))
    }
}

/// An empty tile with twice the rows and columns of `part`.
fn twice_as_large(part: &Array) -> Result<Array, Failure> {
    let shape: Vec<usize> =
        part.shape.iter().enumerate().map(|(i, &n)| if i < 2 { n * 2 } else { n }).collect();
    let bytes = super::array::zeros(shape.iter().product(), part.dtype.size)?;
    Ok(Array { shape, bytes, dtype: part.dtype.clone(), picture: true })
}

/// A picture of shape (rows, 1, columns, 1) or (rows, 1, columns, 1, channels), broadcast along its
/// axes of length 1.
fn repeated(part: &Array, times: usize) -> Result<Array, Failure> {
    let shape = repeated_shape(&part.shape, times);
    let mut bytes = super::array::zeros(shape.iter().product(), part.dtype.size)?;
    s![...]
        .plan(&shape)
        .and_then(|all| {
            let size = part.dtype.size;
            all.bytes(size).on_mut(&mut bytes)?.assign(Shaped(&part.bytes, &part.shape))
        })
        .map_err(|e| Failure::new(e.to_string()))?;
    // Rows beside their repetitions are rows, and so are columns.
    let sides = [shape[0] * shape[1], shape[2] * shape[3]];
    let shape = sides.iter().chain(&shape[4..]).copied().collect();
    Ok(Array { shape, bytes, dtype: part.dtype.clone(), picture: true })
}

/// Its shape before rows and columns are counted together.
pub fn repeated_shape(part: &[usize], times: usize) -> Vec<usize> {
    let one = |(i, &n): (usize, &usize)| if i == 1 || i == 3 { times } else { n };
    part.iter().enumerate().map(one).collect()
}

/// Slices that the compiler has read: constants, for which no code runs.
const ORIGINAL: SpecRef<'static> = s![...].as_ref();
const FACE: Spec<2> = s![40:-260, 136:-120];
const FLIP: Spec<2> = s![:, ::-1];
const HALF_TURN: Spec<2> = s![::-1, ::-1];

/// The tour of a picture; `embedded` says that it is the one that comes with the example.
pub fn of_picture(input: &Array, embedded: bool) -> Vec<Cut> {
    let (rows, columns) = match input.shape[..] {
        [rows, columns, ..] => (rows, columns),
        _ => (1, 1),
    };
    // Numbers known only now stand in the slice like any other. A picture of fewer than four rows
    // has no margin: `None` stops at the end, where `-0` would stop at the start.
    let (top, left) = (rows / 4, columns / 4);
    let before = |margin: usize| (margin > 0).then(|| -(margin as i64));
    let middle = s![top:before(top), left:before(left)];
    // About 75 squares along the longer side.
    let k = (rows.max(columns) / 75).max(2);
    let mut cuts = vec![
        Cut::new("original", ORIGINAL),
        Cut::new("crop", if embedded { FACE.as_ref() } else { middle.as_ref() }),
        Cut::new("flip", FLIP.as_ref()),
        Cut::new("half turn", HALF_TURN.as_ref()),
        Cut {
            name: "new axes, repeated",
            pieces: vec![Piece { take: s![::k, None, ::k, None].to_buf(), put: Put::Repeated(k) }],
        },
    ];
    let channels = input.shape.get(2).copied().unwrap_or(1);
    if channels >= 2 {
        cuts.push(Cut::new("one channel", s![..., 0].as_ref()));
    }
    match channels {
        3 => cuts.push(Cut::new("RGB to BGR", s![..., ::-1].as_ref())),
        4 => cuts.push(Cut::new("RGBA to BGR", s![..., 2::-1].as_ref())),
        _ => {}
    }
    cuts.push(collage(rows.div_ceil(2), columns.div_ceil(2)));
    cuts
}

/// Four times every second pixel, mirrored so that the seams meet.
fn collage(rows: usize, columns: usize) -> Cut {
    let quarter = |take: SpecRef<'_>, put: SpecRef<'_>| Piece {
        take: take.to_buf(),
        put: Put::Part(put.to_buf()),
    };
    Cut {
        name: "assigned in quarters",
        pieces: vec![
            quarter(s![::2, ::2].as_ref(), s![:rows, :columns].as_ref()),
            quarter(s![::2, ::-2].as_ref(), s![:rows, columns:].as_ref()),
            quarter(s![::-2, ::2].as_ref(), s![rows:, :columns].as_ref()),
            quarter(s![::-2, ::-2].as_ref(), s![rows:, columns:].as_ref()),
        ],
    }
}

/// The tour of an array that is not a picture.
pub fn of_array(input: &Array) -> Vec<Cut> {
    let mut cuts =
        vec![Cut::new("everything", ORIGINAL), Cut::new("with a new axis", s![None].as_ref())];
    let Some(&first) = input.shape.first() else { return cuts };
    if first > 0 {
        cuts.push(Cut::new("the first", s![0].as_ref()));
        cuts.push(Cut::new("the last", s![-1].as_ref()));
    }
    cuts.push(Cut::new("every second", s![::2].as_ref()));
    cuts.push(Cut::new("backwards", s![::-1].as_ref()));
    cuts.push(Cut::new("last axis backwards", s![..., ::-1].as_ref()));
    cuts
}
