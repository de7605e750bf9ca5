//! Skills: the list, one of them, its versions.

super::table! {
    /// Skills: the list, one of them, its versions.
    Skill {
        all: "Procedures", "Procédures", "Procedures", "Verfahren";
        all_intro: "Every procedure that is written down here, by subject.", "Toutes les procédures décrites ici, par sujet.", "Elke procedure die hier beschreven is, per onderwerp.", "Alle Verfahren, die hier beschrieben sind, nach Thema.";
        version: "Version", "Version", "Versie", "Version";
        last_verified: "Compared with its sources", "Comparé à ses sources", "Vergeleken met de bronnen", "Mit den Quellen verglichen";
        never: "not yet", "pas encore", "nog niet", "noch nicht";
        disclaimer: "This is a starting point, not legal advice. Verify each step with the authority in charge.", "Ceci est un point de départ, pas un conseil juridique. Vérifiez chaque étape auprès de l’autorité compétente.", "Dit is een vertrekpunt, geen juridisch advies. Controleer elke stap bij de bevoegde overheid.", "Dies ist ein Ausgangspunkt, keine Rechtsberatung. Prüfen Sie jeden Schritt bei der zuständigen Behörde.";
    }
}
