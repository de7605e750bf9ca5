//! The checksums that tell an identifier from a number that only looks like one.
//!
//! 1. The matched text is reduced to its ASCII letters and digits, in upper case ([`Compacted`]).
//! 2. The algorithm of that name judges what is left: its length, its check digits, and the date or the
//!    range inside it where the issuer's rule fixes one.
//! 3. In doubt a number is accepted: a missed identifier costs more than a note to reword.
//!
//! There is no clock here. A number of somebody who is not born yet holds like any other, and where a
//! two-digit year leaves the century open, a 29 February holds if one of the centuries has it.
//!
//! ```
//! use becivic_core::scrub::checksum::Checksum;
//!
//! assert!(Checksum::Modulo97BelgianNrn.holds("79.10.05-977.20"));
//! assert!(!Checksum::Modulo97BelgianNrn.holds("79.10.05-977.21"));
//! ```

mod belgian;
mod birth;
mod compacted;
mod digits;
mod european;
mod iban;
mod world;

use crate::vocabulary::words;

pub(super) use compacted::Compacted;

words! {
    /// The algorithms a scrub rule can name (§6.8).
    Checksum {
        /// A Belgian national register or BIS number.
        Modulo97BelgianNrn = "modulo_97_belgian_nrn",
        /// A Belgian enterprise number, also written as a VAT number.
        Modulo97BelgianEnterprise = "modulo_97_belgian_enterprise",
        /// A Belgian identity card number or structured communication.
        Modulo97BelgianCard = "modulo_97_belgian_card",
        /// A bank account number of a country in the IBAN registry.
        Iso7064Modulo97Iban = "iso_7064_modulo_97_iban",
        /// Any number that ends in a Luhn digit, such as that of a payment card.
        Luhn = "luhn",
        /// A Dutch citizen service number.
        ElevenTestDutchBsn = "eleven_test_dutch_bsn",
        /// A French social security number with its key.
        Modulo97FrenchNir = "modulo_97_french_nir",
        /// A German tax number or a Croatian personal number.
        Iso7064Modulo1110 = "iso_7064_modulo_11_10",
        /// A Spanish identity number of a national or a foreigner.
        SpanishDniNie = "spanish_dni_nie",
        /// An Italian tax code.
        ItalianCodiceFiscale = "italian_codice_fiscale",
        /// A Polish population number.
        PolishPesel = "polish_pesel",
        /// A Portuguese tax number.
        PortugueseNif = "portuguese_nif",
        /// A Romanian personal number.
        RomanianCnp = "romanian_cnp",
        /// A Bulgarian personal number.
        BulgarianEgn = "bulgarian_egn",
        /// A Turkish identity number.
        TurkishTckn = "turkish_tckn",
        /// An Indian Aadhaar number.
        Verhoeff = "verhoeff",
        /// A Brazilian taxpayer number.
        BrazilianCpf = "brazilian_cpf",
        /// A thirteen-digit article number, which is also the form of a Swiss social security number.
        Ean13 = "ean_13",
        /// A Czech or Slovak birth number.
        CzechSlovakBirthNumber = "czech_slovak_birth_number",
        /// A Luxembourg identification number.
        LuxembourgMatricule = "luxembourg_matricule",
        /// An Irish public service number.
        IrishPps = "irish_pps",
        /// A Chinese resident identity number.
        ChineseResidentId = "chinese_resident_id",
        /// A British health service number.
        BritishNhs = "british_nhs",
        /// A Finnish personal identity code.
        FinnishHetu = "finnish_hetu",
        /// A Norwegian birth number, or the D number of somebody who does not live there.
        NorwegianFodselsnummer = "norwegian_fodselsnummer",
        /// A Ukrainian taxpayer number.
        UkrainianRnokpp = "ukrainian_rnokpp",
        /// A Greek social security number.
        GreekAmka = "greek_amka",
        /// A Swedish personal or coordination number.
        SwedishPersonnummer = "swedish_personnummer",
    }
}

