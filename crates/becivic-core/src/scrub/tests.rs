use super::*;
use crate::jsregex::Machine;
use proptest::prelude::*;
use serde_json::json;

fn scrubber(rules: serde_json::Value) -> Scrubber {
    let rules: Vec<serde_json::Value> = rules
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| {
            let mut whole = json!({"name": "x", "description": "x", "flags": "u", "checksum": null,
                                   "applies_to_fields": "all_strings", "category": "metadata"});
            let all = whole.as_object_mut().expect("an object");
            all.extend(rule.as_object().expect("an object").clone());
            whole
        })
        .collect();
    let file = json!({"schema_version": 2, "rules": rules});
    Scrubber::unjudged(serde_json::from_value(file).expect("well-formed")).expect("bounded")
}

fn found<'t>(scrubber: &Scrubber, text: &'t str) -> Vec<(usize, &'t str)> {
    scrubber.scan(text).into_iter().map(|hit| (hit.rule, &text[hit.span])).collect()
}

#[test]
fn hits_are_of_the_original_text() {
    let scrubber = scrubber(json!([{"pattern": r"(?<!\d)\d{2}\.\d{2}(?!\d)"}, {"pattern": r"\d{3,5}(?!-)"}]));
    assert_eq!(found(&scrubber, "é85.07 x"), [(0, "85.07")]);
    assert_eq!(found(&scrubber, "vu ８５\u{200B}．０７!"), [(0, "８５\u{200B}．０７")]);
    assert_eq!(found(&scrubber, "12345-"), [(1, "1234")]);
    assert_eq!(found(&scrubber, "85.071"), [(1, "071")]);
    assert_eq!(found(&scrubber, "nothing at all"), []);
    assert_eq!(found(&scrubber, ""), []);
}

#[test]
fn nothing_is_lost_where_parts_of_a_text_meet() {
    let scrubber = scrubber(json!([
        {"pattern": r"(?<!\d)\d{4}(?!\d)"},
        {"pattern": r"(?<![a-z.])[a-z.]{1,20}@[a-z]{2,8}\.be"},
        {"pattern": r"num[eé]ro \d"},
    ]));
    // Texts are read in parts, these in blocks, and each block at several places at the same time.
    for (filler, border) in
        ["x", "é", "."].into_iter().flat_map(|filler| [4_096, 16_384, 262_144].map(|border| (filler, border)))
    {
        for shift in 0..40 {
            let before = filler.repeat((border - shift) / filler.len());
            let text = format!("{before} 1234 a.b@host.be numéro 5 {}", filler.repeat(20_000));
            let expected = [(0, "1234"), (1, "a.b@host.be"), (2, "numéro 5")];
            assert_eq!(found(&scrubber, &text), expected, "{shift} before {border}");
        }
    }
}

/// Longer than a part, which is read as a whole.
const LONG: usize = 300_000;

/// What several readers find, and what one does.
fn by_both(scrubber: &Scrubber, text: &str, readers: usize) -> (Vec<Hit>, Vec<Hit>) {
    (scrubber.scan_by(text, readers), scrubber.scan_with(text, |_| true))
}

/// Steps that a byte of a text may take at most.
const STEPS: u64 = 20;

#[test]
fn what_never_comes_to_an_end_takes_a_few_steps_a_byte() {
    let scrubber = Scrubber::bundled().expect("our own rules");
    let pieces = [
        "J'habite,",
        "J'habite ",
        "Wohne J'habite woon,woon,(woon,'",
        "verhuisd naar ",
        "mon adresse rue a b c d e f g ",
        "rue 12a bureau Rue Rue 12a Rue ",
        "Rue 1, 1000 A",
        "/0",
        "½",
    ];
    for piece in pieces {
        let cost = |length: usize| scrubber.cost(&piece.repeat(length / piece.len()));
        cost(LONG); // what is learnt once does not count
        let steps = cost(LONG) / LONG as u64;
        assert!(steps <= STEPS, "{steps} steps a byte for {piece:?}");
    }
}

