//! A source of a path as a card: what kind of way it is, where it leads, who does what, and how fresh it is.

use super::{english, with_commas};
use crate::communes::commune;
use crate::doc::{Block, Inline, Tone, code, lines, outward, paragraph, strong, text};
use crate::facts::OfSource;
use crate::words::{Words, fill};
use crate::world::World;
use becivic_core::path::{Audience, Auth, HandoffWhen, PathSource, Procedure};
use becivic_core::vocabulary::Region;

type Row = (Vec<Inline>, Vec<Inline>);

/// The word of the Path Directory for every commune of Brussels.
const ALL_OF_BRUSSELS: &str = "all-19-rbc-communes";

/// The card.
pub fn card(
    world: &World<'_>,
    place: usize,
    source: &PathSource,
    said: Option<&OfSource>,
    words: &Words,
) -> Vec<Block> {
    let mut blocks = vec![title(place, source, words)];
    blocks.extend(badges(source, said, words));
    if is_audited(source) {
        blocks.push(audited(said, words));
    }
    blocks.push(Block::Facts(facts(world, source, said, words)));
    blocks.extend(at_the_place(&source.procedure, words));
    blocks.push(Block::Facts(who_does_what(source, words)));
    if hands_over(source.actor.handoff.when) && !source.post_handoff_observed.unwrap_or(false) {
        blocks.push(paragraph([Inline::Emphasis(vec![text(words.path.not_observed)])]));
    }
    blocks.extend(conditions(&source.audience, words));
    blocks
}

fn title(place: usize, source: &PathSource, words: &Words) -> Block {
    let text = vec![text(format!("{place}. {}", words.path.class(source.source_class)))];
    Block::Heading { level: 3, id: source.id.clone(), text }
}

fn is_audited(source: &PathSource) -> bool {
    source.audited_document_delivery.unwrap_or(false)
}

/// Whether what follows is out of an agent's sight (§6.12.2).
fn hands_over(when: HandoffWhen) -> bool {
    match when {
        HandoffWhen::None | HandoffWhen::Captcha => false,
        HandoffWhen::AuthWall
        | HandoffWhen::Confirmation
        | HandoffWhen::PhysicalPresence
        | HandoffWhen::FullTakeover => true,
    }
}

fn badges(source: &PathSource, said: Option<&OfSource>, words: &Words) -> Option<Block> {
    let stale = said.is_some_and(|it| it.stale).then_some(("stale", words.path.stale));
    let fallback =
        source.fallback_only.unwrap_or(false).then_some(("fallback", words.path.only_if_nothing_else));
    let mut line = Vec::new();
    for (class, it) in [stale, fallback].into_iter().flatten() {
        if !line.is_empty() {
            line.push(text(" "));
        }
        line.push(Inline::Badge { class, text: it.to_owned() });
    }
    (!line.is_empty()).then(|| paragraph(line))
}

/// Nobody may try such a source out, so what counts is when somebody last used it (§11.1).
fn audited(said: Option<&OfSource>, words: &Words) -> Block {
    let last = said.and_then(|it| it.last_user_confirmation.clone());
    let last = last.map_or_else(|| text(words.path.never), Inline::Day);
    let label = text(format!("{}{} ", words.path.last_user_confirmation, words.catalogue.colon));
    let blocks = vec![paragraph([text(words.path.audited)]), paragraph([Inline::Strong(vec![label, last])])];
    Block::Callout { tone: Tone::Alarm, title: words.path.audited_title.to_owned(), blocks }
}

fn row(name: &str, value: Vec<Inline>) -> Row {
    (vec![text(name)], value)
}

fn facts(world: &World<'_>, source: &PathSource, said: Option<&OfSource>, words: &Words) -> Vec<Row> {
    let table = &words.path;
    let procedure = &source.procedure;
    let mut rows = Vec::new();
    let desk = procedure.desk.as_deref();
    rows.extend(procedure.deeplink.as_deref().map(|to| row(table.place, vec![outward(to, host(to))])));
    rows.extend(desk.map(|desk| row(table.desk, vec![english(desk, words)])));
    rows.push(row(table.login, login(&source.auth, source.preferred_auth_provider.as_deref(), words)));
    rows.push(row(table.regions, vec![text(regions(&source.audience, words))]));
    rows.extend(communes(world, &source.audience, words).map(|it| row(table.communes, it)));
    let seconds = procedure.estimated_seconds.map(|it| fill(table.seconds, &[&it.to_string()]));
    rows.extend(seconds.map(|it| row(table.takes, vec![text(it)])));
    if !is_audited(source) {
        let last = said.and_then(|it| it.last_validated.clone());
        rows.push(row(table.last_validated, vec![last.map_or_else(|| text(table.never), Inline::Day)]));
    }
    rows.extend(said.into_iter().flat_map(|said| tallies(said, words)));
    rows
}

