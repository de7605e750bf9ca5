//! `becivic serve`: opens everything, answers until it is told to stop, and finishes what it has acknowledged.
//!
//! 1. Listen, then open the data folder, making what is missing.
//! 2. Say where, on a line of its own, once answers are given.
//! 3. Each connection has a limit on how long its headers may take; requests carry the address of their peer inside.
//! 4. Every minute, forget what is to be forgotten (`erasure.rs`); every second, look whether a job is due (`jobs.rs`).
//! 5. Told to stop: accept nothing new, let what is being answered end, let the store finish its queue.

use crate::app::{App, Made, Role};
use crate::config::Config;
use crate::http::{self, Peer};
use crate::moment::Clock;
use crate::{erasure, finder, jobs, logs, probe};
use anyhow::Context;
use becivic_core::names::Names;
use becivic_core::schema::Schema;
use becivic_core::submission::Kind;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tower::Service;

/// Most bytes of a request line and its headers.
const LARGEST_HEADERS: usize = 64 * 1024;

/// Serves until told to stop. `say` gets what a person should read.
pub fn run(config: Config, names: &'static Names<'static>, say: &dyn Fn(&str)) -> anyhow::Result<()> {
    let _ends = logs::begin(config.server.log);
    // The address first: nothing is made where nothing can be served.
    let listen = config.server.listen.clone();
    let listener =
        std::net::TcpListener::bind(&listen).with_context(|| format!("cannot listen on {listen}"))?;
    listener.set_nonblocking(true)?;
    // Threads of its own read the corpus: what they used on the way goes back to the system when they end.
    let starting = rayon::ThreadPoolBuilder::new().build()?;
    let (app, made) = starting.install(|| App::open(config, names, Clock::System, Role::Serve))?;
    drop(starting);
    announce(&app, &made, say);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(serve(Arc::clone(&app), listener, say));
    runtime.shutdown_timeout(Duration::from_secs(1));
    app.db.close();
    served
}

fn announce(app: &App, made: &Made, say: &dyn Fn(&str)) {
    let data = &app.config.server.data;
    if made.folder || made.repository {
        say(&format!("Made {data} from the bundled corpus: repository, database, keys."));
    }
    if made.rows > 0 {
        say(&format!("Filled the catalogue with {} values and references.", made.rows));
    }
    if let Some(file) = &made.token {
        say(&format!("Wrote the first operator token to {}.", file.display()));
    }
}

async fn serve(app: Arc<App>, listener: std::net::TcpListener, say: &dyn Fn(&str)) -> anyhow::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let address = listener.local_addr()?;
    let mut stop = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let router = http::router(&app);
    let keeper = tokio::spawn(erasure::every_minute(Arc::clone(&app)));
    let jobs = tokio::spawn(jobs::run(Arc::clone(&app)));
    let probes = tokio::spawn(probe::scheduled(Arc::clone(&app)));
    warm_up();
    let early = Arc::clone(&app);
    tokio::spawn(async move { finder::make_early(&early).await });
    let base = base_url(address);
    say(&base);
    say(&format!(
        "  {base}/              the site\n  {base}/api           what can be asked\n  {base}/openapi.json  the same for machines\n  {base}/mcp           the same for agents over MCP\n  {base}/api/skills    the skills\n  {base}/log           what changed, and the log that proves it"
    ));

    let graceful = GracefulShutdown::new();
    let places = Arc::new(tokio::sync::Semaphore::new(app.config.server.connections_at_once));
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            _ = stop.0.recv() => break,
            _ = stop.1.recv() => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors, or a peer that left at once: neither ends the service.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let _delay_is_only_slower = stream.set_nodelay(true);
        let router = router.clone();
        let service =
            hyper::service::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(Peer(peer.ip()));
                let mut router = router.clone();
                async move { router.call(request.map(axum::body::Body::new)).await }
            });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(app.config.server.header_timeout)
            .max_buf_size(LARGEST_HEADERS)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _broken_by_peer = connection.await;
            drop(place);
        });
    }
    drop(listener);
    say("Stopping: finishing what is being answered.");
    keeper.abort();
    // A job that runs ends at its next item; what it has not reached is due at the next start.
    app.stopping.store(true, Ordering::Release);
    app.changes.send_replace(());
    app.wake.notify_one();
    let both = async { tokio::join!(jobs, probes) };
    let _ended_or_late = tokio::time::timeout(app.config.server.shutdown_timeout, both).await;
    let _late_ones_are_cut =
        tokio::time::timeout(app.config.server.shutdown_timeout, graceful.shutdown()).await;
    Ok(())
}

/// The address to open in a browser: a wildcard is not one.
fn base_url(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("http://127.0.0.1:{}", address.port()),
        _ => format!("http://{address}"),
    }
}

/// The allocator of the program gives memory back when a thread ends, where it has been free for a second.
const BEFORE_GIVING_BACK: Duration = Duration::from_millis(1_050);

/// Compiles the schemas of what is sent beside the first requests rather than in them; what only maintainers need is compiled when
/// they do. Then gives back the memory that the start has used and nobody needs any more.
fn warm_up() {
    std::thread::spawn(|| {
        let sent = Kind::ALL.iter().map(|kind| kind.schema()).chain([Schema::FeedbackEnvelope]);
        for schema in sent {
            schema.accepts(&serde_json::Value::Null);
        }
        std::thread::sleep(BEFORE_GIVING_BACK);
    });
}
