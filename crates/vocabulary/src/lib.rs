//! The vocabulary of record: embedded SKOS index, SKOSMOS client, cache.
