// Requests to the server: JSON in and out, with a timeout and three kinds of failure.

/// An error answer of the server: `status`, `code`, message, and the whole answer.
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = answer?.error ?? null;
    this.next = answer?.next ?? null;
    this.answer = answer;
  }
}

/// No answer: the server is gone, or a proxy in between reports that it is.
export class Gone extends Error {}

// The session's token is kept for this origin only and sent in a header. A cookie would go to every
// port of this host, including other people's servers. There is one per ledger: several ledgers can
// have had their server at this address. All tabs read the same one.
const keptAs = "assay-session-";
const inMemory = new Map();
let ledger = null;

/// Stores the result of signing in: `{ledger, session}`.
export function keepSession(given) {
  ledger = given.ledger;
  inMemory.set(given.ledger, given.session);
  try {
    localStorage.setItem(keptAs + given.ledger, given.session);
  } catch {
    // Without storage the session ends with this tab.
  }
}

/// Returns the ledgers for which this browser has a session.
function ledgersKept() {
  const found = new Set(inMemory.keys());
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(keptAs)) found.add(name.slice(keptAs.length));
    }
  } catch {
    // Without storage there is only this tab's session.
  }
  return [...found];
}

function tokenOf(one) {
  try {
    return localStorage.getItem(keptAs + one) ?? inMemory.get(one) ?? null;
  } catch {
    return inMemory.get(one) ?? null;
  }
}

/// Returns the session header; an empty object if nobody is signed in.
export function sessionHeader(one = ledger) {
  const token = one === null ? null : tokenOf(one);
  return token === null ? {} : { "Assay-Session": token };
}

/// `signal` cancels the request: its answer is no longer needed.
async function answerOf(path, { method = "GET", body, headers = {}, patience = 20000, of = ledger, signal, keepalive } = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  if (signal?.aborted) stop.abort();
  signal?.addEventListener("abort", () => stop.abort(), { once: true });
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...sessionHeader(of), ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: method === "GET" ? "no-cache" : "no-store",
      redirect: "error",
      signal: stop.signal,
      keepalive,
    });
    // A tunnel whose other end is down answers instead of the server.
    if ([502, 504].includes(response.status)) throw new Gone("the tunnel is closed");
    // The body is read before the timer is cleared: half an answer is no answer.
    return { response, bytes: await response.arrayBuffer() };
  } catch (error) {
    throw error instanceof Gone ? error : new Gone(String(error?.message ?? error));
  } finally {
    clearTimeout(timer);
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/// Returns `{status, answer}` of a request; throws `Refusal` for any status of 400 and above.
export async function request(path, options) {
  const { response, bytes } = await answerOf(path, options);
  const answer = bytes.byteLength ? parsed(bytes) : null;
  if (!response.ok) throw new Refusal(response.status, answer);
  if (bytes.byteLength && answer === null) throw new Gone("the response was truncated");
  return { status: response.status, answer };
}

/// Returns the bytes of a file that needs the session's header, such as a download.
export async function requestBytes(path, options) {
  const { response, bytes } = await answerOf(path, { patience: 300000, ...options });
  if (!response.ok) throw new Refusal(response.status, parsed(bytes));
  return { bytes, type: response.headers.get("Content-Type") ?? "" };
}

/// The queue of this page: the one that the address names, else the server's own; null until it is known.
let queue = null;
export const useQueue = (name) => (queue = name);
/// Returns a path with the name of the queue that the request is about.
export const queuePath = (path, name = queue) =>
  name === null || name === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}review=${encodeURIComponent(name)}`;

const sampleURL = (id, rest = "", name = queue) => queuePath(`/api/samples/${encodeURIComponent(id)}${rest}`, name);

export const imageURL = (id) => sampleURL(id, "/image");
export const mapURL = (id, category) => sampleURL(id, `/maps/${encodeURIComponent(category)}`);

/// Returns the session of this page's ledger; if the page has none yet, the first stored session
/// that the server accepts.
export async function fetchSession() {
  let refused = null;
  for (const one of ledger === null ? ledgersKept() : [ledger]) {
    try {
      const { answer } = await request(queuePath("/api/session"), { of: one });
      ledger = answer.ledger;
      if (answer.queues && answer.review) useQueue(answer.review.name);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused = error;
    }
  }
  if (refused) throw refused;
  return (await request(queuePath("/api/session"))).answer;
}

/// Exchanges a link's token for a session and stores it.
export async function postToken(token) {
  keepSession((await request("/api/session", { method: "POST", body: { token } })).answer);
}

/// Returns a session under another name, to be kept: `{ledger, session}`.
export const postName = async (author) =>
  (await request("/api/session/author", { method: "POST", body: { author } })).answer;
/// Asks what other people do: `{sequence, open, changed}`.
export const postWatch = async (body) => (await request(queuePath("/api/watch"), { method: "POST", body })).answer;
/// Takes a sample over from the person who has it, or ends one's own lease, also while the page closes.
export const postLease = (id, take) =>
  request(sampleURL(id, "/lease"), { method: "POST", body: { take }, keepalive: true });

/// Requests an unfinished sample that nobody else has open: `{position, held}`.
export const postNext = async (from) =>
  (await request(queuePath("/api/queue/next"), { method: "POST", body: { from } })).answer;
/// Asks for the mask of an object: `{counts, area, factor}`.
export const postCutout = async (id, body, signal) =>
  (await request(sampleURL(id, "/cutout"), { method: "POST", body, signal, patience: 30000 })).answer;
/// Asks the promptable model for the mask of an object: `{counts, area, score}`. Its first answer for an image takes longest.
export const postSegment = async (id, body, signal) =>
  (await request(sampleURL(id, "/segment"), { method: "POST", body, signal, patience: 600000 })).answer;
/// Asks for the last box of a track before a frame, and the frames in between: `{key, between}`.
export const fetchKeyframe = async (id, track, category) => (await request(sampleURL(
  id, `/keyframe?track=${encodeURIComponent(JSON.stringify(track))}&category=${encodeURIComponent(category)}`), { patience: 60000 })).answer;
/// Lets the browser fetch an image in advance.
export const fetchAhead = (id) =>
  fetch(imageURL(id), { priority: "low", credentials: "omit", headers: sessionHeader() });
export const fetchSample = async (id) => (await request(sampleURL(id))).answer;
export const fetchQueue = async (from, limit) =>
  (await request(queuePath(`/api/queue?from=${from}&limit=${limit}`))).answer;

/// Returns the decoded image of a sample. Its pixels are not color-converted.
export async function fetchImage(id) {
  const { response, bytes } = await answerOf(imageURL(id), { patience: 60000 });
  if (!response.ok) throw new Refusal(response.status, parsed(bytes));
  const blob = new Blob([bytes], { type: response.headers.get("Content-Type") ?? "" });
  return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
}

/// Sends one item of the outbox; returns `{status, answer}`, also for status 409 if
/// the item was kept.
export async function postCorrection(item) {
  const match = item.parent.uuid ?? item.parent.sequence ?? "none";
  try {
    return await request(sampleURL(item.sample, "/corrections", item.queue ?? null), {
      method: "POST",
      body: { ...item.body, ledger: item.ledger, author: item.author, uuid: item.uuid },
      headers: { "If-Match": match === "none" ? "none" : `"${match}"` },
      patience: 30000,
    });
  } catch (error) {
    const kept = error instanceof Refusal && error.status === 409 && error.answer?.kept === true;
    if (kept) return { status: 409, answer: error.answer };
    throw error;
  }
}
