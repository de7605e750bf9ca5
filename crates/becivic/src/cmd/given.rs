//! A text that a command is given: a file or standard input, UTF-8, up to [`MAX_TEXT`].

use crate::say;
use anyhow::{Context, bail};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The largest text, in bytes.
const MAX_TEXT: u64 = 64 << 20;

/// A text, and what to call where it is from.
pub struct Given {
    /// The file, or standard input.
    pub name: String,
    /// Its bytes, which [`Given::text`] reads.
    bytes: Vec<u8>,
}

impl Given {
    /// Reads a file; - is standard input.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let from_input = file == Path::new("-");
        let name = if from_input { "standard input".to_owned() } else { file.to_string_lossy().into_owned() };
        let bytes = if from_input { standard_input()? } else { whole(file)? };
        Ok(Self { name, bytes })
    }

    /// The text, unless the bytes are too many or none.
    pub fn text(&self) -> anyhow::Result<&str> {
        let Self { name, bytes } = self;
        if bytes.len() as u64 > MAX_TEXT {
            bail!("{name} has more than {MAX_TEXT} bytes; give it in parts");
        }
        if let Some(at) = memchr::memchr(0, bytes) {
            bail!("{name} is not text: byte {at} is zero; give a text in UTF-8");
        }
        simdutf8::compat::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            anyhow::anyhow!("{name} is not UTF-8: byte {at} fits no character; convert it first")
        })
    }
}

fn standard_input() -> anyhow::Result<Vec<u8>> {
    if std::io::stdin().is_terminal() {
        say::aside("Reading from the terminal; end with Ctrl-D.");
    }
    let mut bytes = Vec::new();
    std::io::stdin().take(MAX_TEXT + 1).read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}

fn whole(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let size = file.metadata().map_or(0, |data| data.len().min(MAX_TEXT));
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(MAX_TEXT + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes)
}

/// A place in a text, moved forward from hit to hit.
pub struct Place {
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    offset: usize,
}

impl Place {
    /// The beginning of a text.
    pub fn start() -> Self {
        Self { line: 1, column: 1, offset: 0 }
    }

    /// Moves to a byte further on.
    pub fn go_to(&mut self, text: &str, offset: usize) {
        for c in text.get(self.offset..offset).unwrap_or_default().chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.offset = offset;
    }
}
