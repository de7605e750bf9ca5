//! Everything a request may use, opened once.

use crate::address::Address;
use crate::bundled::COMMITTED_AT;
use crate::config::{Config, ForgeKind};
use crate::consensus::{self, begin};
use crate::db::{Db, DbError, catalogue, facts, salts, standings, uids};
use crate::finder::Finder;
use crate::forge::Forge;
use crate::forge::github::Hook;
use crate::gate::Gate;
use crate::git::Git;
use crate::http::review::session::Attempts;
use crate::jobs::follow;
use crate::live::Live;
use crate::mcp::LISTENERS;
use crate::metrics::Metrics;
use crate::moment::{Clock, MINUTE, Moment};
use crate::pages::Pages;
use crate::repository::Repository;
use crate::secrets::{self, Bytes32, Pepper, Purpose};
use crate::transparency;
use anyhow::{Context, anyhow};
use arc_swap::ArcSwap;
use becivic_core::log::Signer;
use becivic_core::names::Names;
use becivic_core::scrub::Scrubber;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The salt of a day lives this much longer than the day, for the rolling hour (DECISIONS §6).
const SALT_AFTERLIFE: i64 = 61 * MINUTE;

/// The shared state of a server.
pub struct App {
    /// What was configured.
    pub config: Config,
    /// The store.
    pub db: Db,
    /// The key of every hash.
    pub pepper: Pepper,
    /// The key of the transparency log.
    pub log_key: Signer,
    /// The time.
    pub clock: Clock,
    /// The corpus as files.
    pub repository: Repository,
    /// The corpus for `git` clients.
    pub git: Arc<Git>,
    /// Where pull requests live.
    pub forge: Forge,
    /// Wakes the jobs: there is something to be done at once.
    pub wake: tokio::sync::Notify,
    /// The head of `main` that breaks a rule and is not taken in; empty when there is none.
    pub refused_push: Mutex<String>,
    /// Whether the process is about to end.
    pub stopping: AtomicBool,
    /// Places for those who listen to changes.
    pub listeners: tokio::sync::Semaphore,
    /// Told whenever something else is served than before.
    pub changes: tokio::sync::watch::Sender<()>,
    /// The corpus as it is served.
    pub live: ArcSwap<Live>,
    /// Skills and paths, as `(type, id)`, that a flag has put away before their files say so.
    pub withheld: ArcSwap<BTreeSet<(String, String)>>,
    /// Pages of the site that were made.
    pub pages: Pages,
    /// The newest line of the audit log that this process knows of.
    newest_deed: AtomicI64,
    /// What can be found.
    pub finder: Finder,
    /// What finds personal data.
    pub scrubber: &'static Scrubber,
    /// What finds people's names.
    pub names: &'static Names<'static>,
    /// Who is known to have sent too much.
    pub gate: Gate,
    /// Who has sent wrong tokens to the desk.
    pub attempts: Attempts,
    /// What is counted.
    pub metrics: Metrics,
    /// The door for what the forge tells by itself, where there is one.
    pub forge_hook: Option<Hook>,
    /// Checks of whole corpora, which take milliseconds of a core, one at a time.
    pub heavy: tokio::sync::Semaphore,
    days: Mutex<Option<Days>>,
    /// Held as long as the process serves the folder; the system lets go of it however the process ends.
    _lock: Option<File>,
}

/// What a process opens everything for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To serve: nobody else may serve the same folder.
    Serve,
    /// To do one thing and end, also beside a process that serves.
    Chore,
}

/// The salts in use.
#[derive(Clone)]
struct Days {
    day: Moment,
    salt: Vec<u8>,
    before: Option<Vec<u8>>,
}

/// What was made because it was not there.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The data folder.
    pub folder: bool,
    /// The repository, from the bundled corpus.
    pub repository: bool,
    /// Rows of the catalogue, from the seeds.
    pub rows: usize,
    /// The first operator token.
    pub token: Option<PathBuf>,
}

