import AssayCore
import AssayTestSupport
import Foundation
import Synchronization
import Testing

@testable import AssayFormats

@Suite("gzip files that are read from any place")
struct UnpackedGzipTests {
  /// The numbers 0, 1, 2, … as text, which packs about three times.
  private static let text: [UInt8] = (0..<60_000).flatMap { Array("\($0 &* 7919) ".utf8) }

  private static func open(
    _ bytes: [UInt8], span: Int = 20_000, segmentLimit: Int = 1 << 24,
    limits: GzipInflater.Limits = .init(),
    check: () throws -> Void = {}
  ) throws -> UnpackedGzip {
    let tree = MemoryTree(bytes, name: "x.tar.gz")
    return try UnpackedGzip(
      ArchiveFile(tree: tree, path: "x.tar.gz", size: bytes.count), span: span,
      segmentLimit: segmentLimit, limits: limits, check: check)
  }

  /// Members of 100,000 bytes and the rest, the same text as one member, and as ones of a byte to 3,000.
  private static let packings: [[UInt8]] = {
    var (many, random) = ([UInt8](), SplitMix64(seed: 3))
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...3_000, using: &random))
      many += ZipBuilder.gzip(Array(part))
      rest = rest.dropFirst(part.count)
    }
    return [
      ZipBuilder.gzip(text),
      ZipBuilder.gzip(Array(text.prefix(100_000))) + ZipBuilder.gzip(Array(text.dropFirst(100_000)))
        + [0, 0, 0],
      many,
    ]
  }()

  @Test(
    "The text is the same from every place, in any order and by several threads", arguments: 0..<3,
    [1 << 24, 0])
  func anyOrder(packing: Int, segmentLimit: Int) throws {
    let unpacked = try Self.open(Self.packings[packing], segmentLimit: segmentLimit)
    #expect(unpacked.size == Self.text.count)
    var random = SplitMix64(seed: 7)
    let places = (0..<120).map { _ in Int.random(in: 0..<Self.text.count, using: &random) }
    DispatchQueue.concurrentPerform(iterations: places.count) { index in
      var bytes = [UInt8](repeating: 0, count: 1 + index * 300)
      // A read ends where the next place begins at which decompression can start.
      let count =
        (try? bytes.withUnsafeMutableBytes {
          try ArchiveFile(tree: unpacked, path: "x.tar.gz", size: unpacked.size)
            .read(at: places[index], into: $0)
        }) ?? -1
      let expected = Self.text[places[index]...].prefix(bytes.count)
      #expect(count == expected.count && bytes.prefix(count).elementsEqual(expected))
    }
    #expect(try unpacked.readAll("x.tar.gz", limit: 1 << 22) == Self.text)
  }

  @Test("More places than the limit are thinned out, and the text is the same")
  func manyStarts() throws {
    let text = Array(repeating: Self.text, count: 3).flatMap(\.self)
    var (packed, rest) = ([UInt8](), text[...])
    while !rest.isEmpty {
      packed += ZipBuilder.gzip(Array(rest.prefix(400)))
      rest = rest.dropFirst(400)
    }
    let starts = try GzipStarts(
      ArchiveFile(tree: MemoryTree(packed, name: "x"), path: "x", size: packed.count), span: 1,
      limits: .init(), check: {})
    #expect(text.count / 400 > 2_048)
    #expect(starts.starts.count > 100 && starts.starts.count <= 2_048)
    let unpacked = try Self.open(packed, span: 1)
    #expect(try unpacked.readAll("x.tar.gz", limit: 1 << 22) == text)
  }

  @Test(
    "Reading the text in small pieces, in order or not, reads the file about once",
    arguments: [true, false])
  func linear(isInOrder: Bool) throws {
    let bytes = Self.packings[0]
    let tree = CountingTree(bytes)
    let unpacked = try UnpackedGzip(
      ArchiveFile(tree: tree, path: tree.name, size: bytes.count), span: 20_000)
    tree.count.withLock { $0 = 0 }
    var offsets = Array(stride(from: 0, to: unpacked.size, by: 1_000))
    var random = SplitMix64(seed: 5)
    if !isInOrder { offsets.shuffle(using: &random) }
    var piece = [UInt8](repeating: 0, count: 1_000)
    for offset in offsets {
      _ = try piece.withUnsafeMutableBytes { try unpacked.read(tree.name, at: offset, into: $0) }
    }
    // Each segment reads the 32 KiB of its last piece of input to the end.
    let segments = unpacked.size / 20_000 + 1
    #expect(tree.count.withLock { $0 } <= bytes.count + segments << 15)
  }

  @Test("A file that is cut off, damaged or followed by other data is refused with the reason")
  func damage() throws {
    let packed = Self.packings[0]
    func problem(_ bytes: [UInt8]) throws -> String {
      let error = #expect(throws: ArchiveError.self) { try Self.open(bytes) }
      return "\(try #require(error))"
    }
    #expect(try problem(packed.dropLast(9).map { $0 }).contains("is truncated"))
    #expect(try problem(packed + Array("abc".utf8)).contains("other data after the gzip data"))
    var wrong = packed
    wrong[packed.count - 6] ^= 1
    #expect(try problem(wrong).contains("incorrect data check"))
    wrong = packed
    wrong[packed.count / 2] ^= 0xFF
    #expect(try problem(wrong).contains("is damaged"))
  }

  @Test("A file that expands beyond the limits is refused while it is unpacked")
  func expansion() throws {
    let zeros = ZipBuilder.gzip([UInt8](repeating: 0, count: 4_000_000))
    let limits = GzipInflater.Limits(freeBytes: 1_000_000, ratio: 400)
    let error = #expect(throws: ArchiveError.self) { try Self.open(zeros, limits: limits) }
    guard case .expandsTooFar(_, let size) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(size < 1_200_000)
    #expect(try Self.open(zeros).size == 4_000_000)
  }

  @Test("A file that changes after it was listed is an error where the change is met")
  func change() throws {
    let tree = ChangingTree(Self.packings[0])
    let unpacked = try UnpackedGzip(
      ArchiveFile(tree: tree, path: "x", size: Self.packings[0].count), span: 20_000)
    tree.bytes.withLock { $0 = [UInt8](repeating: 0xFF, count: $0.count) }
    #expect(throws: ArchiveError.self) { try unpacked.readAll("x", limit: 1 << 22) }
  }

  private final class ChangingTree: SourceTree {
    let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    var name: String { "x" }
    var isSingleFile: Bool { true }
    func files() throws -> [SourceFile] {
      [SourceFile(path: "x", size: bytes.withLock { $0.count }, modified: 0)]
    }
    func read(
      _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
      bytes.withLock { bytes in
        let part = bytes.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
      }
    }
  }

  private struct Stopped: Error {}

  @Test("Listing can be stopped")
  func stops() throws {
    #expect(throws: Stopped.self) { try Self.open(Self.packings[0]) { throw Stopped() } }
  }

  @Test("JSON that is compressed with gzip is named, not read as a table")
  func json() throws {
    let table = ZipBuilder.gzip(Array("emotion,pixels,Usage\n3,1 2 3 4,Training\n".utf8))
    #expect(try FormatDetector.detect(MemoryTree(table, name: "rows.csv.gz")).format == .fer)
    for text in ["{\"images\": []}", "\n [1, 2]"] {
      let tree = MemoryTree(ZipBuilder.gzip(Array(text.utf8)), name: "a.json.gz")
      let error = #expect(throws: FormatError.packedJSON("a.json.gz")) {
        try FormatDetector.detect(tree)
      }
      #expect("\(try #require(error))".contains("gunzip -k a.json.gz"))
    }
  }
}
