//! Sixty real records, against what a reader noted of them by eye. The records lie beside the repository and may be absent.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_library::{Identity, Reconciled, reconcile};
use plumbline_testkit::shared_data;
use serde_json::Value;

use crate::support::{bare_source, markdown_identities};

/// The folder that holds a library: `corpora`, its kind, its name.
const DEPTH: usize = 3;

/// How many of the noted values are read as noted, by field.
#[test]
fn what_a_reader_notes_of_records_is_read() {
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth/sections.jsonl");
    let Some(root) = shared_data::path_or_skip("corpora") else { return };
    let root = root.parent().unwrap().to_owned();
    let mut libraries: BTreeMap<String, (Vec<Identity>, Reconciled)> = BTreeMap::new();
    let mut counts: BTreeMap<&str, (usize, Vec<String>)> = BTreeMap::new();
    for line in std::fs::read_to_string(truth).unwrap().lines() {
        let noted: Value = serde_json::from_str(line).unwrap();
        let file = noted["file"].as_str().unwrap();
        let parts: Vec<&str> = file.splitn(DEPTH + 1, '/').collect();
        let (folder, path) = (parts[..DEPTH].join("/"), parts[DEPTH]);
        let (identities, reconciled) = libraries.entry(folder.clone()).or_insert_with(|| {
            let identities =
                markdown_identities(&bare_source(&root.join(&folder), parts[DEPTH - 1]), "default");
            let reconciled = reconcile(&identities);
            (identities, reconciled)
        });
        let at = identities.iter().position(|identity| identity.placement.path == path).expect(file);
        let document = &reconciled.documents[at].document;
        let found = [
            ("id", Value::from(document.id.as_str())),
            ("status", document.status.clone().into()),
            ("version", document.version.clone().into()),
            ("date", document.date.map(|date| date.to_string()).into()),
        ];
        for (field, found) in found {
            let (right, wrong) = counts.entry(field).or_default();
            if found == noted[field] {
                *right += 1;
            } else {
                wrong.push(format!("{file}: {found} for {}", noted[field]));
            }
        }
    }
    for (field, (right, wrong)) in &counts {
        println!("{field}: {right} of {}", right + wrong.len());
        wrong.iter().for_each(|miss| println!("  {miss}"));
    }
    for (field, least) in [("id", 59), ("status", 58), ("version", 60), ("date", 59)] {
        assert!(counts[field].0 >= least, "{field} must be right in {least} of the records");
    }
}
