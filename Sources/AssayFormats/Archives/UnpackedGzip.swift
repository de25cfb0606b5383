import AssayCore
import Synchronization

/// A gzip file as the file that it unpacks to, read from any place without unpacking it to disk.
/// Thread-safe.
///
/// The file is unpacked once to list places where decompression can start. What lies between two of
/// them is unpacked as a whole and kept for a while: the members of a tar archive are mostly near each
/// other, but not in the order of their names, in which they are read.
final class UnpackedGzip: SourceTree {
  private let file: ArchiveFile
  private let starts: [GzipStream.Start]
  /// The number of bytes of the unpacked file.
  let size: Int
  private let segmentLimit: Int
  private let state = Mutex(State())

  private struct State: ~Copyable {
    /// The unpacked segments by the index of their start, with the time of their last use.
    var segments: [Int: (bytes: MappedBytes, used: Int)] = [:]
    var bytes = 0
    var clock = 0
    /// Streams within segments that are too large to be kept, the one that was used last at the end.
    var idle: [Held] = []
  }

  /// A stream between two reads. Only its owner uses it: it is taken out of the list first.
  private struct Held: @unchecked Sendable {
    var stream: GzipStream
  }

  /// The maximum size of a segment that is unpacked as a whole, and of all that are kept.
  private static let segmentLimit = 1 << 24
  private static let cacheLimit = 1 << 26
  private static let streamLimit = 8

  /// - Parameters:
  ///   - span: the minimum number of bytes between two places where reading can start.
  ///   - segmentLimit: the maximum number of bytes that are unpacked as a whole.
  ///   - check: called again and again while the file is unpacked for the first time; an error that
  ///     it throws ends that.
  /// - Throws: as ``GzipStarts/init(_:span:limits:check:)``.
  init(
    _ file: ArchiveFile, span: Int = 1 << 20, segmentLimit: Int = segmentLimit,
    limits: GzipInflater.Limits = GzipInflater.Limits(), check: () throws -> Void = {}
  ) throws {
    let found = try GzipStarts(file, span: span, limits: limits, check: check)
    self.file = file
    self.segmentLimit = segmentLimit
    starts = found.starts
    size = found.size
  }

  /// The maximum number of bytes that are kept: the text before each place, and unpacked segments.
  var memory: Int {
    starts.reduce(0) { $0 + ($1.window?.count ?? 0) } + min(size, Self.cacheLimit)
  }

  var name: String { file.name }
  var isSingleFile: Bool { true }

  func files() throws -> [SourceFile] { [SourceFile(path: name, size: size, modified: 0)] }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
    let index = segment(at: offset)
    let range = self.range(ofSegment: index)
    let part = UnsafeMutableRawBufferPointer(
      rebasing: buffer[..<min(buffer.count, range.upperBound - offset)])
    guard range.count <= segmentLimit else {
      return try stream(from: index, at: offset, into: part)
    }
    let bytes = try bytes(ofSegment: index, range)
    let place = offset - range.lowerBound
    withExtendedLifetime(bytes) {
      part.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes.bytes[place..<(place + part.count)]))
    }
    return part.count
  }

  /// The index of the last place at or before an offset where decompression can start.
  private func segment(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle].output <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The range of the text up to the next place where decompression can start.
  private func range(ofSegment index: Int) -> Range<Int> {
    starts[index].output..<(index + 1 < starts.count ? starts[index + 1].output : size)
  }

  private func bytes(ofSegment index: Int, _ range: Range<Int>) throws -> MappedBytes {
    let kept = state.withLock { state -> MappedBytes? in
      state.clock += 1
      state.segments[index]?.used = state.clock
      return state.segments[index]?.bytes
    }
    if let kept { return kept }
    let stream = try GzipStream(file, from: starts[index])
    let bytes = try MappedBytes(count: range.count) { buffer in
      guard try stream.read(into: buffer) == range.count else {
        throw ArchiveError.damaged(file.name, problem: "the file changed while it was read")
      }
    }
    state.withLock { state in
      if state.segments.updateValue((bytes, state.clock), forKey: index) == nil {
        state.bytes += bytes.count
      }
      while state.bytes > Self.cacheLimit, state.segments.count > 1,
        let oldest = state.segments.min(by: { $0.value.used < $1.value.used })?.key
      {
        state.bytes -= state.segments.removeValue(forKey: oldest)?.bytes.count ?? 0
      }
    }
    return bytes
  }

  /// Reads within a segment that is too large to be kept.
  private func stream(
    from index: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let start = starts[index]
    let stream = try take(from: start.output, to: offset) ?? GzipStream(file, from: start)
    try stream.skip(to: offset)
    let count = try stream.read(into: buffer)
    keep(stream)
    return count
  }

  /// Takes the idle stream nearest before an offset; `nil` if none is in the range.
  private func take(from first: Int, to offset: Int) -> GzipStream? {
    let held = state.withLock { state -> Held? in
      let fitting = state.idle.indices.filter {
        (first...offset).contains(state.idle[$0].stream.offset)
      }
      let best = fitting.max { state.idle[$0].stream.offset < state.idle[$1].stream.offset }
      return best.map { state.idle.remove(at: $0) }
    }
    return held?.stream
  }

  private func keep(_ stream: GzipStream) {
    let held = Held(stream: stream)
    state.withLock { state in
      state.idle.append(held)
      if state.idle.count > Self.streamLimit { state.idle.removeFirst() }
    }
  }
}
