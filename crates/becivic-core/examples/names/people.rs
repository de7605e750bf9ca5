//! Invented people: names of every community, in the ways names are written.

use crate::lists::{Community, Lists};
use crate::random::Random;

/// Where names come from.
pub struct People<'l> {
    lists: &'l Lists,
    communities: Vec<&'l Community>,
    twofold: Community,
}

/// Out of a hundred names, so many are from our own lists, then those that are everyday words too; the rest are from other
/// people's lists.
const OWN: usize = 58;
const TWOFOLD: usize = 76;

impl<'l> People<'l> {
    /// All communities count alike, however long their lists are.
    pub fn new(lists: &'l Lists) -> Self {
        Self { lists, communities: lists.communities.values().collect(), twofold: lists.twofold() }
    }

    fn community(&self, random: &mut Random) -> &Community {
        match random.below(100) {
            0..OWN => self.communities[random.below(self.communities.len())],
            OWN..TWOFOLD => &self.twofold,
            _ => &self.lists.others,
        }
    }

    /// A given name; sometimes two.
    pub fn given(&self, random: &mut Random) -> String {
        self.given_of(self.community(random), random)
    }

    /// A family name; sometimes two.
    pub fn family(&self, random: &mut Random) -> String {
        self.family_of(self.community(random), random)
    }

    fn given_of(&self, community: &Community, random: &mut Random) -> String {
        let first = random.pick(&community.given);
        match random.below(100) {
            0..6 => format!("{first} {}", random.pick(&community.given)),
            6..9 => format!("{first}-{}", random.pick(&community.given)),
            _ => first.clone(),
        }
    }

    fn family_of(&self, community: &Community, random: &mut Random) -> String {
        let first = random.pick(&community.family);
        match random.below(100) {
            0..4 => format!("{first} {}", random.pick(&community.family)),
            4..8 => format!("{first}-{}", random.pick(&community.family)),
            _ => first.clone(),
        }
    }

    /// A person, written in one of many ways.
    pub fn person(&self, random: &mut Random) -> String {
        let community = self.community(random);
        let given = self.given_of(community, random);
        let family = self.family_of(community, random);
        let initial: String = given.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        let last: String = family.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        if community.family_first && random.percent(40) {
            let second = random.pick(&community.given);
            return if random.percent(50) {
                format!("{family} {given}")
            } else {
                format!("{family} {given} {second}")
            };
        }
        match random.below(100) {
            0..46 => format!("{given} {family}"),
            46..60 => given,
            60..65 => family,
            65..71 => format!("{} {given}", family.to_uppercase()),
            71..74 => format!("{given} {}", family.to_uppercase()),
            74..78 => format!("{family} {given}"),
            78..81 => format!("{family}, {given}"),
            81..88 => format!("{initial}. {family}"),
            88..91 => format!("{initial}.-{}. {family}", random.pick(&["C", "P", "L", "M", "J"])),
            91..94 => format!("{given} {last}."),
            94..96 => format!("{initial}.{last}."),
            96..98 => format!("{given} {initial}. {family}"),
            _ => format!("{} {family}", given.to_uppercase()),
        }
    }
}