impl App {
    /// Opens everything under the data folder, making what is missing; for a chore, nothing may be missing.
    pub fn open(
        config: Config,
        names: &'static Names<'static>,
        clock: Clock,
        role: Role,
    ) -> anyhow::Result<(Arc<Self>, Made)> {
        let data = PathBuf::from(&config.server.data);
        if role == Role::Chore {
            let there = data.join("corpus.git").exists();
            anyhow::ensure!(
                there,
                "nothing was served from {0} yet; start `becivic serve --data {0}` once, or name another folder with --data",
                data.display()
            );
        }
        let mut made = Made { folder: !data.exists(), ..Made::default() };
        make_private(&data).with_context(|| format!("cannot make the data folder {}", data.display()))?;
        let lock = match role {
            Role::Serve => Some(lock(&data)?),
            Role::Chore => None,
        };
        let pepper_file = pepper_file(&config);
        let url = database_url(&config.server.database, &data, role)?;
        let forge = Forge::of(&config.forge)?;
        let forge_hook = match (config.forge.kind, config.forge.webhook_secret_file.as_str()) {
            (ForgeKind::Local, _) | (ForgeKind::GitHub, "") => None,
            (ForgeKind::GitHub, file) => Some(Hook::read(file)?),
        };
        let db = Db::open(&url, config.server.connections)?;
        let pepper = pepper(&db, &pepper_file)?;
        let log_key = transparency::key::load(&db, &pepper_file, &config.server.public_url)?;
        transparency::end::check(&db)?;
        let scrubber = Scrubber::bundled().map_err(|_| anyhow!("the bundled scrub rules cannot be run"))?;
        let now = clock.now();
        crate::retraction::finish(&data, &db)?;
        let place = data.join("corpus.git");
        let (repository, fresh) = match config.server.corpus.as_str() {
            "" => Repository::open_or_create(&place, crate::bundled::files(), COMMITTED_AT)?,
            folder => {
                let files = crate::bundled::files_of(Path::new(folder))?;
                Repository::open_or_create(&place, files.into_iter(), COMMITTED_AT)?
            }
        };
        made.repository = fresh;
        let repository = match lock.is_some() {
            true => crate::retraction::elsewhere::follow(&data, &db, repository)?,
            false => repository,
        };
        if lock.is_some() {
            repository.unlock();
        }
        forge.meet(&repository).context("cannot begin with the corpus on the forge")?;
        let commit = follow::bring(&db, &repository)?;
        let live = Live::read(&repository, &commit)?;
        made.rows = seed(&db, &live, now)?;
        begin::complete(&db, &repository, &live, now)?;
        // A chore may be run with other settings than the server's, and only to look: whoever decides says under which policy.
        let policy = (role == Role::Serve).then(|| consensus::policy(&config.consensus));
        transparency::complete(&db, &live, policy.as_ref(), now)?;
        let withheld = db.write_now(|tx| standings::withheld(tx))?.into_iter().collect();
        made.token = first_token(&db, &data, now)?;
        let app = Self {
            gate: Gate::new(i64::from(config.limits.global_per_hour)),
            config,
            db,
            pepper,
            log_key,
            clock,
            git: Git::new(repository.clone(), &data),
            repository,
            forge,
            wake: tokio::sync::Notify::new(),
            refused_push: Mutex::default(),
            stopping: AtomicBool::new(false),
            listeners: tokio::sync::Semaphore::new(LISTENERS),
            changes: tokio::sync::watch::Sender::default(),
            live: ArcSwap::from_pointee(live),
            withheld: ArcSwap::from_pointee(withheld),
            pages: Pages::default(),
            newest_deed: AtomicI64::new(0),
            finder: Finder::default(),
            scrubber,
            names,
            attempts: Attempts::default(),
            metrics: Metrics::new(),
            forge_hook,
            heavy: tokio::sync::Semaphore::new(1),
            days: Mutex::new(None),
            _lock: lock,
        };
        Ok((Arc::new(app), made))
    }