#[test]
fn several_readers_find_what_one_does() {
    let scrubber = Scrubber::bundled().expect("our own rules");
    let pieces = [
        "0470 00 00 01 ",
        "+32 470 00 00 01, ",
        "85.07.30-951.80 ",
        "BE68 5390 0754 7034 ",
        "a@example.org ",
        "1",
        "12 ",
        ".",
        "é",
        "\u{200B}",
        "geboren op 1.2.1990 ",
        "50.8466, 4.3528 ",
        "rue 12a ",
        "bureau ",
        "woon ",
        "le 3 mai",
        "\n",
        "４７０ ",
    ];
    let repeated = pieces.iter().map(|piece| piece.repeat(LONG / piece.len()));
    // Each after others again and again.
    let mixed = (1..pieces.len() / 2).map(|step| {
        (0..LONG / 9)
            .filter_map(|at| pieces.get((at * step + at * at / 7) % pieces.len()))
            .copied()
            .collect::<String>()
    });
    let mut matched = 0;
    for text in repeated.chain(mixed) {
        for readers in [2, 5] {
            let (several, one) = by_both(scrubber, &text, readers);
            assert_eq!(several, one, "{readers} readers of {:?} …", text.get(..60));
            matched += one.len();
        }
    }
    assert!(matched > 100_000, "{matched}");
}

#[test]
fn a_match_that_reaches_into_the_next_stretch_moves_those_behind_it() {
    // A reader that begins at another place of the repetition finds other matches, and never comes to those of the first.
    let scrubber = scrubber(
        json!([{"pattern": "abcabc"}, {"pattern": "[a-c]{5}"}, {"pattern": "a{3,7}"}, {"pattern": "ca"}]),
    );
    for (text, more) in [("abc", ""), ("abcab", "c"), ("a", "b"), ("aab", "")] {
        for shift in 0..4 {
            let text = more.repeat(shift) + &text.repeat(LONG / text.len());
            for readers in [2, 3] {
                let (several, one) = by_both(&scrubber, &text, readers);
                assert!(one.len() > 20_000);
                assert_eq!(several, one, "{shift}, {readers}");
            }
        }
    }
}

#[test]
fn a_text_that_has_to_be_seen_whole_is_shared_by_its_readers() {
    let scrubber = scrubber(json!([
        {"pattern": r"(?<=^[^\n]*x[^\n]*)\d{2}"},
        {"pattern": r"(?<![^.]*é[^.]*) 1"},
        {"pattern": r"2 {1,3}1(?=[^\n]*y)"},
        {"pattern": "2 {1,3}12"},
    ]));
    for (begin, end) in [("x", "y"), ("", ""), ("\nx", "\ny"), ("é", ""), ("x.", "y\n")] {
        let text = format!("{begin}{}{end}", " 12 ".repeat(100_000));
        for readers in [2, 5] {
            let (several, one) = by_both(&scrubber, &text, readers);
            assert!(one.len() > 40_000, "{}", one.len());
            assert_eq!(several, one, "{begin:?} {end:?} {readers}");
        }
    }
}

#[test]
fn what_stands_far_behind_the_border_of_a_part_is_seen() {
    let scrubber = scrubber(json!([
        {"pattern": r"(?<!a)a{150,200}(?=[^b]{0,998}b)"},
        {"pattern": r"(?<!c)c{200}(?![^b]{0,998}b)"},
    ]));
    let text = |letter: &str| format!("{}{}{}b", "x".repeat(262_143), letter.repeat(200), "😀".repeat(998));
    assert_eq!(found(&scrubber, &text("a")), [(0, "a".repeat(200).as_str())]);
    assert_eq!(found(&scrubber, &text("c")), []);
}

#[test]
fn a_place_with_very_many_conditions_is_decided() {
    let letters = || ('a'..='z').flat_map(|one| ('a'..='z').map(move |other| format!("{one}{other}")));
    let ways: Vec<String> = letters().map(|pair| format!("(?!{pair}){pair}|(?!{pair})q")).collect();
    let scrubber = scrubber(json!([{"pattern": format!("x(?:{})", ways[..300].join("|"))}]));
    assert_eq!(found(&scrubber, "xab xq xx xqx"), [(0, "xq"), (0, "xq")]);
}

