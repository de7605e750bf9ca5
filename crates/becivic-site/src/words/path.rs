//! Paths: the directory, its themes, one path and the ways it lists.

use becivic_core::path::{AuthMethod, HandoffWhen, Primary, SourceClass, Theme};
use becivic_core::vocabulary::{Region, Role};

super::table! {
    /// Paths: the directory, its themes, one path and the ways it lists.
    Path {
        all: "Documents and desks", "Documents et guichets", "Documenten en loketten", "Dokumente und Schalter";
        all_intro: "Where documents, forms, tools and desks are found, and who does what on the way there.", "Où trouver documents, formulaires, outils et guichets, et qui fait quoi en chemin.", "Waar documenten, formulieren, tools en loketten te vinden zijn, en wie onderweg wat doet.", "Wo Dokumente, Formulare, Werkzeuge und Schalter zu finden sind und wer auf dem Weg dorthin was tut.";
        none_at_all: "Nothing is written down here yet.", "Rien n’est encore décrit ici.", "Hier is nog niets beschreven.", "Hier ist noch nichts beschrieben.";
        none_in_theme: "Nothing is written down on this theme yet.", "Rien n’est encore décrit sur ce thème.", "Over dit thema is nog niets beschreven.", "Zu diesem Thema ist noch nichts beschrieben.";
        themes: "Themes", "Thèmes", "Thema’s", "Themen";
        theme: "Theme", "Thème", "Thema", "Thema";
        how_many: "Entries", "Entrées", "Vermeldingen", "Einträge";
        by_status: "By status", "Par statut", "Per status", "Nach Status";
        also_here: "Also on this theme, described above:", "Également sur ce thème, décrits plus haut :", "Ook over dit thema, hierboven beschreven:", "Ebenfalls zu diesem Thema, oben beschrieben:";
        put_away: "Put away", "Retirés", "Weggezet", "Zurückgezogen";
        all_themes: "All themes", "Tous les thèmes", "Alle thema’s", "Alle Themen";
        whom: "For whom", "Pour qui", "Voor wie", "Für wen";
        gives: "What you get", "Ce que vous obtenez", "Wat u krijgt", "Was Sie erhalten";
        gives_nothing: "No document", "Aucun document", "Geen document", "Kein Dokument";
        what_for: "What it is for", "À quoi cela sert", "Waarvoor het dient", "Wozu es dient";
        authority: "Authority in charge", "Autorité compétente", "Bevoegde overheid", "Zuständige Behörde";
        version: "Version", "Version", "Versie", "Version";
        last_verified: "Compared with its sources", "Comparé à ses sources", "Vergeleken met de bronnen", "Mit den Quellen verglichen";
        how_verified: "How it was checked", "Comment cela a été vérifié", "Hoe dit is nagegaan", "Wie das geprüft wurde";
        for_programs: "For programs", "Pour les programmes", "Voor programma’s", "Für Programme";
        ways: "Ways to get there", "Les voies possibles", "Manieren om er te komen", "Wege dorthin";
        ways_intro: "The best way first. Take the next one when a way is not for you or does not work.", "La meilleure voie d’abord. Passez à la suivante si l’une ne vous concerne pas ou ne fonctionne pas.", "De beste manier eerst. Neem de volgende als een manier niet voor u is of niet werkt.", "Der beste Weg zuerst. Nehmen Sie den nächsten, wenn einer nicht für Sie gilt oder nicht funktioniert.";
        only_if_nothing_else: "only when nothing else works", "seulement si rien d’autre ne marche", "alleen als niets anders werkt", "nur wenn nichts anderes geht";
        stale: "stale: no recent confirmation", "à vérifier : pas de confirmation récente", "te controleren: geen recente bevestiging", "zu prüfen: keine aktuelle Bestätigung";
        place: "Where", "Où", "Waar", "Wo";
        desk: "Desk", "Guichet", "Loket", "Schalter";
        who_acts: "Who acts", "Qui agit", "Wie handelt", "Wer handelt";
        your_turn: "When it is your turn", "Quand c’est à vous", "Wanneer het uw beurt is", "Wann Sie dran sind";
        login: "Login", "Connexion", "Inloggen", "Anmeldung";
        login_with: "With", "Avec", "Met", "Mit";
        preferred: "suggested first", "suggéré en premier", "eerst voorgesteld", "zuerst vorgeschlagen";
        regions: "Regions", "Régions", "Gewesten", "Regionen";
        everywhere: "All of Belgium", "Toute la Belgique", "Heel België", "Ganz Belgien";
        communes: "Communes", "Communes", "Gemeenten", "Gemeinden";
        all_brussels_communes: "all 19 communes of Brussels", "les 19 communes bruxelloises", "alle 19 Brusselse gemeenten", "alle 19 Brüsseler Gemeinden";
        takes: "Takes about", "Durée approximative", "Duurt ongeveer", "Dauert etwa";
        seconds: "{} s", "{} s", "{} s", "{} s";
        captcha: "The page asks you to prove that you are no robot.", "La page vous demande de prouver que vous n’êtes pas un robot.", "De pagina vraagt u te bewijzen dat u geen robot bent.", "Die Seite verlangt den Nachweis, dass Sie kein Roboter sind.";
        commune_in_address: "The address changes with the commune.", "L’adresse change selon la commune.", "Het adres verschilt per gemeente.", "Die Adresse hängt von der Gemeinde ab.";
        bring: "What to bring", "À apporter", "Wat u meebrengt", "Was Sie mitbringen";
        ask_for: "What to ask for", "Ce qu’il faut demander", "Wat u vraagt", "Wonach Sie fragen";
        steps: "Steps", "Étapes", "Stappen", "Schritte";
        agent_does: "What the agent does", "Ce que fait l’agent", "Wat de agent doet", "Was der Agent tut";
        you_do: "What you do", "Ce que vous faites", "Wat u doet", "Was Sie tun";
        afterwards: "Afterwards", "Ensuite", "Daarna", "Danach";
        not_observed: "What happens after you take over is described from documentation; nobody has confirmed it yet.", "Ce qui se passe après que vous avez pris le relais est décrit d’après la documentation ; personne ne l’a encore confirmé.", "Wat er gebeurt nadat u het overneemt, is beschreven op basis van documentatie; nog niemand heeft het bevestigd.", "Was geschieht, nachdem Sie übernommen haben, ist nach Unterlagen beschrieben; noch hat es niemand bestätigt.";
        conditions: "What an agent checks before it proposes this way", "Ce qu’un agent vérifie avant de proposer cette voie", "Wat een agent nagaat voor hij deze manier voorstelt", "Was ein Agent prüft, bevor er diesen Weg vorschlägt";
        audited_title: "Each use is a real, recorded delivery", "Chaque utilisation est une délivrance réelle et enregistrée", "Elk gebruik is een echte, geregistreerde aflevering", "Jede Nutzung ist eine echte, aufgezeichnete Ausstellung";
        audited: "The authority makes a document each time and keeps a record of it. An agent asks for your consent first, and nobody tries it out.", "L’autorité établit chaque fois un document et en garde une trace. Un agent demande d’abord votre accord, et personne ne l’essaie pour voir.", "De overheid maakt telkens een document en houdt dat bij. Een agent vraagt eerst uw toestemming, en niemand probeert het zomaar uit.", "Die Behörde erstellt jedes Mal ein Dokument und zeichnet das auf. Ein Agent holt zuerst Ihr Einverständnis ein, und niemand probiert es nur aus.";
        last_user_confirmation: "Last confirmed by a user", "Dernière confirmation par un utilisateur", "Laatst bevestigd door een gebruiker", "Zuletzt von einem Nutzer bestätigt";
        last_validated: "Last confirmed", "Dernière confirmation", "Laatst bevestigd", "Zuletzt bestätigt";
        never: "not yet", "pas encore", "nog niet", "noch nicht";
        used_by: "Procedures that use it", "Procédures qui l’utilisent", "Procedures die dit gebruiken", "Verfahren, die das nutzen";
        used_by_none: "No procedure names it yet.", "Aucune procédure ne le mentionne encore.", "Nog geen enkele procedure vermeldt dit.", "Noch kein Verfahren nennt es.";

        submission: "A document for your file.", "Un document pour votre dossier.", "Een document voor uw dossier.", "Ein Dokument für Ihre Akte.";
        preparation: "Fix this before filing.", "À régler avant d’introduire votre dossier.", "Breng dit in orde voor u indient.", "Bringen Sie das vor dem Einreichen in Ordnung.";
        check_only: "Verify this before filing.", "À vérifier avant d’introduire votre dossier.", "Controleer dit voor u indient.", "Prüfen Sie das vor dem Einreichen.";
        informational: "Good to know; nothing to file.", "Bon à savoir ; rien à introduire.", "Goed om te weten; niets om in te dienen.", "Gut zu wissen; nichts einzureichen.";
        tool: "A tool to use: a calculator, a search or a service of a portal.", "Un outil à utiliser : un calcul, une recherche ou un service d’un portail.", "Een tool om te gebruiken: een berekening, een zoekfunctie of een dienst van een portaal.", "Ein Werkzeug: ein Rechner, eine Suche oder ein Dienst eines Portals.";

        identity_civil_status: "Identity and civil status", "Identité et état civil", "Identiteit en burgerlijke stand", "Identität und Personenstand";
        residency_and_immigration: "Residency and immigration", "Séjour et immigration", "Verblijf en immigratie", "Aufenthalt und Einwanderung";
        family: "Family", "Famille", "Gezin", "Familie";
        housing_and_property: "Housing and property", "Logement et biens immobiliers", "Wonen en vastgoed", "Wohnen und Eigentum";
        mobility_and_vehicles: "Mobility and vehicles", "Mobilité et véhicules", "Mobiliteit en voertuigen", "Mobilität und Fahrzeuge";
        work_and_self_employment: "Work and self-employment", "Travail et activité indépendante", "Werk en zelfstandige activiteit", "Arbeit und Selbstständigkeit";
        social_protection_and_pensions: "Social protection and pensions", "Protection sociale et pensions", "Sociale bescherming en pensioenen", "Soziale Sicherheit und Renten";
        health_and_care: "Health and care", "Santé et soins", "Gezondheid en zorg", "Gesundheit und Pflege";
        education_and_training: "Education and training", "Enseignement et formation", "Onderwijs en opleiding", "Bildung und Ausbildung";
        taxation_and_finance: "Taxes and finance", "Impôts et finances", "Belastingen en financiën", "Steuern und Finanzen";
        justice_and_civic_life: "Justice and civic life", "Justice et vie citoyenne", "Justitie en burgerleven", "Justiz und Bürgerleben";
        environment_and_energy: "Environment and energy", "Environnement et énergie", "Milieu en energie", "Umwelt und Energie";

        brussels_quicklink: "Direct link to a document in Brussels", "Lien direct vers un document à Bruxelles", "Rechtstreekse link naar een document in Brussel", "Direkter Link zu einem Dokument in Brüssel";
        brussels_inquiry: "Online request in Brussels, after login", "Demande en ligne à Bruxelles, après connexion", "Onlineaanvraag in Brussel, na inloggen", "Online-Antrag in Brüssel, nach Anmeldung";
        brussels_noauth: "Online form in Brussels, without login", "Formulaire en ligne à Bruxelles, sans connexion", "Onlineformulier in Brussel, zonder inloggen", "Online-Formular in Brüssel, ohne Anmeldung";
        flanders_page: "Page of the Flemish government", "Page de l’autorité flamande", "Pagina van de Vlaamse overheid", "Seite der flämischen Behörden";
        wallonia_page: "Page of the Walloon Region", "Page de la Région wallonne", "Pagina van het Waalse Gewest", "Seite der Wallonischen Region";
        federal_form: "Federal form, without login", "Formulaire fédéral, sans connexion", "Federaal formulier, zonder inloggen", "Föderales Formular, ohne Anmeldung";
        federal_login: "Federal portal, after login", "Portail fédéral, après connexion", "Federaal portaal, na inloggen", "Föderales Portal, nach Anmeldung";
        partner_portal: "Portal of another body", "Portail d’un autre organisme", "Portaal van een andere instelling", "Portal einer anderen Stelle";
        offline: "At a desk, by post or by e-mail", "Au guichet, par courrier ou par e-mail", "Aan een loket, per post of per e-mail", "Am Schalter, per Post oder per E-Mail";

        agent_acts: "The agent, from beginning to end.", "L’agent, du début à la fin.", "De agent, van begin tot einde.", "Der Agent, von Anfang bis Ende.";
        user_acts: "You; the agent tells you what you need to know.", "Vous ; l’agent vous dit ce que vous devez savoir.", "U; de agent vertelt u wat u moet weten.", "Sie; der Agent sagt Ihnen, was Sie wissen müssen.";
        both_act: "You and the agent together.", "Vous et l’agent ensemble.", "U en de agent samen.", "Sie und der Agent gemeinsam.";
        handoff_none: "Never: nothing is left to do.", "Jamais : il ne reste rien à faire.", "Nooit: er blijft niets te doen.", "Nie: Es bleibt nichts zu tun.";
        handoff_auth: "At the login; an agent never logs in for you.", "À la connexion ; un agent ne se connecte jamais à votre place.", "Bij het inloggen; een agent logt nooit voor u in.", "Bei der Anmeldung; ein Agent meldet sich nie für Sie an.";
        handoff_captcha: "At the test that tells people from robots.", "Au test qui distingue les humains des robots.", "Bij de test die mensen van robots onderscheidt.", "Beim Test, der Menschen von Robotern unterscheidet.";
        handoff_confirmation: "At the end: you check everything and send it.", "À la fin : vous vérifiez tout et vous envoyez.", "Op het einde: u kijkt alles na en verstuurt het.", "Am Ende: Sie prüfen alles und senden es ab.";
        handoff_presence: "You go there in person, write or sign.", "Vous vous déplacez, écrivez ou signez.", "U gaat zelf, schrijft of ondertekent.", "Sie gehen selbst hin, schreiben oder unterschreiben.";
        handoff_full: "From the start: you take over with what the agent prepared.", "Dès le début : vous prenez le relais avec ce que l’agent a préparé.", "Vanaf het begin: u neemt over met wat de agent heeft voorbereid.", "Von Beginn an: Sie übernehmen mit dem, was der Agent vorbereitet hat.";
        login_none: "No login", "Sans connexion", "Zonder inloggen", "Ohne Anmeldung";
        login_csam: "Login of the Belgian authorities (CSAM)", "Connexion des autorités belges (CSAM)", "Aanmelding van de Belgische overheid (CSAM)", "Anmeldung der belgischen Behörden (CSAM)";
        login_partner: "Login of the body itself", "Connexion propre à l’organisme", "Eigen aanmelding van de instelling", "Eigene Anmeldung der Stelle";
        login_other: "Another login", "Une autre connexion", "Een andere aanmelding", "Eine andere Anmeldung";
        brussels: "Brussels", "Bruxelles", "Brussel", "Brüssel";
        wallonia: "Wallonia", "Wallonie", "Wallonië", "Wallonie";
        flanders: "Flanders", "Flandre", "Vlaanderen", "Flandern";
    }
}

