use super::*;

/// All matches, as JavaScript's `matchAll` gives them.
fn all<'t>(pattern: &str, flags: &str, text: &'t str) -> Vec<&'t str> {
    let regex = Regex::new(pattern, flags).expect("readable");
    let mut machine = Machine::new();
    let (mut found, mut from) = (Vec::new(), 0);
    for start in borders(text) {
        if start >= from
            && let Some(end) = machine.match_at(&regex, text, start)
        {
            found.push(&text[start..end]);
            from = end.max(start + 1);
        }
    }
    found
}

#[test]
fn matches_are_those_of_javascript() {
    for (pattern, flags, text, expected) in [
        (r"\b\d+\b", "", "é85 a7 9", &["85", "9"][..]),
        (r"\w+", "", "naïve", &["na", "ve"]),
        (r"a|ab", "", "ab", &["a"]),
        (r"\d{3,5}(?!-)", "", "12345-", &["1234"]),
        (r"(?<=€ ?)\d+", "", "€ 12 of 13, €14", &["12", "14"]),
        (r"(?<!\d)\d{2}(?!\d)", "", "12 345 67", &["12", "67"]),
        (r"a+?b", "", "aab", &["aab"]),
        (r"[^\d]", "", "1é2", &["é"]),
        (r"^x$", "m", "x\nx\u{2028}x", &["x", "x", "x"]),
        (r".+", "", "a\u{2029}b", &["a", "b"]),
        (r"É", "iu", "é", &["é"]),
        (r"s", "iu", "ſ", &["ſ"]),
        (r"s", "i", "ſS", &["S"]),
        (r"[^s]", "iu", "ſSa", &["a"]),
        (r"\p{Lu}\p{Ll}+", "u", "ça Été Zoë", &["Été", "Zoë"]),
        (r"^.$", "u", "😀", &["😀"]),
        (r"(?=(?:a|b)c)[ab]", "", "ac bd bc", &["a", "b"]),
        (r"(?<=(?<!x)a)b", "", "ab xab", &["b"]),
        (r"(a)(b)?", "", "ab a", &["ab", "a"]),
        (r"\d(?<!no[^.]*)", "", "1 no 2. 3 é4", &["1", "3", "4"]),
        (r"\d(?=[^.]*yes)(?<=^.*)", "", "1 yes 2. 3 éyes", &["1", "3"]),
        (r"\w(?=.*$)(?![^]*b)", "", "abc", &["b", "c"]),
    ] {
        assert_eq!(all(pattern, flags, text), expected, "/{pattern}/{flags}");
    }
}

#[test]
fn without_the_unicode_flag_a_wide_character_is_two_units() {
    assert!(!Regex::new("^.$", "").expect("readable").is_match("😀"));
    assert!(Regex::new("^..$", "").expect("readable").is_match("😀"));
    assert!(Regex::new(r"^[\uD800-\uDBFF][\uDC00-\uDFFF]$", "").expect("readable").is_match("😀"));
    assert!(Regex::new("😀", "").expect("readable").is_match("a😀"));
    assert!(
        !Regex::new(r"[\uD800-\uDFFF]", "")
            .expect("readable")
            .is_match("\u{F0000}a".trim_start_matches('\u{F0000}'))
    );
}

#[test]
fn what_cannot_be_bounded_is_refused() {
    for (pattern, flags, why) in [
        ("(", "", Refused::Syntax),
        ("a", "g", Refused::Flags),
        ("a", "ii", Refused::Flags),
        ("a", "v", Refused::Flags),
        (r"(a)\1", "", Refused::Reference),
        (r"(?<n>a)\k<n>", "u", Refused::Reference),
        (r"(?=.*\bx)a", "", Refused::Look),
        (r"(?<!a+(?!c))b", "", Refused::Look),
        (r"(?:a?)*", "", Refused::EmptyRepeat),
        (r"(?:\b)+", "", Refused::EmptyRepeat),
        (r"a{1000000}", "", Refused::Size),
        (r"(?:a{1000}){1000}", "", Refused::Size),
        (r"\p{Nonsense}", "u", Refused::Syntax),
    ] {
        assert_eq!(Regex::new(pattern, flags).err(), Some(why), "/{pattern}/{flags}");
    }
    let deep = "(".repeat(2_000) + &")".repeat(2_000);
    assert_eq!(Regex::new(&deep, "").err(), Some(Refused::Depth));
}

/// The cost per character stays the same however long the text is.
#[test]
fn steps_grow_with_the_text_and_not_faster() {
    for pattern in [
        r"^(a+)+$",
        r"(a|a)*b",
        r"(?:a|b|ab)*c",
        r"[a-z]+@",
        r"a(?:.*b)?",
        r"\w*\w*\w*x",
        r"a(?=.*b)",
        r"(?<!b.*)a",
    ] {
        let regex = Regex::new(pattern, "").expect("readable");
        let steps = |length: usize| {
            let text = "a".repeat(length);
            let mut machine = Machine::new();
            borders(&text).for_each(|start| {
                machine.match_at(&regex, &text, start);
            });
            machine.steps()
        };
        assert!(steps(4_000) < 5 * steps(1_000), "{pattern}: {} then {}", steps(1_000), steps(4_000));
    }
}
