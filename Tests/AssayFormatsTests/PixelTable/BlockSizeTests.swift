import AssayCore
import AssayFormats
import Testing

@Suite("Blocks and workers")
struct BlockSizeTests {
  /// Good and bad rows of 4×4 pixels, with blank lines, CRLF and no final line break.
  static let text: String = {
    var random = SplitMix64(seed: 3)
    var text = "\u{FEFF}class,pixels,split\r\n"
    for row in 0..<400 {
      let count = row % 17 == 3 ? 15 : 16
      let limit = row % 23 == 5 ? 400 : 255
      let pixels = (0..<count).map { _ in String(Int.random(in: 0...limit, using: &random)) }
      let label = row % 31 == 0 ? "" : "c\(Int.random(in: 0..<40, using: &random))"
      text += "\(label),\(pixels.joined(separator: row % 5 == 0 ? "  " : " ")),s\(row % 3)"
      text += row % 2 == 0 ? "\r\n" : "\n"
      if row % 50 == 7 { text += "\n" }
    }
    return text + "c1,1 2 3"
  }()

  @Test("One worker and large blocks, many workers and small ones: the same samples and issues")
  func sameResult() throws {
    let size = ImageSize(width: 4, height: 4)
    let serial = try Collected(
      MemoryTree(Self.text), as: .pixelCSV,
      ImportOptions(size: size, workers: 1, blockBytes: 1 << 20))
    #expect(serial.run.outcome.accepted > 300)
    #expect(serial.issues.count > 20)
    #expect(serial.kinds.last == .truncated)
    for blockBytes in [1, 64, 100, 1000, 4096, 65_536, 1 << 20] {
      for workers in [1, 2, 5] {
        let options = ImportOptions(size: size, workers: workers, blockBytes: blockBytes)
        #expect(try Collected(MemoryTree(Self.text), as: .pixelCSV, options) == serial)
      }
    }
  }

  @Test("Packed text in small blocks gives the same as plain text in one")
  func packed() throws {
    var plain = try Collected(FileTree(fixture: "fer/fer2013.csv"), as: .fer)
    for blockBytes in [1, 64, 1 << 20] {
      let packed = try Collected(
        FileTree(fixture: "fer/members.csv.gz"), as: .fer, ImportOptions(blockBytes: blockBytes))
      plain.run.contentHash = packed.run.contentHash
      #expect(packed == plain)
    }
  }

  @Test("What the taker throws ends the import")
  func takerThrows() {
    struct Full: Error {}
    #expect(throws: Full.self) {
      _ = try FERImporter().run(
        FileTree(fixture: "fer/fer2013.csv"), ImportOptions(blockBytes: 64)
      ) { batch in
        if !batch.samples.isEmpty { throw Full() }
      }
    }
  }

  @Test("What the tree throws ends the import")
  func treeThrows() {
    #expect(throws: FailingTree.Gone.self) {
      _ = try FERImporter().run(FailingTree(), ImportOptions(blockBytes: 64)) { _ in }
    }
  }
}

/// A file that can be read up to an offset, and not beyond.
private struct FailingTree: SourceTree {
  struct Gone: Error {}

  private let inner = MemoryTree(
    "emotion,pixels\n" + String(repeating: "0,1 2 3 4\n", count: 200_000))

  var name: String { inner.name }
  var isSingleFile: Bool { true }
  func files() throws -> [SourceFile] { try inner.files() }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard offset < 1_500_000 else { throw Gone() }
    return try inner.read(path, at: offset, into: buffer)
  }
}
