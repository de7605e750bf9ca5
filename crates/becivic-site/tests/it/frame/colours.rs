//! The colours of both schemes, read from the styles: text on each ground it stands on has the contrast that WCAG 2.2 AA asks for
//! (4.5 for text, 3 for the edges of controls), and the two lists of the dark scheme are the same.

use std::collections::BTreeMap;

const CSS: &str = include_str!("../../../assets/site.css");

type Scheme = BTreeMap<String, String>;

/// The variables of each list of colours, in order: light, dark by choice, dark by preference.
fn schemes() -> Vec<Scheme> {
    let lists = CSS.split("color-scheme: ").skip(1);
    let screen = lists.filter_map(|list| list.split_once('}').map(|(list, _)| list));
    let read = |list: &str| -> Scheme {
        let pairs = list.split(';').filter_map(|line| line.trim().split_once(": "));
        let colours = pairs.filter(|(name, value)| name.starts_with("--") && value.starts_with('#'));
        colours.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    screen.map(read).filter(|scheme| scheme.len() > 10).collect()
}

/// Relative luminance, as WCAG defines it.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("#rrggbb");
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_can_be_read_in_both_schemes() {
    let schemes = schemes();
    assert_eq!(schemes.len(), 3);
    assert_eq!(schemes[1], schemes[2], "dark by choice and by preference");
    let grounds = ["--page", "--soft", "--note-soft", "--care-soft", "--alarm-soft", "--good-soft"];
    let mut pairs: Vec<(&str, &str, f64)> = Vec::new();
    for ground in grounds {
        pairs.extend(["--ink", "--quiet", "--link"].map(|text| (text, ground, 4.5)));
        pairs.push(("--edge", ground, 3.0));
    }
    for (tone, soft) in [
        ("--note", "--note-soft"),
        ("--care", "--care-soft"),
        ("--alarm", "--alarm-soft"),
        ("--good", "--good-soft"),
    ] {
        pairs.extend([(tone, soft, 4.5), (tone, "--page", 4.5)]);
    }
    pairs.extend([("--on-accent", "--accent", 4.5), ("--on-accent-quiet", "--accent", 4.5)]);
    for scheme in &schemes {
        for (text, ground, least) in &pairs {
            let found = contrast(&scheme[*text], &scheme[*ground]);
            assert!(found >= *least, "{text} on {ground}: {found:.2} in {scheme:?}");
        }
    }
}
