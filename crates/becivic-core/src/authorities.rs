//! `data/authorities.json` as types: the public bodies that skills and paths name. Their ids are unique,
//! which a schema cannot say.

use crate::finding::PointedProblem;
use crate::vocabulary::words;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

/// The authorities file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Authorities {
    pub schema_version: u32,
    pub authorities: Vec<Authority>,
}

impl Authorities {
    /// The authority with this id.
    pub fn find(&self, id: &str) -> Option<&Authority> {
        self.authorities.iter().find(|authority| authority.id == id)
    }
}

/// One public body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Authority {
    pub id: String,
    pub level: Level,
    pub name_fr: String,
    pub name_nl: String,
    /// Null where no German name is in use.
    #[serde(deserialize_with = "written")]
    pub name_de: Option<String>,
    pub name_en: String,
    pub domain: String,
    pub role: String,
}

/// A field that must be there, be it as null.
fn written<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

words! {
    /// Who a body answers to.
    Level {
        /// The federal state.
        Federal = "federal",
        /// Several governments together.
        Interfederal = "interfederal",
        /// The Brussels-Capital Region.
        Brussels = "brussels",
        /// The Walloon Region.
        Wallonia = "wallonia",
        /// Flanders.
        Flanders = "flanders",
        /// The German-speaking Community.
        Dg = "dg",
        /// The French Community.
        CommunityFr = "community-fr",
        /// The Flemish Community.
        CommunityNl = "community-nl",
    }
}

/// Everything the schema cannot say: ids are unique.
pub fn check(file: &Authorities) -> Vec<PointedProblem> {
    let mut ids = BTreeSet::new();
    let mut problems = Vec::new();
    for (index, authority) in file.authorities.iter().enumerate() {
        if !ids.insert(authority.id.as_str()) {
            problems.push((
                format!("/authorities/{index}/id"),
                format!("the id `{}` is used twice", authority.id),
                "Give each authority an id of its own.".to_owned(),
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_id_used_twice_is_found() {
        let body = json!({"id": "dofi", "level": "federal", "name_fr": "OE", "name_nl": "DVZ", "name_de": null,
                          "name_en": "Immigration Office", "domain": "dofi.ibz.be", "role": "residence"});
        let value = json!({"schema_version": 1, "authorities": [body, body]});
        let file: Authorities = serde_json::from_value(value).expect("well-formed");
        assert_eq!(check(&file).len(), 1);
        assert!(file.find("dofi").is_some() && file.find("nobody").is_none());
    }
}
