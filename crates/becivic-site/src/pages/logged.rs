//! What the transparency log says of an artefact last: what happened, with which numbers, under which policy, and the proof that it
//! stands there.
//!
//! The proof is of the log as it was when the entry was written. It stays the same until something happens to the artefact, and so
//! does the page.

use super::why::why;
use crate::doc::{Block, Inline, code, link, paragraph, text};
use crate::facts::{Facts, Logged, Transition};
use crate::words::{Words, fill};
use becivic_core::log::Entry;

/// The blocks; none where there is no log.
pub fn blocks(facts: &Facts, (target_type, id): (&str, &str), words: &Words) -> Option<Block> {
    let logged = facts.logged.get(&format!("{target_type}:{id}"))?;
    let entry = Entry::read(logged.entry.as_bytes()).ok()?;
    let table = &words.activity;
    let mut told = vec![Inline::Day(entry.day.clone()), text(format!("{} ", words.catalogue.colon))];
    told.extend(why(&as_transition(&entry), words));
    told.push(text("."));
    let mut blocks = vec![paragraph([text(table.logged_about)]), paragraph(told)];
    if let Some(policy) = &entry.policy {
        let label = text(format!("{}{} ", table.policy, words.catalogue.colon));
        blocks.push(paragraph([label, code(policy.clone()), text(".")]));
    }
    blocks.push(Block::Code { language: "json".to_owned(), text: logged.entry.clone() });
    blocks.push(paragraph([text(table.proof)]));
    blocks.push(Block::Code { language: String::new(), text: proof(logged) });
    blocks.push(paragraph([
        link("/log", table.log),
        text(" · "),
        link("/log/checkpoint", "/log/checkpoint"),
    ]));
    Some(Block::Disclosure { summary: fill(table.logged, &[&logged.index.to_string()]), blocks })
}

/// The proof as programs print it: hashes from the entry upwards, and the signed state they lead to.
fn proof(logged: &Logged) -> String {
    let hashes = logged.proof.iter().map(|hash| format!("{hash}\n"));
    let nonce = logged.nonce.iter().map(|nonce| format!("nonce {nonce}\n"));
    hashes.chain(nonce).chain([format!("\n{}", logged.checkpoint)]).collect::<String>().trim().to_owned()
}

/// An entry, as sentences about changes want it.
fn as_transition(entry: &Entry) -> Transition {
    let (target_type, target_id) = entry.artefact.split_once(':').unwrap_or_default();
    let status = |status: Option<becivic_core::vocabulary::Status>| {
        status.map(|it| it.as_str().to_owned()).unwrap_or_default()
    };
    Transition {
        target_type: target_type.to_owned(),
        target_id: target_id.to_owned(),
        from_status: status(entry.from),
        to_status: status(entry.to),
        rule: entry.rule.clone(),
        policy: entry.policy.clone().unwrap_or_default(),
        numbers: entry.numbers.clone().into(),
        day: entry.day.clone(),
        log_index: None,
    }
}
