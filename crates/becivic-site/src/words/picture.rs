//! Pictures, and what they show in words.

super::table! {
    /// Pictures, and what they show in words.
    Picture {
        process: "The steps of “{}”", "Les étapes de « {} »", "De stappen van “{}”", "Die Schritte von „{}“";
        to_step: "step {}: {}", "étape {} : {}", "stap {}: {}", "Schritt {}: {}";
        undrawn: "This diagram cannot be drawn here. This is its source.", "Ce schéma ne peut pas être dessiné ici. Voici sa source.", "Dit schema kan hier niet getekend worden. Dit is de bron ervan.", "Dieses Schema kann hier nicht gezeichnet werden. Dies ist sein Quelltext.";
        around: "What “{}” needs, and what needs it", "Ce dont « {} » a besoin, et ce qui en a besoin", "Wat “{}” nodig heeft, en waarvoor het nodig is", "Was „{}“ braucht, und wofür es gebraucht wird";
        needs: "Needs", "A besoin de", "Heeft nodig", "Braucht";
        first: "To be done first", "À faire d’abord", "Eerst te doen", "Zuerst zu erledigen";
        documents: "Documents and desks", "Documents et guichets", "Documenten en loketten", "Dokumente und Schalter";
        needed_by: "Needed by", "Nécessaire pour", "Nodig voor", "Wird gebraucht für";
        related: "Related", "À voir aussi", "Zie ook", "Siehe auch";
        more: "and {} more", "et {} de plus", "en nog {}", "und {} weitere";
    }
}