    /// Whether a flag has put a skill or a path away before its file says so.
    pub fn is_withheld(&self, target_type: &str, id: &str) -> bool {
        let withheld = self.withheld.load();
        !withheld.is_empty() && withheld.contains(&(target_type.to_owned(), id.to_owned()))
    }

    /// Looks again at what flags have put away.
    pub fn look_at_withheld(&self, found: Vec<(String, String)>) {
        let found: BTreeSet<(String, String)> = found.into_iter().collect();
        if **self.withheld.load() != found {
            self.withheld.store(Arc::new(found));
            self.changes.send_replace(());
        }
    }

    /// Takes note of the newest line of the audit log. What a maintainer did, in whichever process, may have taken something from
    /// the public: no page that was made before is sent any more.
    pub fn look_at_deeds(&self, newest: i64) {
        if self.newest_deed.swap(newest, Ordering::AcqRel) != newest {
            self.pages.forget();
        }
    }

    /// Serves another corpus from now on.
    pub fn move_on(&self, live: Arc<Live>) {
        self.live.store(live);
        self.changes.send_replace(());
    }

    /// Whoever is asking, as far as counting needs to know.
    pub async fn sender(&self, address: Address, now: Moment) -> Result<Sender, DbError> {
        let days = self.days(now).await?;
        let today = self.pepper.address(Purpose::Rate, &days.salt, address);
        let before = days.before.map(|salt| self.pepper.address(Purpose::Rate, &salt, address));
        Ok(Sender { address, today, before, day: days.day })
    }

    async fn days(&self, now: Moment) -> Result<Days, DbError> {
        let kept = self.days.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let still_counts = now.0 - now.day().0 < SALT_AFTERLIFE;
        if let Some(mut days) = kept.filter(|days| days.day == now.day()) {
            if !still_counts {
                days.before = None;
            }
            return Ok(days);
        }
        let fresh = fresh()?;
        let (day, yesterday) = (now.day(), now.day().plus(-1).day());
        let (salt, before) = self
            .db
            .write(move |tx| {
                // A salt past its afterlife goes before anything is counted, also when the process slept through it.
                salts::forget_days_before(tx, if still_counts { yesterday } else { day })?;
                let before = if still_counts { salts::found_day(tx, yesterday)? } else { None };
                Ok((salts::of_day(tx, day, &fresh)?, before))
            })
            .await?;
        let days = Days { day, salt, before };
        *self.days.lock().unwrap_or_else(PoisonError::into_inner) = Some(days.clone());
        Ok(days)
    }
}

/// Whoever is asking.
#[derive(Clone, Copy)]
pub struct Sender {
    /// The address, which goes no further than this request.
    pub address: Address,
    /// Its hash today.
    pub today: Bytes32,
    /// Its hash of the day before, while that still counts.
    pub before: Option<Bytes32>,
    /// The day.
    pub day: Moment,
}

/// Where the database is: the one that is named, or the one in the data folder. Only who serves may make one: a chore on an
/// empty database would find nothing to do and say that all is well.
pub fn database_url(named: &str, data: &Path, role: Role) -> anyhow::Result<String> {
    if !named.is_empty() {
        return Ok(named.to_owned());
    }
    let file = data.join("becivic.db");
    anyhow::ensure!(
        role == Role::Serve || file.exists(),
        "there is no database in {}; name the one it is served from with --database",
        data.display()
    );
    Ok(format!("sqlite://{}", file.display()))
}

/// Makes a folder that only its owner can look into; one that is there already stays as it is.
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes sure that no other process serves the folder.
pub fn lock(data: &Path) -> anyhow::Result<File> {
    let file = File::create(data.join("serve.lock"))
        .with_context(|| format!("cannot write in {}", data.display()))?;
    let taken =
        || format!("another becivic serves {}; stop it, or name another folder with --data", data.display());
    file.try_lock().map_err(|_| anyhow!(taken()))?;
    Ok(file)
}

