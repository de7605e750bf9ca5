//! What the commands print.
//!
//! 1. A reader that stops reading (`becivic … | head`) ends the printing, not the work: nothing is reported
//!    and the exit code stays what the work says.
//! 2. Any other failure to print is an error of the command.
//! 3. Names of files may hold control characters, which a terminal would obey: lines show them as U+FFFD.

use anyhow::Context;
use serde::Serialize;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd as _;

/// Prints a line on standard output.
pub fn line(line: impl Display) -> anyhow::Result<()> {
    text(&(shown(&line.to_string()) + "\n"))
}

/// Prints text on standard output as it is.
pub fn text(text: &str) -> anyhow::Result<()> {
    bytes(text.as_bytes())
}

/// Prints bytes on standard output as they are.
pub fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    printed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Prints a value as JSON on a line of its own, as it is written.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = serde_json::to_writer(&mut out, value).map_err(io::Error::from);
    printed(written.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()))
}

/// Prints what is written in large pieces. Standard output itself would look for the last line end in each of them.
pub fn pieces(write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let direct = out.flush().and_then(|()| out.as_fd().try_clone_to_owned());
    let direct = direct.map(|direct| BufWriter::with_capacity(1 << 16, File::from(direct)));
    printed(direct.and_then(|mut direct| write(&mut direct).and_then(|()| direct.flush())))
}

/// Prints a line on standard error. When nobody can be told, there is nobody to tell that either.
pub fn aside(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", shown(&line.to_string()));
}

/// How an attempt to print ended; a closed pipe is no failure.
pub fn printed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

/// Text without control characters.
pub fn shown(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}
