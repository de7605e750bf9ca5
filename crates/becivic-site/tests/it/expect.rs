//! Texts that are compared with files, and written to them when `UPDATE_EXPECT=1` is set.

use std::path::Path;

/// Compares a text with a file below `tests/it/`.
pub fn file(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|it| it == "1") {
        std::fs::write(&path, actual).expect("the file can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{name}: {error}; set UPDATE_EXPECT=1 to write it"));
    assert!(
        expected == actual,
        "{name} differs; set UPDATE_EXPECT=1 to rewrite it.\n--- expected\n{expected}\n--- actual\n{actual}"
    );
}
