//! The closed word lists several data shapes share. Their spelling is the wire's.

/// Declares a closed enum once: its variants, their spelling, and the list of all of them.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every value, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value as it is written.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value that is written so.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Where an artefact stands (§6.1).
    Status {
        /// A skeleton, or work in progress by a maintainer.
        Draft = "draft",
        /// Published, not yet confirmed by anybody.
        Alpha = "alpha",
        /// Confirmed by a few.
        Beta = "beta",
        /// Confirmed by many.
        Stable = "stable",
        /// Pulled for cause; never shown.
        Quarantined = "quarantined",
        /// Superseded; readable with a warning.
        Deprecated = "deprecated",
    }
}

impl Status {
    /// Whether readers are offered the artefact as current content.
    pub fn is_published(self) -> bool {
        match self {
            Self::Alpha | Self::Beta | Self::Stable => true,
            Self::Draft | Self::Quarantined | Self::Deprecated => false,
        }
    }

    /// Whether the artefact has left the lifecycle.
    pub fn is_retired(self) -> bool {
        match self {
            Self::Quarantined | Self::Deprecated => true,
            Self::Draft | Self::Alpha | Self::Beta | Self::Stable => false,
        }
    }
}

words! {
    /// Who wrote an artefact.
    Origin {
        /// Maintainers.
        BeCivic = "be-civic",
        /// A community submission.
        Community = "community",
    }
}

words! {
    /// What a path is to a procedure (§6.12.6): a path's purpose, or a skill's role for it.
    Role {
        /// The document goes into the file.
        Submission = "submission",
        /// Worth fixing before filing.
        Preparation = "preparation",
        /// Worth checking before filing.
        CheckOnly = "check-only",
        /// For information.
        Informational = "informational",
        /// An interactive tool.
        Tool = "tool",
    }
}

words! {
    /// When a required path fires.
    Timing {
        /// Before filing.
        PreFiling = "pre-filing",
        /// Months before filing.
        MonthsBeforeFiling = "months-before-filing",
        /// At filing.
        AtFiling = "at-filing",
        /// After filing.
        PostFiling = "post-filing",
        /// Any time.
        Any = "any",
    }
}

words! {
    /// The graph's closed category of a skill (§24.2, shown there as `applies_to`).
    Domain {
        /// Nationality.
        Nationality = "nationality",
        /// Residency.
        Residency = "residency",
        /// Employment.
        Employment = "employment",
        /// Civic status.
        CivicStatus = "civic-status",
        /// Social security.
        SocialSecurity = "social-security",
        /// Education.
        Education = "education",
        /// Taxation.
        Taxation = "taxation",
        /// Family.
        Family = "family",
        /// Housing.
        Housing = "housing",
        /// Travel documents.
        TravelDocuments = "travel-documents",
        /// Skills about the corpus itself.
        Meta = "meta",
    }
}

words! {
    /// What a consuming agent can do (§6.7).
    Capability {
        /// Reads files the person provides.
        FileRead = "file_read",
        /// Produces JSON to a schema.
        StructuredOutput = "structured_output",
        /// Holds state across turns.
        MultiTurn = "multi_turn",
        /// Runs local scripts.
        ToolExecution = "tool_execution",
        /// Fetches URLs.
        WebFetch = "web_fetch",
        /// Produces PDF files.
        PdfGeneration = "pdf_generation",
        /// Reads scans and photos.
        Vision = "vision",
        /// Reads and writes the person's files.
        LocalFilesystem = "local_filesystem",
        /// Evaluates the Path Directory.
        PathTraversal = "path_traversal",
        /// Presents a handoff and resumes after it.
        PathHandoff = "path_handoff",
    }
}

words! {
    /// The regions of communes (profiles use their own words, DECISIONS §10).
    Region {
        /// Brussels-Capital.
        Brussels = "brussels",
        /// Wallonia.
        Wallonia = "wallonia",
        /// Flanders.
        Flanders = "flanders",
    }
}

words! {
    /// Languages of Belgian administration, plus English for readers.
    Language {
        /// French.
        Fr = "fr",
        /// Dutch.
        Nl = "nl",
        /// German.
        De = "de",
        /// English.
        En = "en",
    }
}

/// What people call a thing, by language.
pub type Phrases = std::collections::BTreeMap<Language, Vec<String>>;
