//! An S3 server on a loopback port that counts what it is asked for, and fails when told to.
//!
//! The S3 part is `s3s-fs`, which keeps objects as files under a folder. What this file adds sits
//! between it and the network: a log of every request, faults, and a delay.

mod cases;
mod minimum;

pub use cases::{Case, Element, Random, cases, client, connect, store};
pub use minimum::{Cost, Layout, minimum, positions, product};

use bytes::Bytes;
use futures::{StreamExt, stream};
use http_body_util::{BodyExt, BodyStream, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_LENGTH, RANGE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A whole object.
    Get,
    /// A range of an object's bytes.
    RangeGet,
    /// Writing an object.
    Put,
    /// An object's size and date.
    Head,
    /// The names of objects.
    List,
    /// Taking an object away.
    Delete,
    /// Anything else.
    Other,
}

/// One request, as the server saw it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it asked for.
    pub kind: Kind,
    /// The object's key, without the bucket.
    pub key: String,
    /// The value of the header `Range`.
    pub range: Option<String>,
    body: Arc<AtomicU64>,
}

impl Entry {
    /// How many bytes of the object the server sent so far.
    pub fn sent(&self) -> u64 {
        self.body.load(Ordering::SeqCst)
    }
}

/// What the server does with a request instead of answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Answers with status 500.
    Refuse,
    /// Never answers.
    Hang,
    /// Sends half of the body and cuts the connection.
    Cut,
    /// Gives the storage half of what it is sent and then nothing, with the connection open.
    HalfWritten,
}

#[derive(Default)]
struct State {
    log: Mutex<Vec<Entry>>,
    faults: Mutex<Vec<(Kind, usize, Fault)>>,
    delay: Mutex<Duration>,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
    half_written: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the only bucket.
pub const BUCKET: &str = "bucket";

/// A running server. It stops when this is dropped: open connections are cut.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server for a new folder, which lives as long as the first value.
    pub fn new() -> (tempfile::TempDir, Self) {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Self::start(folder.path()).expect("a server");
        (folder, server)
    }

