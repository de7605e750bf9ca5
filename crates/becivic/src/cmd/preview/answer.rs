//! What an address answers: a page with its findings on top, the list of all findings, or a file that pages use.

use super::watch::Reading;
use crate::site::{self, Seeds};
use becivic_core::finding::{Finding, Severity};
use becivic_core::vocabulary::Language;
use becivic_site::address::{self, Form, Found, Which};
use becivic_site::doc::{Block, Inline, Tone, code, heading, lines, link, paragraph, text};
use becivic_site::pages::{self, Shown};
use becivic_site::{World, assets, doc, files, frame, words};

/// A page shows this many findings; the list has more.
const ON_A_PAGE: usize = 20;
/// The list shows this many.
const LISTED: usize = 1_000;

/// The script that loads a page again.
const SCRIPT: &str =
    "new EventSource('/preview/events').addEventListener('changed', () => location.reload());\n";

/// The language of the words around the texts: findings are in English too.
const LANGUAGE: Language = Language::En;

/// An answer.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// What it is.
    pub media: &'static str,
    /// What it holds.
    pub body: Vec<u8>,
    /// Where to go instead.
    pub to: Option<String>,
}

const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// The answer at an address.
pub fn answer(reading: &Reading, base: &str, path: &str) -> Answer {
    let world = site::world(&reading.corpus, &reading.citations, base);
    if path == "/preview.js" {
        return found(200, "text/javascript; charset=utf-8", SCRIPT.as_bytes().to_vec());
    }
    if path == "/preview" {
        return found(200, HTML, with_script(&page(&world, None, &list(reading)), reading));
    }
    if let Some(asset) = assets::at(path) {
        return found(200, asset.media, asset.bytes.to_vec());
    }
    if let Some(made) = files::at(path)
        && let Some(bytes) = site::file(&world, &made, LANGUAGE)
    {
        return found(200, made.media(), bytes);
    }
    match address::read(&world, path) {
        Found::Moved(to) => Answer { to: Some(to), ..found(308, HTML, Vec::new()) },
        Found::Missing => {
            let mut shown = pages::missing(&world, path, words::of(LANGUAGE));
            tell(&mut shown, reading, &files(&world, None, path));
            found(404, HTML, with_script(&page(&world, None, &shown), reading))
        }
        Found::Page(which, form) => of_page(&world, reading, &which, form, path),
    }
}

fn of_page(world: &World<'_>, reading: &Reading, which: &Which, form: Form, path: &str) -> Answer {
    let facts = Seeds::of(&world.corpus.catalogue).facts(&pages::needs(world, which));
    let mut shown = pages::show(world, which, &facts, words::of(LANGUAGE));
    match form {
        Form::Html => {
            tell(&mut shown, reading, &files(world, Some(which), path));
            found(shown.status, HTML, with_script(&page(world, Some(which), &shown), reading))
        }
        Form::Markdown | Form::Source => match site::print(world, which, (&shown, &facts), form, LANGUAGE) {
            Some(text) => found(shown.status, MARKDOWN, text.into_bytes()),
            None => found(404, MARKDOWN, b"There is no such file.\n".to_vec()),
        },
    }
}

fn found(status: u16, media: &'static str, body: Vec<u8>) -> Answer {
    Answer { status, media, body, to: None }
}

fn page(world: &World<'_>, which: Option<&Which>, shown: &Shown) -> String {
    frame::page(shown, &frame::Place::of(world, which), words::of(LANGUAGE))
}

/// The page with the script, which waits for what comes after the reading that the page was made of.
fn with_script(page: &str, reading: &Reading) -> Vec<u8> {
    let script =
        format!("<script src=\"/preview.js\" data-reading=\"{}\" defer></script></head>", reading.number);
    page.replacen("</head>", &script, 1).into_bytes()
}

