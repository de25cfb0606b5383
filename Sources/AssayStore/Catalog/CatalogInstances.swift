import AssayCore
import GRDB

extension Catalog {
  /// What a selection has of each class: images, instances, crowds, and sizes by the stated area.
  ///
  /// Sizes are COCO's: small below 32² pixels, medium below 96². Crowds are counted as such only.
  ///
  /// - Parameter coverage: whether each class's mean coverage is wanted; the first time, all regions of the
  ///   dataset are measured for it.
  /// - Throws: ``StoreError/expression(_:)``.
  package func instanceCounts(
    in selection: Selection, where expression: String? = nil, coverage: Bool = false
  ) throws -> InstanceCounts {
    try asking("counting instances") { database in
      let query = try SampleQuery(selection, where: expression, in: database)
      let labels = try LabelSet(of: selection.dataset.id, in: database)
      let ids = try query.ids(in: database)
      var counts = InstanceCounts(
        categories: labels.categories.indices.map { CategoryInstances(category: $0) },
        images: ids.count, imagesWithout: 0)
      let withRegions = try InstanceScan(labels, in: database).count(ids, into: &counts)
      counts.imagesWithout = ids.count - withRegions
      if coverage {
        for (place, mean) in try query.meanCoverages(of: Set(ids), in: database).enumerated() {
          counts.categories[place].meanCoverage = mean
        }
      }
      return counts
    }
  }

  /// What samples have of each class, in the order of `ids`; classes that a sample does not have are left
  /// out, the others in the taxonomy's order. Labels of the whole image are not counted.
  package func regionCounts(of ids: [Int64]) throws -> [[RegionCount]] {
    try read("counting regions") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT c.ordinal, sum(a.isCrowd = 0), sum(a.isCrowd) FROM annotation a
        CROSS JOIN category c ON c.id = a.category
        WHERE a.sample = ?1 AND a.shape <> 'label' AND c.ordinal IS NOT NULL
        GROUP BY 1 ORDER BY 1
        """)
      return try ids.map { id in
        statement.bind(id, at: 1)
        defer { statement.reset() }
        var counts: [RegionCount] = []
        while try statement.step() {
          counts.append(
            RegionCount(
              category: Int(statement.integer(0)), instances: Int(statement.integer(1)),
              crowds: Int(statement.integer(2))))
        }
        return counts
      }
    }
  }
}

/// One walk over the annotations of a set, in the order of the samples.
private struct InstanceScan {
  private let labels: LabelSet
  private let scan: RawStatement

  init(_ labels: LabelSet, in database: Database) throws {
    self.labels = labels
    scan = try RawStatement(
      database,
      """
      SELECT sample, category, isCrowd, area FROM annotation
      WHERE sample BETWEEN ?1 AND ?2 AND annotationSet = ?3 AND shape <> 'label' ORDER BY sample
      """)
    scan.bind(labels.annotationSet, at: 3)
  }

  /// Counts the annotations of samples in ascending order.
  ///
  /// - Returns: how many of the samples have any.
  func count(_ ids: [Int64], into counts: inout InstanceCounts) throws -> Int {
    let ordinals = labels.ordinals
    var withRegions = 0
    var lastSample = Array(repeating: Int64(-1), count: counts.categories.count)
    for stretch in Stretch.all(of: ids) {
      scan.bind(ids[stretch.lowerBound], at: 1)
      scan.bind(ids[stretch.upperBound - 1], at: 2)
      var index = stretch.lowerBound
      var last: Int64?
      while try scan.step() {
        let sample = scan.integer(0)
        while index < stretch.upperBound - 1, ids[index] < sample { index += 1 }
        guard ids[index] == sample, let ordinal = ordinals[scan.integer(1)] else { continue }
        if last != sample { withRegions += 1 }
        last = sample
        if lastSample[ordinal] != sample { counts.categories[ordinal].images += 1 }
        lastSample[ordinal] = sample
        counts.categories[ordinal].add(isCrowd: scan.integer(2) != 0, area: scan.optionalReal(3))
      }
      scan.reset()
    }
    return withRegions
  }
}

extension CategoryInstances {
  fileprivate mutating func add(isCrowd: Bool, area: Double?) {
    guard !isCrowd else {
      crowds += 1
      return
    }
    instances += 1
    switch area {
    case nil: withoutArea += 1
    case let area? where area < 32 * 32: small += 1
    case let area? where area < 96 * 96: medium += 1
    default: large += 1
    }
  }
}

extension SampleQuery {
  /// The mean of each class's coverage over those of the samples that have it.
  ///
  /// - Throws: ``MissingUnions``.
  fileprivate func meanCoverages(
    of samples: Set<Int64>, in database: Database
  ) throws -> [Double?] {
    for (id, _) in scope.labels.categories { scope.unions.want(id) }
    try scope.checkUnions()
    let statement = try RawStatement(
      database,
      """
      SELECT k.sample, \(ViewCompiler.coverage(scope.unions.area, of: "x"))
      FROM sampleCategory k JOIN sample x ON x.id = k.sample
      WHERE k.annotationSet = ?1 AND k.category = ?2 AND x.retired = 0
      """)
    statement.bind(scope.labels.annotationSet, at: 1)
    return try scope.labels.categories.map { id, _ in
      statement.bind(id, at: 2)
      defer { statement.reset() }
      var sum = 0.0
      var count = 0
      while try statement.step() {
        guard samples.contains(statement.integer(0)), let coverage = statement.optionalReal(1)
        else { continue }
        sum += coverage
        count += 1
      }
      return count == 0 ? nil : sum / Double(count)
    }
  }
}
