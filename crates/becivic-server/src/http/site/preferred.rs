//! What a reader prefers: a form, a language, an encoding.

use super::super::ask::Ask;
use becivic_core::vocabulary::Language;

/// A form that can be preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// A page.
    Html,
    /// The same for agents.
    Markdown,
    /// The same for programs.
    Json,
}

/// The form: what `Accept` rates highest, a page where it does not matter.
pub fn media(ask: &Ask) -> Media {
    let accepted = ask.header("accept").unwrap_or_default();
    let forms = [
        (Media::Html, ["text/html", "application/xhtml+xml"]),
        (Media::Markdown, ["text/markdown", "text/x-markdown"]),
        (Media::Json, ["application/json", "application/problem+json"]),
    ];
    let best = forms.into_iter().filter_map(|(media, names)| {
        let is_one = |name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        let rating = rated(accepted).filter(|(name, _)| is_one(name)).map(|(_, rating)| rating).max();
        rating.filter(|rating| *rating > 0).map(|rating| (media, rating))
    });
    let better = |best: Option<(Media, u32)>, it: (Media, u32)| match best {
        Some(best) if best.1 >= it.1 => Some(best),
        Some(_) | None => Some(it),
    };
    best.fold(None, better).map_or(Media::Html, |(media, _)| media)
}

/// The language, and whether it stands in the address.
pub fn language(ask: &Ask) -> (Language, bool) {
    if let Some(language) = ask.query("lang").and_then(|name| spoken(&name)) {
        return (language, true);
    }
    let mut best: Option<(Language, u32)> = None;
    for (name, rating) in rated(ask.header("accept-language").unwrap_or_default()) {
        if let Some(language) = spoken(name).filter(|_| rating > best.map_or(0, |(_, rating)| rating)) {
            best = Some((language, rating));
        }
    }
    (best.map_or(Language::En, |(language, _)| language), false)
}

/// The language of a tag, whatever its country and its spelling: `fr`, `FR`, `fr-BE`, `fr_BE`.
fn spoken(tag: &str) -> Option<Language> {
    let name = tag.split(['-', '_']).next()?;
    Language::named(&name.to_ascii_lowercase())
}

/// Whether the reader takes compressed answers.
pub fn takes_gzip(ask: &Ask) -> bool {
    let mut rated = rated(ask.header("accept-encoding").unwrap_or_default());
    rated.any(|(name, rating)| name.eq_ignore_ascii_case("gzip") && rating > 0)
}

/// Things with their ratings, in thousandths.
fn rated(header: &str) -> impl Iterator<Item = (&str, u32)> {
    let parts = (!header.is_empty()).then(|| header.split(',').take(50));
    let each = parts.into_iter().flatten().map(|part| {
        let mut pieces = part.split(';').map(str::trim);
        let name = pieces.next().unwrap_or_default();
        let rating = pieces.find_map(|piece| piece.strip_prefix("q=")).and_then(|q| q.parse::<f64>().ok());
        (name, (rating.unwrap_or(1.0).clamp(0.0, 1.0) * 1_000.0) as u32)
    });
    each.filter(|(name, _)| !name.is_empty())
}
