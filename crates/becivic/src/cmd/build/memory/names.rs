//! The names of a corpus, in the order in which they are looked at: a folder, then what is in it, for the system looks faster where it
//! has just looked.

use super::{CATALOGUE, lines};
use crate::folder;
use std::ops::Range;

/// The folder of the catalogue: whoever saves a file may put another in its place, which shows on the folder.
pub const FOLDER: &str = "catalogue";

/// The folder of the skills.
const SKILLS: &str = "skills/";

/// The names, as they were written.
pub struct Names<'t> {
    /// Sorted; folders end with a slash.
    corpus: Vec<&'t str>,
}

impl<'t> Names<'t> {
    /// Takes the names apart.
    pub fn read(text: &'t str) -> Self {
        Self { corpus: lines(text).collect() }
    }

    /// As they are written.
    pub fn text(corpus: &folder::Names) -> String {
        let folders = corpus.folders.iter().map(|name| format!("{name}/"));
        let mut names: Vec<String> = folders.chain(corpus.files.iter().cloned()).collect();
        names.sort_unstable();
        names.iter().flat_map(|name| [name, "\n"]).collect()
    }

    /// What is looked at: all but the catalogue.
    pub fn looked_at(&self) -> Vec<&'t str> {
        self.corpus.iter().map(|name| name.trim_end_matches('/')).filter(|name| is_looked_at(name)).collect()
    }

    /// The files of the catalogue's folder.
    pub fn in_catalogue(&self) -> impl Iterator<Item = &'t str> {
        let inside =
            |name: &&'t str| name.strip_prefix(FOLDER)?.strip_prefix('/').filter(|name| !name.is_empty());
        self.corpus.iter().filter_map(inside)
    }

    /// The files of a skill.
    pub fn of_skill(&self, id: &str) -> impl Iterator<Item = &'t str> {
        self.files(self.below(&format!("{SKILLS}{id}/")))
    }

    /// The files that belong to no skill.
    pub fn of_no_skill(&self) -> impl Iterator<Item = &'t str> {
        let skills = self.below(SKILLS);
        self.files(0..skills.start).chain(self.files(skills.end..self.corpus.len()))
    }

    fn files(&self, range: Range<usize>) -> impl Iterator<Item = &'t str> {
        self.corpus.get(range).unwrap_or_default().iter().copied().filter(|name| !name.ends_with('/'))
    }

    /// Names that begin so: they stand together.
    fn below(&self, prefix: &str) -> Range<usize> {
        let start = self.corpus.partition_point(|name| *name < prefix);
        let rest = self.corpus.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|name| name.starts_with(prefix))
    }
}

/// Whether the looks of a name of the corpus are remembered.
pub fn is_looked_at(name: &str) -> bool {
    name != FOLDER && !CATALOGUE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_belong() {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let corpus = folder::Names {
            files: owned(&["skills/a/x.md", "skills/a-b/y.md", "docs/z.md", "types.json", CATALOGUE[0]]),
            folders: owned(&[".", "skills", "skills/a", "skills/a-b", "docs", "catalogue"]),
        };
        let text = Names::text(&corpus);
        let names = Names::read(&text);
        assert_eq!(names.of_skill("a").collect::<Vec<_>>(), ["skills/a/x.md"]);
        assert_eq!(names.of_skill("a-b").collect::<Vec<_>>(), ["skills/a-b/y.md"]);
        assert_eq!(names.of_skill("b").count(), 0);
        assert_eq!(names.of_no_skill().collect::<Vec<_>>(), [CATALOGUE[0], "docs/z.md", "types.json"]);
        assert_eq!(names.in_catalogue().collect::<Vec<_>>(), ["volatile-values.jsonl"]);
        let all = [
            ".",
            "docs",
            "docs/z.md",
            "skills",
            "skills/a-b",
            "skills/a-b/y.md",
            "skills/a",
            "skills/a/x.md",
        ];
        assert_eq!(names.looked_at(), [&all[..], &["types.json"]].concat());
    }
}
