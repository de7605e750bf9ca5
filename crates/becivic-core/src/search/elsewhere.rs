//! What another state gives: a Polish passport, German citizenship, a visa for Canada. The corpus is about Belgium, so nothing in it
//! answers that, and a page about the Belgian one would mislead.
//!
//! 1. A word for what a state gives stands right behind a word for another state ([`BEFORE`]), or before a name of one, with nothing
//!    but small words between ([`AFTER`]).
//! 2. Both are then one thing that is asked for, and no document answers it. Other words of the question may still find something:
//!    whoever holds a Polish passport and wants to register finds where.
//! 3. Words that are as often the name of a language that one has to learn are not in the lists.

use super::words::is_stop_word;

/// What stands before what another state gives, in Dutch, German and English. In order.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "afghaanse", "afghan", "afghanische", "afghanischen", "afghanischer", "afghanisches",
    "algerian", "algerijnse", "algerische", "algerischen", "algerischer", "algerisches", "american",
    "amerikaans", "amerikaanse", "amerikanische", "amerikanischen", "amerikanischer",
    "amerikanisches", "australian", "austrian", "brasilianische", "brasilianischen",
    "brasilianischer", "brasilianisches", "braziliaanse", "brazilian", "britische", "britischen",
    "britischer", "britisches", "british", "brits", "britse", "bulgaars", "bulgaarse", "bulgarian",
    "bulgarische", "bulgarischen", "bulgarischer", "bulgarisches", "cameroonian", "canadees",
    "canadese", "canadian", "chinese", "chinesische", "chinesischen", "chinesischer",
    "chinesisches", "congolese", "czech", "danische", "danischen", "danischer", "danisches",
    "danish", "deens", "deense", "deutsche", "deutschen", "deutscher", "deutsches", "duitse",
    "dutch", "finnische", "finnischen", "finnischer", "finnisches", "finnish", "fins", "finse",
    "franse", "franzosische", "franzosischen", "franzosischer", "franzosisches", "french", "german",
    "greek", "griechische", "griechischen", "griechischer", "griechisches", "grieks", "griekse",
    "hollandische", "hollandischen", "hollandischer", "hollandisches", "hongaars", "hongaarse",
    "hungarian", "iers", "ierse", "indian", "indiase", "indische", "indischen", "indischer",
    "indisches", "iraanse", "iranian", "iranische", "iranischen", "iranischer", "iranisches",
    "irische", "irischen", "irischer", "irisches", "irish", "italiaans", "italiaanse", "italian",
    "italienische", "italienischen", "italienischer", "italienisches", "japanese", "japanische",
    "japanischen", "japanischer", "japanisches", "japanse", "kameroense", "kanadische",
    "kanadischen", "kanadischer", "kanadisches", "kongolesische", "kongolesischen",
    "kongolesischer", "kongolesisches", "luxembourgish", "luxemburgische", "luxemburgischen",
    "luxemburgischer", "luxemburgisches", "luxemburgse", "marokkaans", "marokkaanse",
    "marokkanische", "marokkanischen", "marokkanischer", "marokkanisches", "moroccan",
    "nederlandse", "niederlandische", "niederlandischen", "niederlandischer", "niederlandisches",
    "noors", "noorse", "norwegian", "norwegische", "norwegischen", "norwegischer", "norwegisches",
    "oekraiens", "oekraiense", "oostenrijks", "oostenrijkse", "osterreichische", "osterreichischen",
    "osterreichischer", "osterreichisches", "polish", "polnische", "polnischen", "polnischer",
    "polnisches", "pools", "poolse", "portugees", "portugese", "portugiesische", "portugiesischen",
    "portugiesischer", "portugiesisches", "portuguese", "roemeens", "roemeense", "romanian",
    "rumanische", "rumanischen", "rumanischer", "rumanisches", "russian", "russisch", "russische",
    "russischen", "russischer", "russisches", "schwedische", "schwedischen", "schwedischer",
    "schwedisches", "schweizer", "slovak", "slowaakse", "slowakische", "slowakischen",
    "slowakischer", "slowakisches", "spaans", "spaanse", "spanische", "spanischen", "spanischer",
    "spanisches", "spanish", "swedish", "swiss", "syrian", "syrische", "syrischen", "syrischer",
    "syrisches", "tschechische", "tschechischen", "tschechischer", "tschechisches", "tsjechische",
    "tunesische", "tunesischen", "tunesischer", "tunesisches", "tunisian", "turkische",
    "turkischen", "turkischer", "turkisches", "turkish", "turks", "turkse", "uk", "ukrainian",
    "ukrainische", "ukrainischen", "ukrainischer", "ukrainisches", "ungarische", "ungarischen",
    "ungarischer", "ungarisches", "us", "usa", "zweeds", "zweedse", "zwitsers", "zwitserse",
];

