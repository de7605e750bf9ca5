//! Subjects of skills, by the names people have for them.

super::table! {
    /// Subjects of skills.
    Category {
        federal: "Federal matters", "Matières fédérales", "Federale aangelegenheden", "Föderale Angelegenheiten";
        civil_status: "Civil status", "État civil", "Burgerlijke stand", "Personenstand";
        regional: "Regions and Communities", "Régions et Communautés", "Gewesten en gemeenschappen", "Regionen und Gemeinschaften";
        flanders: "Flanders", "Flandre", "Vlaanderen", "Flandern";
        wallonia: "Wallonia", "Wallonie", "Wallonië", "Wallonien";
        brussels: "Brussels", "Bruxelles", "Brussel", "Brüssel";
        german_speaking: "German-speaking Community", "Communauté germanophone", "Duitstalige Gemeenschap", "Deutschsprachige Gemeinschaft";
        foreign_documents: "Documents from abroad", "Documents étrangers", "Documenten uit het buitenland", "Dokumente aus dem Ausland";
        meta: "Using Be Civic", "Utiliser Be Civic", "Be Civic gebruiken", "Be Civic verwenden";
        all_of_it: "All {} procedures on this subject", "Les {} procédures de ce sujet", "Alle {} procedures over dit onderwerp", "Alle {} Verfahren zu diesem Thema";
        all_subjects: "All subjects", "Tous les sujets", "Alle onderwerpen", "Alle Themen";
        page_of: "Page {} of {}", "Page {} sur {}", "Pagina {} van {}", "Seite {} von {}";
        page_before: "Previous page", "Page précédente", "Vorige pagina", "Vorige Seite";
        page_after: "Next page", "Page suivante", "Volgende pagina", "Nächste Seite";
    }
}

impl Category {
    /// What people call a category; nothing of one that nobody here has heard of.
    pub fn name(&self, id: &str) -> Option<&'static str> {
        Some(match id {
            "belgium-federal" => self.federal,
            "belgium-federal-civil-status" => self.civil_status,
            "belgium-regional" => self.regional,
            "belgium-flemish-region" => self.flanders,
            "belgium-walloon-region" => self.wallonia,
            "belgium-brussels-region" => self.brussels,
            "belgium-german-speaking-community" => self.german_speaking,
            "origin-foreign-documents" => self.foreign_documents,
            "meta" => self.meta,
            _ => return None,
        })
    }
}
