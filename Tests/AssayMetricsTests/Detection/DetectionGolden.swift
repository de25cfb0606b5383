import AssayMetrics
import Foundation

/// The values of pycocotools, written by `Tests/Fixtures/metrics/make_detection_goldens.py`.
struct DetectionGolden: Decodable {
  struct Kind: Decodable {
    var example: Example
    var arrays: [Arrays]
    /// One digest per seed.
    var digests: [String]
    /// One list of classes per seed, for some of them.
    var voc_ap: [[Double]]
  }

  struct Example: Decodable {
    var stats: [String]
    var per_category_ap: [String]
    var voc_ap: [Double]
  }

  struct Arrays: Decodable {
    var precision: String
    var recall: String
    var scores: String
  }

  var tool: String
  var bbox: Kind
  var segm: Kind

  subscript(kind: OverlapKind) -> Kind { kind == .box ? bbox : segm }

  static func load() throws -> DetectionGolden {
    try Goldens.load("detection", as: DetectionGolden.self)
  }

  /// The bits in hexadecimal; −1 if undefined.
  static func hex(_ value: Double?) -> String {
    let bits = String((value ?? -1).bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - bits.count) + bits
  }

  /// FNV-1a over the bits, least significant byte first; −1 if undefined.
  static func digest(_ values: some Sequence<Double?>) -> String {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in values {
      let bits = (value ?? -1).bitPattern
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        digest = (digest ^ (bits >> shift & 0xFF)) &* 0x100_0000_01B3
      }
    }
    let hex = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - hex.count) + hex
  }
}

extension DetectionScores {
  /// The standard 12 COCO metrics.
  var twelve: [Double?] { stats.map { self[$0].value } }
  var classAPs: [Double?] { perClass(.perCategoryAP).map(\.value) }
}

extension RandomCOCO {
  func tally(workers: Int = 1) throws -> DetectionTally {
    let images = images
    return try DetectionTally.matching(
      classCount: classCount, images: images.count, DetectionSettings(overlap: kind),
      workers: workers
    ) { images[$0] }
  }
}
