import AssayCore
import GRDB

extension Catalog {
  /// The images, instances, crowds and sizes (by stated area) of each class in a selection.
  ///
  /// Sizes are COCO's: small below 32² pixels, medium below 96². Crowds are counted only as crowds.
  ///
  /// - Parameter coverage: whether to compute each class's mean coverage; the first time, this
  ///   measures all regions of the dataset.
  /// - Throws: ``StoreError/expression(_:)``.
  package func instanceCounts(
    in selection: Selection, where expression: String? = nil, coverage: Bool = false
  ) throws -> InstanceCounts {
    try asking("counting instances") { database in
      let query = try SampleQuery(
        selection, where: expression, truth: truth, in: database)
      let labels = try AnnotationSet(of: selection.dataset.id, in: database)
      let ids = try query.ids(in: database)
      var counts = InstanceCounts(
        categories: labels.categories.indices.map { CategoryInstances(category: $0) },
        images: ids.count, imagesWithout: 0)
      let withRegions = try InstanceScan(labels, truth, in: database).count(ids, into: &counts)
      counts.imagesWithout = ids.count - withRegions
      if coverage {
        for (place, mean) in try query.meanCoverages(of: Set(ids), in: database).enumerated() {
          counts.categories[place].meanCoverage = mean
        }
      }
      return counts
    }
  }

  /// The region counts of samples by class, in the order of `ids`; classes that a sample does not
  /// have are omitted, the others are in the taxonomy's order. Labels of the whole image are not
  /// counted.
  package func regionCounts(of ids: [Int64]) throws -> [[RegionCount]] {
    try read("counting regions") { database in
      let scan = try TruthScan(
        database, truth, columns: "c.ordinal, a.isCrowd",
        joins: "CROSS JOIN category c ON c.id = a.category",
        where: "a.shape NOT IN ('label', 'tag') AND c.ordinal IS NOT NULL")
      let classCount = try ids.first.map {
        try AnnotationSet.classCount(forSample: $0, in: database)
      }
      return try ids.map { id in
        try scan.begin(id, id)
        var counts: [Int: RegionCount] = [:]
        while let row = try scan.next() {
          let category = try AnnotationSet.checked(
            ordinal: row.integer(1), of: id, classCount: classCount ?? 0)
          let isCrowd = row.integer(2) != 0
          counts[category, default: RegionCount(category: category, instances: 0, crowds: 0)]
            .add(isCrowd: isCrowd)
        }
        return counts.values.sorted { $0.category < $1.category }
      }
    }
  }
}

extension RegionCount {
  fileprivate mutating func add(isCrowd: Bool) {
    if isCrowd { crowds += 1 } else { instances += 1 }
  }
}

/// One walk over the annotations of a set, in the order of the samples.
private struct InstanceScan {
  private let labels: AnnotationSet
  private let scan: TruthScan

  init(_ labels: AnnotationSet, _ truth: TruthSource, in database: Database) throws {
    self.labels = labels
    scan = try TruthScan(
      database, truth, columns: "a.category, a.isCrowd, a.area",
      where: "a.annotationSet = ?3 AND a.shape NOT IN ('label', 'tag')")
    scan.bind(labels.annotationSet, at: 3)
  }

  /// Counts the annotations of samples in ascending order.
  ///
  /// - Returns: the number of samples that have any.
  func count(_ ids: [Int64], into counts: inout InstanceCounts) throws -> Int {
    let ordinals = labels.ordinals
    var withRegions = 0
    var lastSample = Array(repeating: Int64(-1), count: counts.categories.count)
    for stretch in RowIDRanges.all(of: ids) {
      try scan.begin(ids[stretch.lowerBound], ids[stretch.upperBound - 1])
      var index = stretch.lowerBound
      var last: Int64?
      while let row = try scan.next() {
        let sample = row.integer(0)
        while index < stretch.upperBound - 1, ids[index] < sample { index += 1 }
        guard ids[index] == sample, let ordinal = ordinals[row.integer(1)] else { continue }
        if last != sample { withRegions += 1 }
        last = sample
        if lastSample[ordinal] != sample { counts.categories[ordinal].images += 1 }
        lastSample[ordinal] = sample
        counts.categories[ordinal].add(isCrowd: row.integer(2) != 0, area: row.optionalReal(3))
      }
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
  /// The mean coverage of each class over the samples that have it.
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
      FROM \(scope.truth.sampleCategory) k JOIN sample x ON x.id = k.sample
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
