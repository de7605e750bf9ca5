//! Addresses: which page one leads to, in which form, or where to go instead.
//!
//! 1. Only plain addresses are read: letters, digits, `-._~` and single slashes. Escapes of those are undone, doubled slashes
//!    made one; dots as folders, other escapes and anything that is not ASCII lead nowhere.
//! 2. A form is named by the end of the address: `.md` is the page as markdown, `/source.md` the authored file. What the reader
//!    prefers (`Accept`) is the server's business.
//! 3. Addresses are lower-case, lists end with a slash, everything else does not. Another spelling leads to the right one in one
//!    step.
//! 4. What is left must be a page; whether a skill of that id exists is asked of the [`World`]. Where there is none, an old
//!    address may lead on ([`redirects`]).
//!
//! Wherever an address leads on to is put together from what we know, never from what was asked for: it stays on this site.

use crate::files::{self, redirects};
use crate::pages::category;
use crate::world::World;
use becivic_core::path::Theme;
use std::collections::BTreeSet;

/// A form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// For people.
    Html,
    /// For agents: the text with its tags resolved, and kept.
    Markdown,
    /// The file as it was authored.
    Source,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Which {
    /// A page of the corpus by its address: `/`, `/agents`, `/docs/privacy`.
    Authored(String),
    /// What is in a folder of authored pages that has no page of its own: `/docs/`.
    Folder(String),
    /// Every skill.
    Skills,
    /// The skills of a category, a page of them: the first is 1.
    CategoryOf(String, usize),
    /// A skill.
    Skill(String),
    /// A skill as it was at a commit.
    SkillAt(String, String),
    /// The versions of a skill.
    SkillHistory(String),
    /// What a commit changed in a skill.
    SkillChange(String, String),
    /// Every path.
    Paths,
    /// The paths of a theme.
    ThemeOf(Theme),
    /// A path.
    Path(String),
    /// Every value of the catalogue.
    Values,
    /// Every reference of the catalogue.
    References,
    /// A value of the catalogue.
    Value(String),
    /// A reference of the catalogue.
    Reference(String),
    /// Counts over everything.
    Activity,
    /// Recent changes of status.
    Log,
    /// The search page.
    Search,
}

/// What an address leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A page, in a form.
    Page(Which, Form),
    /// Another address.
    Moved(String),
    /// Nothing.
    Missing,
}

/// Reads an address (the path of a URL, without query and fragment).
pub fn read(world: &World<'_>, path: &str) -> Found {
    // What is asked for most is seen at a glance.
    if let Some(id) =
        path.strip_prefix("/skills/").filter(|id| world.skill(id).is_some_and(|it| it.id() == *id))
    {
        return Found::Page(Which::Skill(id.to_owned()), Form::Html);
    }
    let Some(plain) = plain(path) else { return Found::Missing };
    let (bare, form) = form(&plain);
    let canonical = canonical(bare);
    match page(world, &canonical) {
        Some(which) if which.address_as(form) == path => Found::Page(which, form),
        Some(which) => Found::Moved(which.address_as(form)),
        None => elsewhere(world, path, &plain, &canonical, form),
    }
}

impl Which {
    /// The page that an address is the one right spelling of, whether or not it is there.
    pub fn at(address: &str) -> Option<Self> {
        which(&canonical(address)).filter(|which| which.address() == address)
    }
}

fn page(world: &World<'_>, canonical: &str) -> Option<Which> {
    let folder = || Which::Folder(format!("{}/", canonical.trim_end_matches('/')));
    [which(canonical)?, folder()].into_iter().find(|which| exists(world, which))
}

/// Every folder of authored pages that has no page of its own.
pub fn folders(world: &World<'_>) -> Vec<Which> {
    let addresses = world.corpus.pages.keys();
    let within =
        addresses.flat_map(|address| address.match_indices('/').filter_map(|(at, _)| address.get(..=at)));
    let folders: BTreeSet<&str> = within.collect();
    let folders = folders.into_iter().map(|folder| Which::Folder(folder.to_owned()));
    folders.filter(|folder| exists(world, folder)).collect()
}

