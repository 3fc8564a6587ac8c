use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;

use super::{Catalogue, DocumentFilter, Hit, Index, LexicalQuery, PortError, Scope, TermStatistic};
use crate::domain::{Collection, Document, DocumentId, Graph, Reference, SourceId};

/// A library without documents: what a workspace has before its first folder is added.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyLibrary;

#[async_trait]
impl Index for EmptyLibrary {
    async fn dense(&self, _: &[f32], _: &Scope, _: usize) -> Result<Vec<Hit>, PortError> {
        Ok(Vec::new())
    }

    async fn lexical(
        &self,
        _: &LexicalQuery,
        _: Option<&[f32]>,
        _: &Scope,
        _: usize,
    ) -> Result<Vec<Hit>, PortError> {
        Ok(Vec::new())
    }

    async fn address(&self, _: &[DocumentId], _: Option<&[f32]>, _: &Scope) -> Result<Vec<Hit>, PortError> {
        Ok(Vec::new())
    }

    async fn term_statistics(&self, stems: &[String], _: &Scope) -> Result<Vec<TermStatistic>, PortError> {
        Ok(vec![TermStatistic { document_frequency: 0, idf: 1.0 }; stems.len()])
    }

    fn generation(&self) -> u64 {
        0
    }
}

#[async_trait]
impl Catalogue for EmptyLibrary {
    async fn collections(&self, _: &Scope) -> Result<Vec<Collection>, PortError> {
        Ok(Vec::new())
    }

    async fn sources(&self, _: &Scope) -> Result<Vec<String>, PortError> {
        Ok(Vec::new())
    }

    fn as_of(&self) -> Option<Date> {
        None
    }

    async fn resolve(&self, _: &Reference, _: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        Ok(Vec::new())
    }

    async fn document(&self, _: &DocumentId, _: &Scope) -> Result<Option<Arc<Document>>, PortError> {
        Ok(None)
    }

    async fn list(&self, _: &DocumentFilter, _: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        Ok(Vec::new())
    }

    async fn nearest(&self, _: &Reference, _: usize, _: &Scope) -> Result<Vec<Arc<Document>>, PortError> {
        Ok(Vec::new())
    }

    async fn graph(&self, _: &Scope) -> Result<Graph, PortError> {
        Ok(Graph::default())
    }

    async fn existing(&self, _: &[SourceId], _: &Scope) -> Result<Vec<SourceId>, PortError> {
        Ok(Vec::new())
    }
}
