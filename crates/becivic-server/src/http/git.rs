//! `/corpus.git`: the corpus for `git clone` and `git fetch`. Pushing is refused.
//!
//! What a `git` client shows its user of a refusal is plain text, so that is what refusals are here.

use super::answer::{Answer, Cache};
use super::ask::Ask;
use crate::git::Git;
use crate::git::line::{self, FLUSH};
use crate::git::packs::{NoPack, Order, Pack, Packs};
use crate::git::talk::{self, Reply, Unanswered, Version};
use crate::rejection::{Category, Rejection};
use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use bytes::Bytes;
use hyper::body::Frame;
use std::io::Read;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

const REFS: &str = "application/x-git-upload-pack-advertisement";
const ASKED: &str = "application/x-git-upload-pack-request";
const RESULT: &str = "application/x-git-upload-pack-result";

/// Lines of a pack that are read and sent at a time.
const LINES_AT_ONCE: usize = 2;

/// Bytes of a pack in one line: its length and the number of its band come before them.
const IN_A_LINE: usize = line::LONGEST - 5;

/// What there is.
pub async fn refs(ask: Ask) -> Answer {
    let version = Version::asked(ask.header("git-protocol"));
    let refusal = match ask.query("service").as_deref() {
        Some("git-upload-pack") => None,
        Some("git-receive-pack") => Some(Rejection::new(Category::ReadOnly)),
        Some(_) => Some(sentence(Category::NotFound, "Only git-upload-pack is served here.")),
        None => Some(sentence(
            Category::NotFound,
            "Use `git clone` with this address; the older protocol without services is not served.",
        )),
    };
    if let Some(refusal) = refusal {
        return refused(&refusal);
    }
    let git = Arc::clone(&ask.app.git);
    match asked(&git, move |git| talk::advertise(git, version).map_err(Unanswered::Failed)).await {
        Ok(listed) => Answer::text(StatusCode::OK, listed, REFS, Cache::Never),
        Err(refusal) => refused(&refusal),
    }
}

/// What a client lacks.
pub async fn upload(mut ask: Ask) -> Answer {
    let version = Version::asked(ask.header("git-protocol"));
    let body = match body(&mut ask).await {
        Ok(body) => body,
        Err(refusal) => return refused(&refusal),
    };
    let git = Arc::clone(&ask.app.git);
    match asked(&git, move |git| talk::answer(git, version, &body)).await {
        Ok(Reply::Whole(bytes)) => Answer::text(StatusCode::OK, bytes, RESULT, Cache::Never),
        Ok(Reply::Pack { head, order, banded }) => {
            if git.packs.are_too_many() {
                return refused(&busy());
            }
            Answer::flowing(sent(git, head, *order, banded), RESULT)
        }
        Err(refusal) => refused(&refusal),
    }
}

fn sentence(category: Category, words: &str) -> Rejection {
    Rejection { help: Some(words.to_owned()), ..Rejection::new(category) }
}

fn busy() -> Rejection {
    Rejection {
        help: Some("Too many others are cloning; try again in a few seconds.".to_owned()),
        ..Rejection::unavailable()
    }
}

fn refused(rejection: &Rejection) -> Answer {
    let body = rejection.body();
    let words = body["help"].as_str().unwrap_or_default();
    let answer = Answer::text(
        rejection.category.status(),
        format!("{words}\n"),
        "text/plain; charset=utf-8",
        Cache::Never,
    );
    match rejection.retry_after {
        Some(seconds) => answer.saying(axum::http::header::RETRY_AFTER, &seconds.to_string()),
        None => answer,
    }
}

/// Works on a question, on a thread that may wait, few at a time.
async fn asked<T: Send + 'static>(
    git: &Arc<Git>,
    work: impl FnOnce(&Git) -> Result<T, Unanswered> + Send + 'static,
) -> Result<T, Rejection> {
    let Ok(_permit) = git.questions.acquire().await else { return Err(busy()) };
    let on = Arc::clone(git);
    match tokio::task::spawn_blocking(move || work(&on)).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(Unanswered::Misunderstood(why))) => Err(sentence(
            Category::MalformedRequest,
            &format!("This is not what a git client sends: {}.", why.0),
        )),
        Ok(Err(Unanswered::Failed(error))) => {
            tracing::error!(error = %format!("{error:#}"), "the repository cannot be read");
            Err(sentence(Category::Internal, "The repository cannot be read; its maintainers have to look."))
        }
        Err(_) => Err(sentence(Category::Internal, "Something went wrong on our side.")),
    }
}

