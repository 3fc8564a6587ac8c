//! Records and their approval records, as organisations write them, against what a reader takes from them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plumbline_core::domain::Kind;
use plumbline_library::{Approval, ChunkRules, Identity, Reconciled, chunk, read, reconcile};
use serde_json::Value;

use crate::support::{bare_source, files, identities};

/// Folders with records, their approval records and `expected.json`.
fn cases() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = ["truth/approvals", "fixtures/approvals"].map(|folder| tests.join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    cases.sort();
    cases
}

struct Case {
    name: String,
    expected: Value,
    identities: Vec<Identity>,
    reconciled: Reconciled,
}

fn read_case(folder: &Path) -> Case {
    let identities = identities(&bare_source(folder, "approvals"), "default");
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    Case {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        expected: serde_json::from_str(&expected).unwrap(),
        reconciled: reconcile(&identities),
        identities,
    }
}

impl Case {
    fn at(&self, id: &str) -> usize {
        let ids: Vec<&str> =
            self.reconciled.documents.iter().map(|found| found.document.id.as_str()).collect();
        ids.iter().position(|known| *known == id).unwrap_or_else(|| panic!("{}: {id} in {ids:?}", self.name))
    }

    /// What differs from what is expected of the record.
    fn faults_of_record(&self, expected: &Value) -> Vec<String> {
        let document = &self.reconciled.documents[self.at(expected["id"].as_str().unwrap())].document;
        let status = match expected["status_from"].as_str() {
            Some("approval") => document.approval_status.as_ref().or(document.status.as_ref()),
            _ => document.status.as_ref(),
        };
        let mut faults = self.faults(&[
            ("kind", document.kind.as_str().to_lowercase().into(), &expected["kind"]),
            ("status", status.cloned().into(), &expected["status"]),
            ("version", document.version.clone().into(), &expected["version"]),
            ("date", document.date.map(|date| date.to_string()).into(), &expected["date"]),
            ("approvers", document.approvers.clone().into(), &expected["approvers"]),
        ]);
        if let Some(deciders) = expected.get("deciders") {
            faults.extend(self.faults(&[("deciders", document.deciders.clone().into(), deciders)]));
        }
        faults
    }

    fn faults_of_approval(&self, expected: &Value, record: Option<&str>) -> Vec<String> {
        let at = self.at(expected["id"].as_str().unwrap());
        let found = &self.reconciled.documents[at];
        let all: Vec<Value> = self.identities[at].approvals.iter().map(as_written).collect();
        self.faults(&[
            ("kind", found.document.kind.as_str().to_lowercase().into(), &expected["kind"]),
            ("approvals", all.into(), &expected["approvals"]),
            ("approves", found.approves.as_ref().map(ToString::to_string).into(), &record.into()),
        ])
    }

    fn faults(&self, fields: &[(&str, Value, &Value)]) -> Vec<String> {
        let differing = fields.iter().filter(|(_, found, expected)| found != *expected);
        differing
            .map(|(field, found, expected)| format!("{}: {field} is {found}, not {expected}", self.name))
            .collect()
    }
}

fn as_written(approval: &Approval) -> Value {
    serde_json::json!({
        "version": approval.version,
        "date": approval.date.map(|date| date.to_string()),
        "decision": approval.decision,
        "driver": approval.driver,
        "approvers": approval.approvers,
    })
}

/// The pairs of a case: one, or a list of them.
fn pairs(expected: &Value) -> Vec<&Value> {
    expected
        .get("pairs")
        .and_then(Value::as_array)
        .map_or_else(|| vec![expected], |pairs| pairs.iter().collect())
}

