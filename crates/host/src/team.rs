//! Libraries of a team: those that are followed, in the background and when the user wants it, and the one that is published.

use std::sync::Mutex;
use std::time::Duration;

use plumbline_contract::{
    Broadcast, CommandError, FollowedLibrary, GivenKeys, KeysKept, PublishedLibrary, TeamActivity,
    TeamOverview, TeamStep,
};
use plumbline_core::detail::Detail;
use plumbline_core::error::AskError;
use plumbline_core::messages::Message;
use plumbline_library::TeamLibrary;
use plumbline_team::{
    Address, FollowStep, Follower, Keep, StoreKeys, TeamError, Wanted, due, follow, last_looks,
    publish_library, renew, stays, tick, unfollow,
};
use tokio_util::sync::CancellationToken;

use crate::Host;
use crate::clock::now;
use crate::error::{invalid, not_found, of_library, of_question, of_team};
use crate::locks::lock;
use crate::numbers::count;

/// The fact that holds what was last published.
const PUBLISHED: &str = "published";
/// How often it is seen whether a workspace is open yet.
const NOT_OPEN: Duration = Duration::from_secs(5);

/// Why an address is looked at.
#[derive(Clone, Copy)]
enum Look {
    /// For what is newer of a library that is followed already.
    Renew,
    /// The user follows it from now on.
    Follow { in_place: bool },
}

/// What goes on between this library and published ones: one thing after the other.
#[derive(Default)]
pub(crate) struct TeamDesk {
    pub follower: Follower,
    turn: tokio::sync::Mutex<()>,
    activity: Mutex<Option<TeamActivity>>,
    stop: Mutex<CancellationToken>,
}

