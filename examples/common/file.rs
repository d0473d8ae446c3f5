//! Writes files completely or not at all.

use super::Failure;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Checks, before any work is done, that `path` may be written: a new name in a folder that exists,
/// or a regular file.
pub fn check(path: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure(format!("cannot write {}: {why}", path.display())));
    match fs::metadata(path) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(about) if about.is_dir() => refuse("it is a directory"),
        // A file takes the place of what was there, which must not happen to a device or a pipe.
        Ok(_) => refuse("it is not a regular file"),
        Err(_) if folder(path).is_dir() => Ok(()),
        Err(_) => refuse("its folder does not exist"),
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file under a name of its own beside the one wanted; it goes away unless all of it was written.
struct Draft {
    path: PathBuf,
    done: bool,
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a file whole or not at all: beside its place first, then moved there. Gives its size in
/// bytes.
pub fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let failed = |e: std::io::Error| Failure(format!("cannot write {}: {e}", path.display()));
    // Through a link the file that it points to is written, and the link stays.
    let place =
        if path.exists() { fs::canonicalize(path).map_err(failed)? } else { path.to_path_buf() };
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let draft = folder(&place).join(format!(".{name}.{}.part", std::process::id()));
    let file = File::create_new(&draft).map_err(failed)?;
    let mut draft = Draft { path: draft, done: false };
    let mut file = BufWriter::new(file);
    fill(&mut file).map_err(|e| Failure(format!("cannot write {}: {e}", path.display())))?;
    let file = file.into_inner().map_err(|e| failed(e.into_error()))?;
    let size = file.metadata().map_err(failed)?.len();
    drop(file);
    fs::rename(&draft.path, &place).map_err(failed)?;
    draft.done = true;
    Ok(size)
}
