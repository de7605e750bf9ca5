//! The load: many connections kept open, each sending its next request when the answer to the last has come.
//!
//! 1. Connect; spread the connections evenly over the addresses.
//! 2. One thread waits for all of them with `poll(2)`: the generator shares the machine with what it measures, and
//!    this is the least it can take.
//! 3. Every answer must have the status asked for; the first other one ends the run with what it said.
//! 4. What is answered in the warm-up is not counted. Rates are per second of the time after it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::request::{Asking, Requests};

/// Connections, all together.
pub const CONNECTIONS: usize = 64;
/// Before anything is counted.
const WARM_UP: Duration = Duration::from_millis(500);
/// An answer that takes longer will not come.
const PATIENCE: Duration = Duration::from_secs(20);
/// Ids of stored concerns that are remembered.
const REMEMBERED: usize = 100_000;

/// What one run reached.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// Answers per second.
    pub rate: f64,
    /// The median time to an answer, in milliseconds.
    pub p50: f64,
    /// The time 99 of 100 answers took at most, in milliseconds.
    pub p99: f64,
    /// All answers, those of the warm-up too.
    pub answers: f64,
    /// Ids that were stored.
    pub ids: Vec<String>,
}

/// Puts servers under load for so many seconds.
pub fn run(addresses: &[SocketAddr], asking: Asking<'_>, seconds: f64, seed: u64) -> Result<Reached> {
    let wanted = match asking {
        Asking::Post => "201",
        Asking::Get(_) | Asking::Page(_) | Asking::Whole(_) => "200",
    };
    let mut requests = Requests::new(asking, seed)?;
    let mut connections = (0..CONNECTIONS)
        .zip(addresses.iter().cycle())
        .map(|(_, address)| Connection::open(*address))
        .collect::<Result<Vec<_>>>()?;
    ensure!(connections.len() == CONNECTIONS, "there is no server to put under load");
    for connection in &mut connections {
        connection.ask(&mut requests)?;
    }
    let counted_from = Instant::now() + WARM_UP;
    let until = counted_from + Duration::from_secs_f64(seconds);
    let mut polled: Vec<libc::pollfd> = connections.iter().map(Connection::polled).collect();
    let mut reached = Reached::default();
    let mut times: Vec<u32> = Vec::new();
    loop {
        wait(&mut polled)?;
        let now = Instant::now();
        if now >= until {
            break;
        }
        for (connection, ready) in connections.iter_mut().zip(&polled) {
            if ready.revents == 0 || !connection.answered(wanted)? {
                continue;
            }
            reached.answers += 1.0;
            let taken = now.saturating_duration_since(connection.asked_at);
            if now >= counted_from {
                times.push(u32::try_from(taken.as_micros()).unwrap_or(u32::MAX));
            }
            if reached.ids.len() < REMEMBERED && !connection.id.is_empty() {
                reached.ids.push(connection.id.clone());
            }
            connection.ask(&mut requests)?;
        }
    }
    ensure!(!times.is_empty(), "nothing was answered");
    times.sort_unstable();
    reached.rate = f64::from(u32::try_from(times.len())?) / seconds;
    reached.p50 = milliseconds(&times, 50);
    reached.p99 = milliseconds(&times, 99);
    Ok(reached)
}

fn milliseconds(times: &[u32], percent: usize) -> f64 {
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, |time| f64::from(*time) / 1e3)
}

/// A server that ended a connection before it answered.
#[derive(Debug, Clone, Copy)]
pub struct HungUp(pub SocketAddr);

impl std::fmt::Display for HungUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the server at {} hung up", self.0)
    }
}

impl std::error::Error for HungUp {}

struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    request: Vec<u8>,
    answer: Vec<u8>,
    asked_at: Instant,
    id: String,
}

