//! The dependencies a `Cargo.toml` names, with their lines.
//!
//! 1. Walk the lines, remembering the table we are in and how many brackets are open.
//! 2. In a dependency table, a line at depth 0 names a dependency: what stands before `.` or `=`.
//! 3. A table `[dependencies.name]` names one too.
//!
//! We read our own, formatted manifests, so lines are enough and give the line numbers for free.

/// How a dependency is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `[dependencies]` and `[build-dependencies]`, per target or not.
    Normal,
    /// `[dev-dependencies]`.
    Dev,
    /// `[workspace.dependencies]`.
    Workspace,
}

/// One dependency a manifest names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// Its name as written.
    pub name: String,
    /// How it is used.
    pub kind: Kind,
    /// The line that names it, from 1.
    pub line: usize,
    /// Whether it is a path into this workspace.
    pub is_path: bool,
}

/// Reads the dependencies of one manifest.
pub fn dependencies(text: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut table = None;
    let mut depth = 0_i32;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if depth == 0 && line.starts_with('[') {
            let (kind, name) = table_of(line.trim_matches(['[', ']']));
            table = kind;
            if let (Some(kind), Some(name)) = (kind, name) {
                found.push(dependency(name, kind, index, line));
                table = None;
            }
            continue;
        }
        if let (0, Some(kind), Some((key, _))) = (depth, table, line.split_once('=')) {
            let name = key.split('.').next().unwrap_or(key);
            found.push(dependency(name, kind, index, line));
        }
        depth += opened(line);
    }
    found
}

fn dependency(name: &str, kind: Kind, index: usize, line: &str) -> Dependency {
    Dependency {
        name: name.trim().trim_matches('"').to_owned(),
        kind,
        line: index + 1,
        is_path: line.contains("path ="),
    }
}

/// The kind of a table's header, and the dependency it names itself.
fn table_of(header: &str) -> (Option<Kind>, Option<&str>) {
    let kinds = [
        ("workspace.dependencies", Kind::Workspace),
        ("dev-dependencies", Kind::Dev),
        ("build-dependencies", Kind::Normal),
        ("dependencies", Kind::Normal),
    ];
    for (name, kind) in kinds {
        if header == name || header.ends_with(&format!(".{name}")) {
            return (Some(kind), None);
        }
        if let Some(dependency) = header.strip_prefix(&format!("{name}.")) {
            return (Some(kind), Some(dependency));
        }
    }
    (None, None)
}

fn opened(line: &str) -> i32 {
    line.chars().fold(0, |depth, c| match c {
        '[' | '{' => depth + 1,
        ']' | '}' => depth - 1,
        _ => depth,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_naming_a_dependency_is_read() {
        let text = r#"
[package]
name = "x"
[dependencies]
anyhow.workspace = true
gix = { version = "1", features = [
  "revision",
  # not = a key
] }
ours = { path = "../ours" }
[dev-dependencies]
tempfile = "3"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[dependencies.serde]
version = "1"
[lints]
workspace = true
"#;
        let names: Vec<_> =
            dependencies(text).into_iter().map(|d| (d.name, d.kind, d.line, d.is_path)).collect();
        let expected = [
            ("anyhow", Kind::Normal, 5, false),
            ("gix", Kind::Normal, 6, false),
            ("ours", Kind::Normal, 10, true),
            ("tempfile", Kind::Dev, 12, false),
            ("libc", Kind::Normal, 14, false),
            ("serde", Kind::Normal, 15, false),
        ];
        assert_eq!(names, expected.map(|(n, k, l, p)| (n.to_owned(), k, l, p)));
    }

    #[test]
    fn the_workspace_list_has_its_own_kind() {
        let read = dependencies("[workspace.dependencies]\ncsv = \"1.4\"\n");
        assert_eq!(read[0].kind, Kind::Workspace);
    }
}