/// What stands after it: French words for those of another state, and names of states and of some cities of theirs. In order.
#[rustfmt::skip]
const AFTER: &[&str] = &[
    "afghan", "afghane", "afghanistan", "algeria", "algerie", "algerien", "algerienne", "algerije",
    "allemagne", "allemande", "america", "americain", "americaine", "amerika", "amerique",
    "amsterdam", "anglais", "anglaise", "angleterre", "australia", "austria", "autriche",
    "autrichien", "autrichienne", "berlin", "brasilien", "brazil", "brazilie", "bresil",
    "bresilien", "bresilienne", "britannique", "bulgare", "bulgaria", "bulgarie", "bulgarien",
    "bulgarije", "cameroon", "cameroun", "camerounais", "camerounaise", "canada", "canadien",
    "canadienne", "china", "chine", "chinois", "chinoise", "congo", "congolais", "congolaise",
    "danemark", "danois", "danoise", "denemarken", "denmark", "deutschland", "duitsland",
    "engeland", "england", "espagne", "espagnol", "espagnole", "finland", "finlandais",
    "finlandaise", "finlande", "francaise", "france", "frankreich", "frankrijk", "germany", "grec",
    "grece", "grecque", "greece", "griechenland", "griekenland", "holland", "hollandais",
    "hollandaise", "hongarije", "hongrie", "hongrois", "hongroise", "hungary", "ierland", "inde",
    "india", "indien", "indienne", "iran", "iranien", "iranienne", "ireland", "irland", "irlandais",
    "irlandaise", "irlande", "italie", "italien", "italienne", "italy", "japan", "japon",
    "japonais", "japonaise", "kameroen", "kamerun", "lisbon", "lisbonne", "lissabon", "londen",
    "london", "londres", "luxembourg", "luxembourgeois", "luxembourgeoise", "luxemburg", "madrid",
    "maroc", "marocain", "marocaine", "marokko", "morocco", "nederland", "neerlandaise",
    "netherlands", "niederlande", "noorwegen", "norvege", "norvegien", "norvegienne", "norway",
    "norwegen", "oekraine", "oostenrijk", "osterreich", "parijs", "paris", "poland", "polen",
    "pologne", "polonais", "polonaise", "portugais", "portugaise", "portugal", "rabat", "roemenie",
    "rom", "roma", "romania", "rome", "rotterdam", "roumain", "roumaine", "roumanie", "rumanien",
    "rusland", "russe", "russia", "russie", "russland", "schweden", "schweiz", "slovaque", "spain",
    "spanien", "spanje", "suede", "suedois", "suedoise", "suisse", "sweden", "switzerland", "syria",
    "syrie", "syrien", "syrienne", "tcheque", "tunesie", "tunesien", "tunisia", "tunisie",
    "tunisien", "tunisienne", "turc", "turkei", "turkey", "turkije", "turque", "turquie", "uk",
    "ukraine", "ukrainien", "ukrainienne", "ungarn", "usa", "varsovie", "vienna", "vienne",
    "warsaw", "warschau", "warszawa", "washington", "wenen", "wien", "zweden", "zwitserland",
];

