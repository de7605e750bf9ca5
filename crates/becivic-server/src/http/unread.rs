//! What a handler left unread of a request. A connection that is closed on unread bytes is reset, and the reset can take
//! the answer with it: so the rest is read and thrown away, as far as that is cheap, and the answer says so where it was not.

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// Enough for whoever sends ten times too much.
const MOST: usize = 16 << 20;

/// Long enough for what is on its way already.
const LONGEST: Duration = Duration::from_secs(2);

/// Where a body goes that nobody read to its end; nothing for a request without one.
#[derive(Clone, Default)]
pub struct Rest(Option<Arc<Mutex<Option<Body>>>>);

/// A body that goes back to its [`Rest`] when it is dropped early.
struct Watched {
    inner: Body,
    rest: Rest,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.inner.is_end_stream() {
            let body = std::mem::take(&mut self.inner);
            if let Some(rest) = &self.rest.0 {
                *rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
            }
        }
    }
}

/// A request whose body is watched, where it has one.
pub fn watch(request: Request) -> (Request, Rest) {
    if request.body().is_end_stream() {
        return (request, Rest::default());
    }
    let rest = Rest(Some(Arc::default()));
    let watched = rest.clone();
    (request.map(|inner| Body::new(Watched { inner, rest: watched })), rest)
}

impl Rest {
    /// Reads what is left; false when there is more than is worth reading, so that the connection must end.
    pub async fn read_out(self) -> bool {
        let left = self.0.and_then(|rest| rest.lock().unwrap_or_else(PoisonError::into_inner).take());
        let Some(mut body) = left else { return true };
        let read_all = async {
            let mut read = 0;
            while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
                read += frame.ok().and_then(|frame| frame.into_data().ok()).map_or(MOST, |data| data.len());
                if read >= MOST {
                    return false;
                }
            }
            true
        };
        tokio::time::timeout(LONGEST, read_all).await.unwrap_or(false)
    }
}
