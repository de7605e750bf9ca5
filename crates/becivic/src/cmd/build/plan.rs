//! Everything a build makes: pages in their forms, and the files they use.

use super::inputs::Inputs;
use super::list::{self, List};
use super::memory::Note;
use crate::site::{self, Seeds};
use becivic_core::vocabulary::Language;
use becivic_site::address::{Form, Which};
use becivic_site::files::{self, Llms, Made, Volume};
use becivic_site::{Looked, World, assets, frame, pages, words};
use std::collections::HashSet;

/// Every form of a page.
const FORMS: [Form; 3] = [Form::Html, Form::Markdown, Form::Source];

/// What hosts show for addresses that lead nowhere.
const MISSING: &str = "404.html";

/// Everything a build makes of a world.
pub struct Plan<'w> {
    world: World<'w>,
    seeds: Seeds<'w>,
    language: Language,
    llms: Llms,
    /// What all pages have in common.
    pub common: Inputs,
    /// What stands for itself, in order of nothing.
    pub jobs: Vec<Job>,
    /// Files that hold pages: they are made of those that are there already.
    pub volumes: Vec<Job>,
}

/// One thing to make.
pub enum Job {
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
    /// An old address, and where it leads.
    Moved(String, String),
}

/// The text of a file that was made already; nothing where there is none.
pub type Printed<'p> = dyn Fn(&str) -> Option<String> + Sync + 'p;

impl<'w> Plan<'w> {
    /// Plans a build.
    pub fn of(world: &World<'w>, language: Language) -> Self {
        let (jobs, (common, seeds)) = rayon::join(
            || jobs(world),
            || rayon::join(|| Inputs::of(world, language), || Seeds::made(&world.corpus.catalogue)),
        );
        let (jobs, volumes, llms) = jobs;
        Self { world: *world, seeds, language, llms, common, jobs, volumes }
    }

    /// What a job's files are made of: the same, and they are the same. What holds pages is made of those in the list.
    pub fn inputs(&self, job: &Job, list: &List) -> list::Inputs {
        match job {
            Job::Page(which) => {
                let facts = self.seeds.facts(&pages::needs(&self.world, which));
                self.common.page(&self.world, which, &facts)
            }
            Job::Missing => self.common.around(),
            Job::File(_) => self.common.file(),
            Job::Volume(volume) => {
                let pages = volume.pages.iter().map(|which| name(&which.address_as(Form::Markdown)));
                self.common.volume(pages.filter_map(|name| Some(list.files.get(&name)?.inputs)))
            }
            Job::Asset(asset) => Inputs::named(&asset.address),
            Job::Moved(_, to) => Inputs::named(&format!("{}{to}", self.world.base)),
        }
    }

    /// What a page is made of.
    pub fn note(&self, which: &Which) -> Note {
        page((&self.world, &self.seeds), &self.common, which, self.language).1
    }

    /// Makes the files of a job, and gives what a page was made of. A page that is not there has no files.
    pub fn make(&self, job: &Job, list: &List, printed: &Printed<'_>) -> (Product, Option<Note>) {
        let files = match job {
            // A page knows what it is made of once it is made.
            Job::Page(which) => {
                let (page, note) = page((&self.world, &self.seeds), &self.common, which, self.language);
                return (page, Some(note));
            }
            Job::Missing => {
                let words = words::of(self.language);
                let shown = pages::missing(&self.world, "/", words);
                let place = frame::Place::of(&self.world, None);
                vec![(MISSING.to_owned(), frame::page(&shown, &place, words).into_bytes())]
            }
            Job::File(Made::LlmsPart(part)) => {
                let text = self.llms.parts.get(part).map(|text| text.clone().into_bytes());
                text.map(|text| (name(&Made::LlmsPart(part.clone()).address()), text)).into_iter().collect()
            }
            Job::File(Made::Llms) => vec![(name(&Made::Llms.address()), self.llms.root.clone().into_bytes())],
            Job::File(made) => {
                let facts = self.seeds.facts(&made.needs());
                // What holds pages is a volume.
                let bytes = made.make(&self.world, &facts, &mut |_| None);
                bytes.map(|bytes| (name(&made.address()), bytes)).into_iter().collect()
            }
            Job::Volume(volume) => {
                let mut markdown = |which: &Which| printed(&name(&which.address_as(Form::Markdown)));
                let text = volume.text(self.world.base, &mut markdown);
                vec![(name(&volume.made.address()), text.into_bytes())]
            }
            Job::Asset(asset) => vec![(name(&asset.address), asset.bytes.to_vec())],
            Job::Moved(from, to) => vec![(name(from), files::redirects::page(&self.world, to).into_bytes())],
        };
        (Product { files, inputs: self.inputs(job, list) }, None)
    }
}