impl Host {
    /// Looks for newer generations as often as the settings say, until the host stops.
    pub(crate) async fn keep_following(self) {
        let stop = self.stop_token();
        loop {
            let mut pause = NOT_OPEN;
            if let Ok(open) = self.open() {
                for address in due(&open.workspace).await {
                    // It is kept and shown; the last good generation answers.
                    let _ = self.look(&address, Look::Renew).await;
                }
                pause = tick(&open.workspace);
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Follows the library that is published at an address, and takes in what it holds, or only what it takes to read it in place.
    pub async fn follow_library(
        &self,
        address: String,
        in_place: bool,
    ) -> Result<FollowedLibrary, CommandError> {
        let address = self.address(&address)?;
        self.look(&address, Look::Follow { in_place }).await?;
        let place = address.to_string();
        let followed = self.team().await?.followed.into_iter().find(|library| library.address == place);
        followed.ok_or_else(|| self.not_followed(&place))
    }

    /// Looks for newer generations of all libraries that are followed.
    pub async fn look_for_generations(&self) -> Result<(), CommandError> {
        for library in self.team_libraries().await? {
            if let Ok(address) = Address::parse(&library.address) {
                // Why one brought nothing stands beside it.
                let _ = self.look(&address, Look::Renew).await;
            }
        }
        Ok(())
    }

    /// Follows a library no more, and forgets the keys to it.
    pub async fn unfollow_library(&self, address: String) -> Result<(), CommandError> {
        let address = self.address(&address)?;
        let team = &self.inner.team;
        let _turn = team.turn.lock().await;
        let open = self.open()?;
        let taken_out = unfollow(&open.workspace, &team.follower, &address).await;
        if !taken_out.map_err(|problem| of_team(&problem, self.texts()))? {
            return Err(self.not_followed(&address.to_string()));
        }
        let (keys, of) = (team.follower.keys.clone(), address.clone());
        // A keyring that cannot be used holds no keys.
        let _ = self.blocking(move || keys.forget(&of)).await?;
        self.library_took_in().await;
        Ok(())
    }

    /// Publishes the library at an address; `prune` takes away what is kept no longer, `in_place` lets it be read there as well.
    pub async fn publish_library(
        &self,
        address: String,
        prune: bool,
        in_place: bool,
    ) -> Result<PublishedLibrary, CommandError> {
        let address = self.address(&address)?;
        let team = &self.inner.team;
        let _turn = team.turn.lock().await;
        let stop = self.begin_team();
        let open = self.open()?;
        let progress = |done, total| {
            let step = TeamStep::Publishing { done: count(done), total: count(total) };
            self.team_goes_on(&address, step);
        };
        progress(0, 0);
        let keep = prune.then(Keep::default);
        let keys = &team.follower.keys;
        let wanted = Wanted { in_place, ..Wanted::default() };
        let published = tokio::select! {
            () = stop.cancelled() => Err(of_question(&AskError::Stopped, self.texts())),
            published = publish_library(&open.workspace, keys, &address, wanted, keep, &progress) => {
                published.map_err(|problem| of_team(&problem, self.texts()))
            }
        };
        *lock(&team.activity) = None;
        let kept = published.and_then(|published| {
            let report = published.report;
            let published = PublishedLibrary {
                address: report.address,
                generation: report.generation,
                new: report.new,
                published_at: now(),
                documents: count(report.documents),
                shelves: count(report.shelves),
                added: count(report.added),
                removed: count(report.removed),
                entries: count(report.entries),
                entries_left_out: count(report.entries_left_out),
                vocabularies: count(report.vocabularies),
                bytes_sent: report.traffic.bytes_sent,
            };
            self.history()?.keep_fact(PUBLISHED, &published)?;
            Ok(published)
        });
        self.tell(Broadcast::TeamActivity { activity: None });
        self.tell(Broadcast::LibraryChanged);
        kept
    }

    /// Stops following or publishing; what was in force stays.
    pub async fn stop_team(&self) -> Result<(), CommandError> {
        lock(&self.inner.team.stop).cancel();
        Ok(())
    }

    /// Keeps keys for an address in the system's keyring.
    pub async fn keep_store_keys(&self, address: String, keys: GivenKeys) -> Result<KeysKept, CommandError> {
        let address = self.address(&address)?;
        let Some(given) = StoreKeys::new(&keys.id, &keys.secret) else { return Ok(KeysKept::NotGiven) };
        let keys = self.inner.team.follower.keys.clone();
        Ok(match self.blocking(move || keys.keep(&address, given)).await? {
            Ok(()) => KeysKept::InKeyring,
            Err(_) => KeysKept::ForThisSession,
        })
    }

    /// Published libraries, as this one follows and makes them.
    pub(crate) async fn team(&self) -> Result<TeamOverview, CommandError> {
        let looks = last_looks(&self.folder()?);
        let documents = self.browsed().await?;
        let followed = |library: TeamLibrary| {
            let is_of_it = |source: &str| library.sources.iter().any(|one| one.here == source);
            let look = looks.get(&library.address);
            let problem = look
                .and_then(|look| look.problem.clone())
                .map(|problem| Detail::all(vec![problem.0, stays(&library)]).text(self.texts().language));
            FollowedLibrary {
                documents: count(documents.iter().filter(|one| is_of_it(&one.record.source)).count()),
                looked_at: look.map(|look| look.looked_at.to_string()),
                problem,
                in_place: library.in_place.is_some(),
                address: library.address,
                generation: library.generation,
                published_at: library.published_at,
            }
        };
        Ok(TeamOverview {
            followed: self.team_libraries().await?.into_iter().map(followed).collect(),
            published: self.history()?.fact(PUBLISHED)?,
            activity: lock(&self.inner.team.activity).clone(),
        })
    }

    async fn team_libraries(&self) -> Result<Vec<TeamLibrary>, CommandError> {
        match self.open()?.library() {
            Some(library) => {
                library.team_libraries().await.map_err(|problem| of_library(&problem, self.texts()))
            }
            None => Ok(Vec::new()),
        }
    }

    /// One look at an address: the last good generation answers meanwhile, and whatever comes of it.
    async fn look(&self, address: &Address, how: Look) -> Result<(), CommandError> {
        let team = &self.inner.team;
        let _turn = team.turn.lock().await;
        let stop = self.begin_team();
        let open = self.open()?;
        let progress = |step| {
            let step = match step {
                FollowStep::Looking => TeamStep::Looking,
                FollowStep::Arriving { done, total } => {
                    TeamStep::Pulling { done: count(done), total: count(total) }
                }
                FollowStep::TakingIn => TeamStep::TakingIn,
            };
            self.team_goes_on(address, step);
        };
        let looking = async {
            match how {
                Look::Renew => renew(&open.workspace, &team.follower, address, &progress).await,
                Look::Follow { in_place } => {
                    follow(&open.workspace, &team.follower, address, in_place, &progress).await
                }
            }
        };
        let looked = tokio::select! {
            () = stop.cancelled() => Err(of_question(&AskError::Stopped, self.texts())),
            looked = looking => {
                looked.map_err(|problem: TeamError| of_team(&problem, self.texts()))
            }
        };
        *lock(&team.activity) = None;
        self.tell(Broadcast::TeamActivity { activity: None });
        match &looked {
            Ok(followed) if followed.new => self.library_took_in().await,
            Ok(_) | Err(_) => self.tell(Broadcast::LibraryChanged),
        }
        looked.map(drop)
    }

    /// Another generation of a published library is in force here, or none of it any more.
    async fn library_took_in(&self) {
        if let Err(problem) = self.reopen_engine().await {
            tracing::error!(target: "host", event = "reopen_failed", reason = problem.message.as_str());
        }
        let _ = self.refresh_state().await;
        self.tell(Broadcast::LibraryChanged);
        self.tell(Broadcast::MemoryChanged);
    }

    fn begin_team(&self) -> CancellationToken {
        let stop = self.stop_token().child_token();
        *lock(&self.inner.team.stop) = stop.clone();
        stop
    }

    fn team_goes_on(&self, address: &Address, step: TeamStep) {
        let activity = TeamActivity { address: address.to_string(), step };
        *lock(&self.inner.team.activity) = Some(activity.clone());
        self.tell(Broadcast::TeamActivity { activity: Some(activity) });
    }

    fn address(&self, written: &str) -> Result<Address, CommandError> {
        self.open()?;
        Address::parse(written.trim())
            .map_err(|problem| invalid(TeamError::from(problem).detail().text(self.texts().language)))
    }

    fn not_followed(&self, address: &str) -> CommandError {
        not_found(self.texts().say(Message::TeamNotFollowed, &[("address", address)]))
    }
}
