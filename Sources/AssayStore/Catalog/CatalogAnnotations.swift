import AssayCore
import GRDB

extension Catalog {
  /// Passes the regions of samples to `body`, in the order of `ids`: once per id, with an empty
  /// list if the sample has none. Whole-image labels are not included.
  ///
  /// Several threads can do this concurrently; each reads on its own connection. Fastest for ids in
  /// ascending order.
  ///
  /// - Parameters:
  ///   - categories: ordinals of the requested classes; `nil` for all. Regions of classes that the
  ///     dataset no longer has are omitted.
  ///   - geometry: whether to read the packed geometry, which takes most of the time.
  ///   - regionsOnly: whether lines and points are omitted, which cover no pixels.
  ///   - body: receives the sample's index in `ids`, and its regions in source order.
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a shape from a later version,
  ///   ``StoreError/damaged(table:_:)`` for a region with missing geometry or with a class that the
  ///   dataset does not have; any error that `body` throws.
  package func forEachAnnotations(
    of ids: [Int64], categories: Set<Int>? = nil, geometry: Bool = true, regionsOnly: Bool = true,
    _ body: (_ index: Int, _ annotations: [AnnotationRecord]) throws -> Void
  ) throws {
    try withReader("reading annotations") { database in
      try AnnotationRecord.scan(
        ids, categories: categories, geometry: geometry, regionsOnly: regionsOnly, truth,
        in: database, body)
    }
  }
}

extension AnnotationRecord {
  /// Passes the regions of samples to `body`; see
  /// ``Catalog/forEachAnnotations(of:categories:geometry:regionsOnly:_:)``.
  static func scan(
    _ ids: [Int64], categories: Set<Int>? = nil, geometry: Bool = true, regionsOnly: Bool = true,
    _ truth: TruthSource, in database: Database,
    _ body: (_ index: Int, _ annotations: [AnnotationRecord]) throws -> Void
  ) throws {
    // A CROSS JOIN keeps SQLite from starting with the classes.
    let scan = try TruthScan(
      database, truth,
      columns: """
        a.ordinal, c.ordinal, a.shape, a.isCrowd, a.area, a.x, a.y, a.width, a.height, a.sourceId,
          a.attributes
        """, geometry: geometry, joins: "CROSS JOIN category c ON c.id = a.category",
      where:
        "\(regionsOnly ? "a.shape \(ShapeKind.isRegionSQL)" : ShapeKind.isObjectSQL("a"))"
        + " AND c.ordinal IS NOT NULL"
    )
    // All samples of one call belong to one dataset.
    let classCount = try ids.first.map {
      try AnnotationSet.classCount(forSample: $0, in: database)
    }
    for stretch in RowIDRanges.all(of: ids) {
      try scan.begin(ids[stretch.lowerBound], ids[stretch.upperBound - 1])
      var index = stretch.lowerBound
      var annotations: [AnnotationRecord] = []
      while let row = try scan.next() {
        let sample = row.integer(0)
        while index < stretch.upperBound, ids[index] < sample {
          try body(index, annotations)
          annotations.removeAll(keepingCapacity: true)
          index += 1
        }
        guard index < stretch.upperBound, ids[index] == sample else { continue }
        let category = try AnnotationSet.checked(
          ordinal: row.integer(2), of: sample, classCount: classCount ?? 0)
        guard categories?.contains(category) ?? true else { continue }
        var annotation = try AnnotationRecord(row, category: category, hasBytes: geometry)
        if annotation.shape == .label { annotation.shape = .tag }
        annotations.append(annotation)
      }
      while index < stretch.upperBound {
        try body(index, annotations)
        annotations.removeAll(keepingCapacity: true)
        index += 1
      }
    }
  }
}

extension AnnotationRecord {
  /// Reads the columns of ``Catalog/forEachAnnotations(of:categories:geometry:_:)``.
  init(_ row: RawStatement, category: Int, hasBytes: Bool, bytesAt column: Int32 = 12) throws {
    let sample = row.integer(0)
    guard let shape = ShapeKind(stored: row.textBytes(3)) else {
      throw StoreError.unknownValue(table: "annotation", column: "shape", value: row.text(3))
    }
    var bytes: [UInt8]?
    if hasBytes, !row.isNull(column) {
      guard !row.isNull(column + 1) else {
        throw StoreError.damaged(
          table: "geometry", "a region of sample \(sample) has no geometry")
      }
      bytes = Array(row.bytes(column + 1))
    }
    self.init(
      ordinal: Int(row.integer(1)), category: category, shape: shape,
      isCrowd: row.integer(4) != 0, area: row.optionalReal(5), box: Box(row, from: 6),
      sourceID: row.sourceID(10), attributes: row.optionalText(11), geometry: bytes)
  }
}

extension Box {
  /// x, y, width and height in four columns; `nil` if one of them is NULL.
  init?(_ row: RawStatement, from column: Int32) {
    guard let x = row.optionalReal(column), let y = row.optionalReal(column + 1),
      let width = row.optionalReal(column + 2), let height = row.optionalReal(column + 3)
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension ShapeKind {
  /// The SQL condition on a column `shape` for shapes that cover pixels: `IN ('box', …)`.
  static let isRegionSQL =
    "IN (\(allCases.filter(\.isRegion).map { "'\($0.rawValue)'" }.joined(separator: ", ")))"

  /// The SQL condition that a row of `annotation` is the only label of its image with fields, which is an
  /// annotation of the source: readers of annotations get it as a ``tag``, beside the label.
  ///
  /// - Parameter row: the name of the row.
  static func isLabelWithFieldsSQL(_ row: String) -> String {
    "(\(row).shape = 'label' AND \(row).ordinal = 0 "
      + "AND (\(row).attributes IS NOT NULL OR \(row).sourceId IS NOT NULL))"
  }

  /// The SQL condition that a row of `annotation` is more than a label without fields.
  static func isObjectSQL(_ row: String) -> String {
    "(\(row).shape <> 'label' OR \(isLabelWithFieldsSQL(row)))"
  }

  /// The SQL condition that a row of `annotation` is one of several labels of its image, one beside
  /// regions, or one with fields.
  static func isOneOfLabelsSQL(_ row: String) -> String {
    "(\(row).shape = 'tag' OR \(row).shape = 'label' AND \(row).ordinal > 0 "
      + "OR \(isLabelWithFieldsSQL(row)))"
  }

  /// Parses a stored shape without creating a `String`.
  init?(stored bytes: UnsafeBufferPointer<UInt8>) {
    let found = Self.allCases.first { bytes.elementsEqual($0.rawValue.utf8) }
    guard let found else { return nil }
    self = found
  }
}
