//! What the form itself says, in four languages. Labels of a skill's inputs stay as they were authored: in English.

use crate::profile::{AdministrationLanguage, BrowserDriving, HasIdCard, ProfileRegion};
use crate::vocabulary::Language;

/// A table of words: a row gives a word its name and its forms in English, French, Dutch and German.
macro_rules! table {
    ($( $word:ident: $en:literal, $fr:literal, $nl:literal, $de:literal; )+) => {
        /// The words of one language.
        #[derive(Debug)]
        #[allow(missing_docs)] // the names say it
        pub struct Words { $( pub $word: &'static str, )+ }

        static EN: Words = Words { $( $word: $en, )+ };
        static FR: Words = Words { $( $word: $fr, )+ };
        static NL: Words = Words { $( $word: $nl, )+ };
        static DE: Words = Words { $( $word: $de, )+ };

        /// Every word in four languages, by its name.
        #[cfg(test)]
        const ROWS: &[(&str, [&str; 4])] = &[ $( (stringify!($word), [$en, $fr, $nl, $de]), )+ ];
    };
}

table! {
    title: "A few questions first", "Quelques questions d’abord", "Eerst een paar vragen", "Zuerst einige Fragen";
    intro: "Your answers let your agent tell you what applies to you. What is marked as required is needed; leave anything else open if you prefer.", "Vos réponses permettent à votre agent de vous dire ce qui vous concerne. Seul ce qui est marqué comme obligatoire est nécessaire ; laissez le reste ouvert si vous préférez.", "Met uw antwoorden kan uw agent zeggen wat voor u geldt. Alleen wat als verplicht is aangeduid, is nodig; laat de rest gerust open.", "Mit Ihren Antworten kann Ihr Agent sagen, was für Sie gilt. Nur was als Pflichtangabe gekennzeichnet ist, wird gebraucht; alles andere können Sie offen lassen.";
    intro_returning: "Has anything changed since last time? What is known stands below and can be changed; only what is missing is asked.", "Quelque chose a-t-il changé depuis la dernière fois ? Ce qui est connu figure plus bas et peut être modifié ; seul ce qui manque est demandé.", "Is er iets veranderd sinds de vorige keer? Wat al bekend is, staat onderaan en kunt u wijzigen; alleen wat ontbreekt, wordt gevraagd.", "Hat sich seit dem letzten Mal etwas geändert? Was bekannt ist, steht unten und kann geändert werden; gefragt wird nur, was fehlt.";
    intro_continuing: "Only what is still missing for this procedure.", "Uniquement ce qui manque encore pour cette démarche.", "Alleen wat voor deze procedure nog ontbreekt.", "Nur was für dieses Verfahren noch fehlt.";
    nothing_missing: "Nothing is missing. You can go on with your agent.", "Il ne manque rien. Vous pouvez continuer avec votre agent.", "Er ontbreekt niets. U kunt verdergaan met uw agent.", "Es fehlt nichts. Sie können mit Ihrem Agenten weitermachen.";
    about_you: "About you", "À propos de vous", "Over u", "Über Sie";
    about_you_hint: "Kept in your profile, for every procedure.", "Conservé dans votre profil, pour toutes les démarches.", "Bewaard in uw profiel, voor elke procedure.", "Wird in Ihrem Profil behalten, für jedes Verfahren.";
    kept: "Your situation", "Votre situation", "Uw situatie", "Ihre Situation";
    kept_hint: "Kept in your profile, so that you are not asked again.", "Conservé dans votre profil, pour ne pas vous le redemander.", "Bewaard in uw profiel, zodat het niet opnieuw wordt gevraagd.", "Wird in Ihrem Profil behalten, damit Sie nicht noch einmal gefragt werden.";
    procedure: "For this procedure", "Pour cette démarche", "Voor deze procedure", "Für dieses Verfahren";
    procedure_hint: "Used in this conversation only, not kept in your profile.", "Utilisé dans cette conversation seulement, non conservé dans votre profil.", "Alleen voor dit gesprek, niet bewaard in uw profiel.", "Nur für dieses Gespräch, wird nicht in Ihrem Profil behalten.";
    known: "What you said before", "Ce que vous avez déjà dit", "Wat u eerder hebt gezegd", "Was Sie früher gesagt haben";
    known_hint: "Change what is no longer right.", "Modifiez ce qui n’est plus exact.", "Wijzig wat niet meer klopt.", "Ändern Sie, was nicht mehr stimmt.";
    region: "Where in Belgium do you live?", "Où habitez-vous en Belgique ?", "Waar in België woont u?", "Wo in Belgien wohnen Sie?";
    region_flanders: "Flanders", "Flandre", "Vlaanderen", "Flandern";
    region_wallonia: "Wallonia", "Wallonie", "Wallonië", "Wallonie";
    region_brussels: "Brussels", "Bruxelles", "Brussel", "Brüssel";
    region_german: "German-speaking Community", "Communauté germanophone", "Duitstalige Gemeenschap", "Deutschsprachige Gemeinschaft";
    region_not_yet: "Not in Belgium yet", "Pas encore en Belgique", "Nog niet in België", "Noch nicht in Belgien";
    commune: "Your commune", "Votre commune", "Uw gemeente", "Ihre Gemeinde";
    commune_hint: "The name of the commune is enough, never your address.", "Le nom de la commune suffit, jamais votre adresse.", "De naam van de gemeente volstaat, nooit uw adres.", "Der Name der Gemeinde genügt, nie Ihre Adresse.";
    administration_language: "In which language does the administration deal with you?", "Dans quelle langue l’administration traite-t-elle avec vous ?", "In welke taal behandelt de administratie uw dossier?", "In welcher Sprache verkehrt die Verwaltung mit Ihnen?";
    administration_language_hint: "The official languages of your commune, or of your region.", "Les langues officielles de votre commune, ou de votre région.", "De officiële talen van uw gemeente, of van uw gewest.", "Die Amtssprachen Ihrer Gemeinde oder Ihrer Region.";
    administration_language_abroad: "Choose the language you expect to use; it depends on the commune you move to.", "Choisissez la langue que vous pensez utiliser ; elle dépend de la commune où vous vous installerez.", "Kies de taal die u denkt te gebruiken; ze hangt af van de gemeente waar u gaat wonen.", "Wählen Sie die Sprache, die Sie voraussichtlich verwenden; sie hängt von der Gemeinde ab, in die Sie ziehen.";
    dutch: "Dutch", "Néerlandais", "Nederlands", "Niederländisch";
    french: "French", "Français", "Frans", "Französisch";
    german: "German", "Allemand", "Duits", "Deutsch";
    conversation_language: "In which language should your agent talk with you?", "Dans quelle langue votre agent doit-il vous parler ?", "In welke taal moet uw agent met u praten?", "In welcher Sprache soll Ihr Agent mit Ihnen sprechen?";
    conversation_language_hint: "Any language, in your own words.", "N’importe quelle langue, avec vos mots.", "Om het even welke taal, in uw eigen woorden.", "Jede Sprache, in Ihren eigenen Worten.";
    conversation_language_own: "English", "français", "Nederlands", "Deutsch";
    has_id_card: "Do you have a Belgian identity or residence card with a chip?", "Avez-vous une carte d’identité ou de séjour belge à puce ?", "Hebt u een Belgische identiteits- of verblijfskaart met een chip?", "Haben Sie einen belgischen Personal- oder Aufenthaltsausweis mit Chip?";
    card_yes: "Yes", "Oui", "Ja", "Ja";
    card_waiting: "Not yet, I am waiting for it", "Pas encore, je l’attends", "Nog niet, ik wacht erop", "Noch nicht, ich warte darauf";
    card_no: "No", "Non", "Nee", "Nein";
    card_not_sure: "Not sure", "Je ne sais pas", "Niet zeker", "Nicht sicher";
    browser_driving: "May your agent work in your browser for you?", "Votre agent peut-il travailler dans votre navigateur à votre place ?", "Mag uw agent in uw browser voor u werken?", "Darf Ihr Agent für Sie in Ihrem Browser arbeiten?";
    browser_driving_hint: "Only where the agent can do that, and never to log in for you.", "Seulement là où l’agent en est capable, et jamais à votre place pour vous identifier.", "Alleen waar de agent dat kan, en nooit om voor u aan te melden.", "Nur wo der Agent das kann, und nie, um sich für Sie anzumelden.";
    drive: "Yes", "Oui", "Ja", "Ja";
    ask_each_time: "Ask me each time", "Me demander chaque fois", "Vraag het elke keer", "Jedes Mal fragen";
    never_drive: "No", "Non", "Nee", "Nein";
    mode_form: "Fill in rows here", "Remplir les lignes ici", "Hier rijen invullen", "Hier Zeilen ausfüllen";
    mode_folder: "I will put documents in the folder", "Je mettrai des documents dans le dossier", "Ik zet documenten in de map", "Ich lege Dokumente in den Ordner";
    mode_chat: "I will tell my agent", "Je le dirai à mon agent", "Ik vertel het aan mijn agent", "Ich sage es meinem Agenten";
    consent_label: "I’m part of the Be Civic alpha", "Je participe à l’alpha de Be Civic", "Ik doe mee aan de alfa van Be Civic", "Ich nehme an der Alpha von Be Civic teil";
    consent_about: "If you tick this, your agent may send anonymous figures about how a session went, and what you both noticed about a procedure. You see every observation before it is sent. The form works without it, and you can change your mind at any time.", "Si vous cochez cette case, votre agent peut envoyer des données anonymes sur le déroulement d’une session, et ce que vous avez remarqué ensemble à propos d’une démarche. Vous voyez chaque observation avant son envoi. Le formulaire fonctionne sans cela, et vous pouvez changer d’avis à tout moment.", "Als u dit aanvinkt, mag uw agent anonieme cijfers sturen over het verloop van een sessie, en wat jullie samen over een procedure hebben opgemerkt. U ziet elke opmerking voor ze wordt verstuurd. Het formulier werkt ook zonder, en u kunt altijd van gedachten veranderen.", "Wenn Sie dies ankreuzen, darf Ihr Agent anonyme Angaben über den Verlauf einer Sitzung senden, und was Ihnen beiden an einem Verfahren aufgefallen ist. Sie sehen jede Beobachtung, bevor sie gesendet wird. Das Formular funktioniert auch ohne, und Sie können Ihre Meinung jederzeit ändern.";
    trust_title: "Why I’m doing it this way", "Pourquoi je procède ainsi", "Waarom ik het zo doe", "Warum ich es so mache";
    anonymity: "Anonymity", "Anonymat", "Anonimiteit", "Anonymität";
    anonymity_text: "Be Civic does not know who you are and keeps nothing about you. What you fill in goes to your agent. What an agent may send to Be Civic has no field for a name, an address or the number of a document.", "Be Civic ne sait pas qui vous êtes et ne conserve rien sur vous. Ce que vous remplissez va à votre agent. Ce qu’un agent peut envoyer à Be Civic n’a pas de champ pour un nom, une adresse ou un numéro de document.", "Be Civic weet niet wie u bent en bewaart niets over u. Wat u invult, gaat naar uw agent. Wat een agent naar Be Civic mag sturen, heeft geen veld voor een naam, een adres of een documentnummer.", "Be Civic weiß nicht, wer Sie sind, und bewahrt nichts über Sie auf. Was Sie ausfüllen, geht an Ihren Agenten. Was ein Agent an Be Civic senden darf, hat kein Feld für einen Namen, eine Adresse oder eine Dokumentnummer.";
    documents: "Documents", "Documents", "Documenten", "Dokumente";
    documents_text: "If you show me a document, I read the parts that matter for your case and keep no copy. I note categories and months, never numbers, names or pictures. The file stays where you put it.", "Si vous me montrez un document, je lis les parties utiles à votre cas et n’en garde pas de copie. Je note des catégories et des mois, jamais des numéros, des noms ou des images. Le fichier reste là où vous l’avez mis.", "Als u mij een document toont, lees ik de delen die voor uw zaak van belang zijn en bewaar ik geen kopie. Ik noteer categorieën en maanden, nooit nummers, namen of beelden. Het bestand blijft waar u het hebt gezet.", "Wenn Sie mir ein Dokument zeigen, lese ich die Teile, die für Ihren Fall zählen, und behalte keine Kopie. Ich notiere Kategorien und Monate, nie Nummern, Namen oder Bilder. Die Datei bleibt, wo Sie sie hingelegt haben.";
    forward: "What is carried forward", "Ce qui est repris ensuite", "Wat wordt meegenomen", "Was weitergetragen wird";
    forward_text: "From one session to the next only your profile and short notes on your progress are carried forward, as files of yours that you can open and delete. Everything else ends with the session.", "D’une session à l’autre, seuls votre profil et de brèves notes sur votre avancement sont repris, dans des fichiers à vous que vous pouvez ouvrir et supprimer. Tout le reste prend fin avec la session.", "Van de ene sessie naar de volgende gaan alleen uw profiel en korte notities over uw voortgang mee, in bestanden van u die u kunt openen en wissen. Al de rest eindigt met de sessie.", "Von einer Sitzung zur nächsten werden nur Ihr Profil und kurze Notizen zu Ihrem Fortschritt weitergetragen, in Dateien, die Ihnen gehören und die Sie öffnen und löschen können. Alles andere endet mit der Sitzung.";
    review: "You look before anything is sent", "Vous regardez avant tout envoi", "U kijkt na voor er iets wordt verstuurd", "Sie sehen nach, bevor etwas gesendet wird";
    review_text: "I show you every observation word for word before it is sent, and send only what you agree to. For a day after that it can be taken back.", "Je vous montre chaque observation mot pour mot avant l’envoi, et n’envoie que ce que vous acceptez. Pendant un jour encore, elle peut être retirée.", "Ik toon u elke opmerking woord voor woord voor ze wordt verstuurd, en verstuur alleen wat u goedkeurt. Nog een dag lang kan ze worden ingetrokken.", "Ich zeige Ihnen jede Beobachtung Wort für Wort, bevor sie gesendet wird, und sende nur, womit Sie einverstanden sind. Noch einen Tag lang kann sie zurückgenommen werden.";
}

/// The words of a language.
pub fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Fr => &FR,
        Language::Nl => &NL,
        Language::De => &DE,
    }
}