#[test]
fn records_have_what_their_newest_approval_says() {
    let mut faults = Vec::new();
    for case in cases().iter().map(|folder| read_case(folder)) {
        for pair in pairs(&case.expected) {
            let record = pair["record"]["id"].as_str();
            if record.is_some() {
                faults.extend(case.faults_of_record(&pair["record"]));
            }
            faults.extend(case.faults_of_approval(&pair["approval"], record));
            let contradicted =
                case.reconciled.disagreements.iter().find(|found| Some(found.record.as_str()) == record);
            let says = contradicted.map_or(
                Value::Null,
                |found| serde_json::json!({ "record": found.status, "approval": found.approval_status }),
            );
            faults.extend(case.faults(&[("disagreement", says, &pair["disagreement"])]));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn an_approval_record_is_no_second_copy_of_its_record() {
    for case in cases().iter().map(|folder| read_case(folder)) {
        assert!(case.reconciled.collisions.is_empty(), "{}: {:?}", case.name, case.reconciled.collisions);
        let records = case.reconciled.documents.iter().filter(|found| found.document.kind != Kind::Dar);
        let titles: Vec<&str> = records.map(|found| found.document.title.as_str()).collect();
        let distinct: BTreeSet<&str> = titles.iter().copied().collect();
        assert_eq!(titles.len(), distinct.len(), "{}: {titles:?}", case.name);
        let of = |kind: Kind| {
            let found = case.reconciled.documents.iter().filter(move |found| found.document.kind == kind);
            found.filter_map(|found| found.document.number).collect::<Vec<_>>()
        };
        for kind in [Kind::Adr, Kind::Principle, Kind::Dar] {
            let numbers = of(kind);
            let distinct: BTreeSet<u32> = numbers.iter().copied().collect();
            assert_eq!(
                numbers.len(),
                distinct.len(),
                "{}: a number of a {kind:?} means one document",
                case.name
            );
        }
    }
}

#[test]
fn what_was_not_understood_of_an_approval_is_said() {
    for case in cases().iter().map(|folder| read_case(folder)) {
        for identity in &case.identities {
            let said = &case.expected["not_understood"][&identity.placement.path];
            let expected = if said.is_null() { serde_json::json!([]) } else { said.clone() };
            assert_eq!(
                Value::from(identity.problems.iter().map(|kept| kept.0.to_string()).collect::<Vec<_>>()),
                expected,
                "{}: {}",
                case.name,
                identity.placement.path
            );
        }
    }
}

#[test]
fn an_approval_stays_in_the_library_whatever_it_names_and_what_is_missing_is_said() {
    for folder in cases() {
        let case = read_case(&folder);
        let readable = files(&folder).iter().filter(|path| *path != "expected.json").count();
        let listed = case.reconciled.documents.iter().filter(|found| found.listed).count();
        assert_eq!(listed, readable, "{}: every file is a document of its own", case.name);
        let Some(missing) = case.expected.get("missing") else { continue };
        let said: serde_json::Map<String, Value> = case
            .reconciled
            .unresolved
            .iter()
            .filter(|one| one.relation == "approves")
            .map(|one| (one.document.to_string(), one.written.clone().into()))
            .collect();
        assert_eq!(&Value::Object(said), missing, "{}", case.name);
        for id in case.expected["unapproved"].as_array().into_iter().flatten() {
            let document = &case.reconciled.documents[case.at(id.as_str().unwrap())].document;
            assert!(document.approvers.is_empty() && document.version.is_none(), "{id}: {document:?}");
            assert_eq!(document.status.as_deref(), Some("accepted"), "{id}: its own status stays");
        }
    }
}

#[test]
fn what_a_form_left_behind_is_in_no_passage() {
    for folder in cases() {
        let case = read_case(&folder);
        let left: Vec<&str> = pairs(&case.expected)
            .iter()
            .flat_map(|pair| pair["not_content"].as_array().unwrap())
            .map(|text| text.as_str().unwrap())
            .collect();
        for path in files(&folder).iter().filter(|path| path.ends_with(".md")) {
            let document = read(path, &std::fs::read(folder.join(path)).unwrap()).unwrap();
            for passage in chunk(&document, "", plumbline_core::domain::Language::EN, &ChunkRules::default())
            {
                let shown = format!("{} {}", passage.section_path.join(" "), passage.text);
                let found = left.iter().find(|text| shown.contains(**text));
                assert_eq!(found, None, "{path}: {shown}");
            }
        }
    }
}
