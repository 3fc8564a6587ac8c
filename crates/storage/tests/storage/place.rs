//! Which store a test is over: that which the environment names, else a folder of its own.

use std::process::Command;
use std::sync::Arc;

use plumbline_storage::{Address, Store, StoreKeys, open_store};
use tempfile::TempDir;

const ADDRESS: &str = "PLUMBLINE_STORAGE_ADDRESS";
/// Keys that are handed over, as those of a keyring are; those of the environment have the names that the clouds gave them.
const ID: &str = "PLUMBLINE_STORAGE_ID";
const SECRET: &str = "PLUMBLINE_STORAGE_SECRET";
/// How many files make a list long. A page of a bucket's has a thousand; a folder's has none.
const FILES_AT_A_SERVER: usize = 1200;
const FILES_IN_A_FOLDER: usize = 30;
/// What variables begin with that say where a cloud is and who asks.
const OF_CLOUDS: [&str; 5] = ["AWS_", "AZBLOB_", "AZURE_", "GOOGLE_", "STORAGE_EMULATOR_"];

pub struct Place {
    pub store: Arc<dyn Store>,
    /// Goes with the place.
    _folder: TempDir,
}

/// A place that nobody else uses. Its name has to be escaped wherever names are.
pub fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let own = format!("our team, 100% + ü/{}", folder.path().file_name().unwrap().to_string_lossy());
    let around = std::env::var(ADDRESS).unwrap_or_else(|_| {
        std::fs::create_dir(folder.path().join("our team, 100% + ü")).unwrap();
        folder.path().to_string_lossy().into_owned()
    });
    let store = open_store(&Address::parse(&format!("{around}/{own}")).unwrap(), given_keys().as_ref());
    Place { store: store.unwrap(), _folder: folder }
}

pub fn given_keys() -> Option<StoreKeys> {
    StoreKeys::new(&std::env::var(ID).unwrap_or_default(), &std::env::var(SECRET).unwrap_or_default())
}

pub fn many() -> usize {
    if std::env::var_os(ADDRESS).is_some() { FILES_AT_A_SERVER } else { FILES_IN_A_FOLDER }
}

/// A store that a process of its own is told of: variables of a process cannot be changed safely while it runs.
#[derive(Clone)]
pub struct Named {
    variables: Vec<(&'static str, String)>,
}

impl Named {
    pub fn new(address: &str, variables: &[(&'static str, &str)]) -> Self {
        let variables = [(ADDRESS, address)].into_iter().chain(variables.iter().copied());
        Self { variables: variables.map(|(name, value)| (name, value.to_owned())).collect() }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub fn with_keys(self, (id, secret): (&str, &str)) -> Self {
        self.with(ID, id).with(SECRET, secret)
    }

    /// Everything that any store must do.
    pub fn behaves(&self) {
        self.passes("behaviour::");
    }

    /// Tests of this program over the store, by what their names begin with.
    pub fn passes(&self, tests: &str) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([tests, "--include-ignored"]);
        for (name, _) in std::env::vars_os() {
            if OF_CLOUDS.iter().any(|cloud| name.to_string_lossy().starts_with(cloud)) {
                command.env_remove(name);
            }
        }
        let output = command.envs(self.variables.iter().cloned()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains("ok. 0 passed"), "there are tests that begin with {tests}");
        println!("{tests} {}", said.lines().find(|line| line.starts_with("test result")).unwrap_or_default());
    }
}
