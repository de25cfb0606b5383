import AssayImaging
import Foundation

/// The frames of a stream on standard input, of which only the newest one is kept.
package final class LiveStream: @unchecked Sendable {
  /// A frame as a JPEG image, and its number in the stream.
  package struct Frame: Sendable {
    package var index: Int
    package var jpeg: [UInt8]
    /// The time when it was read.
    package var read = ContinuousClock.now
  }

  // All of it is used with the condition locked.
  private let condition = NSCondition()
  private var newest: Frame?
  private var reason: String?

  private static let quality = 90

  /// Begins to read standard input.
  ///
  /// - Throws: ``FilmError/terminal``.
  package init() throws {
    guard isatty(STDIN_FILENO) == 0 else { throw FilmError.terminal }
    let thread = Thread { [weak self] in self?.read() }
    thread.start()
  }

  /// The reason why the stream ended, one sentence; `nil` while it goes on.
  package var end: String? { condition.withLock { reason } }

  /// The number of the newest frame; `nil` before the first one.
  package var newestIndex: Int? { condition.withLock { newest?.index } }

  /// The newest frame after one with a number, as soon as there is one.
  ///
  /// - Returns: `nil` if there is none within the time, or the stream ended.
  package func frame(after index: Int, within seconds: Double) -> Frame? {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while newest.map({ $0.index <= index }) ?? true, reason == nil {
        guard condition.wait(until: limit) else { break }
      }
      return newest.flatMap { $0.index > index ? $0 : nil }
    }
  }

  private static func frames(_ count: Int) -> String {
    "\(count) \(count == 1 ? "frame" : "frames")"
  }

  private func read() {
    var count = 0
    do {
      let reader = DescriptorReader(descriptor: STDIN_FILENO, path: "standard input")
      var stream = try FrameStream(read: reader.read)
      while let frame = try stream.nextFrame() {
        let jpeg = try Self.jpeg(frame)
        count += 1
        condition.withLock {
          newest = Frame(index: frame.index, jpeg: jpeg)
          condition.broadcast()
        }
      }
      let fault = stream.problems.last.map { " (frame \($0.frame): \($0.message))" } ?? ""
      finish("The stream ended after \(Self.frames(count))\(fault).")
    } catch is Interrupted {
      finish("The server ends.")
    } catch {
      finish("The stream cannot be read on after \(Self.frames(count)): \(error)")
    }
  }

  private func finish(_ words: String) {
    condition.withLock {
      reason = words
      condition.broadcast()
    }
  }

  private static func jpeg(_ frame: StreamFrame) throws -> [UInt8] {
    switch frame.content {
    case .file(let bytes, .jpeg): bytes
    case .file(let bytes, _):
      try ImageCodec.encodeJPEG(ImageCodec.decode(bytes, as: .rgb8), quality: quality)
    case .raster(let raster): try ImageCodec.encodeJPEG(raster, quality: quality)
    }
  }
}
