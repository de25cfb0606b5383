package import AssayCore

/// One frame of a stream.
package struct StreamFrame: Sendable {
  /// A frame's pixels, as a file or decoded.
  package enum Content: Sendable {
    /// A whole JPEG or PNG file, as it came.
    case file([UInt8], ImageKind)
    /// Red, green and blue, or gray.
    case raster(Raster<UInt8>)
  }

  /// The number of the frame in the stream, from 0, counting frames that were damaged.
  package var index: Int
  package var content: Content

  package init(index: Int, content: Content) {
    self.index = index
    self.content = content
  }
}

/// A fault of a stream that does not end it.
package struct StreamProblem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A frame that is no whole image.
    case damaged
    /// The stream ended in a frame.
    case cut
    /// Bytes between two frames that belong to none.
    case foreign
  }

  package var kind: Kind
  /// The number of the frame, or of the next one.
  package var frame: Int
  /// One clause without a period.
  package var message: String

  package init(kind: Kind, frame: Int, message: String) {
    self.kind = kind
    self.frame = frame
    self.message = message
  }
}

/// The frames of a stream of bytes, one after another: JPEG images (MJPEG, also in the multipart framing of cameras),
/// PNG images, or Y4M. The kind is that of the first bytes.
///
/// No frame is needed before the next one: the memory is that of one frame. A damaged frame is a problem, and
/// reading goes on at the next one.
package struct FrameStream {
  /// The kinds of streams.
  package enum Kind: String, Sendable {
    case mjpeg
    case multipart
    case png
    case y4m
  }

  /// The maximum number of bytes of a frame: 256 MiB.
  package static let frameLimit = 256 << 20

  package let kind: Kind
  /// The frames per second that the stream states; `nil` for all but Y4M.
  package let rate: FrameRate?
  /// Notes about the stream as a whole; one clause each, without a period.
  package let notes: [String]
  /// The problems so far.
  package private(set) var problems: [StreamProblem] = []
  private var buffer: StreamBuffer
  private let y4m: Y4MHeader?
  private var next = 0

  /// Reads the beginning of a stream.
  ///
  /// - Parameter read: reads up to `buffer.count` bytes and returns their number; 0 at the end.
  /// - Throws: ``FrameStreamError``; any error of `read`.
  package init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    var buffer = StreamBuffer(read: read)
    // Cameras send line breaks first.
    while try buffer.fill(1), buffer[0] == 0x0D || buffer[0] == 0x0A, buffer.position < 64 {
      buffer.skip(1)
    }
    guard try buffer.fill(1) else { throw FrameStreamError.empty }
    _ = try buffer.fill(12)
    if buffer.starts(with: "YUV4MPEG2 ".utf8) {
      let header = try Y4MHeader(&buffer)
      (kind, rate, notes, y4m) = (.y4m, header.rate, header.notes, header)
    } else {
      (rate, notes, y4m) = (nil, [], nil)
      if buffer.starts(with: [0xFF, 0xD8, 0xFF]) {
        kind = .mjpeg
      } else if buffer.starts(with: PNGFrames.signature) {
        kind = .png
      } else if buffer.starts(with: "--".utf8) {
        kind = .multipart
      } else {
        _ = try buffer.fill(189)
        if let container = VideoContainer.detect(buffer.head(189)) {
          throw FrameStreamError.container(container)
        }
        throw FrameStreamError.unknownKind(firstBytes: buffer.head(12))
      }
    }
    self.buffer = buffer
  }

  /// The next frame; `nil` at the end.
  ///
  /// - Throws: ``FrameStreamError/tooLarge(frame:reason:)``, ``FrameStreamError/y4m(_:)``; any error of the stream.
  package mutating func nextFrame() throws -> StreamFrame? {
    if let y4m {
      guard let raster = try y4m.frame(next, of: &buffer, &problems) else { return nil }
      defer { next += 1 }
      return StreamFrame(index: next, content: .raster(raster))
    }
    while true {
      guard try seek() else { return nil }
      let found =
        switch kind {
        case .png: try PNGFrames.scan(&buffer, frame: next)
        default: try JPEGFrames.scan(&buffer, frame: next)
        }
      defer { next += 1 }
      switch found {
      case .whole(let length):
        return StreamFrame(
          index: next, content: .file(buffer.take(length), kind == .png ? .png : .jpeg))
      case .damaged(let length, let reason):
        problems.append(StreamProblem(kind: .damaged, frame: next, message: reason))
        buffer.skip(length)
      case .cut:
        problems.append(
          StreamProblem(
            kind: .cut, frame: next,
            message: "the stream ends after \(buffer.count) bytes of the frame"))
        buffer.skip(buffer.count)
        return nil
      }
    }
  }

  /// Goes to the start of the next image; the text between the parts of a multipart stream is left out.
  ///
  /// - Returns: false at the end of the stream.
  private mutating func seek() throws -> Bool {
    let start: [UInt8] = kind == .png ? PNGFrames.signature : [0xFF, 0xD8, 0xFF]
    var foreign = 0
    var looked = 0
    defer {
      if foreign > 0 {
        problems.append(
          StreamProblem(
            kind: .foreign, frame: next,
            message: "\(foreign) bytes before the frame belong to no image; left out"))
      }
    }
    while try buffer.fill(start.count) {
      if buffer.starts(with: start) { return true }
      let place = buffer.firstIndex(of: start[0], from: 1) ?? buffer.count
      if kind != .multipart {
        foreign += buffer.head(place).count { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
      }
      buffer.skip(place)
      looked += place
      guard looked <= Self.frameLimit else {
        throw FrameStreamError.tooLarge(
          frame: next, reason: "no image starts in the \(looked >> 20) MiB after the last one")
      }
    }
    if kind != .multipart, buffer.count > 0 {
      foreign += buffer.head(buffer.count).count { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    }
    guard next > 0 else { throw FrameStreamError.unknownKind(firstBytes: buffer.head(12)) }
    buffer.skip(buffer.count)
    return false
  }
}

/// The result of looking for the end of an image in a stream.
enum ScannedFrame {
  /// An image of so many bytes.
  case whole(Int)
  /// So many bytes that start like an image and are none, with the reason.
  case damaged(Int, String)
  /// The stream ended before the image did.
  case cut
}

/// A rational number of frames per second.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  package let frames: Int
  package let seconds: Int

  /// `nil` unless both numbers are at least 1.
  package init?(frames: Int, seconds: Int) {
    guard frames > 0, seconds > 0 else { return nil }
    self.frames = frames
    self.seconds = seconds
  }

  /// Frames per second.
  package var value: Double { Double(frames) / Double(seconds) }

  package var description: String { seconds == 1 ? "\(frames)" : "\(frames)/\(seconds)" }
}