#[test]
fn what_was_found_before_the_whole_is_read_is_found_once() {
    let scrubber = scrubber(json!([
        {"pattern": r"(?<!bureau[^.]*)rue [0-9]"},
        {"pattern": r"(?<!\d)\d{4}(?!\d)"},
        {"pattern": r"(?<![a-z.])[a-z.]{1,20}@[a-z]{2,8}\.be"},
    ]));
    // Nothing near the street tells whether an office stands before it.
    let [far, rest] = ["x ".repeat(1_000), "y ".repeat(200_000)];
    let text = format!("1234 a.b@host.be. {far}rue 5 {rest}5678 c@host.be bureau, {far}rue 6");
    let expected = [(1, "1234"), (2, "a.b@host.be"), (0, "rue 5"), (1, "5678"), (2, "c@host.be")];
    assert_eq!(found(&scrubber, &text), expected);
}

#[test]
fn what_stands_far_before_is_seen_however_long_the_text() {
    let scrubber = scrubber(json!([{"pattern": r"(?<!bureau[^.]*)rue [0-9]"}]));
    let streets = "rue 1 ".repeat(60_000);
    let hidden = format!("bureau {streets}. rue 2");
    assert_eq!(found(&scrubber, &hidden), [(0, "rue 2")]);
    assert_eq!(found(&scrubber, &streets).len(), 60_000);
}

#[test]
fn what_stands_far_behind_is_seen_wherever_it_is() {
    let scrubber = scrubber(json!([{"pattern": r"rue [0-9]{1,3}(?![^.]*bureau)"}]));
    // Sentences of up to some thousand streets, and in most of them an office somewhere.
    let mut text = String::new();
    let mut expected = 0;
    for sentence in 0_usize..300 {
        let streets = 1 + sentence * sentence * 7 % 1_900;
        let office = (!sentence.is_multiple_of(4)).then(|| sentence * 31 % streets);
        for street in 0..streets {
            let between = if (street + sentence).is_multiple_of(3) { "é" } else { "" };
            text += &format!("{between} rue {}", street % 150);
            text += if office == Some(street) { " bureau" } else { "" };
        }
        text += ".";
        expected += streets - office.map_or(0, |office| office + 1);
    }
    assert_eq!(scrubber.scan(&text).len(), expected);
    let first = text.split_inclusive('.').find(|sentence| sentence.contains("bureau")).expect("one");
    let last = first.rfind("bureau").expect("it is there");
    assert_eq!(
        scrubber.scan(first).first().map(|hit| hit.span.start),
        first[last..].find("rue").map(|at| last + at)
    );
}

#[test]
fn a_failed_checksum_hides_nothing_behind_it() {
    let scrubber = scrubber(json!([{"pattern": r"\d{16}", "checksum": "luhn"}]));
    let number = "4539578763621486";
    assert_eq!(found(&scrubber, &format!("1{number}")), [(0, number)]);
    assert_eq!(found(&scrubber, "4539578763621487"), []);
}

/// Rules of numbers that begin at nearly every place, some of them as words do too.
const DENSE: [(&str, Option<&str>); 4] = [
    (r"(?<![0-9])[0-9](?:[ .]{1,2}[0-9]){10}(?![0-9])", Some("modulo_97_belgian_nrn")),
    // Which branch matches decides how long the number is.
    (r"(?<![0-9])(?:(?<!1 )[0-9](?: [0-9]){11}|(?<!2 )[0-9](?: [0-9]){10})(?![0-9])", Some("luhn")),
    (r"(?<!AB)(?<!1[ .])(?!77)(?![A-F]3)[0-9A-F][0-9]{2}(?! B)(?!1 )", None),
    (r"(?<![0-9])(?:[0-9] ){3}(?:[0-9] ){8}[0-9](?![0-9])", Some("modulo_97_belgian_card")),
];

