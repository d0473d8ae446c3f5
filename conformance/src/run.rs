//! The runner.

use crate::{Question, Reply, System, Vector, vectors};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The recorded answer, or a refusal where the reference refuses too.
    Right,
    /// Other values or another shape, and no error.
    Wrong,
    /// An answer where the reference refuses.
    Accepts,
    /// A refusal where the reference has an answer.
    Refuses,
    /// A panic where the reference has an answer.
    Panics,
    /// It cannot say this.
    Unsupported,
}

/// The outcome of all questions.
#[derive(Debug)]
pub struct Score {
    name: String,
    outcomes: Vec<(Vector, Kind, Reply)>,
}

/// Asks everything.
///
/// A panic counts as a refusal where the reference refuses, and against the library elsewhere.
pub fn run(system: &dyn System) -> Score {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let ask = |vector: Vector| {
        let reply = catch_unwind(AssertUnwindSafe(|| ask(system, &vector)));
        let panicked = reply.is_err();
        let reply = reply.unwrap_or(Reply::Refused("a panic".to_owned()));
        let kind = judge(&reply, &vector.answer, panicked);
        (vector, kind, reply)
    };
    let outcomes = vectors().into_iter().map(ask).collect();
    std::panic::set_hook(hook);
    Score { name: system.name(), outcomes }
}

fn ask(system: &dyn System, vector: &Vector) -> Reply {
    let shape = vector.shape.as_slice();
    match &vector.question {
        Question::GetItem(text) => system.getitem(shape, text),
        Question::SetItem(text, value) => system.setitem(shape, text, value),
        Question::StridedSlice(masks) => system.strided_slice(shape, masks),
        Question::Grad(masks, dy) => system.strided_slice_grad(shape, masks, dy),
        Question::InferShape(shape, masks) => system.infer_shape(shape, masks),
        Question::Slice(axes) => system.slice(shape, axes),
    }
}

fn judge(reply: &Reply, answer: &Reply, panicked: bool) -> Kind {
    match (reply, answer) {
        (Reply::Unsupported, _) => Kind::Unsupported,
        (Reply::Refused(_), Reply::Refused(_)) => Kind::Right,
        (_, Reply::Refused(_)) => Kind::Accepts,
        (Reply::Refused(_), _) if panicked => Kind::Panics,
        (Reply::Refused(_), _) => Kind::Refuses,
        (Reply::Shape(ours), Reply::Shape(theirs)) if knows(ours.as_deref(), theirs.as_deref()) => {
            Kind::Right
        }
        _ if reply == answer => Kind::Right,
        _ => Kind::Wrong,
    }
}

/// Whether everything that `theirs` knows, `ours` says too.
fn knows(ours: Option<&[Option<usize>]>, theirs: Option<&[Option<usize>]>) -> bool {
    match (ours, theirs) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(ours), Some(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| theirs.is_none() || ours == theirs)
        }
    }
}

impl Score {
    fn count(&self, wanted: &[Kind]) -> usize {
        self.outcomes.iter().filter(|(_, kind, _)| wanted.contains(kind)).count()
    }

    /// How many questions are answered as the reference does.
    pub fn right(&self) -> usize {
        self.count(&[Kind::Right])
    }

    /// How many questions the library has a way to say.
    pub fn asked(&self) -> usize {
        self.outcomes.len() - self.unsupported()
    }

    /// How many it has no way to say.
    pub fn unsupported(&self) -> usize {
        self.count(&[Kind::Unsupported])
    }

    /// Each question with what became of it and what the library answered.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Vector, Kind, &Reply)> {
        self.outcomes.iter().map(|(vector, kind, reply)| (vector, *kind, reply))
    }
}

/// A table, one line for each operation, and a few differences, the smallest cases first.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const KINDS: [Kind; 6] = [
            Kind::Right,
            Kind::Wrong,
            Kind::Accepts,
            Kind::Refuses,
            Kind::Panics,
            Kind::Unsupported,
        ];
        writeln!(f, "{}: {} of {} right", self.name, self.right(), self.asked())?;
        writeln!(
            f,
            "{:16}{:>8}{:>8}{:>9}{:>9}{:>8}{:>13}",
            "", "right", "wrong", "accepts", "refuses", "panics", "unsupported"
        )?;
        let operations = ["getitem", "setitem", "strided_slice", "grad", "infer_shape", "slice"];
        for (at, operation) in operations.iter().enumerate() {
            let of = |kind: Kind| {
                self.outcomes
                    .iter()
                    .filter(|(vector, k, _)| number(&vector.question) == at && *k == kind)
                    .count()
            };
            let [right, wrong, accepts, refuses, panics, unsupported] = KINDS.map(of);
            writeln!(
                f,
                "{operation:16}{right:>8}{wrong:>8}{accepts:>9}{refuses:>9}{panics:\
                 >8}{unsupported:>13}"
            )?;
        }
        let mut differs: Vec<_> = self
            .outcomes()
            .filter(|(_, kind, _)| matches!(kind, Kind::Wrong | Kind::Accepts))
            .collect();
        differs.sort_by_key(|(vector, ..)| size(vector));
        for (vector, kind, reply) in differs.into_iter().take(5) {
            let Vector { id, shape, question, answer } = vector;
            writeln!(
                f,
                "{kind:?} {id}: {question:?} of {shape:?}\n  recorded {answer:?}\n  got {reply:?}"
            )?;
        }
        Ok(())
    }
}

/// How much there is to look at: the input's elements and axes, then the slice.
fn size(vector: &Vector) -> (usize, usize, usize) {
    let shape = match &vector.question {
        Question::InferShape(shape, _) => shape.iter().flatten().map(|n| n.unwrap_or(1)).collect(),
        _ => vector.shape.clone(),
    };
    let elements = shape.iter().fold(1, |count: usize, &n| count.saturating_mul(n.max(1)));
    (elements, shape.len(), format!("{:?}", vector.question).len())
}

const fn number(question: &Question) -> usize {
    match question {
        Question::GetItem(_) => 0,
        Question::SetItem(..) => 1,
        Question::StridedSlice(_) => 2,
        Question::Grad(..) => 3,
        Question::InferShape(..) => 4,
        Question::Slice(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct AlwaysEmpty;

    impl System for AlwaysEmpty {
        fn name(&self) -> String {
            "always empty".to_owned()
        }
        fn getitem(&self, _: &[usize], _: &str) -> Reply {
            Reply::Tensor(vec![7], Vec::new())
        }
    }

    #[test]
    fn the_smallest_failure_comes_first() {
        let score = run(&AlwaysEmpty);
        let (text, mut least) = (score.to_string(), (usize::MAX, 0, 0));
        let wrong = |kind| matches!(kind, Kind::Wrong | Kind::Accepts);
        for (vector, ..) in score.outcomes().filter(|(_, kind, _)| wrong(*kind)) {
            least = least.min(size(vector));
        }
        let mut listed = text.lines().filter_map(|line| line.strip_suffix("]")?.split(' ').nth(1));
        let first = listed.next().unwrap().trim_end_matches(':');
        let (vector, ..) = score.outcomes().find(|(vector, ..)| vector.id == first).unwrap();
        assert_eq!(size(vector), least, "{text}");
    }
}
