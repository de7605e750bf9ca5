//! A PostgreSQL server of a test's own: made, started, and thrown away.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A running PostgreSQL with one empty database.
pub struct Cluster {
    folder: TempDir,
    user: Option<(u32, u32)>,
}

impl Cluster {
    /// Makes a cluster and starts it; it listens on a socket in its own folder only.
    pub fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        // PostgreSQL refuses to run as root; Debian's package brings a user for it.
        let user = (id(&["-u"]) == 0).then(|| (id(&["-u", "postgres"]), id(&["-g", "postgres"])));
        if let Some((uid, gid)) = user {
            chown(folder.path(), Some(uid), Some(gid)).expect("the folder is ours");
        }
        let cluster = Self { folder, user };
        cluster.run(
            "initdb",
            &[
                "--pgdata",
                "data",
                "--username",
                "becivic",
                "--auth",
                "trust",
                "--no-sync",
                "--encoding",
                "UTF8",
                "--locale",
                "C",
            ],
        );
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c fsync=off -c max_connections=100 -c shared_buffers=64MB",
            cluster.folder.path().display()
        );
        cluster.run(
            "pg_ctl",
            &["--pgdata", "data", "--wait", "--log", "log.txt", "--options", &options, "start"],
        );
        cluster
    }

    /// As `--database` takes it.
    pub fn url(&self) -> String {
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://becivic@{socket}/postgres")
    }

    /// The files of the cluster.
    pub fn files(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Runs a program of PostgreSQL as its user, in the cluster's folder.
    pub fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(find(program));
        command.args(arguments).current_dir(self.folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        let status = command.status().unwrap_or_else(|error| panic!("{program}: {error}"));
        let log = std::fs::read_to_string(self.folder.path().join("log.txt")).unwrap_or_default();
        assert!(status.success(), "{program} ended with {status}\n{log}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.run("pg_ctl", &["--pgdata", "data", "--mode", "immediate", "--wait", "stop"]);
    }
}

/// A program of PostgreSQL: where Debian puts it, the newest version first, or on the path.
fn find(program: &str) -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> = folders.map(|entry| entry.path().join("bin")).collect();
    places.sort();
    places.reverse();
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let found = places.into_iter().map(|folder| folder.join(program)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{program} is not installed (Debian package postgresql)"))
}

fn id(arguments: &[&str]) -> u32 {
    let answer = Command::new("id").args(arguments).output().expect("id runs");
    String::from_utf8_lossy(&answer.stdout).trim().parse().expect("a number")
}
