//! Everything a build makes: pages in their forms, and the files they use.

use super::inputs::Inputs;
use crate::site;
use becivic_core::vocabulary::Language;
use becivic_site::address::{Form, Which};
use becivic_site::files::{self, Made};
use becivic_site::{World, assets, frame, pages, words};
use rayon::prelude::*;

/// Every form of a page.
const FORMS: [Form; 3] = [Form::Html, Form::Markdown, Form::Source];

/// What hosts show for addresses that lead nowhere.
const MISSING: &str = "404.html";

/// Everything a build makes of a world.
pub struct Plan<'w> {
    world: World<'w>,
    language: Language,
    /// The jobs, in order of nothing.
    pub jobs: Vec<Job>,
}

/// One thing to make.
pub struct Job {
    what: What,
    /// What it is made of: the same, and the files are the same.
    pub inputs: String,
}

enum What {
    /// A page, in every form it has.
    Page(Which),
    /// The page for addresses that lead nowhere.
    Missing,
    /// A file for agents or machines.
    File(Made),
    /// A file that pages use.
    Asset(&'static assets::Asset),
}

impl<'w> Plan<'w> {
    /// Plans a build.
    pub fn of(world: &World<'w>, language: Language) -> Self {
        let inputs = Inputs::of(world, language);
        let of_page = |which: Which| {
            let facts = site::facts(&world.corpus.catalogue, &pages::needs(world, &which));
            Job { inputs: inputs.page(world, &which, &facts), what: What::Page(which) }
        };
        let mut jobs: Vec<Job> = site::pages(world).into_par_iter().map(of_page).collect();
        jobs.push(Job { what: What::Missing, inputs: inputs.around() });
        let of_file = |made| Job { inputs: inputs.file(&made), what: What::File(made) };
        jobs.extend(files::all(world).into_iter().map(of_file));
        // An asset's name tells what is in it.
        jobs.extend(
            assets::ALL.iter().map(|asset| Job { inputs: asset.address.clone(), what: What::Asset(asset) }),
        );
        Self { world: *world, language, jobs }
    }

    /// Makes the files of a job: their names and what they hold. A page that is not there has none.
    pub fn make(&self, job: &Job) -> Vec<(String, Vec<u8>)> {
        match &job.what {
            What::Page(which) => self.page(which),
            What::Missing => {
                let words = words::of(self.language);
                let shown = pages::missing(&self.world, "/", words);
                let place = frame::Place { base: self.world.base, which: None, chosen: false };
                vec![(MISSING.to_owned(), frame::page(&shown, &place, words).into_bytes())]
            }
            What::File(made) => {
                let bytes = site::file(&self.world, made, self.language);
                bytes.map(|bytes| (name(&made.address()), bytes)).into_iter().collect()
            }
            What::Asset(asset) => vec![(name(&asset.address), asset.bytes.to_vec())],
        }
    }

    fn page(&self, which: &Which) -> Vec<(String, Vec<u8>)> {
        let world = &self.world;
        let facts = site::facts(&world.corpus.catalogue, &pages::needs(world, which));
        let shown = pages::show(world, which, &facts, words::of(self.language));
        if shown.status != 200 {
            return Vec::new();
        }
        let forms = FORMS.iter().filter_map(|form| {
            let text = site::print(world, which, (&shown, &facts), *form, self.language)?;
            Some((name(&which.address_as(*form)), text.into_bytes()))
        });
        forms.collect()
    }
}

impl Job {
    /// The names its files can have.
    pub fn names(&self) -> Vec<String> {
        match &self.what {
            What::Page(which) => FORMS.iter().map(|form| name(&which.address_as(*form))).collect(),
            What::Missing => vec![MISSING.to_owned()],
            What::File(made) => vec![name(&made.address())],
            What::Asset(asset) => vec![name(&asset.address)],
        }
    }
}

/// The file that static hosts serve at an address.
fn name(address: &str) -> String {
    let bare = address.trim_start_matches('/');
    let last = bare.rsplit('/').next().unwrap_or_default();
    match last {
        "" => format!("{bare}index.html"),
        last if last.contains('.') => bare.to_owned(),
        _ => format!("{bare}.html"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_the_files_that_hosts_serve_there() {
        for (address, file) in [
            ("/", "index.html"),
            ("/skills/", "skills/index.html"),
            ("/skills/x", "skills/x.html"),
            ("/skills/x.md", "skills/x.md"),
            ("/skills/x/source.md", "skills/x/source.md"),
            ("/assets/site.0123.css", "assets/site.0123.css"),
        ] {
            assert_eq!(name(address), file);
        }
    }
}
