// Signing in: the link's token is in the fragment, so it is never in a request line or a log.
import { fetchSession, Gone, postToken, Refusal } from "./api.js";
import { button, make } from "./dom.js";

/// The token in the address's fragment (`#token=…`), taken out of the address at once.
export function takeToken() {
  const fragment = location.hash.slice(1);
  if (!fragment) return null;
  const token = new URLSearchParams(fragment).get("token") ?? (fragment.includes("=") ? null : fragment);
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

/// The token in what a person pasted: a whole link, or what follows `token=`.
export function tokenIn(text) {
  const trimmed = text.trim();
  const found = /[#&?]token=([^&\s]+)/.exec(trimmed) ?? /^#?(?:token=)?([^\s#=&/]+)$/.exec(trimmed);
  return found ? decodeURIComponent(found[1]) : null;
}

/// `{session}` of this browser, or `{refused}` (why, in words) or `{gone: true}`.
/// A token that was used already does no harm while the session it gave still holds.
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

/// What a person sees who is not signed in: what to type, and a place to paste the link.
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
      if (token) onlink(token);
    },
  }, make("label", { for: "link" }, "Paste the link here"), field,
  make("button", { type: "submit" }, "Sign in"));
  return make("div", { class: "say" },
    make("h2", {}, refused ? "This link is no longer valid" : "Sign in"),
    refused ? make("p", {}, reasonOf(refused)) : null,
    kept ? make("p", {}, kept) : null,
    make("p", {}, "Each link works once. Make a new one on the computer that runs assay:"),
    make("pre", {}, make("code", {}, `assay review link --author ${author ? quoted(author) : "YOUR-NAME"}`)),
    make("p", {}, "Open the printed link in this browser, or paste it here:"), form, says);
}

/// Why a link was refused, as a sentence; what to do about it is said below.
function reasonOf(message) {
  const [why] = message.split(";");
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1).replace(/[.]$/, "")}.`;
}

/// A name as a shell takes it.
export function quoted(name) {
  return /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/// What a person sees who opens the page while no server runs.
export function goneView() {
  return make("div", { class: "say" }, make("h2", {}, "The server is gone"),
    make("p", {}, "Start it again with assay review; this page then continues automatically."),
    button("Try now", null, () => location.reload()));
}
