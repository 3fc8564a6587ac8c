//! Buckets of clouds as stores, over OpenDAL, whose types stay in here. What a store says is told without addresses, which may
//! carry keys.

#[cfg(feature = "clouds")]
mod azure;
#[cfg(feature = "clouds")]
mod google;

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use opendal_core::{Builder, Error, ErrorKind, HttpTransporter, OperationContext, Operator};
use opendal_http_transport_reqwest::ReqwestTransport;
use opendal_layer_retry::RetryLayer;
use opendal_layer_timeout::TimeoutLayer;
use opendal_service_s3::S3;

use super::{Entry, Store, StoreProblem};
use crate::address::Cloud;
use crate::{Address, StorageError, StoreKeys};

/// How long a request may take, and how long nothing may arrive.
const PATIENCE: Duration = Duration::from_secs(60);
const SILENCE: Duration = Duration::from_secs(20);
/// How often a request is made anew when the store fails it or is busy.
const TRIES: usize = 4;
/// How many files a page of a list has: no more than Amazon and Google give.
const PAGE: usize = 1000;
/// Where a server that speaks like S3 is named; Amazon's own is meant where none is.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AWS_S3_ENDPOINT"];

struct BucketStore {
    operator: Operator,
}

/// Opens a bucket.
pub(super) fn open(
    cloud: Cloud,
    bucket: &str,
    path: &str,
    address: &Address,
    keys: Option<&StoreKeys>,
) -> Result<Arc<dyn Store>, StorageError> {
    let unusable = |detail| StorageError::Setup { address: address.to_string(), detail };
    let store = match cloud {
        Cloud::S3 => {
            let mut s3 = S3::default().bucket(bucket).root(path);
            if let Some(keys) = keys {
                s3 = s3.access_key_id(keys.id()).secret_access_key(keys.secret());
            }
            let elsewhere = ENDPOINTS.iter().any(|name| variable(name).is_some());
            opened(if elsewhere { s3 } else { s3.enable_virtual_host_style() })
        }
        #[cfg(feature = "clouds")]
        Cloud::Azure => azure::container(bucket, path, keys).and_then(opened),
        #[cfg(feature = "clouds")]
        Cloud::Google => opened(google::bucket(bucket, path, keys)),
        #[cfg(not(feature = "clouds"))]
        Cloud::Azure | Cloud::Google => return Err(StorageError::NoCloud { scheme: cloud.scheme() }),
    };
    Ok(Arc::new(store.map_err(unusable)?))
}

/// What the environment says, where it says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn opened(builder: impl Builder) -> Result<BucketStore, String> {
    // Somebody else may have installed one before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryLayer::new()
        .with_jitter()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(5))
        .with_max_times(TRIES);
    let operator = Operator::new(builder)
        .map_err(|problem| told(&problem))?
        .with_context(
            OperationContext::new().with_http_transport(HttpTransporter::new(ReqwestTransport::default())),
        )
        .layer(TimeoutLayer::new().with_timeout(PATIENCE).with_io_timeout(SILENCE))
        .layer(retry);
    Ok(BucketStore { operator })
}

/// What went wrong, without where: the address may carry keys.
fn told(problem: &Error) -> String {
    let mut text = problem.message().to_owned();
    let mut cause = problem.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !words.contains("://") && !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = inner.source();
    }
    text
}

fn problem(problem: &Error) -> StoreProblem {
    match problem.kind() {
        ErrorKind::NotFound => StoreProblem::NotFound,
        ErrorKind::PermissionDenied => StoreProblem::Forbidden,
        _ if is_about_keys(problem) => StoreProblem::Forbidden,
        ErrorKind::ConfigInvalid | ErrorKind::Unsupported => StoreProblem::Setup(told(problem)),
        _ => StoreProblem::Unreachable(told(problem)),
    }
}

/// Whether keys were missing, were none, or are not known to the store, for which OpenDAL has no kind.
fn is_about_keys(problem: &Error) -> bool {
    let signing = problem.source().and_then(|source| source.downcast_ref::<reqsign_core::Error>());
    match signing.map(reqsign_core::Error::kind) {
        Some(kind) => {
            matches!(
                kind,
                reqsign_core::ErrorKind::CredentialInvalid | reqsign_core::ErrorKind::PermissionDenied
            )
        }
        None => problem.to_string().contains("status: 401"),
    }
}

/// The same where no file was asked for: what is not there is the bucket itself, which Amazon alone says.
fn problem_of_bucket(error: &Error) -> StoreProblem {
    match problem(error) {
        StoreProblem::NotFound => StoreProblem::Setup("there is no such bucket or container".to_owned()),
        other => other,
    }
}

#[async_trait]
impl Store for BucketStore {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        let listed = self.operator.list_with(beginning).recursive(true).limit(PAGE).await;
        let entries = listed.map_err(|error| problem_of_bucket(&error))?;
        let files = entries.into_iter().filter(|entry| entry.metadata().is_file());
        let entry = |entry: opendal_core::Entry| {
            let (name, metadata) = entry.into_parts();
            let modified = metadata.last_modified().map(Timestamp::from);
            Entry { name, bytes: metadata.content_length(), modified }
        };
        Ok(files.map(entry).collect())
    }

    async fn get(&self, name: &str) -> Result<Vec<u8>, StoreProblem> {
        Ok(self.operator.read(name).await.map_err(|error| problem(&error))?.to_vec())
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreProblem> {
        self.operator.write(name, bytes).await.map_err(|error| problem_of_bucket(&error))?;
        Ok(())
    }

    async fn put_new(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreProblem> {
        match self.operator.write_with(name, bytes).if_not_exists(true).await {
            Ok(_) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::ConditionNotMatch | ErrorKind::AlreadyExists | ErrorKind::Conflict
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(problem_of_bucket(&error)),
        }
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        self.operator.delete(name).await.map_err(|error| problem(&error))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Where a server is that knows nobody's keys.
    fn stranger() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 8192]);
                let _ = stream.write_all(
                    b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
            }
        });
        address
    }

    async fn gives_no_access(store: Result<BucketStore, String>) {
        let store = store.unwrap();
        assert_eq!(store.list("generations/").await, Err(StoreProblem::Forbidden));
        assert_eq!(store.get("generations/1").await, Err(StoreProblem::Forbidden));
    }

    #[tokio::test]
    async fn who_is_not_known_has_no_access() {
        let at = stranger();
        let s3 = S3::default().bucket("records").region("auto").endpoint(&at);
        gives_no_access(opened(s3.skip_signature())).await;
        #[cfg(feature = "clouds")]
        {
            let azure = opendal_service_azblob::Azblob::default().container("records").endpoint(&at);
            gives_no_access(opened(azure.skip_signature())).await;
            let google = opendal_service_gcs::Gcs::default().bucket("records").endpoint(&at);
            gives_no_access(opened(google.skip_signature())).await;
        }
    }
}
