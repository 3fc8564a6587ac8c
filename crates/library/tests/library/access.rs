//! What a user may not see does not exist: in no lane, list, suggestion, count or fact.

use plumbline_core::domain::{Collection, DocumentId};
use plumbline_core::intent::references;
use plumbline_core::ports::{Catalogue, DocumentFilter, Index, LexicalQuery, Scope};
use plumbline_testkit::prng::Prng;

use crate::test_library::TestLibrary;

const TAGS: [&str; 3] = ["security", "board", "hr"];

struct Restricted {
    id: String,
    tenant: &'static str,
    tags: Vec<&'static str>,
}

/// Thirty records over two tenants with every mixture of access tags.
fn library(test_library: &TestLibrary) -> Vec<Restricted> {
    let mut chance = Prng::new(7);
    let mut records = Vec::new();
    for (tenant, first) in [("default", 1), ("south", 101)] {
        for number in first..first + 15 {
            let tags: Vec<&str> = TAGS.into_iter().filter(|_| chance.chance(35)).collect();
            let text = format!(
                "---\ntitle: Decision {number}\nstatus: accepted\naccess_tags: [{}]\n---\n\n# Decision {number}\n\n## Decision\n\nThe common word zebra and the single word unique{number}.\n",
                tags.join(", ")
            );
            test_library.write(&format!("{tenant}/adr/{number:04}-x.md"), &text);
            records.push(Restricted { id: format!("adr-{number:04}"), tenant, tags });
        }
    }
    for tenant in ["default", "south"] {
        let manifest = format!(
            "[library]\nname = \"{tenant}\"\ntenant = \"{tenant}\"\n[[source]]\nname = \"{tenant}\"\npath = \".\"\ndefault = {}\n",
            tenant == "default"
        );
        test_library.write(&format!("{tenant}/library.toml"), &manifest);
        test_library.index_path(&test_library.docs().join(tenant));
    }
    for record in &mut records {
        if record.tenant == "south" {
            record.id = format!("south-{}", record.id);
        }
    }
    records
}

#[test]
fn what_is_not_visible_does_not_exist_anywhere() {
    let test_library = TestLibrary::new();
    let records = library(&test_library);
    let library = test_library.library();
    let mut chance = Prng::new(11);
    for round in 0..40 {
        let scope = Scope {
            tenant: chance.pick(&["", "default", "south", "nobody"]).to_string(),
            user_tags: TAGS.into_iter().filter(|_| chance.chance(40)).map(str::to_owned).collect(),
            collections: if chance.chance(25) { vec![Collection::new("ADR")] } else { Vec::new() },
        };
        let tenant = if scope.tenant.is_empty() { "default" } else { scope.tenant.as_str() };
        let may_see = |record: &Restricted| {
            record.tenant == tenant
                && (record.tags.is_empty()
                    || record.tags.iter().any(|tag| scope.user_tags.iter().any(|held| held == tag)))
        };
        let mut visible: Vec<&str> =
            records.iter().filter(|record| may_see(record)).map(|record| record.id.as_str()).collect();
        visible.sort_unstable();
        let seen = |what: &str, ids: Vec<String>| {
            for id in ids {
                assert!(visible.contains(&id.as_str()), "round {round}: {what} shows {id} to {scope:?}");
            }
        };
        let vector = test_library.vector("zebra");
        let dense = test_library.runtime.block_on(library.dense(&vector, &scope, 100)).unwrap();
        assert_eq!(dense.len(), visible.len(), "round {round}: dense finds all that is visible");
        seen("dense", dense.iter().map(|hit| hit.chunk.document.id.to_string()).collect());
        let query = LexicalQuery { text: "zebra".to_owned(), language: plumbline_core::domain::Language::EN };
        let lexical =
            test_library.runtime.block_on(library.lexical(&query, Some(&vector), &scope, 100)).unwrap();
        assert_eq!(lexical.len(), visible.len(), "round {round}: lexical finds all that is visible");
        seen("lexical", lexical.iter().map(|hit| hit.chunk.document.id.to_string()).collect());
        let all: Vec<DocumentId> =
            records.iter().map(|record| DocumentId::new(&*record.id).unwrap()).collect();
        let addressed = test_library.runtime.block_on(library.address(&all, None, &scope)).unwrap();
        seen("address", addressed.iter().map(|hit| hit.chunk.document.id.to_string()).collect());
        for filter in [
            DocumentFilter::default(),
            DocumentFilter { about: Some("zebra".to_owned()), ..DocumentFilter::default() },
        ] {
            let listed = test_library.runtime.block_on(library.list(&filter, &scope)).unwrap();
            let mut ids: Vec<String> = listed.iter().map(|document| document.id.to_string()).collect();
            ids.sort_unstable();
            assert_eq!(ids, visible, "round {round}: the list is complete and no more");
        }
        let stems = ["zebra".to_owned(), "unique3".to_owned()];
        let statistics = test_library.runtime.block_on(library.term_statistics(&stems, &scope)).unwrap();
        assert_eq!(statistics[0].document_frequency, visible.len() as u64, "round {round}: a count");
        assert_eq!(statistics[1].document_frequency > 0, visible.contains(&"adr-0003"));
        for record in &records {
            let id = DocumentId::new(&*record.id).unwrap();
            let shown = visible.contains(&record.id.as_str());
            assert_eq!(
                test_library.runtime.block_on(library.document(&id, &scope)).unwrap().is_some(),
                shown
            );
            let source = format!("{}:0", record.id).parse().unwrap();
            let exists = test_library.runtime.block_on(library.existing(&[source], &scope)).unwrap();
            assert_eq!(!exists.is_empty(), shown, "round {round}: the auditor knows {}", record.id);
        }
        let reference = references("ADR-3").remove(0).1;
        seen("resolve", ids_of(&test_library.runtime.block_on(library.resolve(&reference, &scope)).unwrap()));
        seen(
            "nearest",
            ids_of(&test_library.runtime.block_on(library.nearest(&reference, 9, &scope)).unwrap()),
        );
        let collections = test_library.runtime.block_on(library.collections(&scope)).unwrap();
        assert_eq!(collections.is_empty(), visible.is_empty(), "round {round}: a collection of nothing");
    }
}

/// A hidden document moves no score: what is left scores as if the rest had never been there.
#[test]
fn hidden_documents_do_not_move_scores() {
    let test_library = TestLibrary::new();
    let records = library(&test_library);
    let scope = Scope::default();
    let query =
        LexicalQuery { text: "zebra unique2".to_owned(), language: plumbline_core::domain::Language::EN };
    let scores = |test_library: &TestLibrary| -> Vec<(String, Option<f32>)> {
        let library = test_library.library();
        let found = test_library.runtime.block_on(library.lexical(&query, None, &scope, 100)).unwrap();
        found.iter().map(|hit| (hit.chunk.source_id.to_string(), hit.lexical)).collect()
    };
    let among_hidden = scores(&test_library);
    for record in records.iter().filter(|record| record.tenant != "default" || !record.tags.is_empty()) {
        let number = record.id.rsplit('-').next().unwrap();
        test_library.remove(&format!("{}/adr/{number}-x.md", record.tenant));
    }
    let mut indexer = test_library.indexer();
    indexer.run(&tokio_util::sync::CancellationToken::new(), &|_| {}).unwrap();
    drop(indexer);
    assert_eq!(scores(&test_library), among_hidden);
}

fn ids_of(documents: &[std::sync::Arc<plumbline_core::domain::Document>]) -> Vec<String> {
    documents.iter().map(|document| document.id.to_string()).collect()
}