/// The most letters and digits a number can have: ISO 13616 lets an IBAN go up to 34.
pub(super) const LONGEST: usize = 34;

impl Checksum {
    /// Whether the matched text is a number its issuer could have made.
    pub fn holds(self, matched: &str) -> bool {
        Compacted::default().of(matched, 0..matched.len()).is_some_and(|text| self.holds_for(text))
    }

    /// The same for its letters and digits alone, in upper case.
    pub(super) fn holds_for(self, text: &[u8]) -> bool {
        match self {
            Self::Modulo97BelgianNrn => belgian::national_register(text),
            Self::Modulo97BelgianEnterprise => belgian::enterprise(text),
            Self::Modulo97BelgianCard => belgian::card(text),
            Self::Iso7064Modulo97Iban => iban::iban(text),
            Self::Luhn => world::luhn(text),
            Self::ElevenTestDutchBsn => european::dutch_bsn(text),
            Self::Modulo97FrenchNir => european::french_nir(text),
            Self::Iso7064Modulo1110 => european::german_or_croatian(text),
            Self::SpanishDniNie => european::spanish_dni_nie(text),
            Self::ItalianCodiceFiscale => birth::italian_codice_fiscale(text),
            Self::PolishPesel => birth::polish_pesel(text),
            Self::PortugueseNif => european::portuguese_nif(text),
            Self::RomanianCnp => birth::romanian_cnp(text),
            Self::BulgarianEgn => birth::bulgarian_egn(text),
            Self::TurkishTckn => world::turkish_tckn(text),
            Self::Verhoeff => world::indian_aadhaar(text),
            Self::BrazilianCpf => world::brazilian_cpf(text),
            Self::Ean13 => world::ean_13(text),
            Self::CzechSlovakBirthNumber => birth::czech_slovak(text),
            Self::LuxembourgMatricule => birth::luxembourg_matricule(text),
            Self::IrishPps => european::irish_pps(text),
            Self::ChineseResidentId => world::chinese_resident_id(text),
            Self::BritishNhs => european::british_nhs(text),
            Self::FinnishHetu => birth::finnish_hetu(text),
            Self::NorwegianFodselsnummer => birth::norwegian_fodselsnummer(text),
            Self::UkrainianRnokpp => european::ukrainian_rnokpp(text),
            Self::GreekAmka => birth::greek_amka(text),
            Self::SwedishPersonnummer => birth::swedish_personnummer(text),
        }
    }
}

/// What the tests of every algorithm do: each text must hold, or must not.
#[cfg(test)]
fn check(checksum: Checksum, valid: &[&str], invalid: &[&str]) {
    for text in valid {
        assert!(checksum.holds(text), "{checksum} refuses {text}");
    }
    for text in invalid {
        assert!(!checksum.holds(text), "{checksum} accepts {text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_letters_and_digits_count() {
        let nrn = Checksum::Modulo97BelgianNrn;
        check(nrn, &["79/10/05-977.20", " 79 10 05 977 20\u{a0}", "é79100597720"], &["x79100597720"]);
        check(Checksum::Iso7064Modulo97Iban, &["be74 0000 0000 0707"], &[]);
    }

    #[test]
    fn what_does_not_fit_does_not_hold() {
        let (fits, too_long) = ("0".repeat(33) + "18", "18".repeat(LONGEST));
        check(Checksum::Luhn, &[&fits[1..]], &[&too_long, &fits, ""]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "(?s).{0,40}", number in "[0-9A-Za-z]{0,36}", digits in "[0-9]{0,20}") {
            for checksum in Checksum::ALL {
                for text in [&text, &number, &digits] {
                    let spaced: String = text.chars().flat_map(|c| [c, '-']).collect();
                    prop_assert_eq!(checksum.holds(text), checksum.holds(&spaced));
                }
            }
        }
    }
}
