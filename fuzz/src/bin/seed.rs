//! Writes the cases of the recorded answers as seeds for the targets.
//!
//!     cargo run --bin seed -- FOLDER
//!
//! `FOLDER/<target>/` gets one file for each case, for each target whose input the case can be.

use std::path::Path;
use std::{env, fs, io};

use pyslice_fuzz::{Case, recorded};

const FILES: [&str; 8] = [
    "tf_encode.jsonl",
    "tf_getitem.jsonl",
    "tf_strided_slice.jsonl",
    "tf_assign.jsonl",
    "tf_grad.jsonl",
    "numpy_getitem.jsonl",
    "numpy_getitem_1d.jsonl",
    "torch_index.jsonl",
];

fn main() -> io::Result<()> {
    let folder =
        env::args().nth(1).ok_or_else(|| io::Error::other("give the folder to write to"))?;
    let folder = Path::new(&folder);
    for target in ["text", "tokens", "masks", "plan", "ops", "algebra", "chunks", "within"] {
        fs::create_dir_all(folder.join(target))?;
    }
    // The committed sample, so that the seeds are the same everywhere.
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
    let mut count = 0;
    for file in FILES {
        for (at, r) in recorded::read_from(&data.join(file)).into_iter().enumerate() {
            let name = format!("{}-{at:04}", file.trim_end_matches(".jsonl"));
            if let Some(text) = &r.py {
                fs::write(folder.join("text").join(&name), text)?;
                fs::write(folder.join("tokens").join(&name), text)?;
            }
            let shape: Option<Vec<usize>> =
                r.shape.as_ref().and_then(|s| s.iter().copied().collect());
            let (Some(enc), Some(shape)) = (&r.enc, shape) else { continue };
            let (Some(begin), Some(end), Some(strides)) = (&enc.begin, &enc.end, &enc.strides)
            else {
                continue;
            };
            let case = Case {
                control: (at % 256) as u8,
                shape,
                masks: enc.masks,
                begin: begin.clone(),
                end: end.clone(),
                strides: strides.clone(),
            };
            let Some(bytes) = case.to_bytes() else { continue };
            for target in ["masks", "plan", "ops", "algebra", "chunks", "within"] {
                fs::write(folder.join(target).join(&name), &bytes)?;
            }
            count += 1;
        }
    }
    println!("{count} cases written below {}", folder.display());
    Ok(())
}
