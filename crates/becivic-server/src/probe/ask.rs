//! Asking one source, politely.
//!
//! 1. The site's `robots.txt` first, once in a run for each host; a host that does not answer that is not asked for more.
//! 2. The head of the address. Where a sign speaks of the page, or the head would make the source broken, the page itself:
//!    many sites answer a request for the head carelessly.
//! 3. At most three redirects, each held to all that the first address was held to.
//! 4. The site's map where a sign speaks of it, a few files at most, and no more once the path is found.
//!
//! Before every single request the host's pause is waited for; the pauses do not count as time to answer.

use super::network::{Answer, Failed, Network};
use super::pace::Pace;
use becivic_core::probe::{Address, Look, NAME, Plan, Robots, Seen, Sitemap};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use ureq::http::Method;

/// Most redirects (DECISIONS §9b).
const MOST_REDIRECTS: usize = 3;

/// Most files of a site's map.
const MOST_MAPS: usize = 4;

/// Whoever asks, for the length of a run.
pub struct Asker<'a> {
    /// Through which network.
    pub network: &'a Network,
    /// How fast.
    pub pace: Pace,
    /// Which hosts are listed.
    pub is_listed: &'a dyn Fn(&str) -> bool,
    /// Whether to go on.
    pub go_on: &'a dyn Fn() -> bool,
    robots: HashMap<String, Result<Robots, Failed>>,
    pinned: HashMap<String, Vec<SocketAddr>>,
}

/// The last answer, and where it came from.
struct Landed {
    answer: Answer,
    address: Address,
}

/// What is left of the time to answer.
struct Left(Duration);

impl<'a> Asker<'a> {
    /// One that has asked nobody yet.
    pub fn new(
        network: &'a Network,
        pace: Pace,
        is_listed: &'a dyn Fn(&str) -> bool,
        go_on: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { network, pace, is_listed, go_on, robots: HashMap::new(), pinned: HashMap::new() }
    }

    /// Asks what a plan says.
    pub fn ask(&mut self, plan: &Plan) -> Result<Seen, Failed> {
        let mut left = Left(self.network.patience);
        let mut landed = self.follow(&Method::HEAD, &plan.address, &mut left)?;
        let status = landed.answer.status;
        let passes = matches!(status, 408 | 429 | 500 | 502..);
        let by_page = (plan.look == Look::Page || status >= 400) && !passes;
        if by_page {
            landed = self.follow(&Method::GET, &plan.address, &mut left)?;
        }
        let sitemap = match plan.sitemap.is_empty() || passes {
            true => None,
            false => self.sitemap(&plan.address, &plan.sitemap)?,
        };
        let Landed { answer, address } = landed;
        Ok(Seen {
            status: answer.status,
            content_type: answer.content_type,
            body: by_page.then_some(answer.body),
            was_led: address != plan.address,
            left_host: address.host() != plan.address.host(),
            address: address.as_str().to_owned(),
            sitemap,
        })
    }

    /// Follows redirects to the answer they lead to, where robots may go.
    fn follow(&mut self, method: &Method, from: &Address, left: &mut Left) -> Result<Landed, Failed> {
        let mut address = from.clone();
        for _ in 0..=MOST_REDIRECTS {
            if !self.robots(&address)?.allows(address.target()) {
                return Err(Failed::Robots);
            }
            match self.step(method, address, left)? {
                Ok(landed) => return Ok(landed),
                Err(next) => address = next,
            }
        }
        Err(Failed::TooManyRedirects)
    }

    /// What a site asks of machines.
    fn robots(&mut self, address: &Address) -> Result<Robots, Failed> {
        if let Some(known) = self.robots.get(address.host()) {
            return known.clone();
        }
        let read = self.read_robots(address.beside("/robots.txt"));
        if read != Err(Failed::Stopped) {
            self.robots.insert(address.host().to_owned(), read.clone());
        }
        read
    }

