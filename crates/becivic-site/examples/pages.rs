//! Pages to look at: `cargo run -p becivic-site --example pages -- FOLDER` writes a handful of them, and the assets, into a
//! folder that any static server can show. Nothing is known but the files, so facts are missing where a server would have them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs)]

#[path = "../tests/it/files.rs"]
mod files;
#[path = "../tests/it/frame/specimen.rs"]
mod specimen;

use becivic_core::vocabulary::Language;
use becivic_site::address::Which;
use becivic_site::frame::{self, Place};
use becivic_site::{Facts, Shown, World, assets, pages, words};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn main() {
    let out = PathBuf::from(std::env::args().nth(1).expect("a folder to write to"));
    let corpus = files::corpus("corpus");
    let withheld = BTreeSet::new();
    let world = World { withheld: &withheld, ..World::new(&corpus, "https://becivic.be") };
    for asset in assets::ALL.iter() {
        write(&out, &asset.address, asset.bytes);
    }
    for language in Language::ALL {
        let words = words::of(*language);
        let name = |stem: &str| format!("/{}/{stem}.html", language.as_str());
        for which in chosen() {
            let shown = pages::show(&world, &which, &Facts::default(), words);
            put(&out, &name(&stem(&which)), &shown, Some(&which), words);
        }
        put(&out, &name("specimen"), &specimen::specimen(words), Some(&Which::Log), words);
        put(&out, &name("missing"), &pages::missing(&world, "/skills/address-change", words), None, words);
        put(&out, &name("gone"), &pages::gone(words), None, words);
    }
    println!("written to {}", out.display());
}

fn chosen() -> Vec<Which> {
    let authored = ["/", "/agents", "/docs/privacy"].map(|it| Which::Authored(it.to_owned()));
    let skills = ["change-of-address", "nationality-application"].map(|it| Which::Skill(it.to_owned()));
    let others = [Which::Skills, Which::Paths, Which::Path("household-composition-certificate".to_owned())];
    authored.into_iter().chain(skills).chain(others).collect()
}

fn stem(which: &Which) -> String {
    let stem = which.address().trim_matches('/').replace('/', "-");
    if stem.is_empty() { "index".to_owned() } else { stem }
}

fn put(out: &Path, name: &str, shown: &Shown, which: Option<&Which>, words: &words::Words) {
    let place =
        Place { base: "https://becivic.be", which, chosen: words.language != Language::En, is_live: true };
    write(out, name, frame::page(shown, &place, words).as_bytes());
}

fn write(out: &Path, address: &str, bytes: &[u8]) {
    let file = out.join(address.trim_start_matches('/'));
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder is made");
    std::fs::write(file, bytes).expect("a file is written");
}
