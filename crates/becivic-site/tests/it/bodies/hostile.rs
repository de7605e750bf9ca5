//! Large and deep texts: the work grows with the text, and with nothing else.

use super::parity::assert_sound;
use super::{facts, printed};
use becivic_core::vocabulary::Language;
use becivic_site::body::plain;

/// The largest HTML that a byte of text may become: a bracket, or a tag in a few bytes, is a link of a few hundred.
const MOST_PER_BYTE: usize = 64;

/// Rows shorter than their table get empty cells, up to 262,144 of them in one text, each an element of ten bytes.
const EMPTY_CELLS: usize = 262_144 * 10;

#[test]
fn large_and_deep_texts_are_printed() {
    let table = format!("|{}\n|{}\n{}", "a|".repeat(100), "-|".repeat(100), "b|c\n".repeat(2_000));
    let deep: String = (0..400).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect();
    for text in [
        "* + ".repeat(50_000),
        "> ".repeat(100_000),
        "*a ".repeat(100_000),
        "**a *b ".repeat(20_000) + &" c* d**".repeat(20_000),
        "[".repeat(1 << 20),
        "[a](https://x.be) ".repeat(50_000),
        "# same\n\n".repeat(20_000),
        "<b>".repeat(100_000),
        table,
        deep,
    ] {
        let it = plain(&text);
        assert!(
            it.html.len() <= text.len() * MOST_PER_BYTE + EMPTY_CELLS,
            "{} from {}",
            it.html.len(),
            text.len()
        );
        if text.len() < 200_000 {
            assert_sound(&it.html);
        }
    }
}

#[test]
fn many_tags_are_printed() {
    let law =
        "<Ref name=\"law\" uid=\"ref-00001\" title=\"t\" url=\"https://a.be\" last_verified=\"\">l</Ref>";
    for body in [
        format!("{law} ") + &"[law] ".repeat(30_000),
        "<VV name=\"f\" uid=\"val-00002\">1</VV> ".repeat(5_000),
        "<Risk>\n\n- a\n\n".repeat(1_000) + &"</Risk>\n\n".repeat(1_000),
        "*<Risk>a* b</Risk> ".repeat(5_000),
        "<Observations skill=\"arrival-declaration\" />\n\n".repeat(5_000),
        "- <Path id=\"household-certificate\" />\n".repeat(5_000),
    ] {
        let it = printed(&body, &facts(), Language::En, &[]);
        assert!(
            it.html.len() <= body.len() * MOST_PER_BYTE + 10_000,
            "{} from {}",
            it.html.len(),
            body.len()
        );
        assert_sound(&it.html);
    }
}
