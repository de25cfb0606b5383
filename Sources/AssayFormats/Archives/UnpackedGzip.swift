import AssayCore
import Synchronization

/// A gzip file as the file that it unpacks to, read from any place without unpacking it to disk.
/// Thread-safe.
///
/// The file is unpacked once to list places where decompression can start; a read starts at the
/// nearest place before it. A few streams are kept, so that reading on costs nothing.
final class UnpackedGzip: SourceTree {
  private let file: ArchiveFile
  private let starts: [GzipStream.Start]
  /// The number of bytes of the unpacked file.
  let size: Int
  /// Streams that are not in use, the one that was used last at the end.
  private let idle = Mutex<[Held]>([])

  /// A stream between two reads. Only its owner uses it: it is taken out of the list first.
  private struct Held: @unchecked Sendable {
    var stream: GzipStream
  }

  private static let streamLimit = 8

  /// - Parameters:
  ///   - span: the minimum number of bytes between two places where reading can start.
  ///   - check: called again and again while the file is unpacked for the first time; an error that
  ///     it throws ends that.
  /// - Throws: as ``GzipStarts/init(_:span:limits:check:)``.
  init(
    _ file: ArchiveFile, span: Int = 1 << 20, limits: GzipInflater.Limits = GzipInflater.Limits(),
    check: () throws -> Void = {}
  ) throws {
    let found = try GzipStarts(file, span: span, limits: limits, check: check)
    self.file = file
    starts = found.starts
    size = found.size
  }

  var name: String { file.name }
  var isSingleFile: Bool { true }

  func files() throws -> [SourceFile] { [SourceFile(path: name, size: size, modified: 0)] }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle].output <= offset { low = middle } else { high = middle }
    }
    let start = starts[low]
    let stream = try take(from: start.output, to: offset) ?? GzipStream(file, from: start)
    try stream.skip(to: offset)
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, size - offset)])
    let count = try stream.read(into: part)
    keep(stream)
    return count
  }

  /// Takes the idle stream nearest before an offset; `nil` if none is in the range.
  private func take(from first: Int, to offset: Int) -> GzipStream? {
    let held = idle.withLock { idle -> Held? in
      let fitting = idle.indices.filter { (first...offset).contains(idle[$0].stream.offset) }
      let best = fitting.max { idle[$0].stream.offset < idle[$1].stream.offset }
      return best.map { idle.remove(at: $0) }
    }
    return held?.stream
  }

  private func keep(_ stream: GzipStream) {
    let held = Held(stream: stream)
    idle.withLock { idle in
      idle.append(held)
      if idle.count > Self.streamLimit { idle.removeFirst() }
    }
  }
}
