//! Buckets of clouds as stores, over OpenDAL, whose types stay in here. What a store says is told without addresses, which may
//! carry keys.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
#[cfg(feature = "clouds")]
use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use jiff::Timestamp;
use opendal_core::{Builder, Error, ErrorKind, HttpTransporter, OperationContext, Operator};
use opendal_http_transport_reqwest::ReqwestTransport;
use opendal_layer_retry::RetryLayer;
use opendal_layer_timeout::TimeoutLayer;
use opendal_service_s3::S3;

use super::{Entry, Store, StoreProblem};
use crate::address::Cloud;
use crate::{Address, StoreKeys, TeamError};

/// How long a request may take, and how long nothing may arrive.
const PATIENCE: Duration = Duration::from_secs(60);
const SILENCE: Duration = Duration::from_secs(20);
/// How often a request is made anew when the store fails it or is busy.
const TRIES: usize = 4;
/// Where a server that speaks like S3 is named; Amazon's own is meant where none is.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AWS_S3_ENDPOINT"];

/// Whose containers are meant, and where they are where Azure's own name for that does not do.
#[cfg(feature = "clouds")]
const ACCOUNT: &str = "AZURE_STORAGE_ACCOUNT_NAME";
#[cfg(feature = "clouds")]
const ACCOUNT_ENDPOINT: &str = "AZURE_STORAGE_ENDPOINT";

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
) -> Result<Arc<dyn Store>, TeamError> {
    match cloud {
        Cloud::S3 => {
            let mut s3 = S3::default().bucket(bucket).root(path);
            if let Some(StoreKeys { id, secret }) = keys {
                s3 = s3.access_key_id(id).secret_access_key(secret);
            }
            let elsewhere = ENDPOINTS.iter().any(|name| std::env::var_os(name).is_some());
            opened(if elsewhere { s3 } else { s3.enable_virtual_host_style() }, address)
        }
        #[cfg(feature = "clouds")]
        Cloud::Azure => {
            let given = |name: &str| std::env::var(name).ok();
            let account = keys.map(|keys| keys.id.clone()).or_else(|| given(ACCOUNT));
            let of_account = || account.map(|name| format!("https://{name}.blob.core.windows.net"));
            let endpoint = given(ACCOUNT_ENDPOINT).or_else(of_account).unwrap_or_default();
            let mut azure = opendal_service_azblob::Azblob::default().container(bucket).root(path);
            if let Some(StoreKeys { id, secret }) = keys {
                azure = azure.account_name(id).account_key(secret);
            }
            opened(azure.endpoint(&endpoint), address)
        }
        #[cfg(feature = "clouds")]
        Cloud::Google => {
            let mut google = opendal_service_gcs::Gcs::default().bucket(bucket).root(path);
            if let Some(keys) = keys {
                google = google.credential(&BASE64.encode(&keys.secret));
            }
            opened(google, address)
        }
        #[cfg(not(feature = "clouds"))]
        Cloud::Azure | Cloud::Google => Err(TeamError::NoCloud { scheme: cloud.scheme() }),
    }
}

fn opened(builder: impl Builder, address: &Address) -> Result<Arc<dyn Store>, TeamError> {
    // Somebody else may have installed one before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryLayer::new()
        .with_jitter()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(5))
        .with_max_times(TRIES);
    let operator = Operator::new(builder)
        .map_err(|problem| TeamError::Setup { address: address.to_string(), detail: told(&problem) })?
        .with_context(
            OperationContext::new().with_http_transport(HttpTransporter::new(ReqwestTransport::default())),
        )
        .layer(TimeoutLayer::new().with_timeout(PATIENCE).with_io_timeout(SILENCE))
        .layer(retry);
    Ok(Arc::new(BucketStore { operator }))
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
        ErrorKind::ConfigInvalid | ErrorKind::Unsupported => StoreProblem::Setup(told(problem)),
        _ => StoreProblem::Unreachable(told(problem)),
    }
}

#[async_trait]
impl Store for BucketStore {
    async fn list(&self, beginning: &str) -> Result<Vec<Entry>, StoreProblem> {
        let listed = self.operator.list_with(beginning).recursive(true).await;
        let entries = listed.map_err(|error| problem(&error))?;
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
        self.operator.write(name, bytes).await.map_err(|error| problem(&error))?;
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
            Err(error) => Err(problem(&error)),
        }
    }

    async fn delete(&self, name: &str) -> Result<(), StoreProblem> {
        self.operator.delete(name).await.map_err(|error| problem(&error))
    }
}
