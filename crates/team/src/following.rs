//! A workspace that follows published libraries. One look pulls what is new at an address, puts it in force and keeps what came of
//! it; window, command line and servers for other programs all look through here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use plumbline_core::detail::{Detail, KeptDetail};
use plumbline_core::messages::Message;
use plumbline_core::numbers::in_place_cache_bytes;
use plumbline_library::{
    EmbedderKey, FollowReport, InPlace, IndexError, Indexer, Library, StoreError, TeamLibrary,
    listings_folder, vocabulary_folder,
};
use plumbline_telemetry::{Clock, SystemClock, sha256_hex};
use plumbline_workspace::Workspace;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::{Address, FollowedShelves, KeyStore, Pull, Pulled, Remote, TeamError, Traffic, pull};

/// What came of the last look at each library, in the workspace.
const LOOKS: &str = "following.json";
/// Where files lie until they are taken in, in the workspace.
const CACHE: &str = "pulled";
/// How long it is waited for what every question reads of what is read in place.
const FIRST_READ: Duration = Duration::from_secs(600);
/// How often it is seen whether a look is due; never more often than the settings want one.
const TICK: Duration = Duration::from_secs(20);

/// With what libraries are followed.
pub struct Follower {
    /// The keys to their stores.
    pub keys: Arc<KeyStore>,
    /// Held by whoever writes to the library in this program, so that one waits for the other.
    pub writing: Arc<Mutex<()>>,
}

impl Default for Follower {
    fn default() -> Self {
        Self { keys: Arc::new(KeyStore::of_system()), writing: Arc::default() }
    }
}

/// What came of the last look for a newer generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastLook {
    /// When it was.
    pub looked_at: Timestamp,
    /// Why nothing newer was taken in, where something was in the way.
    pub problem: Option<KeptDetail>,
}

/// How far a look is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowStep {
    /// It is seen what is there.
    Looking,
    /// Files arrive.
    Arriving {
        /// So many have.
        done: usize,
        /// So many will.
        total: usize,
    },
    /// What arrived is put in force.
    TakingIn,
}

/// What became of a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// Where.
    pub address: String,
    /// The published generation that is in force now.
    pub generation: u64,
    /// When that was published.
    pub published_at: String,
    /// Whether it is new here.
    pub new: bool,
    /// Whether it is read in place, and not pulled.
    pub in_place: bool,
    /// What it changed.
    #[serde(flatten)]
    pub report: FollowReport,
    /// What went over the wire.
    #[serde(flatten)]
    pub traffic: Traffic,
}

/// The published libraries that a workspace follows, as they are in force.
pub async fn followed(workspace: &Workspace) -> Result<Vec<TeamLibrary>, TeamError> {
    match Library::open(workspace.folder(), None).await? {
        Some(library) => Ok(library.team_libraries().await?),
        None => Ok(Vec::new()),
    }
}

/// What came of the last look at each address.
pub fn last_looks(workspace: &Path) -> BTreeMap<String, LastLook> {
    let text = std::fs::read_to_string(workspace.join(LOOKS)).unwrap_or_default();
    // One that cannot be read is as good as none: the next look writes it anew.
    serde_json::from_str(&text).unwrap_or_default()
}

/// Pulls what is new at an address and puts it in force; whatever comes of it is kept for who asks later. A library that is read in
/// place goes on being, and one that was pulled is from now on where `in_place` says so.
pub async fn follow(
    workspace: &Workspace,
    follower: &Follower,
    address: &Address,
    in_place: bool,
    progress: &(dyn Fn(FollowStep) + Sync),
) -> Result<Followed, TeamError> {
    let how = How { only_known: false, in_place };
    kept(workspace, address, look(workspace, follower, address, how, progress).await)
}

/// The same for a library that is followed already: one that was taken out meanwhile stays out.
pub async fn renew(
    workspace: &Workspace,
    follower: &Follower,
    address: &Address,
    progress: &(dyn Fn(FollowStep) + Sync),
) -> Result<Followed, TeamError> {
    let how = How { only_known: true, in_place: false };
    kept(workspace, address, look(workspace, follower, address, how, progress).await)
}