impl Words {
    /// A region.
    pub fn region_name(&self, region: ProfileRegion) -> &'static str {
        match region {
            ProfileRegion::Flanders => self.region_flanders,
            ProfileRegion::Wallonia => self.region_wallonia,
            ProfileRegion::BrusselsCapital => self.region_brussels,
            ProfileRegion::GermanSpeakingCommunity => self.region_german,
            ProfileRegion::NotInBelgiumYet => self.region_not_yet,
        }
    }

    /// A language of the administration.
    pub fn administration_language_name(&self, language: AdministrationLanguage) -> &'static str {
        match language {
            AdministrationLanguage::Nl => self.dutch,
            AdministrationLanguage::Fr => self.french,
            AdministrationLanguage::De => self.german,
        }
    }

    /// Whether somebody has a card.
    pub fn card(&self, has: HasIdCard) -> &'static str {
        match has {
            HasIdCard::Yes => self.card_yes,
            HasIdCard::NotYetWaiting => self.card_waiting,
            HasIdCard::No => self.card_no,
            HasIdCard::NotSure => self.card_not_sure,
        }
    }

    /// Whether an agent may drive the browser.
    pub fn driving(&self, preference: BrowserDriving) -> &'static str {
        match preference {
            BrowserDriving::DriveByDefault => self.drive,
            BrowserDriving::AskEachTime => self.ask_each_time,
            BrowserDriving::NeverDrive => self.never_drive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_there_and_french_signs_never_begin_a_line() {
        for (name, forms) in ROWS {
            assert!(forms.iter().all(|form| !form.trim().is_empty()), "{name}");
            for sign in [':', ';', '!', '?'] {
                let mut before = forms[1].split(sign).collect::<Vec<_>>();
                before.pop();
                assert!(before.iter().all(|it| it.ends_with('\u{202f}')), "{name}: before {sign}");
            }
        }
    }
}