/// Where the pepper is, and the other keys beside it.
pub fn pepper_file(config: &Config) -> PathBuf {
    match config.server.pepper_file.as_str() {
        "" => Path::new(&config.server.data).join("pepper.key"),
        file => PathBuf::from(file),
    }
}

/// 32 random bytes for a piece of database work.
pub fn fresh() -> Result<Bytes32, DbError> {
    secrets::random().map_err(|_| DbError::Unavailable)
}

/// The key. A database goes on with the one it was begun with: with another, nobody's submissions would be their own any
/// more, so none is made in the place of a lost one.
fn pepper(db: &Db, file: &Path) -> anyhow::Result<Pepper> {
    let begun = db.write_now(|tx| facts::find(tx, "pepper"))?.is_some();
    anyhow::ensure!(
        !begun || file.exists(),
        "{} is missing, and this database was begun with it; restore it, or name it with `pepper_file`",
        file.display()
    );
    let pepper = Pepper::load(file)?;
    let fingerprint = pepper.fingerprint();
    let agreed = db.write_now(move |tx| facts::agree(tx, "pepper", &fingerprint))?;
    anyhow::ensure!(
        agreed,
        "{} is not the key this database was begun with; restore that key, or name it with `pepper_file`",
        file.display()
    );
    Ok(pepper)
}

/// Fills an empty catalogue from the corpus' seeds (DECISIONS §14).
fn seed(db: &Db, live: &Live, now: Moment) -> anyhow::Result<usize> {
    let mut rows: Vec<(catalogue::Prefix, Value)> = Vec::new();
    for row in live.corpus.catalogue.values() {
        rows.push((catalogue::Prefix::Value, serde_json::to_value(row)?));
    }
    for row in live.corpus.catalogue.references() {
        rows.push((catalogue::Prefix::Reference, serde_json::to_value(row)?));
    }
    let paths = live.corpus.paths.iter().flat_map(|paths| paths.entries.values());
    let last_path = paths.filter_map(|path| uids::number(path.entry.uid.as_deref()?)).max().unwrap_or(0);
    let seeded = db.write_now(move |tx| {
        // The counter first: of several processes that start on an empty database, one holds it and fills the catalogue,
        // and the others find it filled.
        uids::at_least(tx, "pth", last_path)?;
        if !catalogue::is_empty(tx)? {
            return Ok(0);
        }
        for (prefix, row) in &rows {
            let mut content: Map<String, Value> = row.as_object().cloned().unwrap_or_default();
            let mut take = |name: &str| {
                let taken = content.shift_remove(name);
                taken.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            let (uid, name, status) = (take("uid"), take("name"), take("status"));
            let at = Moment::read(&take("committed_at")).unwrap_or(Moment(0));
            let content = Value::Object(content).to_string();
            catalogue::seed(tx, *prefix, (&uid, &name), &status, &content, at, now)?;
        }
        Ok(rows.len())
    });
    Ok(seeded?)
}

/// Makes the first operator token where there is none, in a file only its owner can read.
///
/// The file comes first, so that no token is valid that nobody can read. A file whose token was not noted, because the
/// process was killed in between, is noted at the next start; where another process was faster, the file goes again.
fn first_token(db: &Db, data: &Path, now: Moment) -> anyhow::Result<Option<PathBuf>> {
    let file = data.join("operator.token");
    if !db.write_now(|tx| Ok(crate::db::tokens::list(tx)?.is_empty()))? {
        return Ok(None);
    }
    let hash = match std::fs::read_to_string(&file) {
        Ok(kept) => secrets::Token::hash(kept.trim()),
        Err(_) => {
            let token = secrets::Token::new(&secrets::random()?);
            secrets::write_private(&file, format!("{}\n", token.shown).as_bytes())?;
            token.hash
        }
    };
    if !db.write_now(move |tx| crate::db::tokens::insert(tx, "first", &hash, now))? {
        std::fs::remove_file(&file)?;
        return Ok(None);
    }
    Ok(Some(file))
}
