//! Processes that are measured: started, asked for their address, ended.
//!
//! Whatever serves says where, on a line of its own that begins with `http://`; the rest of what it says is dropped.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// How many processes were started, so that each has a log of its own.
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// How long a process may take to end when it is told to.
const PATIENCE: Duration = Duration::from_secs(20);

/// The programs and folders of a run.
pub struct Bench {
    /// The root of the workspace.
    pub root: PathBuf,
    /// Where cargo puts release programs.
    pub programs: PathBuf,
    /// What is written while measuring; removed before and after.
    pub folder: PathBuf,
    /// How long one measurement lasts.
    pub seconds: f64,
    /// How many rows the large store has.
    pub rows: u64,
}

/// Linux counts processor time in hundredths of a second (`USER_HZ`).
const TICKS: f64 = 100.0;

/// A process that serves.
pub struct Process {
    child: Child,
    /// Where.
    pub address: SocketAddr,
    /// When it was started.
    pub started: Instant,
}

impl Process {
    /// Starts `becivic serve` on a data folder, with limits out of the way and senders believed.
    pub fn becivic(bench: &Bench, data: &Path, database: Option<&str>) -> Result<Self> {
        let mut command = Command::new(bench.programs.join("becivic"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        command.env("BECIVIC_SERVER__TRUSTED_PROXIES", "[\"127.0.0.1/32\"]");
        for name in ["PER_DAY", "VALIDATIONS_PER_DAY", "FLAGS_PER_DAY", "BURST_PER_HOUR", "GLOBAL_PER_HOUR"] {
            command.env(format!("BECIVIC_LIMITS__{name}"), "1000000000");
        }
        if let Some(url) = database {
            // Processes on one database share the key of their hashes.
            command.args(["--database", url]);
            command.env("BECIVIC_SERVER__PEPPER_FILE", bench.folder.join("pepper.key"));
        }
        Self::start(bench, &mut command)
    }

    /// Starts one of the handlers that the server is measured against, on a file.
    pub fn yardstick(bench: &Bench, which: &str, file: &Path) -> Result<Self> {
        let mut command = Command::new(bench.programs.join("examples/yardstick"));
        Self::start(bench, command.arg(which).arg(file))
    }

    /// Starts a command and waits for its address. What it logs goes to a file, as in service.
    pub fn start(bench: &Bench, command: &mut Command) -> Result<Self> {
        std::fs::create_dir_all(&bench.folder).context("the folder of the bench cannot be made")?;
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let log = bench.folder.join(format!("log-{number}.txt"));
        let lines = File::create(&log).context("the log cannot be made")?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(lines);
        let started = Instant::now();
        let mut child = command.spawn().with_context(|| format!("{command:?} did not start"))?;
        let mut said = BufReader::new(child.stdout.take().context("the process has no output")?);
        let mut line = String::new();
        let address = loop {
            line.clear();
            if said.read_line(&mut line)? == 0 {
                let log = std::fs::read_to_string(&log).unwrap_or_default();
                bail!("{command:?} ended before it served: {log}");
            }
            if let Some(address) = line.trim().strip_prefix("http://") {
                break address.parse().context("the process does not say where it serves")?;
            }
        };
        // The rest is read and dropped, so that the process is never stopped by a full pipe.
        std::thread::spawn(move || said.lines().for_each(drop));
        Ok(Self { child, address, started })
    }

    /// Asks for a page and gives back the seconds from the start of the process to the end of the answer.
    pub fn first_answer(&self, path: &str) -> Result<f64> {
        let mut stream = TcpStream::connect(self.address)?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        ensure!(answer.starts_with("HTTP/1.1 200 "), "{path} was answered with\n{answer}");
        Ok(self.started.elapsed().as_secs_f64())
    }

    /// The resident memory now, in MB of 10^6 bytes.
    pub fn memory(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))
            .context("this system does not say how much memory a process holds")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix("kB")).map(str::trim);
        let kib: f64 = kib.context("the kernel reports no memory")?.parse()?;
        Ok(kib * 1024.0 / 1e6)
    }

    /// The processor time it has used, in seconds: less disturbed by what else the machine does than a rate is.
    pub fn work(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))
            .context("this system does not say how much work a process did")?;
        // The name, in brackets, may hold anything; user and system time are the 12th and 13th word after it.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        let words = after.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        Ok(words.sum::<Result<f64, _>>()? / TICKS)
    }

    /// Tells the process to stop and waits until it has.
    pub fn stop(mut self) -> Result<()> {
        self.end()
    }

    fn end(&mut self) -> Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        ensure!(told.is_ok_and(|status| status.success()), "a process could not be told to stop");
        let until = Instant::now() + PATIENCE;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > until {
                self.child.kill()?;
                self.child.wait()?;
                bail!("a process did not stop within {} s of being told to", PATIENCE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _only_left_running_after_an_error = self.end();
    }
}
