//! Tests of the binary, and of the engine through whole corpora.

mod authoring;
mod bad_input;
mod build;
mod check;
mod edits;
mod files;
mod history;
mod ner;
mod pages;
mod preview;
mod scrub;
mod simulate;
mod strict;

use assert_cmd::Command;

/// The binary under test.
fn becivic() -> Command {
    let mut command = Command::cargo_bin("becivic").expect("the binary is built");
    command.env("NO_COLOR", "1");
    command
}
