//! The files of shelves' tables as object stores of LanceDB's, behind a scheme of our own. Nothing is written to them, and what is
//! there is known from the listing: only bytes are asked for.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;
use futures::future::try_join_all;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use lance_io::object_store::{ObjectStore as LanceStore, ObjectStoreParams, ObjectStoreProvider};
use lancedb::{ObjectStoreRegistry, Session};
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use url::Url;

use super::files::FarFiles;
use super::listing::ListedFile;

const SCHEME: &str = "shelf";
/// Reads that lie so near to each other are one: a piece is read whole anyway.
const BLOCK_BYTES: usize = 64 << 10;
/// So many reads LanceDB has under way at once; how many of them become requests is the cache's to say.
const SIDE_BY_SIDE: usize = 64;

/// Shelves whose tables are open, by the hash of their listing.
#[derive(Debug, Default)]
pub(super) struct Shelves {
    open: Mutex<HashMap<String, Weak<FarFiles>>>,
}

impl Shelves {
    /// A session of LanceDB that reads them.
    pub fn session(self: &Arc<Self>, index_bytes: usize, metadata_bytes: usize) -> Session {
        let registry = ObjectStoreRegistry::default();
        registry.insert(SCHEME, Arc::clone(self) as Arc<dyn ObjectStoreProvider>);
        Session::new(index_bytes, metadata_bytes, Arc::new(registry))
    }

    /// Where the files of this listing are for LanceDB, as long as they live.
    pub fn place(&self, listing: &str, files: &Arc<FarFiles>) -> String {
        let name = listing.to_ascii_lowercase();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, files| files.strong_count() > 0);
        open.insert(name.clone(), Arc::downgrade(files));
        format!("{SCHEME}://{name}")
    }
}

#[async_trait]
impl ObjectStoreProvider for Shelves {
    async fn new_store(&self, base: Url, _: &ObjectStoreParams) -> lance::Result<LanceStore> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let files = open.get(base.authority()).and_then(Weak::upgrade);
        drop(open);
        let files = files.ok_or_else(|| lance::Error::invalid_input(format!("{base} is no open shelf")))?;
        let store = Arc::new(FarObjects { files });
        Ok(LanceStore::new(store, base, Some(BLOCK_BYTES), None, false, true, SIDE_BY_SIDE, 0, None))
    }
}

#[derive(Debug)]
struct FarObjects {
    files: Arc<FarFiles>,
}

impl fmt::Display for FarObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.files)
    }
}

fn meta(file: &ListedFile) -> ObjectMeta {
    ObjectMeta {
        location: Path::from(file.name.as_str()),
        // Files never change, and nothing asks when they were made.
        last_modified: SystemTime::UNIX_EPOCH.into(),
        size: file.bytes,
        e_tag: None,
        version: None,
    }
}

fn only_read() -> Error {
    Error::NotSupported { source: "a published library is only read".into() }
}

impl FarObjects {
    fn file(&self, location: &Path) -> Result<&ListedFile> {
        let missing = || Error::NotFound { path: location.to_string(), source: "it is not listed".into() };
        self.files.file(location.as_ref()).ok_or_else(missing)
    }

    async fn bytes(&self, file: &ListedFile, range: Range<u64>) -> Result<Bytes> {
        let read = self.files.read(file, range).await;
        read.map(Bytes::from).map_err(|problem| Error::Generic { store: SCHEME, source: problem.into() })
    }

    fn below(&self, prefix: Option<&Path>) -> Vec<ObjectMeta> {
        let is_below = |file: &&ListedFile| {
            prefix.is_none_or(|prefix| Path::from(file.name.as_str()).prefix_matches(prefix))
        };
        let mut found: Vec<ObjectMeta> = self.files.all().filter(is_below).map(meta).collect();
        found.sort_by(|a, b| a.location.cmp(&b.location));
        found
    }
}

#[async_trait]
impl ObjectStore for FarObjects {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        Err(only_read())
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        Err(only_read())
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let file = self.file(location)?;
        let wrong = |problem: object_store::Error| problem;
        let range = match &options.range {
            Some(range) => range
                .as_range(file.bytes)
                .map_err(|problem| wrong(Error::Generic { store: SCHEME, source: Box::new(problem) }))?,
            None => 0..file.bytes,
        };
        let bytes = if options.head { Bytes::new() } else { self.bytes(file, range.clone()).await? };
        Ok(GetResult {
            payload: GetResultPayload::Stream(stream::once(async move { Ok(bytes) }).boxed()),
            meta: meta(file),
            range,
            attributes: Attributes::default(),
            extensions: options.extensions,
        })
    }

    /// Each by itself: what lies between two of them is not wanted, and may be many pieces.
    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let file = self.file(location)?;
        try_join_all(ranges.iter().map(|range| self.bytes(file, range.clone()))).await
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::once(async { Err(only_read()) }).boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        stream::iter(self.below(prefix).into_iter().map(Ok)).boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        let depth = prefix.map_or(0, |prefix| prefix.parts().count());
        let (mut objects, mut folders) = (Vec::new(), BTreeSet::new());
        for found in self.below(prefix) {
            let parts: Vec<_> = found.location.parts().collect();
            if parts.len() == depth + 1 {
                objects.push(found);
            } else if parts.len() > depth + 1 {
                folders.insert(Path::from_iter(parts.into_iter().take(depth + 1)));
            }
        }
        Ok(ListResult {
            common_prefixes: folders.into_iter().collect(),
            objects,
            extensions: Default::default(),
        })
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        Err(only_read())
    }
}
