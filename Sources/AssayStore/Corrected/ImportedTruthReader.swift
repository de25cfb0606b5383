package import AssayCore
import GRDB

extension Catalog {
  /// The imported ground truth of samples, whichever ground truth this catalog reads: the start of
  /// a replay; in the order of `ids`.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)`` for a region with missing geometry, and for a
  ///   missing sample.
  package func importedTruths(of ids: [Int64]) throws -> [ImportedTruth] {
    try withReader("reading annotations") { database in
      let reader = try ImportedTruthReader(database)
      return try ids.map { try reader.sample($0).truth }
    }
  }
}

/// The imported ground truth of a sample, with its row ids.
struct ImportedSampleTruth: Sendable {
  var sample: Int64
  var dataset: Int64
  var truth: ImportedTruth
  /// The row id of the label's class.
  var label: Int64?
  /// The ordinal of each object, and the row id of its geometry.
  var rows: [(ordinal: Int, geometry: Int64?)]
}

/// Reads imported ground truth on one connection.
final class ImportedTruthReader {
  private let database: Database
  private let find: RawStatement
  private let label: RawStatement
  private let labels: RawStatement
  private let scan: TruthScan
  /// The names of the classes that are in use, by row id.
  private var names: [Int64: String] = [:]
  /// The flags of the datasets seen so far, by row id.
  private var known: [Int64: Facts] = [:]

  private struct Facts {
    var isMultiLabel: Bool
    var isLabelMap: Bool
    var includes: IncludedCorrections?
  }

  init(_ database: Database) throws {
    self.database = database
    find = try RawStatement(database, "SELECT dataset, width, height FROM sample WHERE id = ?1")
    label = try RawStatement(
      database,
      """
      SELECT a.category FROM main.annotation a JOIN annotationSet t ON t.id = a.annotationSet
      WHERE a.sample = ?1 AND t.dataset = ?2 AND t.name = '\(AnnotationSet.name)' AND a.ordinal = 0
        AND a.shape = 'label'
      """)
    labels = try RawStatement(
      database,
      """
      SELECT a.category FROM main.annotation a
      WHERE a.sample = ?1 AND a.ordinal > 0 AND a.shape = 'label' ORDER BY a.ordinal
      """)
    scan = try TruthScan(
      database, .imported,
      columns: """
        a.category, a.ordinal, a.shape, a.isCrowd, a.area, a.x, a.y, a.width, a.height, a.sourceId,
          a.attributes
        """, geometry: true, where: ShapeKind.isObjectSQL("a"))
  }

  func sample(_ id: Int64) throws -> ImportedSampleTruth {
    guard let sample = try sampleIfThere(id) else {
      throw StoreError.damaged(table: "sample", "there is no sample \(id)")
    }
    return sample
  }

  /// - Returns: `nil` for a sample that no longer exists: another process may remove a dataset.
  func sampleIfThere(_ id: Int64) throws -> ImportedSampleTruth? {
    find.bind(id, at: 1)
    defer { find.reset() }
    guard try find.step() else { return nil }
    let dataset = find.integer(0)
    let flags: Facts
    if let found = known[dataset] {
      flags = found
    } else {
      let set = try AnnotationSet(of: dataset, in: database)
      for (id, category) in set.categories { names[id] = category.name }
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT d.format, i.options FROM main.dataset d
          LEFT JOIN main.import i ON i.dataset = d.id AND i.version = d.version WHERE d.id = ?
          """, arguments: [dataset])
      let (format, options): (String?, String?) = (row?["format"], row?["options"])
      flags = Facts(
        isMultiLabel: set.isMultiLabel,
        isLabelMap: format.flatMap(DatasetFormat.init(rawValue:))?.isLabelMap ?? false,
        includes: options.flatMap(IncludedCorrections.init(importOptions:)))
      known[dataset] = flags
    }
    var size: ImageSize?
    if let width = find.optionalInteger(1), let height = find.optionalInteger(2) {
      size = ImageSize.checked(width: Int(width), height: Int(height))
    }
    var sample = ImportedSampleTruth(
      sample: id, dataset: dataset,
      truth: ImportedTruth(
        set: AnnotationSet.name, size: size, isLabelMap: flags.isLabelMap),
      label: nil, rows: [])
    sample.truth.includes = flags.includes
    label.bind(id, at: 1)
    label.bind(dataset, at: 2)
    defer { label.reset() }
    if try label.step() {
      sample.label = label.integer(0)
      sample.truth.label = names[label.integer(0)]
    }
    if flags.isMultiLabel {
      labels.bind(id, at: 1)
      defer { labels.reset() }
      var found: Set<String> = []
      while try labels.step() {
        if let name = names[labels.integer(0)] { found.insert(name) }
      }
      sample.truth.labels = found
    }
    var occurrences: [SourceID?: Int] = [:]
    try scan.begin(id, id)
    while let row = try scan.next() {
      // Classes that the dataset no longer has are not shown anywhere.
      guard let category = names[row.integer(1)] else { continue }
      guard let shape = ShapeKind(stored: row.textBytes(3)) else {
        throw StoreError.unknownValue(table: "annotation", column: "shape", value: row.text(3))
      }
      guard row.isNull(12) || !row.isNull(13) else {
        throw StoreError.damaged(
          table: "geometry", "a region of sample \(id) has no geometry")
      }
      let sourceID = row.sourceID(10)
      let occurrence = occurrences[sourceID, default: 0]
      occurrences[sourceID] = occurrence + 1
      sample.truth.objects.append(
        AnnotatedObject(
          target: .annotation(
            set: AnnotationSet.name, sourceID: sourceID, occurrence: occurrence),
          category: category, shape: shape == .label ? .tag : shape, isCrowd: row.integer(4) != 0,
          area: row.optionalReal(5), box: Box(row, from: 6), sourceID: sourceID,
          attributes: row.optionalText(11),
          geometry: row.isNull(13) ? nil : Array(row.bytes(13))))
      sample.rows.append((Int(row.integer(2)), row.optionalInteger(12)))
    }
    return sample
  }
}
