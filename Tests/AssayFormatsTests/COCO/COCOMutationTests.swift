import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Damaged COCO files")
struct COCOMutationTests {
  static let rounds =
    LongTests.areOn ? 100_000 : 3_000

  static let seeds: [[UInt8]] = ["polygons", "runs", "keypoints", "odd", "annotations_first"].map {
    let url = PackageFolder.fixture("coco/\($0).json")
    return (try? Data(contentsOf: url)).map { Array($0) } ?? []
  }

  private static let spice: [[UInt8]] =
    [
      "[", "]", "{", "}", "\"", ",", ":", "\\", "-", ".", "0", "9", "e", "null", "NaN", "Infinity",
      "-Infinity", "1e999", "1e-999", "-0", "18446744073709551616", "9007199254740993", "[[[[",
      "{}",
      "[]", "true", "\"\\u0000\"", "\"\\ud800\"", "../", "/", "0.1234567890123", "4294967296", "-1",
      "100000000", " ", "\n", "id", "image_id", "segmentation", "\u{FEFF}", "é",
    ].map { Array($0.utf8) } + [[0], [0xFF], [0x80], [0x1F]]

  private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !bytes.isEmpty else { return bytes }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let other = Int.random(in: place..<min(bytes.count, place + 60), using: &random)
      let added = spice[Int.random(in: 0..<spice.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.replaceSubrange(place...place, with: added)
      case 3: bytes.insert(contentsOf: added, at: place)
      case 4: bytes.removeSubrange(place...other)
      case 5: bytes.insert(contentsOf: bytes[place...other], at: place)
      case 6: replaceNumber(&bytes, at: place, with: added)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  /// Numbers are damaged most often: the text remains JSON, but its meaning is wrong.
  private static func replaceNumber(_ bytes: inout [UInt8], at place: Int, with added: [UInt8]) {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
    bytes.replaceSubrange(start..<end, with: added)
  }

  /// Only numbers are replaced, by other numbers or other text: most of it remains JSON.
  private static func mutateNumbers(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      replaceNumber(
        &bytes, at: place, with: values[Int.random(in: 0..<values.count, using: &random)])
    }
    return bytes
  }

  private static let values: [[UInt8]] = [
    "0", "1", "5", "6", "7", "17", "NaN", "Infinity", "1e999", "1e-999", "18446744073709551616",
    "4294967296", "100000000", "100000", "null", "true", "\"5\"", "[]", "{}", "[1]",
    "0.1234567890123",
    "9007199254740993", "-1", "9223372036854775807",
  ].map { Array($0.utf8) }

  @Test("Damaged files are imported in part or refused with a place, and everything adds up")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { !$0.isEmpty })
    var random = SplitMix64(seed: 2017)
    var imported = 0
    for round in 0..<Self.rounds {
      let seed = Self.seeds[round % Self.seeds.count]
      let bytes =
        round % 2 == 0 ? Self.mutate(seed, &random) : Self.mutateNumbers(seed, &random)
      let tree = MemoryTree(bytes, name: "a.json")
      do {
        let found = try COCOCollected(tree, ImportOptions(workers: 1))
        imported += 1
        if !found.isBalanced {
          #expect(found.isBalanced, "\(String(decoding: bytes, as: UTF8.self))")
        }
        if round % 16 == 0 {
          #expect(try COCOCollected(tree, ImportOptions(workers: 3, blockBytes: 16)) == found)
        }
      } catch let error as FormatError {
        if case .badJSON(_, let offset, _) = error, !(0...bytes.count).contains(offset) {
          #expect((0...bytes.count).contains(offset))
        }
      } catch is COCOForeignFile {
        // An additional number in a bbox makes it an oriented one.
      }
    }
    #expect(imported > Self.rounds / 4, "\(imported)")
  }

  @Test("A file that is cut off anywhere is refused, and the byte is where it ends")
  func cuts() throws {
    for seed in Self.seeds {
      let end = (seed.lastIndex(of: UInt8(ascii: "}")) ?? 0)
      for length in stride(from: 1, through: end, by: 3) {
        let tree = MemoryTree(Array(seed[..<length]), name: "a.json")
        #expect {
          try COCOImporter().run(tree, ImportOptions(workers: 1)) { _ in }
        } throws: { error in
          switch error as? FormatError {
          case .badJSON(_, let offset, _)?: offset == length
          // Too little is left to recognize it as COCO.
          case .mismatch?: true
          default: false
          }
        }
      }
    }
  }

  /// A source that returns a few bytes at a time.
  private struct Dribble: SourceTree {
    let tree: MemoryTree
    let most: Int
    var name: String { tree.name }
    var isSingleFile: Bool { true }
    func files() throws -> [SourceFile] { try tree.files() }
    func read(
      _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
      try tree.read(
        path, at: offset,
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(most, buffer.count)]))
    }
  }

  @Test("However the bytes come, the same is read", arguments: [1, 2, 3, 63, 64, 65, 127])
  func pieces(most: Int) throws {
    for seed in Self.seeds {
      let tree = MemoryTree(seed, name: "a.json")
      let expected = try COCOCollected(tree)
      #expect(try COCOCollected(Dribble(tree: tree, most: most)) == expected)
    }
  }
}
