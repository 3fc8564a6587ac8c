//! Tests that span crates; everything is in `plumbline/`, one binary.
