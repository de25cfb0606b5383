import AssayCore

/// The reasons why the frames of a stream cannot be read.
package enum FrameStreamError: Error, Hashable {
  /// The stream ended before its first byte.
  case empty
  /// The first bytes are no frame of a supported kind.
  case unknownKind(firstBytes: [UInt8])
  /// A file with video in a container.
  case container(VideoContainer)
  /// A frame of more bytes or pixels than are read.
  case tooLarge(frame: Int, reason: String)
  /// A Y4M stream whose header or frame cannot be used.
  case y4m(String)
}

extension FrameStreamError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the stream ended before its first frame; nothing came"
    case .unknownKind(let bytes):
      "the stream is none that can be read (it starts with "
        + bytes.prefix(8).map { Self.hexadecimal($0) }.joined(separator: " ")
        + "): expected JPEG images one after another (MJPEG, also multipart), PNG images, or Y4M\n"
        + "ffmpeg makes it of any video: ffmpeg -i FILE -f mjpeg -q:v 2 -, in a pipe to this command"
    case .container(let kind):
      "the stream is a video file (\(kind.title)), which cannot be read from a pipe\n"
        + "name the file instead, or convert it: ffmpeg -i - -f mjpeg -q:v 2 -"
    case .tooLarge(let frame, let reason): "frame \(frame) is too large: \(reason)"
    case .y4m(let reason): "the Y4M stream cannot be read: \(reason)"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}

/// The kinds of files that contain video besides other tracks, as far as their first bytes tell.
package enum VideoContainer: Hashable, Sendable {
  case mp4, matroska, avi, mpegTransport, mpegProgram, flash, ogg, windowsMedia, gif

  /// The name for people.
  package var title: String {
    switch self {
    case .mp4: "MP4 or QuickTime"
    case .matroska: "Matroska or WebM"
    case .avi: "AVI"
    case .mpegTransport: "MPEG transport stream"
    case .mpegProgram: "MPEG program stream"
    case .flash: "FLV"
    case .ogg: "Ogg"
    case .windowsMedia: "Windows Media"
    case .gif: "GIF"
    }
  }

  /// The kind of a file that starts with these bytes, 189 of them for all kinds; `nil` for another file.
  package static func detect(_ bytes: [UInt8]) -> VideoContainer? {
    func text(_ text: String, at place: Int) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    for box in ["ftyp", "moov", "mdat", "wide", "free", "skip"] where text(box, at: 4) {
      return .mp4
    }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
    if text("RIFF", at: 0), text("AVI ", at: 8) { return .avi }
    if bytes.first == 0x47, bytes.count > 188, bytes[188] == 0x47 { return .mpegTransport }
    if bytes.starts(with: [0, 0, 1, 0xBA]) { return .mpegProgram }
    if text("FLV\u{1}", at: 0) { return .flash }
    if text("OggS", at: 0) { return .ogg }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
      return .windowsMedia
    }
    if text("GIF8", at: 0) { return .gif }
    return nil
  }
}
