//! The Path Directory by theme, and the page of one theme.
//!
//! A path with several themes is described under its first one that comes up in the list, and named under the others.

use super::Shown;
use super::path::{gives, of, summary, to_path, written};
use crate::doc::{Block, Inline, heading, lines, link, paragraph, text};
use crate::words::Words;
use crate::world::{SeenPath, World};
use becivic_core::path::{PathEntry, Theme};
use becivic_core::vocabulary::{Language, Status};

/// Every path, by theme.
pub fn show(world: &World<'_>, words: &Words) -> Shown {
    let table = &words.path;
    let mut shown = Shown::new(table.all, table.all_intro, words);
    shown.doc.push(heading(1, table.all));
    shown.doc.push(paragraph([text(table.all_intro)]));
    let paths: Vec<SeenPath<'_>> = world.paths().collect();
    if paths.is_empty() {
        shown.doc.push(paragraph([text(table.none_at_all)]));
        return shown;
    }
    shown.doc.push(counted(&paths, words));
    shown.doc.push(themes(&paths, words));
    for theme in Theme::ALL {
        shown.doc.extend(section(&paths, *theme, words));
    }
    shown.doc.extend(put_away(&paths, words));
    shown
}

/// The paths of a theme.
pub fn show_theme(world: &World<'_>, theme: Theme, words: &Words) -> Shown {
    let table = &words.path;
    let name = table.theme_name(theme);
    let mut shown = Shown::new(name, table.all_intro, words);
    shown.doc.push(heading(1, name));
    shown.doc.push(paragraph([link("/paths/", table.all_themes)]));
    let paths: Vec<SeenPath<'_>> = world.paths().filter(|path| is_of(path, theme)).collect();
    if paths.is_empty() {
        shown.indexed = false;
        shown.doc.push(paragraph([text(table.none_in_theme)]));
        return shown;
    }
    shown.doc.push(counted(&paths, words));
    shown.doc.push(heading(2, table.how_many));
    let described = paths.iter().filter_map(|path| Some(described(path, path.entry()?, words)));
    shown.doc.extend(described.flatten());
    shown
}

fn is_of(path: &SeenPath<'_>, theme: Theme) -> bool {
    path.entry().is_some_and(|entry| entry.themes.contains(&theme))
}

/// The theme a path is described under: of its own, the first of the list.
fn home(entry: &PathEntry) -> Option<Theme> {
    entry.themes.iter().min().copied()
}

fn counted(paths: &[SeenPath<'_>], words: &Words) -> Block {
    let mut by_status = Vec::new();
    for status in Status::ALL {
        let count = paths.iter().filter(|path| path.status == *status).count();
        if count > 0 {
            by_status.push(text(if by_status.is_empty() { "" } else { " · " }));
            by_status.extend([Inline::Status(*status), text(format!(" {count}"))]);
        }
    }
    Block::Facts(vec![
        (vec![text(words.path.how_many)], vec![text(paths.len().to_string())]),
        (vec![text(words.path.by_status)], by_status),
    ])
}

fn themes(paths: &[SeenPath<'_>], words: &Words) -> Block {
    let row = |theme: &Theme| {
        let count = paths.iter().filter(|path| is_of(path, *theme)).count();
        let to = format!("/paths/themes/{}/", theme.as_str());
        vec![vec![link(to, words.path.theme_name(*theme))], vec![text(count.to_string())]]
    };
    Block::Table {
        caption: words.path.themes.to_owned(),
        head: vec![vec![text(words.path.theme)], vec![text(words.path.how_many)]],
        rows: Theme::ALL.iter().map(row).collect(),
    }
}

/// A theme with its paths; nothing where it has none.
fn section(paths: &[SeenPath<'_>], theme: Theme, words: &Words) -> Vec<Block> {
    let of_theme: Vec<(&SeenPath<'_>, &PathEntry)> = paths
        .iter()
        .filter(|path| is_of(path, theme))
        .filter_map(|path| Some((path, path.entry()?)))
        .collect();
    if of_theme.is_empty() {
        return Vec::new();
    }
    let text_of = vec![text(words.path.theme_name(theme))];
    let mut blocks = vec![Block::Heading { level: 2, id: theme.as_str().to_owned(), text: text_of }];
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        of_theme.into_iter().partition(|(_, entry)| home(entry) == Some(theme));
    blocks.extend(here.into_iter().flat_map(|(path, entry)| described(path, entry, words)));
    if !elsewhere.is_empty() {
        blocks.push(paragraph([text(words.path.also_here)]));
        blocks.push(lines(elsewhere.into_iter().map(|(path, _)| named(path, words))));
    }
    blocks
}

fn named(path: &SeenPath<'_>, words: &Words) -> Vec<Inline> {
    vec![to_path(path, words), text(" "), Inline::Status(path.status)]
}

fn described(path: &SeenPath<'_>, entry: &PathEntry, words: &Words) -> Vec<Block> {
    let table = &words.path;
    let row = |name: &str, value: Vec<Inline>| (vec![text(name)], value);
    let mut rows = Vec::new();
    let whom = summary(entry).map(|it| written(Some((Language::En, it)), words));
    rows.extend(whom.map(|it| row(table.whom, vec![it])));
    rows.push(row(table.gives, gives(&entry.outputs, words)));
    rows.push(row(table.what_for, vec![text(table.purpose(entry.purpose))]));
    rows.push(row(table.ways, vec![text(entry.sources.len().to_string())]));
    vec![
        Block::Heading { level: 3, id: entry.id.clone(), text: named(path, words) },
        paragraph([written(of(&entry.description, words), words)]),
        Block::Facts(rows),
    ]
}

/// What is quarantined is named, and nothing more.
fn put_away(paths: &[SeenPath<'_>], words: &Words) -> Vec<Block> {
    let away: Vec<&SeenPath<'_>> = paths.iter().filter(|path| path.entry().is_none()).collect();
    if away.is_empty() {
        return Vec::new();
    }
    let named = away.iter().map(|path| named(path, words));
    vec![heading(2, words.path.put_away), lines(named)]
}
