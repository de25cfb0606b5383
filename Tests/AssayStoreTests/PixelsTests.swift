import AssayCore
import Dispatch
import Synchronization
import Testing

import AssayStore

@Suite("Embedded pixels")
struct PixelsTests {
  /// Forty samples; the bytes of sample i are i and i + 1; every seventh has none.
  private static let faces: [FaceSample] = (0..<40).map { (index: Int) -> FaceSample in
    let pixels: [UInt8]? = index % 7 == 6 ? nil : [UInt8(index), UInt8(index + 1)]
    return FaceSample(key: String(index), split: "train", label: "happy", pixels: pixels)
  }

  @Test(
    "They come in the order that was asked for, without samples that have none",
    arguments: [
      [1, 2, 3], [3, 2, 1], [1, 1, 2], [1, 40, 2, 39], [7], [6, 7, 8], [99, 5, 98], [],
      Array(1...40), Array((1...40).reversed()),
    ] as [[Int64]])
  func order(ids: [Int64]) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(Self.faces)
    var seen: [(index: Int, bytes: [UInt8])] = []
    try house.catalog.forEachPixels(of: ids) { index, format, size, bytes in
      #expect(format == .gray8)
      #expect(size == ImageSize(width: 2, height: 1))
      seen.append((index, Array(bytes)))
    }
    let expected = ids.indices.filter { ids[$0] <= 40 && ids[$0] % 7 != 0 }
    #expect(seen.map(\.index) == expected)
    #expect(seen.map(\.bytes) == expected.map { [UInt8(ids[$0] - 1), UInt8(ids[$0])] })
  }

  @Test("Several threads read at once")
  func threads() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(Self.faces)
    let catalog = house.catalog
    let counts = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      var count = 0
      try? catalog.forEachPixels(of: Array(1...40)) { _, _, _, _ in count += 1 }
      counts.withLock { $0.append(count) }
    }
    // 40 samples; ids 7, 14, 21, 28 and 35 have none.
    #expect(counts.withLock { $0 } == Array(repeating: 35, count: 8))
  }

  @Test("Whoever gets pixels may use the catalog, and may stop")
  func reentrant() throws {
    struct Enough: Error {}
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(Self.faces)
    var keys: [String] = []
    #expect(throws: Enough.self) {
      try house.catalog.forEachPixels(of: [1, 2, 3]) { index, _, _, _ in
        keys += try house.catalog.samples(ids: [Int64(index + 1)]).map(\.key)
        if index == 1 { throw Enough() }
      }
    }
    #expect(keys == ["0", "1"])
  }

  @Test("Color keeps its three bytes a pixel")
  func color() throws {
    let house = try TemporaryCatalog()
    let draft = ImportDraft(name: "d", format: .pixelCSV, root: "/d", isSingleFile: true)
    _ = try house.catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.pixelFormat = .rgb8
      batch.pixels = [1, 2, 3]
      batch.samples = [
        ImportedSample(key: "0", size: ImageSize(width: 1, height: 1), pixels: 0..<3)
      ]
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (1, 1)
      return (outcome, nil)
    }
    try house.catalog.forEachPixels(of: [1]) { _, format, _, bytes in
      #expect(format == .rgb8)
      #expect(Array(bytes) == [1, 2, 3])
    }
  }
}