/// A file that is spelt otherwise, or an old address.
fn elsewhere(world: &World<'_>, path: &str, plain: &str, canonical: &str, form: Form) -> Found {
    // A corpus without a landing page has its skills there.
    if canonical == "/" {
        return Found::Moved(Which::Skills.address_as(form));
    }
    if plain != path && files::at(plain).is_some() {
        return Found::Moved(plain.to_owned());
    }
    let known = redirects::redirects(world);
    if let Some(to) = known.get(plain) {
        return Found::Moved(to.clone());
    }
    let Some(to) = known.get(canonical) else { return Found::Missing };
    let same_form = page(world, &self::canonical(to)).map(|which| which.address_as(form));
    match form {
        Form::Html => Found::Moved(to.clone()),
        Form::Markdown | Form::Source => same_form.map_or(Found::Missing, Found::Moved),
    }
}

/// An address in lower case, with escapes of plain letters undone and slashes single, without one at the end.
fn plain(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len());
    let mut rest = path.strip_prefix('/')?.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '%' => {
                let code = [rest.next()?, rest.next()?].map(|digit| digit.to_digit(16));
                let [Some(high), Some(low)] = code else { return None };
                // An escaped slash is none: nothing here has one in its name.
                char::from_u32(high * 16 + low).filter(|c| *c != '/')?
            }
            c => c,
        };
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' | '/' => {
                out.push(c.to_ascii_lowercase())
            }
            _ => return None,
        }
    }
    let parts: Vec<&str> = out.split('/').filter(|part| !part.is_empty()).collect();
    let is_folder_sign = |part: &&str| part.bytes().all(|b| b == b'.');
    (!parts.iter().any(is_folder_sign)).then(|| format!("/{}", parts.join("/")))
}

fn form(path: &str) -> (&str, Form) {
    if let Some(bare) = path.strip_suffix("/source.md") {
        return (bare, Form::Source);
    }
    match path.strip_suffix(".md") {
        Some("/index") => ("/", Form::Markdown),
        Some(bare) => (bare.strip_suffix("/index").unwrap_or(bare), Form::Markdown),
        None => (path.strip_suffix(".html").unwrap_or(path), Form::Html),
    }
}

/// Without the endings that mean the same.
fn canonical(path: &str) -> String {
    let mut bare = path.trim_end_matches('/');
    for ending in ["/index", "/canonical"] {
        bare = bare.strip_suffix(ending).unwrap_or(bare);
    }
    if bare.is_empty() { "/".to_owned() } else { bare.to_owned() }
}

fn which(path: &str) -> Option<Which> {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let owned = |it: &&str| (*it).to_owned();
    Some(match parts.as_slice() {
        ["skills"] => Which::Skills,
        ["skills", "categories", category] => Which::CategoryOf(owned(category), 1),
        ["skills", "categories", category, page] => Which::CategoryOf(owned(category), page.parse().ok()?),
        ["skills", id] => Which::Skill(owned(id)),
        ["skills", id, "history"] => Which::SkillHistory(owned(id)),
        ["skills", id, "history", sha] => Which::SkillChange(owned(id), owned(sha)),
        ["skills", id, "at", sha] => Which::SkillAt(owned(id), owned(sha)),
        ["paths"] => Which::Paths,
        ["paths", "themes"] => Which::Paths,
        ["paths", "themes", theme] => Which::ThemeOf(Theme::named(theme)?),
        ["paths", id] => Which::Path(owned(id)),
        ["values"] => Which::Values,
        ["references"] => Which::References,
        ["values", uid] => Which::Value(owned(uid)),
        ["references", uid] => Which::Reference(owned(uid)),
        ["activity"] => Which::Activity,
        ["log"] => Which::Log,
        ["search"] => Which::Search,
        _ => Which::Authored(path.to_owned()),
    })
}

