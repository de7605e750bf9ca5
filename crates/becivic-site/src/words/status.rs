//! Statuses, and what they mean.

super::table! {
    /// Statuses, and what they mean.
    Statuses {
        draft: "Draft", "Brouillon", "Ontwerp", "Entwurf";
        alpha: "Alpha", "Alpha", "Alfa", "Alpha";
        beta: "Beta", "Bêta", "Bèta", "Beta";
        stable: "Stable", "Stable", "Stabiel", "Stabil";
        quarantined: "Quarantined", "En quarantaine", "In quarantaine", "In Quarantäne";
        deprecated: "Deprecated", "Abandonné", "Verouderd", "Veraltet";
    }
}
