//! Files for agents and machines: the list. Whoever serves or builds the site goes over this one table.
//!
//! 1. [`all`] names every file that is made of a world; [`at`] the one at an address.
//! 2. A file says what it [needs](Made::needs) besides the world, as pages do, and is [made](Made::make) of that: the same
//!    world and the same facts give the same bytes.
//! 3. `llms-full.txt` and its parts hold pages ([`Volume`]) as markdown; whoever asks for them hands over how one is printed.
//!
//! Each kind of file has a file of its own below; [`redirects`] is the table of addresses that lead elsewhere.

mod artefacts;
mod llms;
mod llms_full;
mod manifest;
mod mcp;
pub mod redirects;
mod robots;
mod security;
mod sitemap;

pub use llms::{LIMIT, Llms, llms};
pub use llms_full::{Volume, WHOLE as LLMS_FULL_WHOLE, volume, volumes};
pub use sitemap::PER_SITEMAP;

use crate::address::Which;
use crate::facts::{Facts, Needs};
use crate::search;
use crate::world::World;
use becivic_core::schema::Schema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How a page is printed as markdown; nothing where there is no such page.
pub type Markdown<'m> = dyn FnMut(&Which) -> Option<String> + 'm;

/// A file that is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Made {
    /// The map of the site for agents.
    Llms,
    /// A part of that map, by its name.
    LlmsPart(String),
    /// Every page as markdown.
    LlmsFull,
    /// A part of that, from 1.
    LlmsFullPart(usize),
    /// The pages that search engines may list.
    Sitemap,
    /// A part of that list, from 1.
    SitemapPart(usize),
    /// What crawlers are told.
    Robots,
    /// What agents can do here, for machines.
    Manifest,
    /// Words that point to skills.
    Triggers,
    /// The communes.
    Communes,
    /// The Path Directory.
    PathsIndex,
    /// The rollup of skills, with what was counted.
    SkillsIndex,
    /// The rollup of paths, with what was counted.
    PathsRollup,
    /// The rules that find personal data.
    ScrubRules,
    /// A JSON Schema.
    Schema(Schema),
    /// The index that pages search in.
    SearchIndex,
    /// Whom to tell about a hole.
    Security,
    /// Which MCP servers there are.
    McpCatalog,
    /// What the MCP server is.
    McpCard,
    /// A file that comes with a skill, by the skill and its name.
    Template(String, String),
}

/// Files that are there whatever the world holds.
const FIXED: &[Made] = &[
    Made::Llms,
    Made::LlmsFull,
    Made::Sitemap,
    Made::Robots,
    Made::Manifest,
    Made::Triggers,
    Made::Communes,
    Made::PathsIndex,
    Made::SkillsIndex,
    Made::PathsRollup,
    Made::ScrubRules,
    Made::SearchIndex,
    Made::Security,
    Made::McpCatalog,
    Made::McpCard,
];

/// Every file of a world. Some are not made after all: [`Made::make`] knows.
pub fn all(world: &World<'_>) -> Vec<Made> {
    listed(world, &llms(world), &volumes(world))
}

/// The same, where somebody has made the map and knows the files that hold pages.
pub fn listed(world: &World<'_>, llms: &Llms, volumes: &[Volume]) -> Vec<Made> {
    let mut all = FIXED.to_vec();
    all.extend(Schema::ALL.iter().map(|schema| Made::Schema(*schema)));
    all.extend(llms.parts.keys().cloned().map(Made::LlmsPart));
    let parts = volumes.iter().map(|volume| &volume.made);
    all.extend(parts.filter(|made| **made != Made::LlmsFull).cloned());
    all.extend((1..=sitemap::parts(world)).map(Made::SitemapPart));
    let templates = world.corpus.templates.iter();
    let templates = templates.flat_map(|(id, files)| files.keys().map(move |name| (id, name)));
    all.extend(templates.filter_map(|(id, name)| Made::template(world, id, name)));
    all
}

