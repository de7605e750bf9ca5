//! The labelled files, read as [`Example`]s. Which files, and what each must hold to the byte, stands in
//! `training/names/data.sha256`; a file that differs is refused.

use crate::Failure;
use crate::example::{Example, Label};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::Path;

/// Sentences of old newspapers are not marked: so many tokens make one.
const NEWSPAPER_TOKENS: usize = 24;

/// Reads every labelled file: its name and its sentences.
pub fn read(data: &Path, pins: &str) -> Result<Vec<(String, Vec<Example>)>, Failure> {
    let mut files = Vec::new();
    for pin in pins.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (digest, name) = pin.split_once("  ").ok_or("a pin is a digest, two spaces and a file name")?;
        let path = data.join(name);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != digest {
            return Err(format!(
                "{name} is not the file the weights were made from (sha256 {found}, pinned {digest})"
            )
            .into());
        }
        files.push((name.to_owned(), sentences(name, &String::from_utf8_lossy(&bytes))));
    }
    Ok(files)
}

/// The labelled sentences of one file.
fn sentences(name: &str, text: &str) -> Vec<Example> {
    let newspaper = name.starts_with("europeana");
    let mut all = Vec::new();
    let mut tokens: Vec<(String, Label)> = Vec::new();
    let mut before = Label::None;
    for line in text.lines() {
        let pair = if newspaper { line.split_once(' ') } else { columns(name, line) };
        let full = newspaper && tokens.len() >= NEWSPAPER_TOKENS && before == Label::None;
        let Some((token, tag)) = pair.filter(|_| !full) else {
            if !tokens.is_empty() {
                all.push(Example::from_tokens(&tokens));
                tokens.clear();
            }
            before = Label::None;
            if let (true, Some((token, tag))) = (full, pair) {
                before = Label::of_tag(tag, before);
                tokens.push((token.to_owned(), before));
            }
            continue;
        };
        before = Label::of_tag(tag, before);
        tokens.push((token.to_owned(), before));
    }
    if !tokens.is_empty() {
        all.push(Example::from_tokens(&tokens));
    }
    all
}

fn columns<'l>(name: &str, line: &'l str) -> Option<(&'l str, &'l str)> {
    if name.starts_with("wikiann") {
        let (token, tag) = line.split_once('\t')?;
        return Some((token.split_once(':').map_or(token, |(_, token)| token), tag));
    }
    if line.starts_with('#') {
        return None;
    }
    let mut fields = line.split('\t').skip(1);
    Some((fields.next()?, fields.next()?))
}