/// How words begin for what a state gives to its own or to those who come: nationality, passports, visas, permits. In order.
#[rustfmt::skip]
const MATTERS: &[&str] = &[
    "aufenthaltserlaubnis", "aufenthaltstitel", "citizenship", "citoyennete", "einburgerung",
    "nationalitat", "nationalite", "nationaliteit", "nationality", "naturalisatie",
    "naturalisation", "naturalization", "paspoort", "pass", "passeport", "passport", "reisepass",
    "reispas", "staatsangehorigkeit", "staatsburgerschaft", "staatsburgerschap",
    "verblijfsvergunning", "visa", "visum",
];

/// From so many letters on, a word for a matter may go on: `einburgerungstest`.
const MAY_GO_ON: usize = 6;

/// The folded words of a question, each matter of another state joined to one, with spaces in it.
pub fn joined(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let length = length_at(&words, at);
        match words.get(at..at + length) {
            Some(all) if length > 1 => found.push(all.join(" ")),
            _ => found.push(word.clone()),
        }
        at += length;
    }
    found
}

/// Whether a word of a question is a matter of another state.
pub fn is_elsewhere(word: &str) -> bool {
    word.contains(' ')
}

/// Cities among [`AFTER`]: whoever names one asks about it. In order.
#[rustfmt::skip]
const CITIES: &[&str] = &[
    "amsterdam", "berlin", "lisbon", "lisbonne", "lissabon", "londen", "london", "londres", "madrid", "parijs", "paris",
    "rabat", "rom", "roma", "rome", "rotterdam", "varsovie", "vienna", "vienne", "warsaw", "warschau", "warszawa",
    "washington", "wenen", "wien",
];

/// Whether a word is the name of another state: where somebody comes from says little about what they ask for.
pub fn is_state(word: &str) -> bool {
    AFTER.binary_search(&word).is_ok() && CITIES.binary_search(&word).is_err()
}

/// Over how many words a matter of another state goes that begins here; one where none does.
fn length_at(words: &[String], at: usize) -> usize {
    let named = |list: &[&str], at: usize| {
        words.get(at).is_some_and(|word| list.binary_search(&word.as_str()).is_ok())
    };
    let is_matter = |at: usize| words.get(at).is_some_and(|word| is_matter(word));
    if named(BEFORE, at) && is_matter(at + 1) {
        return 2;
    }
    let is_belgian =
        at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| word.starts_with("belg"));
    if !is_matter(at) || is_belgian {
        return 1;
    }
    let small = words.iter().skip(at + 1).take_while(|word| is_stop_word(word)).count();
    if named(AFTER, at + 1 + small) { small + 2 } else { 1 }
}

fn is_matter(word: &str) -> bool {
    let is = |matter: &&str| word == *matter || (matter.len() >= MAY_GO_ON && word.starts_with(matter));
    MATTERS.iter().any(is)
}

#[cfg(test)]
mod tests {
    use super::super::words::fold;
    use super::*;

    #[test]
    fn matters_of_other_states_are_one_word() {
        for (question, words) in [
            ("German citizenship test in Berlin", &["german citizenship", "test", "in", "berlin"][..]),
            ("nationalité française", &["nationalite francaise"]),
            ("visa pour le Canada", &["visa pour le canada"]),
            ("polnischer Reisepass", &["polnischer reisepass"]),
            (
                "test de français pour la nationalité",
                &["test", "de", "francais", "pour", "la", "nationalite"],
            ),
            ("Belgian nationality in Paris", &["belgian", "nationality", "in", "paris"]),
            ("French for citizenship", &["french", "for", "citizenship"]),
            ("Polish", &["polish"]),
            ("passport", &["passport"]),
        ] {
            assert_eq!(joined(fold(question)), words, "{question}");
        }
    }

    #[test]
    fn lists_are_in_order_and_folded() {
        for list in [BEFORE, AFTER, CITIES, MATTERS] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
            assert!(list.iter().all(|word| fold(word) == [*word]));
        }
    }
}