impl Path {
    /// A theme.
    pub fn theme_name(&self, theme: Theme) -> &'static str {
        match theme {
            Theme::IdentityCivilStatus => self.identity_civil_status,
            Theme::ResidencyAndImmigration => self.residency_and_immigration,
            Theme::Family => self.family,
            Theme::HousingAndProperty => self.housing_and_property,
            Theme::MobilityAndVehicles => self.mobility_and_vehicles,
            Theme::WorkAndSelfEmployment => self.work_and_self_employment,
            Theme::SocialProtectionAndPensions => self.social_protection_and_pensions,
            Theme::HealthAndCare => self.health_and_care,
            Theme::EducationAndTraining => self.education_and_training,
            Theme::TaxationAndFinance => self.taxation_and_finance,
            Theme::JusticeAndCivicLife => self.justice_and_civic_life,
            Theme::EnvironmentAndEnergy => self.environment_and_energy,
        }
    }

    /// What a path is for.
    pub fn purpose(&self, role: Role) -> &'static str {
        match role {
            Role::Submission => self.submission,
            Role::Preparation => self.preparation,
            Role::CheckOnly => self.check_only,
            Role::Informational => self.informational,
            Role::Tool => self.tool,
        }
    }

    /// What kind of way a source is.
    pub fn class(&self, class: SourceClass) -> &'static str {
        match class {
            SourceClass::BrusselsTier1Quicklink => self.brussels_quicklink,
            SourceClass::BrusselsTier2Inquiry => self.brussels_inquiry,
            SourceClass::BrusselsTier3Noauth => self.brussels_noauth,
            SourceClass::FlandersApiPage => self.flanders_page,
            SourceClass::WalloniaSitemapPage => self.wallonia_page,
            SourceClass::FederalAnonymousForm => self.federal_form,
            SourceClass::FederalAuthHandoff => self.federal_login,
            SourceClass::PartnerPortal => self.partner_portal,
            SourceClass::Offline => self.offline,
        }
    }

    /// Who acts.
    pub fn primary(&self, primary: Primary) -> &'static str {
        match primary {
            Primary::Agent => self.agent_acts,
            Primary::User => self.user_acts,
            Primary::Both => self.both_act,
        }
    }

    /// When the person takes over.
    pub fn handoff(&self, when: HandoffWhen) -> &'static str {
        match when {
            HandoffWhen::None => self.handoff_none,
            HandoffWhen::AuthWall => self.handoff_auth,
            HandoffWhen::Captcha => self.handoff_captcha,
            HandoffWhen::Confirmation => self.handoff_confirmation,
            HandoffWhen::PhysicalPresence => self.handoff_presence,
            HandoffWhen::FullTakeover => self.handoff_full,
        }
    }

    /// How one logs in.
    pub fn method(&self, method: AuthMethod) -> &'static str {
        match method {
            AuthMethod::None => self.login_none,
            AuthMethod::Csam => self.login_csam,
            AuthMethod::PartnerSso => self.login_partner,
            AuthMethod::Other => self.login_other,
        }
    }

    /// A region.
    pub fn region(&self, region: Region) -> &'static str {
        match region {
            Region::Brussels => self.brussels,
            Region::Wallonia => self.wallonia,
            Region::Flanders => self.flanders,
        }
    }
}
