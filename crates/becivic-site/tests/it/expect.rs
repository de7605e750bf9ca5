//! Texts that are compared with committed ones. `UPDATE_EXPECT=1` writes what is there now; read the difference before keeping it.

use std::path::Path;

/// Compares a text with `tests/it/<name>`.
pub fn expect(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&path, found).expect("written");
        return;
    }
    let expected =
        std::fs::read_to_string(&path).unwrap_or_else(|_| unreachable!("{name} is missing: UPDATE_EXPECT=1"));
    assert!(expected == found, "{name} differs; UPDATE_EXPECT=1 writes it anew. Found:\n{found}");
}
