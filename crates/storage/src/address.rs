//! Where a store is.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::StorageError;

/// The address of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A folder, on this machine or a network.
    Folder(PathBuf),
    /// A place in a bucket or container.
    Bucket {
        /// Whose.
        cloud: Cloud,
        /// The bucket's or container's name.
        bucket: String,
        /// The place in it; may be empty.
        path: String,
    },
}

/// Who keeps a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cloud {
    /// Amazon S3, or a server that speaks like it.
    S3,
    /// Azure Blob Storage.
    Azure,
    /// Google Cloud Storage.
    Google,
}

impl Cloud {
    const ALL: [Self; 3] = [Self::S3, Self::Azure, Self::Google];

    /// What stands before `://`.
    pub const fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Azure => "az",
            Self::Google => "gs",
        }
    }

    /// The variables of the environment that bring keys.
    pub const fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::S3 => &["AWS_ACCESS_KEY_ID", "AWS_PROFILE"],
            Self::Azure => &["AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS_TOKEN"],
            Self::Google => &["GOOGLE_APPLICATION_CREDENTIALS"],
        }
    }
}

impl Address {
    /// Reads an address. A folder is made absolute, so that it means the same from everywhere.
    pub fn parse(written: &str) -> Result<Self, StorageError> {
        let wrong = || StorageError::Address { address: written.to_owned() };
        let Some((scheme, rest)) = written.split_once("://") else {
            if written.trim().is_empty() {
                return Err(wrong());
            }
            return Ok(Self::Folder(std::path::absolute(written).map_err(|_| wrong())?));
        };
        if scheme == "file" {
            return if rest.starts_with('/') { Ok(Self::Folder(PathBuf::from(rest))) } else { Err(wrong()) };
        }
        if scheme == "db" {
            return Err(StorageError::Database { address: written.to_owned() });
        }
        let cloud = Cloud::ALL.into_iter().find(|cloud| cloud.scheme() == scheme).ok_or_else(wrong)?;
        let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_plain = |part: &str| !part.contains(['?', '#', '@', '\\']) && !part.contains("..");
        if bucket.is_empty() || !is_plain(bucket) || !is_plain(path) {
            return Err(wrong());
        }
        Ok(Self::Bucket { cloud, bucket: bucket.to_owned(), path: path.trim_matches('/').to_owned() })
    }

    /// Whose bucket it is, where it is one.
    pub fn cloud(&self) -> Option<Cloud> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket { cloud, .. } => Some(*cloud),
        }
    }

    /// The folder, where it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::Bucket { .. } => None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Bucket { cloud, bucket, path } if path.is_empty() => {
                write!(f, "{}://{bucket}", cloud.scheme())
            }
            Self::Bucket { cloud, bucket, path } => write!(f, "{}://{bucket}/{path}", cloud.scheme()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_or_a_place_in_a_bucket() {
        for (written, shown) in [
            ("s3://records/team/one/", "s3://records/team/one"),
            ("az://records", "az://records"),
            ("gs://records/a", "gs://records/a"),
            ("file:///srv/team", "/srv/team"),
            ("/srv/team", "/srv/team"),
        ] {
            assert_eq!(Address::parse(written).unwrap().to_string(), shown);
        }
        assert!(Address::parse("team").unwrap().folder().unwrap().is_absolute());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for written in
            ["", "http://example.org/a", "s3://", "s3:///a", "s3://key:secret@bucket/a", "s3://b/../c"]
        {
            let problem = Address::parse(written).unwrap_err();
            assert_eq!(problem, StorageError::Address { address: written.to_owned() });
        }
        let database = Address::parse("db://team").unwrap_err();
        assert!(matches!(database, StorageError::Database { .. }));
    }
}