/// Everything to make: what stands for itself, and files that hold pages; with the map of the site.
fn jobs(world: &World<'_>) -> (Vec<Job>, Vec<Job>, Llms) {
    let (llms, volumes) = (files::llms(world), files::volumes(world));
    let holds_pages: HashSet<&Made> = volumes.iter().map(|volume| &volume.made).collect();
    // What takes longest comes first, so that no core waits for it in the end.
    let files = files::listed(world, &llms, &volumes).into_iter();
    let files = files.filter(|made| !holds_pages.contains(made));
    let mut jobs: Vec<Job> = files.map(Job::File).collect();
    jobs.extend(site::pages(world).into_iter().map(Job::Page));
    jobs.push(Job::Missing);
    jobs.extend(assets::ALL.iter().map(Job::Asset));
    jobs.extend(moved(world, &jobs));
    (jobs, volumes.into_iter().map(Job::Volume).collect(), llms)
}

/// Old addresses of pages, where nothing else stands now. Static hosts know of no redirect: a page says where to go.
fn moved(world: &World<'_>, jobs: &[Job]) -> Vec<Job> {
    let taken: HashSet<String> = jobs.iter().flat_map(Job::names).collect();
    let all = files::redirects::redirects(world).into_iter();
    let is_page = |from: &str| name(from).ends_with("/index.html") && !taken.contains(&name(from));
    let leads = |to: &str| taken.contains(&name(to.split('#').next().unwrap_or(to)));
    all.filter(|(from, to)| is_page(from) && leads(to)).map(|(from, to)| Job::Moved(from, to)).collect()
}

/// What a job gave.
pub struct Product {
    /// Files: their names and what they hold.
    pub files: Vec<(String, Vec<u8>)>,
    /// A digest of what they are made of.
    pub inputs: list::Inputs,
}

/// A page in every form it has, and what it was made of.
pub fn page(
    (world, seeds): (&World<'_>, &Seeds<'_>),
    common: &Inputs,
    which: &Which,
    language: Language,
) -> (Product, Note) {
    let looked = Looked::default();
    let seen = World { looked: Some(&looked), ..*world };
    let facts = seeds.facts(&pages::needs(&seen, which));
    let shown = pages::show(&seen, which, &facts, words::of(language));
    let forms = FORMS.iter().filter_map(|form| {
        let text = site::print(&seen, which, (&shown, &facts), *form, language)?;
        Some((name(&which.address_as(*form)), text.into_bytes()))
    });
    let files = if shown.status == 200 { forms.collect() } else { Vec::new() };
    let inputs = common.page(world, which, &facts);
    (Product { files, inputs }, Note::of(which, looked.at(), &facts))
}

impl Job {
    /// The names its files can have.
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Page(which) => FORMS.iter().map(|form| name(&which.address_as(*form))).collect(),
            Self::Missing => vec![MISSING.to_owned()],
            Self::File(made) | Self::Volume(Volume { made, .. }) => vec![name(&made.address())],
            Self::Asset(asset) => vec![name(&asset.address)],
            Self::Moved(from, _) => vec![name(from)],
        }
    }

    /// The page.
    pub fn which(&self) -> Option<&Which> {
        match self {
            Self::Page(which) => Some(which),
            Self::Missing | Self::File(_) | Self::Volume(_) | Self::Asset(_) | Self::Moved(..) => None,
        }
    }

    /// The file that holds pages.
    pub fn volume(&self) -> Option<&Volume> {
        match self {
            Self::Volume(volume) => Some(volume),
            Self::Page(_) | Self::Missing | Self::File(_) | Self::Asset(_) | Self::Moved(..) => None,
        }
    }
}

/// The file that static hosts serve at an address.
pub fn name(address: &str) -> String {
    let bare = address.trim_start_matches('/');
    let last = bare.rsplit('/').next().unwrap_or_default();
    match last {
        "" => [bare, "index.html"].concat(),
        last if last.contains('.') => bare.to_owned(),
        _ => [bare, "/index.html"].concat(),
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
            ("/skills/x", "skills/x/index.html"),
            ("/skills/x.md", "skills/x.md"),
            ("/skills/x/source.md", "skills/x/source.md"),
            ("/assets/site.0123.css", "assets/site.0123.css"),
        ] {
            assert_eq!(name(address), file);
        }
    }
}