fn exists(world: &World<'_>, which: &Which) -> bool {
    match which {
        Which::Authored(address) => world.corpus.pages.contains_key(address),
        Which::Folder(folder) => {
            let pages = &world.corpus.pages;
            let within = pages.range(folder.clone()..).next();
            folder.len() > 1
                && !pages.contains_key(folder.trim_end_matches('/'))
                && within.is_some_and(|(page, _)| page.starts_with(folder))
        }
        Which::CategoryOf(category, page) => category::exists(world, category, *page),
        Which::Skill(id) | Which::SkillHistory(id) => world.skill(id).is_some(),
        Which::SkillAt(id, sha) | Which::SkillChange(id, sha) => world.skill(id).is_some() && is_sha(sha),
        Which::Path(id) => world.path(id).is_some(),
        // The catalogue is the database's: whoever fetches the facts knows.
        Which::Value(uid) => is_uid(uid, "val-"),
        Which::Reference(uid) => is_uid(uid, "ref-"),
        Which::Skills
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Values
        | Which::References
        | Which::Activity
        | Which::Log
        | Which::Search => true,
    }
}

fn is_sha(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn is_uid(text: &str, prefix: &str) -> bool {
    let digits = text.strip_prefix(prefix).unwrap_or_default();
    digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit())
}

impl Which {
    /// Its one address.
    pub fn address(&self) -> String {
        match self {
            Self::Authored(address) | Self::Folder(address) => address.clone(),
            Self::Values => "/values/".to_owned(),
            Self::References => "/references/".to_owned(),
            Self::Skills => "/skills/".to_owned(),
            Self::CategoryOf(category, ..=1) => format!("/skills/categories/{category}/"),
            Self::CategoryOf(category, page) => format!("/skills/categories/{category}/{page}/"),
            Self::Skill(id) => ["/skills/", id].concat(),
            Self::SkillAt(id, sha) => format!("/skills/{id}/at/{sha}"),
            Self::SkillHistory(id) => format!("/skills/{id}/history"),
            Self::SkillChange(id, sha) => format!("/skills/{id}/history/{sha}"),
            Self::Paths => "/paths/".to_owned(),
            Self::ThemeOf(theme) => format!("/paths/themes/{}/", theme.as_str()),
            Self::Path(id) => ["/paths/", id].concat(),
            Self::Value(uid) => ["/values/", uid].concat(),
            Self::Reference(uid) => ["/references/", uid].concat(),
            Self::Activity => "/activity".to_owned(),
            Self::Log => "/log".to_owned(),
            Self::Search => "/search".to_owned(),
        }
    }

    /// The address of the page that search engines should know instead of this one: an older version is one of the current.
    pub fn canonical(&self) -> String {
        match self {
            Self::SkillAt(id, _) => Self::Skill(id.clone()).address(),
            Self::Authored(_)
            | Self::Folder(_)
            | Self::Values
            | Self::References
            | Self::Skills
            | Self::CategoryOf(..)
            | Self::Skill(_)
            | Self::SkillHistory(_)
            | Self::SkillChange(..)
            | Self::Paths
            | Self::ThemeOf(_)
            | Self::Path(_)
            | Self::Value(_)
            | Self::Reference(_)
            | Self::Activity
            | Self::Log
            | Self::Search => self.address(),
        }
    }

    /// The address of one of its forms.
    pub fn address_as(&self, form: Form) -> String {
        let mut address = self.address();
        let ending = match form {
            Form::Html => "",
            Form::Markdown if address.ends_with('/') => "index.md",
            Form::Markdown => ".md",
            Form::Source if address.ends_with('/') => "source.md",
            Form::Source => "/source.md",
        };
        address.push_str(ending);
        address
    }
}