impl Connection {
    fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).context("the server does not take connections")?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let (request, answer) = (Vec::new(), Vec::new());
        Ok(Self { address, stream, request, answer, asked_at: Instant::now(), id: String::new() })
    }

    fn polled(&self) -> libc::pollfd {
        libc::pollfd { fd: self.stream.as_raw_fd(), events: libc::POLLIN, revents: 0 }
    }

    fn hung_up(&self) -> HungUp {
        HungUp(self.address)
    }

    /// Sends the next request.
    fn ask(&mut self, requests: &mut Requests<'_>) -> Result<()> {
        self.request.clear();
        self.answer.clear();
        requests.write(&mut self.request);
        self.id.clear();
        self.id.push_str(requests.id());
        self.asked_at = Instant::now();
        // A request is smaller than any socket buffer, and the one before was read: it goes in one piece.
        let sent = self.stream.write(&self.request).with_context(|| self.hung_up())?;
        ensure!(sent == self.request.len(), "a request did not fit into the socket");
        Ok(())
    }

    /// Reads what has come; true once the answer is whole.
    fn answered(&mut self, wanted: &str) -> Result<bool> {
        let mut piece = [0; 65_536];
        let read = match self.stream.read(&mut piece) {
            Ok(0) => return Err(self.hung_up().into()),
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error).context(self.hung_up()),
        };
        self.answer.extend_from_slice(piece.get(..read).unwrap_or_default());
        let Some(whole) = length(&self.answer)? else { return Ok(false) };
        if self.answer.len() < whole {
            return Ok(false);
        }
        if self.answer.get(9..12) != Some(wanted.as_bytes()) {
            bail!("the server answered\n{}", String::from_utf8_lossy(&self.answer));
        }
        Ok(true)
    }
}

/// The length of an answer, head and body, once its head is there.
fn length(answer: &[u8]) -> Result<Option<usize>> {
    let Some(head) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let lines = answer.get(..head).unwrap_or_default().split(|byte| *byte == b'\n');
    for line in lines {
        let name = line.get(..15).unwrap_or_default();
        if name.eq_ignore_ascii_case(b"content-length:") {
            let value = String::from_utf8_lossy(line.get(15..).unwrap_or_default()).trim().to_owned();
            return Ok(Some(head + 4 + value.parse::<usize>().context("an answer has no sound length")?));
        }
    }
    bail!("an answer does not say how long it is")
}

/// Waits until one of the connections can be read.
#[allow(unsafe_code)]
fn wait(polled: &mut [libc::pollfd]) -> Result<()> {
    let count = libc::nfds_t::try_from(polled.len())?;
    let patience = libc::c_int::try_from(PATIENCE.as_millis())?;
    // SAFETY: the pointer and the count are those of a live slice that nobody else looks at meanwhile.
    let ready = unsafe { libc::poll(polled.as_mut_ptr(), count, patience) };
    match ready {
        0 => bail!("no answer came for {} s", PATIENCE.as_secs()),
        1.. => Ok(()),
        _ => Err(std::io::Error::last_os_error()).context("the connections cannot be waited for"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};

    #[test]
    fn the_length_of_an_answer_is_known_with_its_head() {
        assert_eq!(length(b"HTTP/1.1 200 OK\r\nContent-").unwrap(), None);
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        assert_eq!(length(head).unwrap(), Some(head.len() + 2));
        assert!(length(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }

    #[test]
    fn percentiles_are_of_sorted_times() {
        let times: Vec<u32> = (0..100).map(|it| it * 1_000).collect();
        assert_eq!((milliseconds(&times, 50), milliseconds(&times, 99)), (50.0, 99.0));
    }

    /// A server that answers every question with this status.
    fn answering(status: &'static str) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming().take(CONNECTIONS) {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                    while let Some(Ok(line)) = lines.next() {
                        if line.is_empty() {
                            let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 2\r\n\r\n{{}}");
                            stream.write_all(answer.as_bytes()).unwrap_or_default();
                        }
                    }
                });
            }
        });
        address
    }

    #[test]
    fn good_answers_are_counted_and_a_bad_one_ends_the_run() {
        let ids = ["con_a".to_owned()];
        let reached = run(&[answering("200")], Asking::Get(&ids), 0.1, 7).unwrap();
        assert!(reached.rate > 0.0 && reached.p99 >= reached.p50);
        let error = run(&[answering("404")], Asking::Get(&ids), 0.1, 7).unwrap_err();
        assert!(error.to_string().contains("404"));
    }
}
