// The requests of the Live page.
import { Gone, Refusal, request, sessionHeader } from "./api.js";

export const fetchLive = async () => (await request("/api/live")).answer;

/// Captures a frame that was answered, by its number.
export const captureFrame = async (frame, reason, session) => (await request("/api/live/capture", { method: "POST", body: { frame, reason, session }, patience: 60000 })).answer;

/// The answer for the newest frame of the server's stream after one with a number, with its image as a bitmap. `{waiting,
/// ended}` if there is none yet; null if the server computes another frame.
export async function fetchStreamFrame(after, signal) {
  let answer;
  try {
    ({ answer } = await request(`/api/live/stream?after=${after}`, { signal, patience: 60000 }));
  } catch (error) {
    if (error instanceof Refusal && error.status === 503) return null;
    throw error;
  }
  const received = performance.now();
  if (answer.waiting) return answer;
  const bytes = Uint8Array.from(atob(answer.image), (one) => one.charCodeAt(0));
  return { ...answer, image: null, received, bitmap: await createImageBitmap(new Blob([bytes], { type: "image/jpeg" })) };
}

/// Sends a JPEG image; returns the model's answer. Null if the server computes another frame.
export async function sendFrame(blob, signal) {
  let response;
  let answer;
  try {
    response = await fetch("/api/live/frame", {
      method: "POST", headers: { ...sessionHeader(), "Content-Type": "image/jpeg" }, body: blob,
      credentials: "omit", cache: "no-store", redirect: "error", signal,
    });
    answer = await response.json();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Gone(String(error?.message ?? error));
  }
  if (response.status === 503) return null;
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}
