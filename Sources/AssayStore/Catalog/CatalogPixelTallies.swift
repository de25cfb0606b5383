import AssayCore
import GRDB

extension Catalog {
  /// The pixel tallies of an evaluation, by sample id.
  ///
  /// - Parameter only: the only sample to read; `nil` for all.
  /// - Throws: ``StoreError/damaged(table:_:)`` for counts that the evaluation cannot have.
  package func pixelTallies(
    of evaluation: Int64, sample only: Int64? = nil
  ) throws -> [PixelTallyRecord] {
    try read("reading tallies") { database in
      let classes =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM evaluationClass WHERE evaluation = ?",
          arguments: [evaluation]) ?? 0
      let statement = try RawStatement(
        database,
        """
        SELECT sample, void, \(PixelTallyRecord.scoreColumns), confusion, boundary,
          \(PixelTallyRecord.measureColumns) FROM pixelTally
        WHERE evaluation = ?1 \(only == nil ? "" : "AND sample = ?2") ORDER BY sample
        """)
      statement.bind(evaluation, at: 1)
      if let only { statement.bind(only, at: 2) }
      var tallies: [PixelTallyRecord] = []
      while try statement.step() {
        tallies.append(try PixelTallyRecord(statement, classes: classes))
      }
      return tallies
    }
  }

  static func insert(
    _ tallies: [PixelTallyRecord], of evaluation: Int64, classes: Int, in database: Database
  ) throws {
    guard !tallies.isEmpty else { return }
    let insert = try RawStatement(
      database,
      """
      INSERT INTO pixelTally
        (evaluation, sample, void, \(PixelTallyRecord.scoreColumns), confusion, boundary,
          \(PixelTallyRecord.measureColumns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13\(
        String(repeating: ", ?", count: MaskMeasure.allCases.count)))
      """)
    insert.bind(evaluation, at: 1)
    for tally in tallies {
      guard tally.confusion.count == classes * classes, tally.boundary.count == 2 * classes,
        tally.measures.allSatisfy({ $0.key.allows($0.value) })
      else {
        throw StoreError.badTally(sample: tally.sample, classes: classes)
      }
      insert.bind(tally.sample, at: 2)
      insert.bind(Int64(tally.void), at: 3)
      for (place, score) in zip(Int32(4)..., tally.scores) { insert.bind(score, at: place) }
      let confusion = tally.confusion.map { Int64($0).littleEndian }
      let boundary = tally.boundary.map { Int64($0).littleEndian }
      try confusion.withUnsafeBytes { confusion in
        try boundary.withUnsafeBytes { boundary in
          insert.bind(noCopy: confusion, at: 12)
          insert.bind(noCopy: boundary, at: 13)
          for (place, measure) in zip(Int32(14)..., MaskMeasure.allCases) {
            insert.bind(tally.measures[measure], at: place)
          }
          try insert.run()
        }
      }
    }
  }
}

extension PixelTallyRecord {
  /// The columns of ``scores``.
  static let scoreColumns =
    "iou, dice, pixelAccuracy, boundaryIoU, precision, recall, unsureness, centreOffset"

  /// The columns of ``measures``, in the order of the cases.
  static let measureColumns = MaskMeasure.allCases.map(\.rawValue).joined(separator: ", ")

  fileprivate var scores: [Double?] {
    [iou, dice, pixelAccuracy, boundaryIoU, precision, recall, uncertainty, centerOffset]
  }

  fileprivate init(_ row: RawStatement, classes: Int) throws {
    let sample = row.integer(0)
    guard let confusion = Self.counts(row.bytes(10), count: classes * classes),
      let boundary = Self.counts(row.bytes(11), count: 2 * classes),
      let void = Self.pixels(row.integer(1))
    else {
      throw StoreError.damaged(
        table: "pixelTally",
        "the counts of sample \(sample) do not fit an evaluation of \(classes) classes")
    }
    var measures: [MaskMeasure: Double] = [:]
    for (column, measure) in zip(Int32(12)..., MaskMeasure.allCases) {
      guard let value = row.optionalReal(column) else { continue }
      guard measure.allows(value) else {
        throw StoreError.damaged(
          table: "pixelTally", "\(measure.rawValue) of sample \(sample) is \(value)")
      }
      measures[measure] = value
    }
    self.init(
      sample: sample, confusion: confusion, boundary: boundary, void: void,
      iou: row.optionalReal(2), dice: row.optionalReal(3), pixelAccuracy: row.optionalReal(4),
      boundaryIoU: row.optionalReal(5), precision: row.optionalReal(6),
      recall: row.optionalReal(7), uncertainty: row.optionalReal(8),
      centerOffset: row.optionalReal(9), measures: measures)
  }

  /// A number of pixels; `nil` if it is negative or too large for any image.
  private static func pixels(_ number: Int64) -> Int? {
    0...Int64(ImageSize.pixelLimit) ~= number ? Int(number) : nil
  }

  /// `nil` if there are not exactly `count` numbers, or one of them is not a valid number of
  /// pixels.
  private static func counts(_ bytes: UnsafeRawBufferPointer, count: Int) -> [Int]? {
    guard bytes.count == 8 * count else { return nil }
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    for index in 0..<count {
      let number = Int64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self))
      guard let pixels = pixels(number) else { return nil }
      numbers.append(pixels)
    }
    return numbers
  }
}