/// How the names of the files begin that a page is made of; of one that cannot be read, by its address.
fn files(world: &World<'_>, which: Option<&Which>, path: &str) -> String {
    match which {
        Some(Which::Authored(address)) => {
            world.corpus.pages.get(address).map(|page| page.source.path().to_owned()).unwrap_or_default()
        }
        Some(Which::Path(_) | Which::Paths | Which::ThemeOf(_)) => "paths/".to_owned(),
        Some(Which::Value(_) | Which::Values) => "catalogue/volatile-values.jsonl".to_owned(),
        Some(Which::Reference(_) | Which::References) => "catalogue/references.jsonl".to_owned(),
        Some(
            Which::Skill(id) | Which::SkillAt(id, _) | Which::SkillHistory(id) | Which::SkillChange(id, _),
        ) => format!("skills/{id}/"),
        Some(
            Which::Folder(_)
            | Which::Skills
            | Which::CategoryOf(..)
            | Which::Activity
            | Which::Log
            | Which::Search,
        ) => String::new(),
        None => match path.strip_prefix("/skills/") {
            Some(rest) => format!("skills/{}/", rest.split(['/', '.']).next().unwrap_or_default()),
            None => format!("{}.mdx", path.trim_matches('/')),
        },
    }
}

/// Puts what was found on top of a page: in its own files, and how much there is elsewhere.
fn tell(shown: &mut Shown, reading: &Reading, files: &str) {
    let all = reading.findings.len();
    if all == 0 {
        return;
    }
    let here: Vec<&Finding> =
        reading.findings.iter().filter(|it| !files.is_empty() && it.file.starts_with(files)).collect();
    let has_errors = here.iter().any(|finding| finding.severity == Severity::Error);
    let tone = match (here.is_empty(), has_errors) {
        (true, _) => Tone::Note,
        (false, false) => Tone::Care,
        (false, true) => Tone::Alarm,
    };
    let mut blocks = Vec::new();
    if !here.is_empty() {
        blocks.push(lines(here.iter().take(ON_A_PAGE).map(|finding| line(finding))));
    }
    let label = format!("All findings of this corpus: {all}");
    blocks.push(paragraph([link("/preview", label)]));
    let title = format!("Findings in the files of this page: {}", here.len());
    shown.doc.blocks.insert(0, Block::Callout { tone, title, blocks });
}

fn line(finding: &Finding) -> Vec<Inline> {
    let place = format!("{}:{}", finding.file, finding.line);
    vec![
        code(finding.rule),
        text(format!(" ({}) ", finding.severity.as_str())),
        code(place),
        text(format!(" {}. {}", finding.message, finding.help)),
    ]
}

/// Every finding, file by file.
fn list(reading: &Reading) -> Shown {
    let mut shown = Shown::new("Findings", "What the rules find in this corpus.", words::of(LANGUAGE));
    shown.indexed = false;
    shown.doc.push(heading(1, "Findings"));
    shown.doc.push(paragraph([text(match reading.findings.len() {
        0 => "The rules find nothing.".to_owned(),
        1 => "The rules find one thing.".to_owned(),
        many => format!("The rules find {many} things."),
    })]));
    let mut file = "";
    let mut items: Vec<Vec<Inline>> = Vec::new();
    for finding in reading.findings.iter().take(LISTED) {
        if finding.file != file && !items.is_empty() {
            shown.doc.push(lines(std::mem::take(&mut items)));
        }
        if finding.file != file {
            shown.doc.push(heading(2, &finding.file));
            shown.doc.extend(to_page(&finding.file));
        }
        file = &finding.file;
        items.push(line(finding));
    }
    if !items.is_empty() {
        shown.doc.push(lines(items));
    }
    shown
}

/// The page of a skill's file.
fn to_page(file: &str) -> Option<doc::Block> {
    let id = file.strip_prefix("skills/")?.split_once('/')?.0;
    Some(paragraph([link(format!("/skills/{id}"), format!("/skills/{id}"))]))
}
