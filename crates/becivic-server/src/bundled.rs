//! The corpus that comes with the program: what an empty data folder begins with.

/// The files of `corpus/`.
#[derive(rust_embed::Embed)]
#[folder = "../../corpus"]
struct Files;

/// Every file with its path, in order of names.
pub fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    Files::iter().filter_map(|path| Some((path.to_string(), Files::get(&path)?.data.into_owned())))
}