/// What the rules find when each is tried alone, at one place after another.
fn found_alone(text: &str) -> Vec<(usize, &str)> {
    let mut all: Vec<(usize, usize, usize)> = Vec::new();
    for (rule, (pattern, checksum)) in DENSE.iter().enumerate() {
        let pattern = Regex::new(pattern, "u").expect("bounded");
        let checksum = checksum.and_then(scrub_rules::checksum);
        let (mut machine, mut place) = (Machine::new(), 0);
        while place < text.len() {
            let end = machine.match_at(&pattern, text, place);
            match end.filter(|end| checksum.is_none_or(|checksum| checksum.holds(&text[place..*end]))) {
                Some(end) => {
                    all.push((place, end, rule));
                    place = end;
                }
                None => place += 1,
            }
        }
    }
    all.sort_unstable();
    all.into_iter().map(|(from, to, rule)| (rule, &text[from..to])).collect()
}

proptest! {
    /// Checksums that are asked early, beginnings and conditions that are taken apart or put together make no difference.
    #[test]
    fn dense_numbers_are_found_as_each_rule_finds_them(text in "([0-9] ){0,60}|([0-9][ .]{1,2}){0,60}|[0-9AB. ]{0,80}") {
        let rules: Vec<serde_json::Value> =
            DENSE.iter().map(|(pattern, checksum)| json!({"pattern": pattern, "checksum": checksum})).collect();
        prop_assert_eq!(found(&scrubber(json!(rules)), &text), found_alone(&text));
    }
}

#[test]
fn a_number_among_digits_is_found() {
    let scrubber = Scrubber::bundled().expect("our own rules");
    let number = "7 9 1 0 0 5 9 7 7 2 0";
    let nrn = scrubber.rules().iter().position(|rule| rule.name == "nrn").expect("a rule");
    for before in ["", "1 ", "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8 4 6 2 6 4 3 3 8 "] {
        let text = format!("{before}{number} 8 5 3");
        assert!(found(scrubber, &text).contains(&(nrn, number)), "after {before}");
    }
}

#[test]
fn rules_without_the_unicode_flag_read_units() {
    let scrubber = scrubber(json!([
        {"pattern": r"a..b", "flags": ""},
        {"pattern": r"a.b", "flags": "u"},
        {"pattern": r"c.", "flags": ""},
    ]));
    assert_eq!(found(&scrubber, "a😀b 😀 a😀b"), [(0, "a😀b"), (1, "a😀b"), (0, "a😀b"), (1, "a😀b")]);
    // Half a character is no place to cut: the hit holds all of it.
    assert_eq!(found(&scrubber, "c😀!"), [(2, "c😀")]);
}

#[test]
fn fields_and_keys_are_read() {
    let scrubber = scrubber(json!([
        {"pattern": "secret"},
        {"pattern": "only", "applies_to_fields": ["content.notes", "content.list[].claim"]},
    ]));
    let value = json!({
        "only": "only",
        "content": {
            "notes": {"fr": "only"},
            "notes_too": "only",
            "list": [{"claim": "only"}, {"other": "only", "a/secret": 1}],
        },
    });
    let found: Vec<(String, bool)> =
        scrubber.scan_value(&value).into_iter().map(|hit| (hit.pointer, hit.in_key)).collect();
    let expected =
        [("/content/notes/fr", false), ("/content/list/0/claim", false), ("/content/list/1", true)];
    assert_eq!(found, expected.map(|(pointer, in_key)| (pointer.to_owned(), in_key)));
}

#[test]
fn the_bundled_rules_are_sound() {
    let rules: ScrubRules = serde_json::from_str(BUNDLED).expect("well-formed");
    assert_eq!(scrub_rules::unknown_checksums(&rules), []);
    assert_eq!(scrub_rules::check(&rules), []);
}

#[test]
fn what_is_told_is_the_answer() {
    let scrubber = Scrubber::bundled().expect("our own rules");
    let many = "a@example.org, ".repeat(9_000);
    for text in ["", "Nothing here.", "name@example.org, 79.10.05-977.20 and rue Haute 12", &many] {
        let hits = scrubber.scan(text);
        let mut told = Vec::new();
        let write = |piece: &[u8]| {
            told.extend_from_slice(piece);
            Ok::<(), std::convert::Infallible>(())
        };
        scrubber.tell(&hits, write).expect("nothing can fail");
        assert_eq!(told, serde_json::to_vec(&scrubber.answer(text)).expect("JSON"), "{text}");
    }
}