fn tallies(said: &OfSource, words: &Words) -> Vec<Row> {
    let table = &words.catalogue;
    let number = |name: &str, it: i64| row(name, vec![text(it.to_string())]);
    let mut rows = Vec::new();
    if said.affirms > 0 || said.rejects > 0 {
        rows.push(number(table.confirms, said.affirms));
        rows.push(number(table.rejects, said.rejects));
        rows.push(number(table.senders, said.distinct_ips));
    }
    if said.probe_confirms > 0 || said.probe_rejects > 0 {
        let (worked, failed) = (said.probe_confirms.to_string(), said.probe_rejects.to_string());
        rows.push(row(table.probes, vec![text(fill(table.probes_of, &[&worked, &failed]))]));
    }
    rows
}

/// The host of an address; the address itself where it has none.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() { address } else { host }
}

fn login(auth: &Auth, preferred: Option<&str>, words: &Words) -> Vec<Inline> {
    let table = &words.path;
    let mut line = vec![text(table.method(auth.method))];
    for (at, provider) in auth.supported_providers.iter().enumerate() {
        line.push(text(if at == 0 { " · " } else { ", " }));
        line.push(code(provider.clone()));
        if preferred == Some(provider) {
            line.push(text(format!(" ({})", table.preferred)));
        }
    }
    line
}

fn regions(audience: &Audience, words: &Words) -> String {
    let named = audience.regions.as_deref().unwrap_or_default();
    if named.is_empty() || Region::ALL.iter().all(|region| named.contains(region)) {
        return words.path.everywhere.to_owned();
    }
    let names: Vec<&str> = named.iter().map(|region| words.path.region(*region)).collect();
    names.join(", ")
}

fn communes(world: &World<'_>, audience: &Audience, words: &Words) -> Option<Vec<Inline>> {
    let named = audience.communes.as_deref().filter(|it| !it.is_empty())?;
    let name = |it: &String| match it.as_str() {
        ALL_OF_BRUSSELS => vec![text(words.path.all_brussels_communes)],
        other => vec![commune(world, other, words).unwrap_or_else(|| code(other))],
    };
    Some(with_commas(named.iter().map(name)))
}

/// What to bring, to ask for and to do there.
fn at_the_place(procedure: &Procedure, words: &Words) -> Vec<Block> {
    let table = &words.path;
    let mut blocks = Vec::new();
    let said =
        [(procedure.captcha, table.captcha), (procedure.requires_commune_param, table.commune_in_address)];
    blocks.extend(said.iter().filter(|(is, _)| *is == Some(true)).map(|(_, it)| paragraph([text(*it)])));
    if let Some(bring) = procedure.bring.as_deref().filter(|it| !it.is_empty()) {
        blocks.push(paragraph([strong(table.bring)]));
        blocks.push(lines(bring.iter().map(|it| vec![english(it, words)])));
    }
    if let Some(ask_for) = procedure.ask_for.as_deref() {
        blocks.push(paragraph([
            strong(table.ask_for),
            text(format!("{} ", words.catalogue.colon)),
            english(ask_for, words),
        ]));
    }
    if let Some(steps) = procedure.steps.as_deref().filter(|it| !it.is_empty()) {
        let items = steps.iter().map(|it| vec![paragraph([english(it, words)])]).collect();
        blocks.push(paragraph([strong(table.steps)]));
        blocks.push(Block::List { ordered: true, items });
    }
    blocks
}

fn who_does_what(source: &PathSource, words: &Words) -> Vec<Row> {
    let (table, handoff) = (&words.path, &source.actor.handoff);
    let mut rows = vec![row(table.who_acts, vec![text(table.primary(source.actor.primary))])];
    rows.push(row(table.your_turn, vec![text(table.handoff(handoff.when))]));
    rows.push(row(table.agent_does, vec![english(&handoff.agent_responsibility, words)]));
    let more = [(table.you_do, &handoff.user_responsibility), (table.afterwards, &handoff.resumption)];
    rows.extend(
        more.into_iter().filter_map(|(name, it)| Some(row(name, vec![english(it.as_deref()?, words)]))),
    );
    rows
}

/// The conditions as agents evaluate them (§6.12.5): data, so the same in every language.
fn conditions(audience: &Audience, words: &Words) -> Option<Block> {
    if audience.predicates.is_empty() {
        return None;
    }
    let each =
        audience.predicates.iter().map(|it| vec![code(format!("{} {} {}", it.field, it.op, it.value))]);
    Some(Block::Disclosure { summary: words.path.conditions.to_owned(), blocks: vec![lines(each)] })
}
