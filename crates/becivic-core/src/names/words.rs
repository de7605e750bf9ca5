//! The small closed lists that rules and features share, in four languages. The training writes them into the model's
//! lists, so a token is looked up once for all of them.

use super::hash::{self, Hash};
use super::model::Known;
use super::sentence::{LONGEST_PHRASE, phrase_hash};
use super::tokens;

/// Every closed list, as the model's lists hold them.
pub fn listed() -> Vec<(Hash, Known)> {
    let words = WORDS
        .iter()
        .flat_map(|(known, words)| words.split_whitespace().map(|word| (hash::of(word.as_bytes()), *known)));
    let phrases =
        PHRASES.iter().flat_map(|(known, phrases)| phrases.lines().flat_map(|line| phrase(line, *known)));
    words.chain(phrases).collect()
}

/// A phrase and its beginnings; nothing where it is empty or too long to be looked for.
pub fn phrase(text: &str, known: Known) -> Vec<(Hash, Known)> {
    let words: Vec<Hash> = tokens::cut(text).into_iter().map(|token| token.word).collect();
    if words.is_empty() || words.len() > LONGEST_PHRASE {
        return Vec::new();
    }
    let upto = |length: usize| phrase_hash(words.iter().take(length).copied());
    let opens = (1..words.len()).map(|length| (upto(length), Known::OPENS));
    opens.chain([(upto(words.len()), known)]).collect()
}

/// Words, by what they say about the word beside them.
pub const WORDS: &[(Known, &str)] =
    &[(Known::TITLE, TITLES), (Known::PARTICLE, PARTICLES), (Known::TYPE, TYPES), (Known::KIN, KIN)];

/// Phrases, by what they say about what follows; a line each.
const PHRASES: &[(Known, &str)] = &[(Known::INTRODUCES, INTRODUCTIONS), (Known::CLOSES, CLOSINGS)];

/// Before a name. One letter (M.) is read by the rule itself.
const TITLES: &str = "
mme mlle mademoiselle madame monsieur messieurs mr mrs ms miss mister mevr mevrouw mw mvr meneer mijnheer dhr heer juffrouw juf
herr frau herrn fraulein dr docteur dokter doktor doctor prof professeur professor maitre mtre meester notaire notaris notar
soeur frere abbe pere pater pastoor imam inspecteur inspector agent officier sir lady madam dame hr fr mej
lieutenant capitaine commandant colonel sergent commissaire brigadier captain sergeant kapitein zuster schwester deacon diakon
";

/// Inside a name, between its parts.
const PARTICLES: &str = "
van von der den de la le les du des del della di da do dos das el al ben bin ibn abu bou ould ter ten te zu zum zur
't op aan d' l' mac mc o' y e i san santa degli dei lo ait oulad
";

/// Before, or at the end of, what a place, an institution or a rule is called.
const TYPES: &str = "
rue avenue av boulevard bd bld chaussee ch place pl square quai clos allee route impasse dreve venelle parvis esplanade pont gare metro
arret residence cite faubourg sentier chemin galerie passage rond-point porte parc palais tour tunnel hotel rotonde viaduc
ecole athenee college lycee institut universite haute-ecole campus creche internat hopital clinique cliniques chu chr centre maison home
fondation prix loi lois arret decret plan fonds commission comite musee bibliotheque theatre eglise basilique cathedrale abbaye paroisse
chapelle caserne batiment bloc salle auditoire studio librairie pharmacie boulangerie brasserie cafe restaurant banque fort bois lac ile
straat laan plein lei steenweg kaai weg dreef markt park station halte brug poort wijk hof baan dijk vest kerk school atheneum
college universiteit hogeschool ziekenhuis kliniek huis wet fonds prijs stichting museum bibliotheek kapel abdij basiliek kathedraal
rusthuis woonzorgcentrum wzc az uz gebouw zaal apotheek bakkerij bank
strasse str allee platz gasse weg brucke bahnhof haltestelle schule gymnasium universitat krankenhaus klinik klinikum gesetz
stiftung haus heim kirche kapelle kloster pfarrei museum bibliothek apotheke backerei park tor
street st road rd lane avenue square park station stop bridge school college university hospital clinic centre center house law act
foundation prize fund church chapel abbey building hall museum library pharmacy bakery
saint sainte saints sint sinte sankt st ste
";

/// Who somebody is to the writer: a name follows, often without a comma.
const KIN: &str = "
fils fille frere soeur mari femme epouse epoux compagne compagnon mere pere maman papa tante oncle cousin cousine neveu niece
beau-pere belle-mere beau-frere belle-soeur voisin voisine ami amie collegue copain copine bebe enfant grand-mere grand-pere
zoon dochter broer zus man vrouw echtgenoot echtgenote partner moeder vader mama tante oom nonkel neef nicht schoonmoeder
schoonvader schoonbroer schoonzus buur buurman buurvrouw vriend vriendin collega kind baby oma opa zoontje dochtertje
sohn tochter bruder schwester mann frau ehemann ehefrau mutter vater tante onkel cousin cousine neffe nichte schwiegermutter
schwiegervater schwager schwagerin nachbar nachbarin freund freundin kollege kollegin kind baby oma opa
son daughter brother sister husband wife partner mother father mum mom dad aunt uncle cousin nephew niece mother-in-law
father-in-law brother-in-law sister-in-law neighbour neighbor friend colleague baby grandmother grandfather boss landlord
";

const INTRODUCTIONS: &str = "
je m'appelle
moi c'est
mon nom est
mon nom de famille est
mon prenom est
son nom est
son prenom est
s'appelle
s'appellent
se nomme
au nom de mon fils
mijn naam is
mijn voornaam is
mijn achternaam is
mijn familienaam is
zijn naam is
haar naam is
ik heet
hij heet
zij heet
ze heet
die heet
genaamd
met de naam
ich heisse
ich heiss
mein name ist
mein vorname ist
mein nachname ist
sein name ist
ihr name ist
er heisst
sie heisst
namens
my name is
my name's
my name 's
my surname is
my first name is
my last name is
his name is
her name is
whose name is
is called
is named
signed
signe
getekend
gezeichnet
gez .
nom :
prenom :
naam :
voornaam :
name :
vorname :
nachname :
surname :
";

const CLOSINGS: &str = "
cordialement
bien cordialement
bien a vous
bien a toi
salutations
salutations distinguees
sinceres salutations
meilleures salutations
respectueusement
merci d'avance
merci
bonne journee
belle journee
bisous
amities
mvg
met vriendelijke groet
met vriendelijke groeten
met groeten
met de meeste hoogachting
hoogachtend
vriendelijke groet
vriendelijke groeten
groeten
groetjes
groet
alvast bedankt
bedankt
dank u
mit freundlichen grussen
freundliche grusse
mit freundlichem gruss
hochachtungsvoll
viele grusse
liebe grusse
beste grusse
schone grusse
mfg
lg
danke
vielen dank
kind regards
best regards
warm regards
regards
best
best wishes
sincerely
yours sincerely
yours faithfully
yours truly
many thanks
thanks
thank you
cheers
";
