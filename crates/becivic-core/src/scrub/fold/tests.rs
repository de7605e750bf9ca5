use super::*;

#[test]
fn tricks_are_undone() {
    for (text, folded) in [
        ("plain 85.07", "plain 85.07"),
        ("déjà vu à Liège, 5 €", "déjà vu à Liège, 5 €"),
        ("８５．０７．３０", "85.07.30"),
        ("8\u{200B}5\u{AD}.\u{2060}0\u{FEFF}7", "85.07"),
        ("85\u{2011}07\u{2013}30\u{2212}1", "85-07-30-1"),
        ("85\u{A0}07\u{202F}30\u{3000}1", "85 07 30 1"),
        ("٨٥·٠٧", "85.07"),
        ("𝟖𝟓 ①② ²", "85 12 2"),
        ("e\u{301}te\u{301}", "été"),
        ("8\u{332}5\u{20E3}", "85"),
        ("1\u{FE0F}\u{20E3}", "1"),
        ("½ ﬁn №", "1/2 fin No"),
        ("name＠host﹒be", "name@host.be"),
        ("\u{412}\u{415}68", "BE68"),
        ("Все в 2024", "Все в 2024"),
        ("l’été “vu”", "l'été \"vu\""),
    ] {
        assert_eq!(Folded::new(text).text(), folded, "{text:?}");
    }
}

#[test]
fn every_table_is_there() {
    for (c, folding) in [
        ('\u{AD}', Folding::Drop),
        ('٣', Folding::Become('3')),
        ('\u{332}', Folding::Mark),
        ('\u{2010}', Folding::Become('-')),
        ('\u{2009}', Folding::Become(' ')),
        ('é', Folding::Keep),
    ] {
        assert_eq!(table::folding(c), folding, "{c:?}");
    }
}

#[test]
fn spans_lead_back_to_what_was_written() {
    let text = "a\u{200B}８\u{AD}5e\u{301}\u{323} ½!";
    let folded = Folded::new(text);
    assert_eq!(folded.text(), "a85é\u{323} 1/2!".replace('\u{323}', ""));
    let original = |part: &str| {
        let start = folded.text().find(part).expect("there");
        &text[folded.original(start..start + part.len())]
    };
    assert_eq!(original("85"), "８\u{AD}5");
    assert_eq!(original("a"), "a");
    assert_eq!(original("5"), "5");
    assert_eq!(original("1"), "½");
    assert_eq!(original("/2!"), "½!");
    assert_eq!(original("é"), "e\u{301}");
    assert_eq!(original(" "), " ");
}

#[test]
fn parts_in_a_row_lead_back_one_by_one() {
    let text = "x８５½½٨٥\u{AD}\u{200B}ｅ\u{AD}\u{301}ｅｅ\u{301}";
    let folded = Folded::new(text);
    assert_eq!(folded.text(), "x851/21/285ée\u{e9}");
    let borders: Vec<usize> = folded.text().char_indices().map(|(at, _)| at).collect();
    let written = |character: usize| {
        let end = borders.get(character + 1).copied().unwrap_or(folded.text().len());
        &text[folded.original(borders[character]..end)]
    };
    let all: Vec<&str> = (0..borders.len()).map(written).collect();
    let expected =
        ["x", "８", "５", "½", "½", "½", "½", "½", "½", "٨", "٥", "ｅ\u{AD}\u{301}", "ｅ", "ｅ\u{301}"];
    assert_eq!(all, expected);
}

proptest::proptest! {
    /// Whatever is folded, every span of the result is a span of the original, on its borders, in order.
    #[test]
    fn spans_are_always_on_borders(text in "[a1é８ｅ½\u{200B}\u{301}\u{323}\u{AD} \u{2013}А😀]{0,24}") {
        let folded = Folded::new(&text);
        let borders: Vec<usize> =
            folded.text().char_indices().map(|(at, _)| at).chain([folded.text().len()]).collect();
        let (mut on, mut back) = (folded.way_back(), folded.way_back());
        for (index, start) in borders.iter().enumerate() {
            for end in &borders[index + 1..] {
                let span = folded.original(*start..*end);
                // It does not matter what was asked before.
                proptest::prop_assert_eq!(&span, &on.original(*start..*end));
                back.original(0..borders[borders.len() - 1 - index].max(1));
                proptest::prop_assert_eq!(&span, &back.original(*start..*end));
                proptest::prop_assert!(text.get(span.clone()).is_some_and(|part| !part.is_empty()), "{span:?}");
            }
        }
    }
}
