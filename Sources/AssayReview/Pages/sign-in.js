// Signing in: the link's token is in the fragment, so it is never in a request line or a log.
import { fetchSession, Gone, postToken, Refusal, useQueue } from "./api.js";
import { button, count, make } from "./dom.js";
import { placeOf } from "./routes.js";

/// Returns the address of the page that a link's fragment names beside its token: a queue (`&queue=…`) or a view
/// (`&view=…&runs=…`); empty for the server's usual page.
function placeIn(fragment) {
  const members = new URLSearchParams(fragment);
  members.delete("token");
  const queue = members.get("queue");
  if (queue) return `#review?queue=${encodeURIComponent(queue)}`;
  if (members.has("view")) return `#browse?${members}`;
  return members.has("browse") ? "#browse" : "";
}

/// Returns the token in the address's fragment (`#token=…`), and replaces it immediately by the address of the page that the
/// fragment names.
export function takeToken() {
  const fragment = location.hash.slice(1);
  const queue = new URLSearchParams(fragment.replace(/^review[?&]/, "")).get("queue");
  if (queue) useQueue(queue);
  // A place in the page (routes.js), not a token.
  if (!fragment || placeOf(location.hash)) return null;
  const token = new URLSearchParams(fragment).get("token") ?? (fragment.includes("=") ? null : fragment);
  if (token) history.replaceState(null, "", location.pathname + location.search + placeIn(fragment));
  return token;
}

/// Signs in with a link that was opened in a tab that shows the page already, and shows the page that the link names;
/// false if the address has no token.
export function takeLink() {
  const token = takeToken();
  if (token) signIn(token).then(({ session }) => session && location.reload());
  return Boolean(token);
}

/// Returns the token in a pasted text: a whole link, or the part after `token=`.
export function tokenIn(text) {
  const trimmed = text.trim();
  const found = /[#&?]token=([^&\s]+)/.exec(trimmed) ?? /^#?(?:token=)?([^\s#=&/]+)$/.exec(trimmed);
  return found ? decodeURIComponent(found[1]) : null;
}

/// Returns `{session}` of this browser, or `{refused}` (the reason in words) or `{gone: true}`. A
/// token that was already used is harmless while its session is valid.
export async function signIn(token) {
  let refused = null;
  try {
    if (token) {
      try {
        await postToken(token);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused = error;
      }
    }
    return { session: await fetchSession(), refused };
  } catch (error) {
    if (error instanceof Gone) return { gone: true };
    return { refused: refused ?? error };
  }
}

/// Builds the view for a person who is not signed in: the command to run, and a field
/// to paste the link.
export function signInView({ refused, kept, author, onlink }) {
  const field = make("input", {
    id: "link", type: "text", autocomplete: "off", spellcheck: "false", size: "40",
    "aria-describedby": "link-says",
  });
  const says = make("p", { id: "link-says", class: "problem", role: "alert" });
  const form = make("form", {
    onsubmit: (event) => {
      event.preventDefault();
      const token = tokenIn(field.value);
      says.textContent = token ? "" : "No token found: paste the whole link.";
      if (!token) return;
      const place = placeIn(/#(.*)$/.exec(field.value.trim())?.[1] ?? "");
      if (place) history.replaceState(null, "", location.pathname + location.search + place);
      onlink(token);
    },
  }, make("label", { for: "link" }, "Paste the link here"), field,
  make("button", { type: "submit" }, "Sign in"));
  return make("div", { class: "say" },
    make("h2", {}, refused ? "This link is no longer valid" : "Sign in"),
    refused ? make("p", {}, reasonOf(refused)) : null,
    kept ? make("p", {}, kept) : null,
    make("p", {}, "Each link works only once. Create a new one on the computer that runs assay:"),
    make("pre", {}, make("code", {}, `assay review link --author ${author ? quoted(author) : "YOUR-NAME"}`)),
    make("p", {}, "Open the printed link in this browser, or paste it here:"), form, says);
}

/// Signs in again while the editor (`app`, app.js) is open; another person or review starts the page anew.
export async function signInAgain(app, token) {
  const { session, refused, gone } = await signIn(token);
  if (gone) return app.say("The server does not respond.", true);
  if (!session) return showSignIn(app, refused?.message);
  const isSame = session.ledger === app.session.ledger && session.author === app.session.author
    && session.review.name === app.session.review.name;
  // The link of a view opens the grid.
  if (!isSame || placeOf(location.hash) === "browse") return location.reload();
  if (app.sideShows === "signIn") app.showSide(null);
  app.outbox.signedIn(session);
  app.queue.redraw();
  app.say("Signed in.");
  if (!app.openSample.visit) app.first();
}

/// Shows how to sign in again beside the image.
export function showSignIn(app, refused = null) {
  const waiting = app.outbox.waiting.length;
  app.showSide("signIn", signInView({
    refused, author: app.session.author, onlink: (token) => signInAgain(app, token),
    kept: waiting ? `${count(waiting, "unsaved change", "unsaved changes")} in this browser, sent after you sign in again.` : null,
  }));
}

/// Returns the reason why a link was refused, as a sentence; the next step is shown below it.
function reasonOf(message) {
  const [why] = message.split(";");
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1).replace(/[.]$/, "")}.`;
}

/// Returns a name quoted for a shell.
export function quoted(name) {
  return /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/// Builds the view shown while no server is running.
export function goneView() {
  return make("div", { class: "say" }, make("h2", {}, "The server does not respond"),
    make("p", {}, "Start it again with the same command; this page then continues automatically."),
    button("Try now", null, () => location.reload()));
}
