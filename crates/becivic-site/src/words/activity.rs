//! The dashboard, and the log of changes of status.

use becivic_core::consensus::Rule;

super::table! {
    /// The dashboard, and the log of changes of status.
    Activity {
        title: "Activity", "Activité", "Activiteit", "Aktivität";
        about: "How much stands here, how far it has been checked, and what has happened lately. Nothing here is about a person.", "Ce qui se trouve ici, dans quelle mesure c’est vérifié, et ce qui s’est passé récemment. Rien ici ne concerne une personne.", "Wat hier staat, hoe ver het is nagekeken en wat er onlangs gebeurde. Niets hier gaat over een persoon.", "Was hier steht, wie weit es geprüft ist und was zuletzt geschehen ist. Nichts hier betrifft eine Person.";
        nothing_sent: "Nobody has sent anything yet.", "Personne n’a encore rien envoyé.", "Nog niemand heeft iets ingestuurd.", "Noch niemand hat etwas eingesandt.";
        not_counted: "Nothing is counted here.", "Rien n’est compté ici.", "Hier wordt niets geteld.", "Hier wird nichts gezählt.";
        numbers: "In numbers", "En chiffres", "In cijfers", "In Zahlen";
        reports: "Reports published", "Signalements publiés", "Gepubliceerde meldingen", "Veröffentlichte Meldungen";
        waiting: "Proposed changes that wait", "Modifications proposées en attente", "Voorgestelde wijzigingen in afwachting", "Vorgeschlagene Änderungen, die warten";
        checks_30: "Checks in the last 30 days", "Vérifications des 30 derniers jours", "Controles in de laatste 30 dagen", "Prüfungen der letzten 30 Tage";
        changes_30: "Changes of status in the last 30 days", "Changements de statut des 30 derniers jours", "Statuswijzigingen in de laatste 30 dagen", "Statuswechsel der letzten 30 Tage";
        by_status: "How far things have been checked", "Où en sont les vérifications", "Hoe ver alles is nagekeken", "Wie weit alles geprüft ist";
        by_status_picture: "How many entries have which status, by kind", "Nombre d’entrées par statut et par type", "Aantal vermeldingen per status en per soort", "Anzahl der Einträge nach Status und Art";
        by_day: "Day by day", "Jour par jour", "Dag na dag", "Tag für Tag";
        verdicts_picture: "Checks per day, {} to {}", "Vérifications par jour, du {} au {}", "Controles per dag, {} tot {}", "Prüfungen pro Tag, {} bis {}";
        concerns_picture: "Reports per day, {} to {}", "Signalements par jour, du {} au {}", "Meldingen per dag, {} tot {}", "Meldungen pro Tag, {} bis {}";
        transitions_picture: "Changes of status per day, {} to {}", "Changements de statut par jour, du {} au {}", "Statuswijzigingen per dag, {} tot {}", "Statuswechsel pro Tag, {} bis {}";
        none_in_window: "None in these days.", "Aucun durant ces jours.", "Geen in deze dagen.", "Keine in diesen Tagen.";
        day: "Day", "Jour", "Dag", "Tag";
        count: "Number", "Nombre", "Aantal", "Anzahl";
        kind: "Kind", "Type", "Soort", "Art";
        total: "Total", "Total", "Totaal", "Insgesamt";
        busiest: "Procedures with the most reports in 30 days", "Procédures avec le plus de signalements en 30 jours", "Procedures met de meeste meldingen in 30 dagen", "Verfahren mit den meisten Meldungen in 30 Tagen";
        procedure: "Procedure", "Procédure", "Procedure", "Verfahren";
        see_log: "Every change of status, one by one", "Tous les changements de statut, un par un", "Elke statuswijziging, één voor één", "Jeder Statuswechsel im Einzelnen";
        for_programs: "The same for programs", "La même chose pour les programmes", "Hetzelfde voor programma’s", "Dasselbe für Programme";
        skills: "Procedures", "Procédures", "Procedures", "Verfahren";
        paths: "Documents and desks", "Documents et guichets", "Documenten en loketten", "Dokumente und Schalter";
        values: "Values", "Valeurs", "Waarden", "Werte";
        references: "References", "Références", "Bronnen", "Quellen";

        log: "Changes of status", "Changements de statut", "Statuswijzigingen", "Statusänderungen";
        log_about: "The newest changes, and why they happened.", "Les changements les plus récents, et leurs raisons.", "De nieuwste wijzigingen, en waarom ze er kwamen.", "Die neuesten Wechsel und ihre Gründe.";
        log_empty: "No status has changed yet.", "Aucun statut n’a encore changé.", "Er is nog geen status gewijzigd.", "Noch kein Status hat gewechselt.";
        log_entry: "Entry", "Entrée", "Vermelding", "Eintrag";
        log_check: "Every change stands in a log that nobody can change unseen. Anybody can check it:", "Chaque changement figure dans un journal que personne ne peut modifier sans que cela se voie. Chacun peut le vérifier :", "Elke wijziging staat in een logboek dat niemand ongemerkt kan veranderen. Iedereen kan het nakijken:", "Jeder Wechsel steht in einem Protokoll, das niemand unbemerkt ändern kann. Alle können es prüfen:";
        logged: "In the transparency log: entry {}", "Dans le journal de transparence : entrée {}", "In het transparantielogboek: vermelding {}", "Im Transparenzprotokoll: Eintrag {}";
        logged_about: "What happened to this last, as it stands in a log that nobody can change unseen.", "Ce qui lui est arrivé en dernier, tel qu’inscrit dans un journal que personne ne peut modifier sans que cela se voie.", "Wat er het laatst mee gebeurde, zoals het in een logboek staat dat niemand ongemerkt kan veranderen.", "Was zuletzt damit geschah, wie es in einem Protokoll steht, das niemand unbemerkt ändern kann.";
        policy: "Decided under policy", "Décidé selon la politique", "Beslist volgens beleid", "Entschieden nach Regelwerk";
        proof: "The proof that it stands there: hashes from the entry upwards, and the signed state of the log.", "La preuve qu’elle y figure : empreintes à partir de l’entrée, et l’état signé du journal.", "Het bewijs dat het er staat: hashes vanaf de vermelding omhoog, en de ondertekende stand van het logboek.", "Der Beweis, dass es dort steht: Hashwerte vom Eintrag aufwärts und der signierte Stand des Protokolls.";
        what: "What", "Quoi", "Wat", "Was";
        change: "Change", "Changement", "Wijziging", "Wechsel";
        why: "Why", "Pourquoi", "Waarom", "Warum";
        new: "new", "nouveau", "nieuw", "neu";

        rule_outside: "Outside the lifecycle", "Hors du cycle de vie", "Buiten de levenscyclus", "Außerhalb des Lebenszyklus";
        rule_not_in: "Not in the lifecycle", "Pas dans le cycle de vie", "Niet in de levenscyclus", "Nicht im Lebenszyklus";
        rule_flags: "Somebody warned of injected instructions", "Une mise en garde contre des instructions injectées", "Iemand waarschuwde voor ingesmokkelde instructies", "Jemand warnte vor eingeschleusten Anweisungen";
        rule_rejected: "Rejections outweigh confirmations", "Les rejets l’emportent sur les confirmations", "Verwerpingen wegen zwaarder dan bevestigingen", "Ablehnungen überwiegen die Bestätigungen";
        rule_contested: "People disagree about it", "Les avis divergent", "Mensen zijn het oneens", "Die Meinungen gehen auseinander";
        rule_sources: "Every way is rejected", "Toutes les voies sont rejetées", "Elke manier is verworpen", "Jeder Weg ist abgelehnt";
        rule_nobody: "Nobody confirms it any more", "Plus personne ne le confirme", "Niemand bevestigt het nog", "Niemand bestätigt es mehr";
        rule_works: "It works again", "Cela fonctionne de nouveau", "Het werkt opnieuw", "Es funktioniert wieder";
        rule_beta: "A few people confirmed it", "Quelques personnes l’ont confirmé", "Enkele mensen bevestigden het", "Einige Menschen haben es bestätigt";
        rule_stable: "Many people confirmed it", "De nombreuses personnes l’ont confirmé", "Veel mensen bevestigden het", "Viele Menschen haben es bestätigt";
        rule_stays: "Nothing speaks against it", "Rien ne s’y oppose", "Niets spreekt ertegen", "Nichts spricht dagegen";
        act_observed: "Users confirmed what happens after they take over", "Des utilisateurs ont confirmé ce qui se passe après la prise de relais", "Gebruikers bevestigden wat er na de overname gebeurt", "Nutzer bestätigten, was nach der Übernahme geschieht";
        act_pushed: "A maintainer changed the files", "Un responsable a modifié les fichiers", "Een beheerder wijzigde de bestanden", "Verantwortliche haben die Dateien geändert";
        act_merged: "A draft was accepted", "Un projet a été accepté", "Een ontwerp werd aanvaard", "Ein Entwurf wurde angenommen";
        act_amendment: "A proposed change was taken over", "Une modification proposée a été reprise", "Een voorgestelde wijziging werd overgenomen", "Eine vorgeschlagene Änderung wurde übernommen";
        act_corrected: "Somebody corrected it", "Quelqu’un l’a corrigé", "Iemand verbeterde het", "Jemand hat es berichtigt";
        act_maintainer: "A maintainer decided", "Un responsable a tranché", "Een beheerder besliste", "Verantwortliche haben entschieden";
        act_began: "It stood so when the log began", "C’était son état au début du journal", "Zo stond het toen het logboek begon", "So stand es, als das Protokoll begann";
        act_corrected_log: "The log was put right", "Le journal a été rectifié", "Het logboek werd rechtgezet", "Das Protokoll wurde richtiggestellt";
        act_minted: "A text cited it for the first time", "Un texte l’a cité pour la première fois", "Een tekst haalde het voor het eerst aan", "Ein Text hat es zum ersten Mal angeführt";

        one_confirmation: "{} confirmation", "{} confirmation", "{} bevestiging", "{} Bestätigung";
        confirmations: "{} confirmations", "{} confirmations", "{} bevestigingen", "{} Bestätigungen";
        one_rejection: "{} rejection", "{} rejet", "{} verwerping", "{} Ablehnung";
        rejections: "{} rejections", "{} rejets", "{} verwerpingen", "{} Ablehnungen";
        one_person: "{} person", "{} personne", "{} persoon", "{} Person";
        people: "{} people", "{} personnes", "{} mensen", "{} Menschen";
        one_way: "{} way", "{} voie", "{} manier", "{} Weg";
        ways: "{} ways", "{} voies", "{} manieren", "{} Wege";
        in_one_day: "in {} day", "en {} jour", "in {} dag", "in {} Tag";
        in_days: "in {} days", "en {} jours", "in {} dagen", "in {} Tagen";
        for_one_day: "for {} day", "depuis {} jour", "al {} dag", "seit {} Tag";
        for_days: "for {} days", "depuis {} jours", "al {} dagen", "seit {} Tagen";
        one_probe_failed: "{} automatic check failed", "{} vérification automatique a échoué", "{} automatische controle mislukte", "{} automatische Prüfung schlug fehl";
        probes_failed: "{} automatic checks failed", "{} vérifications automatiques ont échoué", "{} automatische controles mislukten", "{} automatische Prüfungen schlugen fehl";
    }
}