/// The file at an address; whether it is there is known when it is made.
pub fn at(address: &str) -> Option<Made> {
    let within = |before: &str, after: &str| address.strip_prefix(before)?.strip_suffix(after);
    if let Some(name) = within("/llms/", ".txt") {
        return Some(Made::LlmsPart(name.to_owned()));
    }
    let numbered = |number: &str, made: fn(usize) -> Made| {
        number.parse().ok().map(made).filter(|made| made.address() == address)
    };
    if let Some(number) = within("/llms-full/", ".txt") {
        return numbered(number, Made::LlmsFullPart);
    }
    if let Some(number) = within("/sitemaps/", ".xml") {
        return numbered(number, Made::SitemapPart);
    }
    if let Some(name) = within("/schemas/", ".schema.json") {
        return Schema::ALL.iter().find(|schema| schema.name() == name).map(|schema| Made::Schema(*schema));
    }
    let of_skill = address.strip_prefix("/skills/").and_then(|rest| rest.split_once('/'));
    if let Some((id, name)) = of_skill.and_then(|(id, rest)| Some((id, rest.strip_prefix("templates/")?))) {
        return is_plain(id, name).then(|| Made::Template(id.to_owned(), name.to_owned()));
    }
    // Every page is looked for here first.
    static BY_ADDRESS: LazyLock<BTreeMap<Cow<'static, str>, &Made>> =
        LazyLock::new(|| FIXED.iter().map(|made| (made.address(), made)).collect());
    BY_ADDRESS.get(address).map(|made| (*made).clone())
}

/// Endings of files that browsers run: a host of static files would send them as what they claim to be.
const RUN: [&str; 8] = ["htm", "html", "shtml", "xhtml", "xht", "svg", "xml", "xsl"];

/// Whether a template can stand at an address as it is: any other is only named.
fn is_plain(id: &str, name: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.');
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain);
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    is_name(id) && name.split('/').all(is_name) && !RUN.contains(&ending.as_str())
}

impl Made {
    /// A template that can be shown: a text, of a skill that is not put away.
    pub fn template(world: &World<'_>, id: &str, name: &str) -> Option<Self> {
        let is_text = world.corpus.templates.get(id)?.get(name)?.is_some();
        let is_there = is_text && is_plain(id, name) && world.skill(id)?.skill().is_some();
        is_there.then(|| Self::Template(id.to_owned(), name.to_owned()))
    }

