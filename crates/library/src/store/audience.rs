use std::collections::BTreeSet;

use plumbline_core::domain::Collection;
use plumbline_core::ports::Scope;
use tantivy::Term;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query, TermSetQuery};

use super::text::TextFields;

/// The tenant of those who name none.
pub(crate) const DEFAULT_TENANT: &str = "default";
/// Between the tags of a set; no tag can hold it.
const SEPARATOR: &str = "\u{1f}";

/// A set of access tags as one word, so that both engines can filter by it.
pub(crate) fn access_key(tags: &[String]) -> String {
    let distinct: BTreeSet<&str> = tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
    distinct.into_iter().collect::<Vec<_>>().join(SEPARATOR)
}

pub(crate) fn tenant_or_default(tenant: &str) -> &str {
    if tenant.is_empty() { DEFAULT_TENANT } else { tenant }
}

/// The one rule of who may see what: the tenant's own, and of these what carries no tag or one of the user's.
pub(crate) fn may_see(scope: &Scope, tenant: &str, access: &str) -> bool {
    tenant_or_default(&scope.tenant) == tenant_or_default(tenant)
        && (access.is_empty()
            || access.split(SEPARATOR).any(|tag| scope.user_tags.iter().any(|held| held == tag)))
}

/// A scope as a filter inside both engines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ScopeFilter {
    tenant: String,
    access: Vec<String>,
    collections: Option<Vec<String>>,
}

impl ScopeFilter {
    /// The filter for a scope over the audiences and collections that there are; none where it leaves nothing out.
    pub fn of(
        scope: &Scope,
        audiences: &BTreeSet<(String, String)>,
        collections: &BTreeSet<Collection>,
    ) -> Option<Self> {
        let access: BTreeSet<&String> = audiences
            .iter()
            .filter(|(tenant, access)| may_see(scope, tenant, access))
            .map(|(_, access)| access)
            .collect();
        let sees_all = audiences.iter().all(|(tenant, access)| may_see(scope, tenant, access));
        let all_collections = scope.collections.is_empty()
            || collections.iter().all(|collection| scope.collections.contains(collection));
        if sees_all && all_collections {
            return None;
        }
        let collections = (!all_collections)
            .then(|| scope.collections.iter().map(|collection| collection.as_str().to_owned()).collect());
        Some(Self {
            tenant: tenant_or_default(&scope.tenant).to_owned(),
            access: access.into_iter().cloned().collect(),
            collections,
        })
    }

    /// As a condition of LanceDB. Collections are tables of their own there.
    pub fn condition(&self) -> String {
        let access: Vec<String> = self.access.iter().map(|access| quoted(access)).collect();
        if access.is_empty() {
            return "false".to_owned();
        }
        format!("tenant = {} AND access_tags IN ({})", quoted(&self.tenant), access.join(","))
    }

    /// Whether it lets see what is this tenant's and carries this set of tags.
    pub fn admits(&self, tenant: &str, access: &str) -> bool {
        self.tenant == tenant && self.access.iter().any(|admitted| admitted == access)
    }

    /// The collections that it is confined to, where it is, as a condition of LanceDB over a table that holds several.
    pub fn collections_condition(&self) -> Option<String> {
        let names: Vec<String> = self.collections.as_ref()?.iter().map(|name| quoted(name)).collect();
        Some(format!("collection IN ({})", names.join(",")))
    }

    /// The same as a query of tantivy.
    pub fn collections_query(&self, fields: &TextFields) -> Option<Box<dyn Query>> {
        let terms =
            self.collections.as_ref()?.iter().map(|name| Term::from_field_text(fields.collection, name));
        Some(Box::new(TermSetQuery::new(terms)))
    }

    /// As a query of tantivy that matches what may be seen, and scores nothing.
    pub fn query(&self, fields: &TextFields) -> Box<dyn Query> {
        let one_of = |field, values: &[String]| -> (Occur, Box<dyn Query>) {
            let terms = values.iter().map(|value| Term::from_field_text(field, value));
            (Occur::Must, Box::new(TermSetQuery::new(terms)))
        };
        let mut parts = vec![
            one_of(fields.tenant, std::slice::from_ref(&self.tenant)),
            one_of(fields.access, &self.access),
        ];
        parts.extend(self.collections_query(fields).map(|query| (Occur::Must, query)));
        Box::new(ConstScoreQuery::new(Box::new(BooleanQuery::new(parts)), 0.0))
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(tenant: &str, tags: &[&str]) -> Scope {
        Scope {
            tenant: tenant.to_owned(),
            user_tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            collections: Vec::new(),
        }
    }

    #[test]
    fn what_carries_a_tag_is_for_those_who_hold_it() {
        let both = access_key(&["security".to_owned(), "board".to_owned(), "board".to_owned()]);
        assert!(may_see(&scope("", &[]), "default", ""));
        assert!(!may_see(&scope("", &[]), "default", &both));
        assert!(may_see(&scope("", &["board"]), "default", &both));
        assert!(!may_see(&scope("", &["boar"]), "default", &both), "a part of a tag is no tag");
        assert!(
            !may_see(&scope("other", &["board"]), "default", ""),
            "another tenant's documents do not exist"
        );
    }

    #[test]
    fn a_scope_that_leaves_nothing_out_is_no_filter() {
        let audiences = BTreeSet::from([("default".to_owned(), String::new())]);
        let collections = BTreeSet::from([Collection::new("ADR")]);
        assert_eq!(ScopeFilter::of(&scope("", &[]), &audiences, &collections), None);
        let stranger = ScopeFilter::of(&scope("it's", &[]), &audiences, &collections).unwrap();
        assert_eq!(stranger.condition(), "false");
    }
}
