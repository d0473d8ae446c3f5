//! The slices of the tour.

use super::array::Array;
use super::common::Failure;
use super::input::misfit;
use pyslice::{Plan, Spec, SpecBuf, SpecRef, s};

/// What is taken, and where in the tile it goes.
pub struct Piece {
    /// The slice of the input.
    pub take: SpecBuf,
    /// The part of the tile that it is assigned to; `None` if it is the whole tile.
    pub put: Option<SpecBuf>,
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
        Cut { name, pieces: vec![Piece { take: take.to_buf(), put: None }] }
    }

    /// The tile as a picture of its own, with the plan of its first piece.
    pub fn make(&self, input: &Array) -> Result<(Plan, Array), Failure> {
        let mut made: Option<(Plan, Array)> = None;
        for Piece { take, put } in &self.pieces {
            let plan =
                input.plan(take.as_ref()).map_err(|e| misfit(take.as_ref(), &input.shape, e))?;
            let part = input.cut(&plan)?;
            let Some(place) = put else { return Ok((plan, part)) };
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

/// Slices that the compiler has read: constants, for which no code runs.
const ORIGINAL: SpecRef<'static> = s![...].as_ref();
const FACE: Spec<2> = s![40:340, 136:392];
const FLIP: Spec<2> = s![:, ::-1];
const HALF_TURN: Spec<2> = s![::-1, ::-1];
const SECOND: Spec<2> = s![::2, ::2];

/// The tour of a picture; `embedded` says that it is the one that comes with the example.
pub fn of_picture(input: &Array, embedded: bool) -> Vec<Cut> {
    let (rows, columns) = match input.shape[..] {
        [rows, columns, ..] => (rows, columns),
        _ => (1, 1),
    };
    // Numbers known only now stand in the slice like any other.
    let middle = s![rows / 4:rows - rows / 4, columns / 4:columns - columns / 4];
    let mut cuts = vec![
        Cut::new("original", ORIGINAL),
        Cut::new("crop", if embedded { FACE.as_ref() } else { middle.as_ref() }),
        Cut::new("flip", FLIP.as_ref()),
        Cut::new("half turn", HALF_TURN.as_ref()),
        Cut::new("every second pixel", SECOND.as_ref()),
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
        put: Some(put.to_buf()),
    };
    Cut {
        name: "strided collage",
        pieces: vec![
            quarter(s![::2, ::2].as_ref(), s![:rows, :columns].as_ref()),
            quarter(s![::2, ::-2].as_ref(), s![:rows, columns:].as_ref()),
            quarter(s![::-2, ::2].as_ref(), s![rows:, :columns].as_ref()),
            quarter(s![::-2, ::-2].as_ref(), s![rows:, columns:].as_ref()),
        ],
    }
}

/// The tour of an array that is no picture.
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
