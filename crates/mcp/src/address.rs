//! The addresses of resources. They stay the same from one generation to the next: ids do.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use plumbline_core::domain::{DocumentId, SourceId};

const SCHEME: &str = "plumbline://";

/// What a resource is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    Document(DocumentId),
    Passage(SourceId),
    /// A concept of the vocabulary, by its URI.
    Concept(String),
}

/// Their shapes, as clients fill them in.
pub(crate) const DOCUMENT_TEMPLATE: &str = "plumbline://document/{id}";
pub(crate) const PASSAGE_TEMPLATE: &str = "plumbline://passage/{id}/{number}";
pub(crate) const CONCEPT_TEMPLATE: &str = "plumbline://concept/{uri}";

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(id) => write!(f, "{SCHEME}document/{id}"),
            Self::Passage(source) => write!(f, "{SCHEME}passage/{}/{}", source.document, source.chunk),
            Self::Concept(uri) => {
                write!(f, "{SCHEME}concept/{}", utf8_percent_encode(uri, NON_ALPHANUMERIC))
            }
        }
    }
}

impl FromStr for Address {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (kind, rest) = text.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')).ok_or(())?;
        match kind {
            "document" => DocumentId::new(rest).map(Self::Document).map_err(drop),
            "passage" => {
                let (document, chunk) = rest.split_once('/').ok_or(())?;
                format!("{document}:{chunk}").parse().map(Self::Passage).map_err(drop)
            }
            "concept" => {
                let uri = percent_decode_str(rest).decode_utf8().map_err(drop)?;
                if uri.is_empty() { Err(()) } else { Ok(Self::Concept(uri.into_owned())) }
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let document = DocumentId::new("adr-0012").unwrap();
        for address in [
            Address::Document(document.clone()),
            Address::Passage(SourceId::new(document, 3)),
            Address::Concept("http://example.org/vocab#Één term?".to_owned()),
        ] {
            assert_eq!(address.to_string().parse(), Ok(address.clone()), "{address}");
        }
    }

    #[test]
    fn what_is_no_address_is_none() {
        for other in [
            "",
            "plumbline://",
            "plumbline://document/",
            "plumbline://document/../../etc/passwd",
            "plumbline://passage/adr-0012",
            "plumbline://passage/adr-0012/x",
            "plumbline://passage/adr-0012/99999999999",
            "plumbline://concept/",
            "plumbline://concept/%ff",
            "file:///etc/passwd",
        ] {
            assert_eq!(other.parse::<Address>(), Err(()), "{other}");
        }
    }
}