impl Activity {
    /// Why a status changed, by the word it is stored with: a rule of the state machine, or an act.
    pub fn reason(&self, word: &str) -> Option<&'static str> {
        Rule::named(word).map(|rule| self.rule(rule)).or(match word {
            "observed" => Some(self.act_observed),
            "pushed" => Some(self.act_pushed),
            "merged" => Some(self.act_merged),
            "amendment" => Some(self.act_amendment),
            "corrected" => Some(self.act_corrected),
            "maintainer" => Some(self.act_maintainer),
            "minted" => Some(self.act_minted),
            "began" => Some(self.act_began),
            "corrected_log" => Some(self.act_corrected_log),
            _ => None,
        })
    }

    fn rule(&self, rule: Rule) -> &'static str {
        match rule {
            Rule::OutsideTheMachine => self.rule_outside,
            Rule::NotInTheLifecycle => self.rule_not_in,
            Rule::InjectionFlags => self.rule_flags,
            Rule::Rejected => self.rule_rejected,
            Rule::Contested => self.rule_contested,
            Rule::AllSourcesRejected => self.rule_sources,
            Rule::NobodyConfirms => self.rule_nobody,
            Rule::WorksAgain => self.rule_works,
            Rule::AlphaToBeta => self.rule_beta,
            Rule::BetaToStable => self.rule_stable,
            Rule::StableStays => self.rule_stays,
        }
    }

    /// A kind of artefact, by the word it is stored with.
    pub fn artefacts(&self, target_type: &str) -> Option<&'static str> {
        match target_type {
            "skill" => Some(self.skills),
            "path" => Some(self.paths),
            "volatile_value" => Some(self.values),
            "reference" => Some(self.references),
            _ => None,
        }
    }
}
