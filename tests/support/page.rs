//! Reads the tables of the user documentation.

/// Stands for a bar inside a cell while a row is cut.
const BAR: &str = "\0";

/// A text without its spaces, by which a cell and the code that a test compiled are matched.
pub(crate) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The tables of a page: their heading and their rows, the cells without the back quotes around
/// them.
pub(crate) fn tables(page: &str) -> Vec<(&str, Vec<Vec<String>>)> {
    let mut found: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line.starts_with('|'), inside) {
            (true, false) => found.push((line, Vec::new())),
            (true, true) if !line.starts_with("| ---") => {
                let row = line.strip_prefix("| ").and_then(|l| l.strip_suffix('|')).unwrap_or(line);
                let cell = |cell: &str| {
                    let cell = cell.trim();
                    let code = cell
                        .strip_prefix('`')
                        .and_then(|c| c.strip_suffix('`'))
                        .filter(|c| !c.contains('`'));
                    code.unwrap_or(cell).replace(BAR, "|")
                };
                found
                    .last_mut()
                    .expect("a table")
                    .1
                    .push(row.replace("\\|", BAR).split("| ").map(cell).collect());
            }
            _ => {}
        }
        inside = line.starts_with('|');
    }
    found
}
