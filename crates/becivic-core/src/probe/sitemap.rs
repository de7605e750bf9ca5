//! Which paths a site's map lists, as far as it was read.

use std::collections::BTreeSet;
use url::Url;

/// What is known of a site's map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    paths: BTreeSet<String>,
    /// Whether all of it was read: only then can a path be missing.
    pub is_whole: bool,
}

impl Sitemap {
    /// Reads one file of a map into this; the addresses of the files it names in their turn come back, or `None` when it is
    /// no map.
    pub fn add(&mut self, file: &str) -> Option<Vec<String>> {
        let is_index = file.contains("<sitemapindex");
        if !is_index && !file.contains("<urlset") {
            return None;
        }
        let mut further = Vec::new();
        for located in file.split("<loc>").skip(1) {
            let Some((address, _)) = located.split_once("</loc>") else { continue };
            let address = address.trim().replace("&amp;", "&");
            let address =
                address.strip_prefix("<![CDATA[").and_then(|it| it.strip_suffix("]]>")).unwrap_or(&address);
            if is_index {
                further.push(address.to_owned());
            } else if let Ok(url) = Url::parse(address) {
                self.paths.insert(bare(url.path()).to_owned());
            }
        }
        Some(further)
    }

    /// Whether a path is listed; `None` where that is not known.
    pub fn holds(&self, path: &str) -> Option<bool> {
        match self.paths.contains(bare(path)) {
            true => Some(true),
            false => self.is_whole.then_some(false),
        }
    }
}

/// A path without the slash at its end.
fn bare(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_missing_only_from_a_whole_map() {
        let mut map = Sitemap::default();
        let file = "<urlset><url><loc> https://x.be/node/146/ </loc></url><url><loc>https://x.be/a?b=1&amp;c</loc></url>";
        assert_eq!(map.add(file), Some(Vec::new()));
        assert_eq!(map.holds("/node/146"), Some(true));
        assert_eq!(map.holds("/a"), Some(true));
        assert_eq!(map.holds("/node/1467"), None);
        map.is_whole = true;
        assert_eq!(map.holds("/node/1467"), Some(false));
    }

    #[test]
    fn an_index_names_further_files() {
        let mut map = Sitemap::default();
        let file = "<?xml version='1.0'?><sitemapindex><sitemap><loc>https://x.be/s.xml?page=1&amp;l=fr</loc></sitemap>\
                    <sitemap><loc><![CDATA[https://x.be/t.xml]]></loc></sitemap></sitemapindex>";
        let further = ["https://x.be/s.xml?page=1&l=fr", "https://x.be/t.xml"].map(str::to_owned);
        assert_eq!(map.add(file), Some(further.to_vec()));
        assert_eq!(map.add("<html>not a map <loc>https://x.be/</loc>"), None);
    }
}