/// Logs and keeps what came of a look.
fn kept(
    workspace: &Workspace,
    address: &Address,
    looked: Result<Followed, TeamError>,
) -> Result<Followed, TeamError> {
    match &looked {
        Ok(followed) if followed.new => {
            let (address, generation) = (followed.address.as_str(), followed.generation);
            tracing::info!(target: "library", event = "generation_in_force", address, generation);
        }
        Ok(_) => {}
        Err(problem) => tracing::warn!(target: "library", event = "generation_refused", reason = %problem),
    }
    // Somebody else is writing to the library at the moment, or took this one out: that says nothing of what is published.
    let says_nothing = matches!(
        looked,
        Err(TeamError::Index(IndexError::Store(StoreError::Held { .. })) | TeamError::NotFollowed { .. })
    );
    if !says_nothing {
        let problem = looked.as_ref().err().map(|problem| problem.detail().into());
        keep_look(workspace.folder(), address, LastLook { looked_at: SystemClock.now(), problem });
    }
    looked
}

/// Follows a library no more; whether it was followed.
pub async fn unfollow(
    workspace: &Workspace,
    follower: &Follower,
    address: &Address,
) -> Result<bool, TeamError> {
    let options = workspace.index_options(true).await?;
    let (folder, place, runtime) = (workspace.folder().to_owned(), address.to_string(), Handle::current());
    let writing = Arc::clone(&follower.writing).lock_owned().await;
    blocking(move || {
        let _writing = writing;
        Ok(Indexer::open(&folder, options, runtime)?.unfollow(&place)?)
    })
    .await
}

