// The browser's camera: opens it, and gives its newest frame.

/// A camera that cannot be used; the message says what to do.
export class NoCamera extends Error {}

const advice = {
  NotAllowedError: "The browser was not allowed to use the camera. Allow it in the address bar, then try again.",
  NotFoundError: "No camera was found. Connect one, then try again.",
  NotReadableError: "The camera cannot be started; another program may be using it. Close that, then try again.",
  OverconstrainedError: "The camera does not offer this size. Choose another one.",
  AbortError: "The camera stopped while it was being started. Try again.",
};

/// The transform of a picture's pixels when it is turned clockwise by quarters: whole numbers, so that none is mixed
/// with its neighbor.
export function turn(quarters, width, height) {
  return [[1, 0, 0, 1, 0, 0], [0, 1, -1, 0, height, 0], [-1, 0, 0, -1, width, height], [0, -1, 1, 0, 0, width]][quarters];
}

export class Camera extends EventTarget {
  /// Events: "ended" if the camera goes away.
  constructor() {
    super();
    this.video = document.createElement("video");
    Object.assign(this.video, { muted: true, playsInline: true, autoplay: true });
    this.shown = 0;
  }

  /// Opens a camera; `device` is its id or null, `size` is [width, height].
  async open(device, size) {
    this.close();
    if (!navigator.mediaDevices?.getUserMedia) {
      throw new NoCamera(window.isSecureContext ? "This browser has no access to cameras."
        : "A browser gives the camera only to a page from this computer or over https. Forward the port (ssh -L PORT:127.0.0.1:PORT HOST) and open the link with 127.0.0.1.");
    }
    const [width, height] = size;
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { width: { ideal: width }, height: { ideal: height }, ...(device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } }) },
      });
    } catch (error) {
      throw new NoCamera(advice[error.name] ?? `The camera cannot be opened: ${error.message}`);
    }
    const [track] = this.stream.getVideoTracks();
    track.addEventListener("ended", () => this.dispatchEvent(new Event("ended")));
    this.video.srcObject = this.stream;
    await this.video.play();
    this.count();
  }

  /// Counts the frames that the camera gives.
  count() {
    if (!this.video.requestVideoFrameCallback) return;
    const { stream } = this;
    const next = (now, { presentedFrames }) => {
      if (this.stream !== stream) return;
      this.shown = presentedFrames;
      this.video.requestVideoFrameCallback(next);
    };
    this.video.requestVideoFrameCallback(next);
  }

  get isOpen() {
    return Boolean(this.stream?.active) && this.video.videoWidth > 0;
  }

  /// The cameras: `[{id, label}]`. Labels are known only after one was allowed.
  async devices() {
    const all = await navigator.mediaDevices?.enumerateDevices?.() ?? [];
    return all.filter((one) => one.kind === "videoinput").map((one, index) => ({ id: one.deviceId, label: one.label || `Camera ${index + 1}` }));
  }

  /// The id of the open camera; null for none.
  get device() {
    return this.stream?.getVideoTracks()[0]?.getSettings().deviceId ?? null;
  }

  /// Draws the newest frame on a canvas, in its own size, turned clockwise by quarters.
  grab(canvas, quarters = 0) {
    const { videoWidth, videoHeight } = this.video;
    const [width, height] = quarters % 2 ? [videoHeight, videoWidth] : [videoWidth, videoHeight];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d");
    context.setTransform(...turn(quarters, videoWidth, videoHeight));
    context.drawImage(this.video, 0, 0);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.shown = 0;
    this.video.srcObject = null;
  }
}
