//! What was printed before, in files: `UPDATE_EXPECT=1` writes them anew, and a person reads the difference.

use std::path::Path;

/// Compares a text with the file of this name beside the tests.
pub fn expect(name: &str, actual: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(file.parent().expect("it stands in a folder")).expect("a folder");
        std::fs::write(&file, actual).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = expected.lines().zip(actual.lines()).position(|(was, is)| was != is);
    assert!(
        expected == actual,
        "{name} is different, first at line {differs:?}; UPDATE_EXPECT=1 writes it anew:\n{actual}"
    );
}
