//! A PostgreSQL server for one measurement: made, started with `fsync` on, and thrown away.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A running PostgreSQL with one empty database, in a folder of its own.
pub struct Cluster {
    folder: PathBuf,
    user: Option<(u32, u32)>,
}

impl Cluster {
    /// Makes a cluster and starts it; it listens on a socket in its own folder only.
    pub fn start() -> Result<Self> {
        // The name of a socket may have about a hundred characters, and its user must get there.
        let folder = std::env::temp_dir().join(format!("becivic-bench-{}", std::process::id()));
        remove(&folder)?;
        std::fs::create_dir_all(&folder).context("the folder of the cluster cannot be made")?;
        // PostgreSQL refuses to run as root; Debian's package brings a user for it.
        let user =
            if id(&["-u"])? == 0 { Some((id(&["-u", "postgres"])?, id(&["-g", "postgres"])?)) } else { None };
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid)).context("the folder cannot be given to postgres")?;
        }
        let cluster = Self { folder, user };
        let make = "--pgdata data --username becivic --auth trust --encoding UTF8 --locale C";
        cluster.run("initdb", &make.split(' ').collect::<Vec<_>>())?;
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c fsync=on -c synchronous_commit=on \
             -c max_connections=100 -c shared_buffers=256MB",
            cluster.folder.display()
        );
        cluster.run(
            "pg_ctl",
            &["--pgdata", "data", "--wait", "--log", "log.txt", "--options", &options, "start"],
        )?;
        Ok(cluster)
    }

    /// As `--database` takes it.
    pub fn url(&self) -> String {
        format!("postgres://becivic@{}/postgres", self.folder.display().to_string().replace('/', "%2F"))
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(find(program)?);
        command.args(arguments).current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        let status = command.status().with_context(|| format!("{program} did not start"))?;
        if !status.success() {
            let log = std::fs::read_to_string(self.folder.join("log.txt")).unwrap_or_default();
            bail!("{program} ended with {status}\n{log}");
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _not_running_is_fine =
            self.run("pg_ctl", &["--pgdata", "data", "--mode", "immediate", "--wait", "stop"]);
        let _only_space = remove(&self.folder);
    }
}

/// Removes a folder, if it is there.
pub fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", folder.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A program of PostgreSQL: where Debian puts it, the newest version first, or on the path.
fn find(program: &str) -> Result<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> = folders.map(|entry| entry.path().join("bin")).collect();
    places.sort();
    places.reverse();
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let found = places.into_iter().map(|folder| folder.join(program)).find(|path| path.exists());
    found.with_context(|| format!("{program} is not installed (Debian package postgresql)"))
}

fn id(arguments: &[&str]) -> Result<u32> {
    let answer = Command::new("id").args(arguments).output().context("`id` did not start")?;
    let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    text.parse().with_context(|| format!("`id {}` knows nobody", arguments.join(" ")))
}
