//! Real sites on this machine: one listener that speaks TLS under several names, and remembers what it was asked.

use becivic_server::probe::Network;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Hosts with public addresses, and one whose name leads inside.
pub const HOSTS: &[(&str, &str)] = &[
    ("www.probe.example", "193.191.245.1"),
    ("other.probe.example", "2a02:a000::1"),
    ("unlisted.example", "193.191.245.2"),
    ("inside.probe.example", "169.254.169.254"),
    ("mapped.probe.example", "::ffff:10.0.0.1"),
];

/// Whether a host of the test is listed.
pub fn is_listed(host: &str) -> bool {
    host.ends_with(".probe.example")
}

/// A request that was heard.
#[derive(Clone, Debug)]
pub struct Heard {
    pub method: String,
    pub host: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    /// The test's time when it came.
    pub at: i64,
}

impl Heard {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

/// What is answered.
pub enum Reply {
    /// Status, more headers, body.
    Say(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Nothing, until the asker leaves.
    Silence,
}

/// A page of text.
pub fn page(text: &str) -> Reply {
    typed("text/html; charset=utf-8", format!("<html><body><p>{text}</p></body></html>"))
}

/// Something of a media type.
pub fn typed(media: &str, body: String) -> Reply {
    Reply::Say(200, vec![("content-type", media.to_owned())], body.into_bytes())
}

/// A status and nothing else.
pub fn status(status: u16) -> Reply {
    Reply::Say(status, Vec::new(), Vec::new())
}

/// A redirect, with a cookie that ought not to come back.
pub fn redirect(location: &str) -> Reply {
    let cookie = "seen=1; Path=/; Secure".to_owned();
    Reply::Say(302, vec![("location", location.to_owned()), ("set-cookie", cookie)], Vec::new())
}

type Answers = dyn Fn(&Heard) -> Reply + Send + Sync;

/// What else happens when a request is heard, before it is answered.
type Hook = Box<dyn Fn(&Heard) + Send + Sync>;

/// The sites.
pub struct Site {
    place: SocketAddr,
    root: Vec<u8>,
    heard: Arc<Mutex<Vec<Heard>>>,
    connections: Arc<AtomicUsize>,
    hook: Arc<OnceLock<Hook>>,
    pub clock: Arc<AtomicI64>,
}

impl Site {
    /// Serves these answers under all its names.
    pub fn serve(answers: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        let names: Vec<String> = HOSTS.iter().map(|(host, _)| (*host).to_owned()).collect();
        let key = rcgen::generate_simple_self_signed(names).expect("a certificate");
        let root = key.cert.der().to_vec();
        let private = PrivateKeyDer::try_from(key.signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(root.clone())], private)
            .expect("a configuration");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let place = listener.local_addr().expect("an address");
        let site = Self {
            place,
            root,
            heard: Arc::default(),
            connections: Arc::default(),
            hook: Arc::default(),
            clock: Arc::new(AtomicI64::new(1_800_000_000_000)),
        };
        let (heard, clock) = (Arc::clone(&site.heard), Arc::clone(&site.clock));
        let hook = Arc::clone(&site.hook);
        let answers: Arc<Answers> = Arc::new(move |heard: &Heard| {
            hook.get().iter().for_each(|hook| hook(heard));
            answers(heard)
        });
        let config = Arc::new(config);
        let connections = Arc::clone(&site.connections);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let (config, answers) = (Arc::clone(&config), Arc::clone(&answers));
                let (heard, clock) = (Arc::clone(&heard), Arc::clone(&clock));
                std::thread::spawn(move || talk(stream, config, &*answers, &heard, &clock));
            }
        });
        site
    }

    /// The network in which its names lead to it, trusting its certificate.
    pub fn network(&self, patience: Duration) -> Network {
        self.network_trusting(&self.root, patience)
    }

    pub fn network_trusting(&self, root: &[u8], patience: Duration) -> Network {
        let hosts = HOSTS.iter().map(|(host, address)| {
            ((*host).to_owned(), address.parse::<IpAddr>().expect("an address"), self.place)
        });
        Network::of(hosts, root, patience)
    }

    /// Does something whenever a request is heard, before it is answered.
    pub fn whenever(&self, hook: impl Fn(&Heard) + Send + Sync + 'static) {
        assert!(self.hook.set(Box::new(hook)).is_ok(), "once");
    }

    /// A certificate it does not have.
    pub fn stranger() -> Vec<u8> {
        let names = vec!["www.probe.example".to_owned()];
        rcgen::generate_simple_self_signed(names).expect("a certificate").cert.der().to_vec()
    }

    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Method and address of everything that was asked but `robots.txt`.
    pub fn asked(&self) -> Vec<String> {
        let heard = self.heard().into_iter().filter(|heard| heard.target != "/robots.txt");
        heard.map(|heard| format!("{} {}{}", heard.method, heard.host, heard.target)).collect()
    }

    /// How often anybody connected at all.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn talk(
    stream: TcpStream,
    config: Arc<rustls::ServerConfig>,
    answers: &Answers,
    heard: &Mutex<Vec<Heard>>,
    clock: &AtomicI64,
) -> Option<()> {
    let connection = rustls::ServerConnection::new(config).ok()?;
    let mut stream = rustls::StreamOwned::new(connection, stream);
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        request.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&request).into_owned();
    let mut lines = text.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let host = headers.iter().find(|(name, _)| name == "host").map(|(_, host)| host.clone())?;
    let request = Heard { method, host, target, headers, at: clock.load(Ordering::SeqCst) };
    let reply = answers(&request);
    let is_head = request.method == "HEAD";
    heard.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    match reply {
        Reply::Silence => {
            let _until_they_leave = stream.read(&mut [0]);
        }
        Reply::Say(status, headers, body) => {
            let mut head =
                format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n").as_bytes()).ok()?;
            if !is_head {
                stream.write_all(&body).ok()?;
            }
            stream.conn.send_close_notify();
            stream.flush().ok()?;
        }
    }
    Some(())
}
