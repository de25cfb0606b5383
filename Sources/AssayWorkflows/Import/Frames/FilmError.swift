import AssayCore
import AssayFormats
package import AssayImaging

/// The reasons why a film or stream was not imported.
package enum FilmError: Error, Hashable {
  /// Standard input is a terminal.
  case terminal
  /// Standard input has no name from which the dataset's could be derived.
  case unnamed
  /// A video file, and no ffmpeg.
  case noFFmpeg(path: String, kind: VideoContainer)
  /// A file without a video track; true if it has a cover picture.
  case noVideoTrack(path: String, hasCover: Bool)
  /// ffmpeg could not decode a file; its last messages.
  case decoding(path: String, messages: [String])
  /// A rate was given for a stream that states another one.
  case rate(given: Double, stated: FrameRate)
  /// The source has no whole frame; the first fault.
  case noFrames(source: String, fault: String?)
  /// A file that cannot be read.
  case unreadable(path: String, reason: String)
  /// An option that recordings have no use for.
  case unusedOption(String)
}

extension FilmError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .terminal:
      "standard input is a terminal; give it frames: ffmpeg -i FILE -f mjpeg -q:v 2 - | assay import - --name NAME"
    case .unnamed: "a stream on standard input needs a name for the dataset; add --name NAME"
    case .noFFmpeg(let path, let kind):
      "\(path) is a video (\(kind.title)), which assay reads with ffmpeg, and there is no ffmpeg in PATH\n"
        + "as root: apt-get install ffmpeg; or make frames elsewhere: ffmpeg -i \(ShellText.quoted(path)) "
        + "-q:v 2 %06d.jpg, and import their folder with PATH:frames"
    case .noVideoTrack(let path, let hasCover):
      "\(path) has no video track\(hasCover ? ", only a cover picture" : ""), so it has no frames to import"
    case .decoding(let path, let messages):
      "ffmpeg cannot decode \(path)"
        + (messages.isEmpty ? "" : ":\n" + messages.map { "  \($0)" }.joined(separator: "\n"))
    case .rate(let given, let stated):
      "the stream states \(stated) frames per second, and --fps is "
        + "\(given == given.rounded() ? "\(Int(given))" : "\(given)"); omit --fps"
    case .noFrames(let source, let fault):
      "\(source) has no whole frame\(fault.map { ": \($0)" } ?? ""); nothing was imported"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .unusedOption(let option): "\(option) does not apply to a video or stream; omit it"
    }
  }
}
