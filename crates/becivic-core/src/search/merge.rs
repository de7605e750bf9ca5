//! Several segments as one, without what was left behind.
//!
//! 1. The documents that are left, in order; each gets a new number.
//! 2. The words of all segments, in order, each once. Its postings are read from every segment it is in and written with the
//!    new numbers; a word that stands nowhere any more is dropped.
//! 3. Names follow their documents, with the new numbers of their words.

use super::index::Layer;
use super::postings::{Field, push};
use super::segment::{NamePart, Segment};

/// Merges layers into one segment.
pub fn merge(layers: &[Layer]) -> Segment {
    let mut alive: Vec<(usize, u32)> = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let documents = 0..layer.segment.entries.len() as u32;
        alive.extend(documents.filter(|document| layer.is_alive(*document)).map(|document| (at, document)));
    }
    let entry = |(at, document): (usize, u32)| {
        layers.get(at).and_then(|layer| layer.segment.entries.get(document as usize))
    };
    alive.sort_by_key(|place| entry(*place).map(|entry| entry.key()));
    let mut documents: Vec<Vec<Option<u32>>> =
        layers.iter().map(|layer| vec![None; layer.segment.entries.len()]).collect();
    for (number, (at, document)) in (0..).zip(&alive) {
        if let Some(slot) = documents.get_mut(*at).and_then(|list| list.get_mut(*document as usize)) {
            *slot = Some(number);
        }
    }

    let mut numbers: Vec<Vec<u32>> =
        layers.iter().map(|layer| vec![0; layer.segment.len() as usize]).collect();
    let mut next = vec![0u32; layers.len()];
    let mut words: Vec<&str> = Vec::new();
    let (mut postings, mut begins) = (Vec::new(), Vec::new());
    loop {
        let word = layers.iter().zip(&next);
        let word =
            word.filter(|(layer, at)| **at < layer.segment.len()).map(|(layer, at)| layer.segment.word(*at));
        let Some(word) = word.min() else { break };
        let mut found: Vec<(u32, Vec<(Field, u32)>)> = Vec::new();
        for ((layer, at), (numbers, documents)) in
            layers.iter().zip(&mut next).zip(numbers.iter_mut().zip(&documents))
        {
            if *at >= layer.segment.len() || layer.segment.word(*at) != word {
                continue;
            }
            if let Some(number) = numbers.get_mut(*at as usize) {
                *number = words.len() as u32;
            }
            let mut reader = layer.segment.postings(*at);
            let mut fields = Vec::new();
            while let Some(document) = reader.next(|field, times| fields.push((field, times))) {
                if let Some(document) = documents.get(document as usize).copied().flatten() {
                    found.push((document, std::mem::take(&mut fields)));
                }
                fields.clear();
            }
            *at += 1;
        }
        if found.is_empty() {
            continue;
        }
        found.sort_unstable_by_key(|(document, _)| *document);
        words.push(word);
        begins.push(postings.len() as u32);
        let mut after = 0;
        for (document, fields) in found {
            push(&mut postings, after, document, &fields);
            after = document + 1;
        }
    }
    begins.push(postings.len() as u32);

    let (mut names, mut names_begin) = (Vec::new(), Vec::new());
    for (at, document) in &alive {
        names_begin.push(names.len() as u32);
        let (Some(layer), Some(numbers)) = (layers.get(*at), numbers.get(*at)) else { continue };
        let renamed = |part: &NamePart| part.renamed(numbers.get(part.word() as usize).copied().unwrap_or(0));
        names.extend(layer.segment.packed_names(*document).iter().map(renamed));
    }
    names_begin.push(names.len() as u32);
    let entries = alive.iter().filter_map(|place| entry(*place).cloned()).collect();
    let body = |(at, document): &(usize, u32)| {
        layers.get(*at).and_then(|layer| layer.segment.bodies.get(*document as usize).copied()).unwrap_or(0)
    };
    let bodies = alive.iter().map(body).collect();
    Segment::assembled((entries, bodies), &words, (postings, begins), (names, names_begin))
}