    fn read_robots(&mut self, mut address: Address) -> Result<Robots, Failed> {
        let mut left = Left(self.network.patience);
        for _ in 0..=MOST_REDIRECTS {
            match self.step(&Method::GET, address, &mut left) {
                Ok(Ok(Landed { answer, .. })) => {
                    return Ok(match answer.status {
                        200 => Robots::read(&answer.body, NAME),
                        status => Robots::without_file(Some(status)),
                    });
                }
                Ok(Err(next)) => address = next,
                // It is there and cannot be read: nothing is allowed. A host that is not there is told as such.
                Err(Failed::TooLong | Failed::Led(_)) => return Ok(Robots::without_file(None)),
                Err(failed) => return Err(failed),
            }
        }
        Ok(Robots::without_file(None))
    }

    /// One request: an answer, or where it redirects to.
    fn step(
        &mut self,
        method: &Method,
        address: Address,
        left: &mut Left,
    ) -> Result<Result<Landed, Address>, Failed> {
        let host = address.host().to_owned();
        let wished = self.robots.get(&host).and_then(|robots| robots.as_ref().ok()?.delay);
        if !self.pace.wait(&host, wished, self.go_on) {
            return Err(Failed::Stopped);
        }
        let began = Instant::now();
        let asked = self.once(method, &address, left.0);
        left.0 = left.0.saturating_sub(began.elapsed());
        self.pace.asked(&host);
        let answer = asked?;
        match (answer.status, &answer.location) {
            (301 | 302 | 303 | 307 | 308, Some(location)) => {
                Ok(Err(address.lead(location, self.is_listed).map_err(Failed::Led)?))
            }
            _ => Ok(Ok(Landed { answer, address })),
        }
    }

    fn once(&mut self, method: &Method, address: &Address, within: Duration) -> Result<Answer, Failed> {
        if within.is_zero() {
            return Err(Failed::Late);
        }
        let began = Instant::now();
        let pinned = match self.pinned.get(address.host()) {
            Some(pinned) => pinned.clone(),
            None => {
                let found = self.network.resolve(address.host(), within)?;
                self.pinned.insert(address.host().to_owned(), found.clone());
                found
            }
        };
        let within = within.saturating_sub(began.elapsed());
        self.network.ask(method.clone(), address, &pinned, within)
    }

    /// Reads a site's map until every path is found; `None` when there is none to read.
    fn sitemap(&mut self, address: &Address, paths: &[String]) -> Result<Option<Sitemap>, Failed> {
        let named = self.robots(address)?.sitemaps;
        let on_host = |asker: &Self, text: &str| {
            let found = address.lead(text, asker.is_listed).ok();
            found.filter(|it| it.host() == address.host())
        };
        let (mut waiting, mut all_ours) = (VecDeque::new(), true);
        for text in &named {
            match on_host(self, text) {
                Some(found) => waiting.push_back(found),
                None => all_ours = false,
            }
        }
        if named.is_empty() {
            waiting.push_back(address.beside("/sitemap.xml"));
        }
        let mut map = Sitemap::default();
        for read in 0..MOST_MAPS {
            let Some(next) = waiting.pop_front() else { break };
            let mut left = Left(self.network.patience);
            let further = match self.follow(&Method::GET, &next, &mut left) {
                Ok(Landed { answer, .. }) if answer.status == 200 => {
                    map.add(&String::from_utf8_lossy(&answer.body))
                }
                Err(Failed::Stopped) => return Err(Failed::Stopped),
                Ok(_) | Err(_) => None,
            };
            let Some(further) = further else { return Ok((read > 0).then_some(map)) };
            for text in further {
                match on_host(self, &text) {
                    Some(found) => waiting.push_back(found),
                    None => all_ours = false,
                }
            }
            if paths.iter().all(|path| map.holds(path) == Some(true)) {
                return Ok(Some(map));
            }
        }
        map.is_whole = waiting.is_empty() && all_ours;
        Ok(Some(map))
    }
}
