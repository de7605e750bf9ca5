//! Applies a unified diff to a skill's body, strictly (DECISIONS §14).
//!
//! 1. Sizes are bounded, and what a text diff never holds is refused: carriage returns, binary patches.
//! 2. The diff is parsed; every line of it must belong to the file header or to a hunk.
//! 3. Each hunk applies at the very lines it names, on both sides, with every context and removed line
//!    equal byte for byte. Nothing is searched for and nothing is skipped.
//! 4. The result differs from the body.

use diffy::{Line, Patch};

/// Longest diff, in bytes; the schema's cap in characters, and more than any body.
pub const MAX_BYTES: usize = 200_000;

/// Most hunks in one diff.
pub const MAX_HUNKS: usize = 10_000;

/// Why a diff does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// It is empty.
    #[error("the diff is empty")]
    Empty,
    /// It is too long.
    #[error("the diff is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// It has too many hunks.
    #[error("the diff has more than {MAX_HUNKS} hunks")]
    TooManyHunks,
    /// It holds carriage returns.
    #[error("the diff has Windows line ends; write it with line feeds only")]
    CarriageReturn,
    /// It is a binary patch.
    #[error("the diff is binary; only text can be amended")]
    Binary,
    /// It is not a unified diff.
    #[error("the text is not a unified diff, or a hunk's line counts are wrong")]
    Malformed,
    /// It has no hunk.
    #[error("the diff has no hunk")]
    NoHunk,
    /// It holds lines that belong to no hunk.
    #[error("the diff holds lines outside its header and hunks")]
    Stray,
    /// A hunk does not fit the body at the lines it names.
    #[error("hunk {0} does not fit the text at the lines it names")]
    Mismatch(usize),
    /// It changes nothing.
    #[error("the diff changes nothing")]
    NoChange,
}

/// The body with the diff applied.
pub fn apply(body: &str, diff: &str) -> Result<String, DiffError> {
    let patch = parse(diff)?;
    let old: Vec<&str> = body.split_inclusive('\n').collect();
    let mut new: Vec<&str> = Vec::with_capacity(old.len());
    let mut done = 0; // lines of the body already dealt with
    for (index, hunk) in patch.hunks().iter().enumerate() {
        let mismatch = DiffError::Mismatch(index + 1);
        // A side of no lines names the line before it, counted from 1: its index is the count itself.
        let first = |start: usize, len: usize| {
            if len == 0 { Some(start) } else { start.checked_sub(1) }
        };
        let start = first(hunk.old_range().start(), hunk.old_range().len()).ok_or(mismatch)?;
        let new_start = first(hunk.new_range().start(), hunk.new_range().len()).ok_or(mismatch)?;
        new.extend(old.get(done..start).ok_or(mismatch)?);
        if new.len() != new_start {
            return Err(mismatch);
        }
        done = start;
        for line in hunk.lines() {
            match line {
                Line::Insert(text) => new.push(text),
                Line::Context(text) | Line::Delete(text) => {
                    if old.get(done) != Some(text) {
                        return Err(mismatch);
                    }
                    done += 1;
                    if matches!(line, Line::Context(_)) {
                        new.push(text);
                    }
                }
            }
        }
    }
    new.extend(old.get(done..).unwrap_or_default());
    // Only the last line may lack its line feed; a marker in the middle would glue two lines together.
    let glued = new.split_last().is_some_and(|(_, others)| others.iter().any(|line| !line.ends_with('\n')));
    if glued {
        return Err(DiffError::Mismatch(patch.hunks().len()));
    }
    let result = new.concat();
    if result == body { Err(DiffError::NoChange) } else { Ok(result) }
}

/// Whether the text is a diff that could apply to some body.
pub fn parse(diff: &str) -> Result<Patch<'_, str>, DiffError> {
    if diff.trim().is_empty() {
        return Err(DiffError::Empty);
    }
    if diff.len() > MAX_BYTES {
        return Err(DiffError::TooLong);
    }
    if diff.contains('\r') {
        return Err(DiffError::CarriageReturn);
    }
    if diff.contains('\0')
        || diff.lines().any(|line| line == "GIT binary patch" || line.starts_with("Binary files "))
    {
        return Err(DiffError::Binary);
    }
    if diff.lines().filter(|line| line.starts_with("@@ ")).count() > MAX_HUNKS {
        return Err(DiffError::TooManyHunks);
    }
    let patch = Patch::from_str(diff).map_err(|_| DiffError::Malformed)?;
    if patch.hunks().is_empty() {
        return Err(DiffError::NoHunk);
    }
    if diff.lines().count() != lines_of(&patch) + preamble(diff) {
        return Err(DiffError::Stray);
    }
    Ok(patch)
}

/// How many lines of text the parsed parts stand for.
fn lines_of(patch: &Patch<'_, str>) -> usize {
    let header = usize::from(patch.original().is_some()) + usize::from(patch.modified().is_some());
    let in_hunk = |line: &Line<'_, str>| match line {
        // A line without its line feed is followed by the marker that says so.
        Line::Context(text) | Line::Delete(text) | Line::Insert(text) => {
            1 + usize::from(!text.ends_with('\n'))
        }
    };
    let hunks = patch.hunks().iter().map(|hunk| 1 + hunk.lines().iter().map(in_hunk).sum::<usize>());
    header + hunks.sum::<usize>()
}

/// The two lines that `git diff` writes above the header of a changed file.
fn preamble(diff: &str) -> usize {
    let above =
        diff.lines().take(2).take_while(|line| line.starts_with("diff --git ") || line.starts_with("index "));
    above.count()
}

#[cfg(test)]
mod tests;