/// The body, unpacked where the client compressed it; no longer than any body may be, before and after.
async fn body(ask: &mut Ask) -> Result<Bytes, Rejection> {
    let wrong = |words: &str| sentence(Category::UnsupportedMediaType, words);
    if ask.header("content-type") != Some(ASKED) {
        return Err(wrong("A git client sends application/x-git-upload-pack-request."));
    }
    let compressed = match ask.header("content-encoding") {
        None | Some("identity") => false,
        Some("gzip" | "x-gzip") => true,
        Some(_) => return Err(wrong("A body may be compressed with gzip, and with nothing else.")),
    };
    let limit = ask.app.config.server.body_limit;
    let bytes = ask.bytes_up_to(limit).await.map_err(|refusal| match refusal.category {
        Category::PayloadTooLarge => refusal,
        _ => sentence(Category::MalformedRequest, "The body broke off."),
    })?;
    if !compressed {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = flate2::read::GzDecoder::new(bytes.as_ref()).take(most).read_to_end(&mut unpacked);
    match read {
        Ok(_) if unpacked.len() > limit => Err(Rejection::new(Category::PayloadTooLarge)),
        Ok(_) => Ok(unpacked.into()),
        Err(_) => Err(sentence(Category::MalformedRequest, "The body is said to be gzip, and is not.")),
    }
}

/// A body that is filled from a channel.
struct Flow(mpsc::Receiver<Result<Bytes, std::io::Error>>);

impl HttpBody for Flow {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        self.0.poll_recv(cx).map(|part| part.map(|part| part.map(Frame::data)))
    }
}

/// Sends what comes before a pack, waits for the pack, and sends it a few lines at a time, as fast as the client reads.
fn sent(git: Arc<Git>, head: Vec<u8>, order: Order, banded: bool) -> Body {
    let (to, flow) = mpsc::channel(1);
    tokio::spawn(async move {
        // A client that has gone away ends it: nothing can be sent to it any more.
        if to.send(Ok(head.into())).await.is_err() {
            return;
        }
        let made = tokio::select! {
            made = git.pack(order) => made,
            () = to.closed() => return,
        };
        let flowed = match made {
            Ok(pack) => flow_out(&git.packs, pack, banded, &to).await,
            Err(why) => Err(why),
        };
        if let Err(why) = flowed {
            let _gone = to.send(broken_off(why, banded)).await;
        }
    });
    Body::new(Flow(flow))
}

async fn flow_out(
    packs: &Packs,
    pack: Arc<Pack>,
    banded: bool,
    to: &mpsc::Sender<Result<Bytes, std::io::Error>>,
) -> Result<(), NoPack> {
    let mut at = 0;
    while at < pack.length {
        let from = Arc::clone(&pack);
        let read = move || -> std::io::Result<(Vec<u8>, usize)> {
            let bytes = from.read(at, IN_A_LINE * LINES_AT_ONCE)?;
            let length = bytes.len();
            if !banded {
                return Ok((bytes, length));
            }
            let mut lines = Vec::with_capacity(length + 5 * LINES_AT_ONCE);
            for part in bytes.chunks(IN_A_LINE) {
                lines.extend_from_slice(format!("{:04x}\u{1}", part.len() + 5).as_bytes());
                lines.extend_from_slice(part);
            }
            Ok((lines, length))
        };
        let read = packs.reads(read).await;
        let Ok(Ok((bytes, length))) = read else { return Err(NoPack::Failed) };
        at += length as u64;
        if to.send(Ok(bytes.into())).await.is_err() {
            return Ok(());
        }
    }
    if banded {
        let _gone = to.send(Ok(Bytes::from_static(FLUSH))).await;
    }
    Ok(())
}

/// How a client learns that there is no pack: by a message on the band for errors, or by a connection that ends.
fn broken_off(why: NoPack, banded: bool) -> Result<Bytes, std::io::Error> {
    let words = match why {
        NoPack::Busy => "too many others are cloning; try again in a few seconds",
        NoPack::Failed => "the pack could not be made; the maintainers have to look",
    };
    if !banded {
        return Err(std::io::Error::other(words));
    }
    let mut message = Vec::new();
    line::write(&mut message, format!("\u{3}{words}\n").as_bytes());
    Ok(message.into())
}