    /// Starts a server for the objects under `root`, on a port that the system chooses.
    pub fn start(root: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(root.join(BUCKET))?;
        let fs = s3s_fs::FileSystem::new(root).map_err(|e| io::Error::other(format!("{e:?}")))?;
        let service = S3ServiceBuilder::new(fs).build();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::default());
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, service, shared) => (),
                    _ = stopped => (),
                }
            });
        });
        Ok(Self { address, state, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens, such as `http://127.0.0.1:40123`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests since the last call.
    pub fn take_log(&self) -> Vec<Entry> {
        std::mem::take(&mut *lock(&self.state.log))
    }

    /// From now on, the `nth` request of this kind (the first is 0) gets `fault`.
    pub fn fault(&self, kind: Kind, nth: usize, fault: Fault) {
        lock(&self.state.faults).push((kind, nth, fault));
    }

    /// Every answer waits this long from now on.
    pub fn delay(&self, delay: Duration) {
        *lock(&self.state.delay) = delay;
    }

    /// The largest number of requests that were open at once, since the last call.
    pub fn take_peak(&self) -> usize {
        self.state.peak.swap(0, Ordering::SeqCst)
    }

    /// How many writes stand half-way, after [`Fault::HalfWritten`].
    pub fn half_written(&self) -> usize {
        self.state.half_written.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: std::net::TcpListener, service: S3Service, state: Arc<State>) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    while let Ok((socket, _)) = listener.accept().await {
        let (service, state) = (service.clone(), Arc::clone(&state));
        let answers = service_fn(move |request| {
            let (service, state) = (service.clone(), Arc::clone(&state));
            async move { answer(&service, &state, request).await }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(socket), answers);
        tokio::spawn(async move {
            // It is not an error of the server if a client closes its connection.
            let _ = connection.await;
        });
    }
}

/// Counts a request as open while it lives.
struct Open<'a>(&'a State);

impl<'a> Open<'a> {
    fn new(state: &'a State) -> Self {
        let now = state.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        state.peak.fetch_max(now, Ordering::SeqCst);
        Self(state)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn answer(
    service: &S3Service,
    state: &Arc<State>,
    request: Request<Incoming>,
) -> Result<Response<Body>, HttpError> {
    let _open = Open::new(state);
    let entry = Entry::new(&request);
    let fault = state.fault_for(entry.kind);
    let body = Arc::clone(&entry.body);
    lock(&state.log).push(entry);
    let delay = *lock(&state.delay);
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    match fault {
        Some(Fault::Refuse) => {
            let mut refusal = Response::new(Body::from("told to fail".to_owned()));
            *refusal.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
            return Ok(refusal);
        }
        Some(Fault::Hang) => std::future::pending().await,
        _ => (),
    }
    let request = if fault == Some(Fault::HalfWritten) {
        let half = length(request.headers()) / 2;
        let state = Arc::clone(state);
        request.map(|body| halted(body, half, state))
    } else {
        request.map(Body::from)
    };
    let response = service.call(request).await?;
    // What the server has to say about a failure is not what was asked for.
    let body = if response.status().is_success() { body } else { Arc::default() };
    let cut_at = (fault == Some(Fault::Cut)).then(|| length(response.headers()) / 2);
    Ok(response.map(|inner| counted(inner, body, cut_at)))
}

fn length(headers: &hyper::HeaderMap) -> u64 {
    headers.get(CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse().ok()).unwrap_or(0)
}

/// The body with its bytes counted, and an error after `cut_at` of them.
fn counted(body: Body, count: Arc<AtomicU64>, cut_at: Option<u64>) -> Body {
    let frames = BodyStream::new(body).flat_map(move |frame| {
        let mut out = Vec::new();
        match frame {
            Ok(frame) => {
                let Ok(mut data) = frame.into_data() else { return stream::iter(out) };
                let before = count.load(Ordering::SeqCst);
                let left = cut_at.map_or(u64::MAX, |at| at - before);
                let cut = left <= data.len() as u64;
                if cut {
                    data.truncate(left as usize);
                }
                count.fetch_add(data.len() as u64, Ordering::SeqCst);
                out.push(Ok(Frame::data(data)));
                if cut {
                    out.push(Err(s3s::StdError::from("told to cut the connection")));
                }
            }
            Err(error) => out.push(Err(error)),
        }
        stream::iter(out)
    });
    // What goes before an error has left by then.
    let frames = frames.then(|frame| async {
        if frame.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        frame
    });
    Body::http_body_unsync(StreamBody::new(frames))
}

/// The first `half` bytes of the body; then nothing more, and no end.
fn halted(body: Incoming, half: u64, state: Arc<State>) -> Body {
    let first = body.into_data_stream().scan(half, |left, data| {
        let part = data.ok().filter(|_| *left > 0).map(|mut data: Bytes| {
            data.truncate((*left).min(data.len() as u64) as usize);
            *left -= data.len() as u64;
            Ok::<_, s3s::StdError>(Frame::data(data))
        });
        std::future::ready(part)
    });
    let forever = stream::once(async move {
        state.half_written.fetch_add(1, Ordering::SeqCst);
        std::future::pending().await
    });
    Body::http_body_unsync(StreamBody::new(first.chain(forever)))
}

impl State {
    fn fault_for(&self, kind: Kind) -> Option<Fault> {
        let mut faults = lock(&self.faults);
        let mut hit = None;
        faults.retain_mut(|(wanted, nth, fault)| {
            if *wanted != kind {
                return true;
            }
            let now = *nth == 0 && hit.is_none();
            if now {
                hit = Some(*fault);
            }
            *nth = nth.saturating_sub(1);
            !now
        });
        hit
    }
}

impl Entry {
    fn new(request: &Request<Incoming>) -> Self {
        let uri = request.uri();
        let range = request.headers().get(RANGE).and_then(|r| r.to_str().ok()).map(str::to_owned);
        let path = uri.path().trim_start_matches('/');
        let key = path.strip_prefix(BUCKET).unwrap_or(path).trim_start_matches('/').to_owned();
        let kind = match (request.method(), key.is_empty(), range.is_some()) {
            (&Method::GET, true, _) => Kind::List,
            (&Method::GET, false, false) => Kind::Get,
            (&Method::GET, false, true) => Kind::RangeGet,
            (&Method::PUT, false, _) => Kind::Put,
            (&Method::HEAD, ..) => Kind::Head,
            // One or more objects, whose keys are in the body.
            (&Method::POST, true, _) if uri.query() == Some("delete") => Kind::Delete,
            _ => Kind::Other,
        };
        Self { kind, key, range, body: Arc::default() }
    }
}

/// The file in which a server that was started on `root` keeps an object.
pub fn object_file(root: &Path, key: &str) -> PathBuf {
    root.join(BUCKET).join(key)
}