    /// Its address.
    pub fn address(&self) -> Cow<'static, str> {
        match self {
            Self::Llms => Cow::Borrowed("/llms.txt"),
            Self::LlmsPart(name) => Cow::Owned(format!("/llms/{name}.txt")),
            Self::LlmsFull => Cow::Borrowed("/llms-full.txt"),
            Self::LlmsFullPart(number) => Cow::Owned(format!("/llms-full/{number}.txt")),
            Self::Sitemap => Cow::Borrowed("/sitemap.xml"),
            Self::SitemapPart(number) => Cow::Owned(format!("/sitemaps/{number}.xml")),
            Self::Robots => Cow::Borrowed("/robots.txt"),
            Self::Manifest => Cow::Borrowed("/agents/manifest.json"),
            Self::Triggers => Cow::Borrowed("/agents/triggers.json"),
            Self::Communes => Cow::Borrowed("/communes.json"),
            Self::PathsIndex => Cow::Borrowed("/paths/index.json"),
            Self::SkillsIndex => Cow::Borrowed("/skills/index.json"),
            Self::PathsRollup => Cow::Borrowed("/paths/rollup.json"),
            Self::ScrubRules => Cow::Borrowed("/scrub-rules.json"),
            Self::Schema(schema) => Cow::Owned(format!("/schemas/{}.schema.json", schema.name())),
            Self::SearchIndex => Cow::Borrowed("/search.json"),
            Self::Security => Cow::Borrowed("/.well-known/security.txt"),
            Self::McpCatalog => Cow::Borrowed("/.well-known/mcp/catalog.json"),
            Self::McpCard => Cow::Borrowed("/mcp/server-card"),
            Self::Template(id, name) => Cow::Owned(format!("/skills/{id}/templates/{name}")),
        }
    }

    /// What it is.
    pub fn media(&self) -> &'static str {
        match self {
            // A template may be anything, also what looks like a page: it is text for everybody.
            Self::Llms
            | Self::LlmsPart(_)
            | Self::LlmsFull
            | Self::LlmsFullPart(_)
            | Self::Robots
            | Self::Security
            | Self::Template(..) => "text/plain; charset=utf-8",
            Self::Sitemap | Self::SitemapPart(_) => "application/xml",
            Self::Manifest
            | Self::Triggers
            | Self::Communes
            | Self::PathsIndex
            | Self::SkillsIndex
            | Self::PathsRollup
            | Self::ScrubRules
            | Self::SearchIndex
            | Self::McpCatalog => "application/json",
            Self::Schema(_) => "application/schema+json",
            Self::McpCard => mcp::CARD,
        }
    }

    /// What it needs besides the world.
    pub fn needs(&self) -> Needs {
        match self {
            Self::SkillsIndex => Needs { all_of: ["skill"].into(), ..Needs::default() },
            Self::PathsRollup => Needs { all_of: ["path"].into(), ..Needs::default() },
            Self::Template(id, _) => Needs { standings: [("skill", id.clone())].into(), ..Needs::default() },
            Self::Manifest | Self::McpCatalog | Self::McpCard => Needs { api: true, ..Needs::default() },
            Self::Llms
            | Self::LlmsPart(_)
            | Self::LlmsFull
            | Self::LlmsFullPart(_)
            | Self::Sitemap
            | Self::SitemapPart(_)
            | Self::Robots
            | Self::Triggers
            | Self::Communes
            | Self::PathsIndex
            | Self::ScrubRules
            | Self::Schema(_)
            | Self::SearchIndex
            | Self::Security => Needs::default(),
        }
    }

    /// The file; nothing where this world has none of it.
    pub fn make(&self, world: &World<'_>, facts: &Facts, markdown: &mut Markdown<'_>) -> Option<Vec<u8>> {
        let text = match self {
            Self::Llms => llms(world).root,
            Self::LlmsPart(name) => llms(world).parts.remove(name)?,
            Self::LlmsFull => match volume(world, self) {
                Some(volume) => volume.text(world.base, markdown),
                None => llms_full::map(world),
            },
            Self::LlmsFullPart(_) => volume(world, self)?.text(world.base, markdown),
            Self::Sitemap => sitemap::root(world),
            Self::SitemapPart(number) => sitemap::part(world, *number)?,
            Self::Robots => robots::text(world),
            Self::Manifest => manifest::text(world, facts),
            Self::Triggers => artefacts::triggers(world)?,
            Self::Communes => world.corpus.communes.as_ref()?.source.text().to_owned(),
            Self::PathsIndex => artefacts::paths_index(world)?,
            Self::SkillsIndex => artefacts::skills_index(world, facts),
            Self::PathsRollup => artefacts::paths_rollup(world, facts),
            Self::ScrubRules => becivic_core::scrub::BUNDLED.to_owned(),
            Self::Schema(schema) => schema.text().to_owned(),
            Self::SearchIndex => search::Index::of(world).to_json(),
            Self::Security => security::text(world, facts)?,
            Self::McpCatalog => mcp::catalog(world, facts)?,
            Self::McpCard => mcp::card(world, facts)?,
            Self::Template(id, name) => {
                let status = facts.standing("skill", id).map(|it| it.status);
                world.skill(id)?.beside(status).skill()?;
                world.corpus.templates.get(id)?.get(name)?.as_deref()?.to_owned()
            }
        };
        Some(text.into_bytes())
    }
}

/// The text of a JSON file: two spaces, one line break at the end.
fn json(value: &impl Serialize) -> String {
    // Values made of text keys alone are always written; an empty file would be seen at once.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
