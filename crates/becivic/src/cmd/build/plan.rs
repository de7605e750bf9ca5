//! Everything a build makes: pages in their forms, and the files they use.

use super::inputs::Inputs;
use super::list;
use super::memory::Note;
use crate::site;
use becivic_core::vocabulary::Language;
use becivic_site::address::{Form, Which};
use becivic_site::files::{self, Made, Volume};
use becivic_site::{Looked, World, assets, frame, pages, words};
use rayon::prelude::*;
use std::collections::HashMap;

/// Every form of a page.
const FORMS: [Form; 3] = [Form::Html, Form::Markdown, Form::Source];

/// What hosts show for addresses that lead nowhere.
const MISSING: &str = "404.html";

/// Everything a build makes of a world.
pub struct Plan<'w> {
    world: World<'w>,
    language: Language,
    /// What all pages have in common.
    pub common: Inputs,
    /// What stands for itself, in order of nothing.
    pub jobs: Vec<Job>,
    /// Files that hold pages: they are made of those that are there already.
    pub volumes: Vec<Job>,
}

/// One thing to make.
pub struct Job {
    what: What,
    /// What it is made of: the same, and the files are the same.
    pub inputs: list::Inputs,
}

enum What {
    /// A page, in every form it has.
    Page(Which),
    /// The page for addresses that lead nowhere.
    Missing,
    /// A file for agents or machines.
    File(Made),
    /// A file that holds pages.
    Volume(Volume),
    /// A file that pages use.
    Asset(&'static assets::Asset),
}

/// The text of a file that was made already; nothing where there is none.
pub type Printed<'p> = dyn Fn(&str) -> Option<String> + Sync + 'p;

/// Files that hold pages, each made of what those are made of.
fn volumes(world: &World<'_>, inputs: &Inputs, jobs: &[Job]) -> Vec<Job> {
    let of_pages: HashMap<&Which, list::Inputs> =
        jobs.iter().filter_map(|job| Some((job.which()?, job.inputs))).collect();
    let of_volume = |volume: Volume| {
        let pages = volume.pages.iter().filter_map(|which| of_pages.get(which).copied());
        Job { inputs: inputs.volume(pages), what: What::Volume(volume) }
    };
    files::volumes(world).into_iter().map(of_volume).collect()
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
        let of_asset = |asset: &'static assets::Asset| Job {
            inputs: Inputs::asset(&asset.address),
            what: What::Asset(asset),
        };
        jobs.extend(assets::ALL.iter().map(of_asset));
        let volumes = volumes(world, &inputs, &jobs);
        let is_volume =
            |made: &Made| volumes.iter().any(|job| job.volume().is_some_and(|it| it.made == *made));
        let others = files::all(world).into_iter().filter(|made| !is_volume(made));
        jobs.extend(others.map(|made| Job { inputs: inputs.file(), what: What::File(made) }));
        Self { world: *world, language, common: inputs, jobs, volumes }
    }

    /// Makes the files of a job. A page that is not there has none.
    pub fn make(&self, job: &Job, printed: &Printed<'_>) -> Product {
        Product::of(match &job.what {
            What::Page(which) => return page(&self.world, which, self.language),
            What::Missing => {
                let words = words::of(self.language);
                let shown = pages::missing(&self.world, "/", words);
                let place = frame::Place { base: self.world.base, which: None, chosen: false };
                vec![(MISSING.to_owned(), frame::page(&shown, &place, words).into_bytes())]
            }
            What::File(made) => {
                let facts = site::facts(&self.world.corpus.catalogue, &made.needs());
                // What holds pages is a volume.
                let bytes = made.make(&self.world, &facts, &mut |_| None);
                bytes.map(|bytes| (name(&made.address()), bytes)).into_iter().collect()
            }
            What::Volume(volume) => {
                let mut markdown = |which: &Which| printed(&name(&which.address_as(Form::Markdown)));
                let text = volume.text(self.world.base, &mut markdown);
                vec![(name(&volume.made.address()), text.into_bytes())]
            }
            What::Asset(asset) => vec![(name(&asset.address), asset.bytes.to_vec())],
        })
    }
}

/// What a job gave.
pub struct Product {
    /// Files: their names and what they hold.
    pub files: Vec<(String, Vec<u8>)>,
    /// What a page was made of.
    pub note: Option<Note>,
}

impl Product {
    fn of(files: Vec<(String, Vec<u8>)>) -> Self {
        Self { files, note: None }
    }
}

/// A page in every form it has, and what it was made of.
pub fn page(world: &World<'_>, which: &Which, language: Language) -> Product {
    let looked = Looked::default();
    let seen = World { looked: Some(&looked), ..*world };
    let facts = site::facts(&world.corpus.catalogue, &pages::needs(&seen, which));
    let shown = pages::show(&seen, which, &facts, words::of(language));
    let forms = FORMS.iter().filter_map(|form| {
        let text = site::print(&seen, which, (&shown, &facts), *form, language)?;
        Some((name(&which.address_as(*form)), text.into_bytes()))
    });
    let files = if shown.status == 200 { forms.collect() } else { Vec::new() };
    Product { files, note: Some(Note::of(which, looked.at(), &facts)) }
}

impl Job {
    /// The names its files can have.
    pub fn names(&self) -> Vec<String> {
        match &self.what {
            What::Page(which) => FORMS.iter().map(|form| name(&which.address_as(*form))).collect(),
            What::Missing => vec![MISSING.to_owned()],
            What::File(made) | What::Volume(Volume { made, .. }) => vec![name(&made.address())],
            What::Asset(asset) => vec![name(&asset.address)],
        }
    }

    /// The page.
    pub fn which(&self) -> Option<&Which> {
        match &self.what {
            What::Page(which) => Some(which),
            What::Missing | What::File(_) | What::Volume(_) | What::Asset(_) => None,
        }
    }

    /// The file that holds pages.
    pub fn volume(&self) -> Option<&Volume> {
        match &self.what {
            What::Volume(volume) => Some(volume),
            What::Page(_) | What::Missing | What::File(_) | What::Asset(_) => None,
        }
    }
}

/// The file that static hosts serve at an address.
pub fn name(address: &str) -> String {
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
