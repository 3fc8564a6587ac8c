//! The table of thresholds: each is declared here once, with what a file that says nothing means.

use std::collections::BTreeMap;

use serde::Serialize;

/// The numbers of one section of a file, as far as it gives them.
pub(super) type Section = BTreeMap<&'static str, f64>;

/// Declares thresholds, all of them numbers from 0 to 1, as a struct that a section of a file can be laid over.
macro_rules! thresholds {
    ($(
        $(#[doc = $about:literal])+
        $Name:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:literal;)+
        }
    )+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Serialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub struct $Name {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl $Name {
            /// The names of its fields.
            pub const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];

            /// What each field means, in the order of their names, in lines.
            pub const ABOUT: &'static [&'static [&'static str]] = &[$(&[$($doc),+]),+];

            /// What holds where no file says anything.
            pub(super) const BUILT_IN: Self = Self { $($field: $default,)+ };

            /// The same with what a section says instead.
            pub(super) fn over(self, section: Option<&Section>) -> Self {
                let given = |field: &str| section.and_then(|section| section.get(field).copied());
                Self { $($field: given(stringify!($field)).map_or(self.$field, |given| given as $type),)+ }
            }

            /// A field by name, as it is written: 0.45 in 32 bits is 0.449999988.
            pub fn get(&self, field: &str) -> Option<f64> {
                match field {
                    $(stringify!($field) => self.$field.to_string().parse().ok(),)+
                    _ => None,
                }
            }
        }
    )+};
}

thresholds! {
    /// When what was found in a collection is good enough. Scores are cosines, or BM25 divided by its bound.
    CollectionThresholds {
        /// A candidate further away than this (1 - score) goes.
        distance_threshold: f32 = 0.50;
        /// Share of the question's content words that the kept passages must hold.
        min_query_coverage: f64 = 0.20;
        /// Best score under this: refuse at once.
        bail_below: f32 = 0.40;
        /// One passage as good as this is enough.
        single_hit: f32 = 0.65;
        /// Two or more passages are enough, the best of them as good as this.
        several_hits: f32 = 0.55;
        /// Three or more passages are enough, as good as this on average.
        mean: f32 = 0.50;
        /// A passage that by itself holds this share of the question's words (by idf) passes every gate.
        lexical_witness: f64 = 0.80;
        /// How likely it must be that the library holds an answer (how near the best passages are, how far their
        /// document stands out, how many of the question's words they hold). With the built-in model, for which
        /// it was fitted, this alone decides and the thresholds above only cut; 0 leaves it to them.
        answerability: f64 = 0.0;
        /// A document that stands out by this much from the mean of the next five is enough; 1 never is.
        margin: f32 = 1.0;
    }

    /// The cosines that count as nothing and as full coverage where question and passage differ in language.
    CrossLanguage {
        /// Counts as 0.
        floor: f32 = 0.30;
        /// Counts as 1, and what lies between in proportion.
        ceiling: f32 = 0.65;
        /// A foreign document that stands out from all others by this much counts as 1 too.
        margin: f32 = 0.25;
    }
}