/// Looks for newer generations as often as the settings say, until it is stopped. `open` gives the workspace as it is at the
/// moment; what came of each look is told.
pub async fn keep_following(
    open: impl Fn() -> Option<Arc<Workspace>>,
    follower: &Follower,
    tell: impl Fn(&str, Result<Followed, TeamError>),
    stop: CancellationToken,
) {
    loop {
        let pause = match open() {
            Some(workspace) => {
                for address in due(&workspace).await {
                    let looking = renew(&workspace, follower, &address, &|_| {});
                    tokio::select! {
                        () = stop.cancelled() => return,
                        looked = looking => tell(&address.to_string(), looked),
                    }
                }
                tick(&workspace)
            }
            None => TICK,
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// How long to wait before it is seen again whether a look is due.
pub fn tick(workspace: &Workspace) -> Duration {
    match workspace.settings().team.follow_seconds {
        0 => TICK,
        seconds => TICK.min(Duration::from_secs(seconds)),
    }
}

/// The libraries whose last look is longer ago than the settings say.
pub async fn due(workspace: &Workspace) -> Vec<Address> {
    let period = match i64::try_from(workspace.settings().team.follow_seconds) {
        Ok(seconds) if seconds > 0 => SignedDuration::from_secs(seconds),
        _ => return Vec::new(),
    };
    let (looks, now) = (last_looks(workspace.folder()), SystemClock.now());
    // A library that cannot be opened is told by whoever asks it.
    let known = followed(workspace).await.unwrap_or_default();
    let is_due = |library: &TeamLibrary| {
        looks.get(&library.address).is_none_or(|look| now.duration_since(look.looked_at) >= period)
    };
    known
        .iter()
        .filter(|library| is_due(library))
        .filter_map(|one| Address::parse(&one.address).ok())
        .collect()
}

/// That the last good generation stays in force, where there is one.
pub fn stays(library: &TeamLibrary) -> Detail {
    let values = [
        ("generation", library.generation.to_string().into()),
        ("date", library.published_at.as_str().into()),
    ];
    Detail::of(Message::TeamStays, values)
}

/// How a library is looked at.
struct How {
    /// Only if it is followed already.
    only_known: bool,
    /// From now on in place, if it was not before.
    in_place: bool,
}

async fn look(
    workspace: &Workspace,
    follower: &Follower,
    address: &Address,
    How { only_known, in_place }: How,
    progress: &(dyn Fn(FollowStep) + Sync),
) -> Result<Followed, TeamError> {
    progress(FollowStep::Looking);
    let place = address.to_string();
    let folder = workspace.folder().to_owned();
    let cache = folder.join(CACHE).join(&sha256_hex(&place)[..16]);
    // Whoever comes second waits, and then finds that there is nothing new.
    let _turn = turn(&cache).await?;
    let options = workspace.index_options(true).await?;
    let Some((_, key)) = options.embedder.clone() else {
        return Err(StoreError::NoVectors(Message::StoreNoEmbedder.into()).into());
    };
    let (in_force, held) = match Library::open(&folder, Some(key.clone())).await? {
        Some(library) => {
            let known = library.team_libraries().await?.into_iter().find(|one| one.address == place);
            (known, library.digests_of(&place).await?)
        }
        None => (None, BTreeSet::new()),
    };
    if only_known && in_force.is_none() {
        return Err(TeamError::NotFollowed { address: place });
    }
    let remote = open(&follower.keys, address).await?;
    let was_in_place = in_force.as_ref().is_some_and(|library| library.in_place.is_some());
    let in_place = in_place || was_in_place;
    // What was pulled is not as what is read in place, even if it is the same document.
    let held = if in_place == was_in_place { held } else { BTreeSet::new() };
    let listings = listings_folder(&folder, &place);
    let asked = Pull {
        in_force: in_force.as_ref(),
        held: &held,
        fingerprint: &key.fingerprint,
        in_place: in_place.then_some(listings.as_path()),
        vocabularies: &vocabulary_folder(&folder, &place),
        cache: &cache,
        progress: &|done, total| progress(FollowStep::Arriving { done, total }),
    };
    let shared = match pull(&remote, asked).await? {
        Pulled::UpToDate(generation) => {
            let published_at = in_force.map(|library| library.published_at).unwrap_or_default();
            let report = FollowReport { documents: held.len(), ..FollowReport::default() };
            let traffic = remote.traffic();
            return Ok(Followed {
                address: place,
                generation,
                published_at,
                new: false,
                in_place,
                report,
                traffic,
            });
        }
        Pulled::Generation(shared) => shared,
    };
    progress(FollowStep::TakingIn);
    let (generation, published_at) = (shared.generation, shared.published_at.clone());
    let (writing, runtime) = (Arc::clone(&follower.writing).lock_owned().await, Handle::current());
    if only_known && !followed(workspace).await?.iter().any(|library| library.address == place) {
        return Err(TeamError::NotFollowed { address: place });
    }
    let report = blocking(move || {
        let _writing = writing;
        Ok(Indexer::open(&folder, options, runtime)?.follow(*shared)?)
    })
    .await?;
    if in_place {
        open_in_place(workspace, &follower.keys, key).await?;
    }
    // They are in the library now; what cannot be removed is looked at again by the next pull.
    let _ = std::fs::remove_dir_all(&cache);
    let traffic = remote.traffic();
    Ok(Followed { address: place, generation, published_at, new: true, in_place, report, traffic })
}

/// Lets what every question reads of shelves that are read in place come now.
async fn open_in_place(
    workspace: &Workspace,
    keys: &Arc<KeyStore>,
    key: EmbedderKey,
) -> Result<(), TeamError> {
    let stores = Arc::new(FollowedShelves::new(Arc::clone(keys)));
    let with = InPlace { stores, patience: FIRST_READ, cache_bytes: in_place_cache_bytes() };
    if let Some(library) = Library::open_with(workspace.folder(), Some(key), Some(with)).await? {
        library.open_in_place().await?;
    }
    Ok(())
}

/// The place at an address, with the keys that are kept for it.
pub(crate) async fn open(keys: &Arc<KeyStore>, address: &Address) -> Result<Remote, TeamError> {
    let (keys, of) = (Arc::clone(keys), address.clone());
    let found = blocking(move || Ok(keys.keys(&of))).await?;
    Remote::open(address, found.as_ref())
}

/// A turn at the files of an address, for as long as it is held.
async fn turn(cache: &Path) -> Result<File, TeamError> {
    let path = cache.with_extension("lock");
    blocking(move || {
        let kept = |source| TeamError::Library(StoreError::Io { path: path.clone(), source });
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(kept)?;
        }
        let file = File::create(&path).map_err(kept)?;
        file.lock().map_err(kept)?;
        Ok(file)
    })
    .await
}

/// Does something that waits for files, off the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, TeamError> + Send + 'static,
) -> Result<T, TeamError> {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(problem) => Err(StoreError::Disagree(problem.to_string()).into()),
    }
}

fn keep_look(workspace: &Path, address: &Address, look: LastLook) {
    let mut looks = last_looks(workspace);
    looks.insert(address.to_string(), look);
    let (path, beside) = (workspace.join(LOOKS), workspace.join(format!("{LOOKS}.new")));
    let text = serde_json::to_string_pretty(&looks).unwrap_or_default();
    // It says when to look again and why nothing came: without it, the next look is merely earlier.
    if std::fs::write(&beside, text).is_ok() {
        let _ = std::fs::rename(&beside, &path);
    }
}
