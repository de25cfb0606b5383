import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Synchronization
import Testing

@testable import AssayFormats

/// Datasets of every format, damaged at random, are imported in part or refused.
@Suite("Damaged datasets of every format")
struct ImporterMutationTests {
  /// A source that remembers the paths which are not in its list and were opened.
  private struct WatchedTree: SourceTree {
    let base: MemoryTree
    let listed: Set<String>
    let strays = StrayPaths()

    var name: String { base.name }
    var isSingleFile: Bool { base.isSingleFile }
    func files() throws -> [SourceFile] { try base.files() }

    func read(
      _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
      if !listed.contains(path) { strays.note(path) }
      return try base.read(path, at: offset, into: buffer)
    }
  }

  /// The paths, in the order in which they were opened.
  private final class StrayPaths: Sendable {
    private let list = Mutex<[String]>([])
    var paths: [String] { list.withLock { $0 } }
    func note(_ path: String) { list.withLock { $0.append(path) } }
  }

  private typealias Files = [(path: String, bytes: [UInt8])]

  /// The number of rounds per format: 80 in a normal run; `ASSAY_LONG_TESTS=1` makes it 100,000.
  private static let rounds = LongTests.areOn ? 100_000 : 80
  /// The maximum size in bytes of a dataset: larger ones take too long.
  private static let sizeLimit = 1 << 18

  /// Texts that have a meaning in some place of some format.
  private static let words = [
    "nan", "-inf", "-1", "1e999", "99999999999999999999", "0.5", "..", "../", "../../etc/passwd",
    "/",
    "/etc/passwd", "\\", "C:\\", "<object>", "</object>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"/etc/passwd\">]>",
    "&x;", "<![CDATA[", "<!--", "<", ">", "\"", "'", ":", ";", ",", "\t", "#", "\r", "\n",
    "\u{FEFF}", "\u{0}",
    "{", "}", "[", "]", "null", "true", "\\u0000", "\"a\": ", "train", "!!python/object:os.system ",
    "&a ",
    "*a", "\u{80}\u{4}c", "\u{1F}\u{8B}", "PK\u{3}\u{4}",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 1:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.removeSubrange(place...)
      case 5:
        // Digits are sizes, counts, numbers of classes and coordinates.
        if let digit = bytes[place...].firstIndex(where: { (48...57).contains($0) }) {
          bytes[digit] = UInt8.random(in: 48...57, using: &random)
        }
      default:
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        bytes.insert(contentsOf: word, at: place)
      }
    }
  }

  /// The files of a dataset; `nil` if they are too large.
  private static func files(of tree: FixtureTree) throws -> Files? {
    let files = try tree.content.files()
    guard files.reduce(0, { $0 + $1.size }) <= sizeLimit else { return nil }
    return try files.map { ($0.path, try tree.content.readAll($0.path, limit: sizeLimit)) }
  }

  /// Damages one file, and sometimes leaves one out or renames it.
  ///
  /// - Returns: `nil` for an image that states a size which takes long to decode.
  private static func damaged(
    _ seed: Files, isSingleFile: Bool, _ round: Int, _ random: inout SplitMix64
  ) -> Files? {
    var files = seed
    // Three of four rounds damage a file that is no image.
    let others = files.indices.filter { !PairPath.isImageName(files[$0].path) }
    let places = round % 4 == 0 || others.isEmpty ? Array(files.indices) : others
    let place = places[Int.random(in: 0..<places.count, using: &random)]
    mutate(&files[place].bytes, &random)
    if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
      return nil
    }
    guard !isSingleFile, files.count > 1 else { return files }
    if round % 16 == 1 { files[place].path += [".xml", "x", ".png"][round % 3] }
    if round % 16 == 9 { files.remove(at: Int.random(in: 0..<files.count, using: &random)) }
    return files
  }

  private static func isBelowRoot(_ path: String) -> Bool {
    !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
  }

  @Test(
    "It is imported in part or refused, keys stay below the root, and no file above it is opened",
    arguments: DatasetFormat.allCases)
  func mutations(format: DatasetFormat) throws {
    let seeds = try FixtureTree.all(of: format).compactMap { tree in
      try Self.files(of: tree).map { (tree: tree, files: $0) }
    }
    try #require(!seeds.isEmpty)
    var random = SplitMix64(seed: format.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    var imported = 0
    var refused = 0
    for round in 0..<Self.rounds {
      let (tree, seed) = seeds[round % seeds.count]
      let isSingleFile = tree.content.isSingleFile
      guard
        let files = Self.damaged(seed, isSingleFile: isSingleFile, round, &random),
        let first = files.first
      else { continue }
      let memory =
        isSingleFile
        ? MemoryTree(first.bytes, name: first.path)
        : MemoryTree(
          folder: Dictionary(
            files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
      let watched = WatchedTree(base: memory, listed: Set(files.map(\.path)))
      do {
        if round % 8 == 0 { _ = try? FormatDetector.detect(watched) }
        let found = try Collected(watched, as: format, ImportOptions(workers: 1))
        imported += 1
        #expect(found.isBalanced, "\(tree.path), round \(round)")
        #expect(Set(found.keys).count == found.keys.count, "\(tree.path), round \(round)")
        #expect(found.keys.allSatisfy(Self.isBelowRoot), "\(tree.path), round \(round)")
      } catch {
        // The text of the refusal is made, too.
        refused += "\(error)".isEmpty ? 0 : 1
      }
      // A file of a constant name can be asked for where it is not.
      #expect(
        watched.strays.paths.allSatisfy(Self.isBelowRoot), "\(tree.path), round \(round)")
    }
    #expect(imported > 0 && imported + refused > Self.rounds / 2)
  }
}
