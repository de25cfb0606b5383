import AssayCore
import Foundation

/// Times a replay of corrections, best of five runs each, in processor time, because wall time
/// depends on other work on the machine.
struct ReplayMeasurement {
  private static let hash = String(repeating: "a", count: 64)
  private static let size = ImageSize(width: 4_000, height: 3_000)

  func lines() throws -> [String] { try strokes() + largeMask() }

  /// A thousand strokes on one image: all replayed, and one undone.
  private func strokes() throws -> [String] {
    var random = SplitMix64(seed: 1)
    let objects = (0..<20).map { number in
      AnnotatedObject(
        target: .annotation(set: "labels", sourceID: .integer(number), occurrence: 0),
        category: "person", mask: Self.blob(150...500, &random), sourceID: .integer(number))
    }
    let imported = ImportedTruth(objects: objects, size: Self.size)
    var replay = CorrectionReplay(imported, contentHash: Self.hash)
    var entries: [LedgerEntry] = []
    var region = replay.region(of: "person", after: nil) ?? Mask(emptyOf: Self.size)
    for stroke in 0..<1_000 {
      let blob = Self.blob(10...60, &random)
      let next = stroke % 3 == 0 ? region.subtracting(blob) : region.union(blob)
      entries.append(
        Self.entry(
          entries.count + 1, .region(set: "labels", category: "person"), "mask",
          Self.delta(region, next)))
      replay.append(entries[stroke])
      region = next
    }
    var isRight = true
    let whole = Self.cost {
      let truth = CorrectionReplay.replay(imported, entries, contentHash: Self.hash, upTo: 1_000)
      isRight = isRight && truth.region(of: "person") == region
    }
    _ = replay.truth()
    let undo = Self.entry(
      1_001, .sample, "undo", [.init("entry", .string(Self.uuid(990)))])
    let back = Self.cost {
      var copy = replay
      copy.append(undo)
      _ = copy.truth()
    }
    return [
      "1,000 strokes on 4,000 × 3,000 pixels, replayed: \(whole)\(isRight ? "" : ", WRONG")",
      "undo of one of them, and the truth:              \(back)",
    ]
  }

  /// A mask of 100 KB as an entry.
  private func largeMask() throws -> [String] {
    var random = SplitMix64(seed: 2)
    // Connected columns, each of ten runs: a ragged shape with holes.
    var runs: [UInt32] = []
    var place = 0
    for x in 0..<2_600 {
      for stretch in 0..<10 {
        let start = x * 3_000 + stretch * 280 + Int.random(in: 0..<40, using: &random)
        runs.append(UInt32(start - place))
        let length = Int.random(in: 120..<200, using: &random)
        runs.append(UInt32(length))
        place = start + length
      }
    }
    runs.append(UInt32(Self.size.area - place))
    let mask = try Mask(size: Self.size, runs: runs)
    let delta = Self.delta(Mask(emptyOf: Self.size), mask)
    let entry = Self.entry(1, .region(set: "labels", category: "person"), "mask", delta)
    let imported = ImportedTruth(size: Self.size)
    let taking = Self.cost {
      var replay = CorrectionReplay(imported, contentHash: Self.hash)
      replay.append(entry)
    }
    let reading = Self.cost { _ = try? JSONValue(parsing: entry.payload) }
    return [
      "a mask of \(entry.payload.utf8.count) bytes taken in:               \(taking)",
      "its JSON read:                                   \(reading)",
    ]
  }

  /// A ragged disk at a random position in the image.
  private static func blob(_ radius: ClosedRange<Double>, _ random: inout SplitMix64) -> Mask {
    let x = Double.random(in: 300...3_700, using: &random)
    let y = Double.random(in: 300...2_700, using: &random)
    let r = Double.random(in: radius, using: &random)
    let points = (0..<60).flatMap { step -> [Double] in
      let angle = Double(step) / 60 * 2 * Double.pi
      let reach = r * Double.random(in: 0.8...1.1, using: &random)
      return [x + reach * cos(angle), y + reach * sin(angle)]
    }
    return Mask(polygons: [points], size: size)
  }

  private static func uuid(_ number: Int) -> String {
    String(format: "00000000-0000-4000-8000-%012ld", number)
  }

  private static func entry(
    _ sequence: Int, _ target: CorrectionTarget, _ kind: String, _ members: [JSONValue.Member]
  ) -> LedgerEntry {
    LedgerEntry(
      sequence: Int64(sequence), uuid: uuid(sequence), format: 1,
      sample: SampleIdentity(dataset: "d", key: "k", contentHash: hash), target: target.text,
      kind: kind, visit: "v1", parent: sequence == 1 ? nil : Int64(sequence - 1),
      payload: JSONValue.object(members + [.init("author", "bench")]).canonicalText,
      previousHash: [], hash: [])
  }

  private static func delta(_ before: Mask, _ after: Mask) -> [JSONValue.Member] {
    [.init("size", [JSONValue(after.size.height), JSONValue(after.size.width)])]
      + [("added", after.subtracting(before)), ("removed", before.subtracting(after))]
      .filter { !$0.1.isEmpty }.map {
        .init($0.0, .string(String(decoding: $0.1.compressed, as: UTF8.self)))
      }
  }

  private static func cost(_ work: () -> Void) -> String {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    var best = Double.infinity
    for _ in 0..<5 {
      let start = now()
      work()
      best = min(best, now() - start)
    }
    return String(format: "%.2f ms", best)
  }
}
