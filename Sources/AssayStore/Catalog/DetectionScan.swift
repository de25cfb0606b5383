import AssayCore
import GRDB

/// Reads the detections of a run's samples, sample by sample.
struct DetectionScan {
  private let scan: RawStatement
  /// The number of the run's classes.
  private let classes: Int

  init(
    of run: Int64, scores: Bool, counts: Bool, keypoints: Bool, attributes: Bool,
    in database: Database
  ) throws {
    classes =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM runClass WHERE run = ?", arguments: [run]) ?? 0
    scan = try RawStatement(
      database,
      """
      SELECT class, confidence, x, y, width, height, area, \(counts ? "counts" : "NULL"),
        \(scores ? "scores" : "NULL"), \(keypoints ? "keypoints" : "NULL"),
        \(attributes ? "attributes" : "NULL")
      FROM detection WHERE run = ?1 AND sample = ?2 ORDER BY ordinal
      """)
    scan.bind(run, at: 1)
  }

  func detections(_ sample: Int64) throws -> [Detection] {
    scan.bind(sample, at: 2)
    defer { scan.reset() }
    var detections: [Detection] = []
    while try scan.step() {
      guard let detection = Detection(scan, classes: classes) else {
        throw StoreError.damaged(
          table: "detection",
          "a detection of sample \(sample) does not fit a run of \(classes) classes")
      }
      detections.append(detection)
    }
    return detections
  }
}

extension Detection {
  /// The part of the row that does not fit a run with this many classes; `nil` if there is none.
  func fault(classes: Int) -> String? {
    guard (0..<classes).contains(self.class),
      scores.allSatisfy({ (0..<classes).contains($0.class) })
    else { return "a class that the run does not have" }
    let numbers = [confidence, box.x, box.y, box.width, box.height, area ?? 0]
    guard numbers.allSatisfy(\.isFinite), scores.allSatisfy(\.score.isFinite) else {
      return "a number that is not finite"
    }
    guard keypoints.count.isMultiple(of: 3), keypoints.count <= 3 * Detection.keypointLimit else {
      return "keypoints that are not three numbers each, at most \(Detection.keypointLimit) points"
    }
    guard keypoints.allSatisfy(\.isFinite) else { return "a keypoint that is not finite" }
    if let attributes {
      guard attributes.utf8.count <= Detection.attributeLimit else {
        return "attributes of more than \(Detection.attributeLimit) bytes"
      }
      guard (try? JSONValue(parsing: attributes))?.members != nil else {
        return "attributes that are no JSON object"
      }
    }
    return nil
  }

  /// Reads the columns of ``DetectionScan``; `nil` if they do not fit this many classes.
  fileprivate init?(_ row: RawStatement, classes: Int) {
    let blob = row.bytes(8)
    let points = row.bytes(9)
    guard blob.count.isMultiple(of: ClassScore.storedSize), points.count.isMultiple(of: 8),
      let number = Int(exactly: row.integer(0))
    else { return nil }
    self.init(
      class: number, confidence: row.real(1),
      box: Box(x: row.real(2), y: row.real(3), width: row.real(4), height: row.real(5)),
      counts: row.isNull(7) ? nil : Array(row.bytes(7)), area: row.optionalReal(6),
      scores: stride(from: 0, to: blob.count, by: ClassScore.storedSize).map {
        ClassScore(blob, at: $0)
      },
      keypoints: stride(from: 0, to: points.count, by: 8).map {
        Double(
          bitPattern: UInt64(
            littleEndian: points.loadUnaligned(fromByteOffset: $0, as: UInt64.self)))
      }, attributes: row.isNull(10) ? nil : row.text(10))
    guard fault(classes: classes) == nil else { return nil }
  }
}

extension Detection.ClassScore {
  /// The size of one value in the catalog, in bytes.
  fileprivate static let storedSize = 8

  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: self.class).littleEndian) { bytes += $0 }
    withUnsafeBytes(of: score.bitPattern.littleEndian) { bytes += $0 }
  }

  fileprivate init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func word(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    self.init(class: Int(word(offset)), score: Float(bitPattern: word(offset + 4)))
  }
}
