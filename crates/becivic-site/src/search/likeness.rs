//! How alike two folded words are. Both are plain ASCII, so bytes are letters.

/// How well a word that was found answers to one that was asked for: 8 is the same, 0 is nothing alike.
pub fn likeness(asked: &str, found: &str) -> u32 {
    let (letters, of) = (asked.len(), found.len());
    if asked == found {
        return 8;
    }
    if letters >= 2 && found.starts_with(asked) {
        return 6;
    }
    let wrong = if letters >= 4 {
        distance(asked.as_bytes(), found.as_bytes(), if letters >= 8 { 2 } else { 1 })
    } else {
        3
    };
    if wrong <= 1 {
        5
    } else if letters >= 4 && found.contains(asked) {
        4
    } else if letters >= 8 && wrong == 2 {
        3
    } else if of >= 5 && asked.contains(found) {
        2
    } else {
        0
    }
}

/// Letters to change, add, drop, or swap with the next one; more than `most` counts as `most + 1`.
fn distance(a: &[u8], b: &[u8], most: usize) -> usize {
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut older: Vec<usize> = Vec::new();
    let mut before: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut now = Vec::with_capacity(b.len() + 1);
        now.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX / 2);
            let change = at(&before, j) + usize::from(x != y);
            let mut least = change.min(at(&before, j + 1) + 1).min(at(&now, j) + 1);
            let is_swap = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if is_swap {
                least = least.min(at(&older, j - 1) + 1);
            }
            now.push(least);
        }
        if now.iter().min().is_some_and(|least| *least > most) {
            return most + 1;
        }
        older = std::mem::replace(&mut before, now);
    }
    before.last().copied().unwrap_or(0).min(most + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_alike_in_seven_ways() {
        for (asked, found, expected) in [
            ("adresse", "adresse", 8),
            ("verhui", "verhuizen", 6),
            ("v", "verhuizen", 0),
            ("natonality", "nationality", 5),
            ("adrese", "adresse", 5),
            ("adresses", "adresse", 5),
            ("ardesse", "adresse", 5),
            ("register", "strafregister", 4),
            ("ster", "strafregister", 4),
            ("str", "bestraf", 0),
            ("natonalitie", "nationality", 0),
            ("nationalty", "nationalite", 3),
            ("bevolkingsregister", "bevolking", 2),
            ("bevolkingsregister", "volk", 0),
            ("moving", "living", 0),
            ("abc", "abd", 0),
        ] {
            assert_eq!(likeness(asked, found), expected, "{asked} / {found}");
        }
    }
}
