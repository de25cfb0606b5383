import AssayCore

/// Merges the blocks of a CSV file in order: line and row numbers, classes, counts.
struct PixelTableMerge {
  private let table: PixelTable
  private var lines = 0
  private var places: [String: Int] = [:]
  private var names: [String] = []
  private var splits: Set<String> = []
  private var cap = IssueLimit()
  private(set) var outcome = ImportOutcome()

  /// The maximum number of discovered classes.
  static let classLimit = 10_000
  /// The maximum number of splits: each is a column of the summary, and most datasets have three.
  static let splitLimit = 1_000
  /// The maximum number of rows in a file.
  static let rowLimit = 10_000_000

  init(_ table: PixelTable) { self.table = table }

  /// The classes known before the first row.
  mutating func knownCategories() -> [Category] {
    guard case .named(let known) = table.labels else { return [] }
    names = known
    return known.enumerated().map { number, name in
      Category(name: name, sourceID: .integer(Int64(number)))
    }
  }

  /// The batch for the next block.
  ///
  /// - Throws: ``FormatError/tooManyRows(_:limit:)``, ``FormatError/tooManyClasses(_:limit:)``,
  ///   ``FormatError/tooManySplits(_:limit:)``.
  mutating func add(_ block: ParsedBlock) throws(FormatError) -> ImportedBatch {
    guard outcome.read + block.rows <= Self.rowLimit else {
      throw .tooManyRows(table.file, limit: Self.rowLimit)
    }
    var batch = ImportedBatch()
    batch.newCategories = outcome.read == 0 && names.isEmpty ? knownCategories() : []
    let categories = try introduce(block.discovered, &batch)
    splits.formUnion(block.splits.compactMap(\.self))
    guard splits.count <= Self.splitLimit else {
      throw .tooManySplits(table.file, limit: Self.splitLimit)
    }
    let valueCount = table.valueCount
    batch.samples.reserveCapacity(block.accepted.count)
    for (place, row) in block.accepted.enumerated() {
      let category = Int(row.category)
      batch.samples.append(
        ImportedSample(
          key: String(outcome.read + Int(row.number)), split: block.splits[Int(row.split)],
          size: table.size,
          category: category < 0 ? nil : (categories.isEmpty ? category : categories[category]),
          pixels: (place * valueCount)..<((place + 1) * valueCount)))
    }
    batch.pixels = block.pixels
    batch.pixelFormat = table.format
    batch.issues = issues(of: block)
    batch.read = block.rows
    batch.rejected = block.rejected
    batch.progress = block.progress
    lines += block.lines
    outcome.read += block.rows
    outcome.rejected += block.rejected
    outcome.accepted += block.accepted.count
    return batch
  }

  /// The last batch: findings about the file as a whole.
  ///
  /// - Parameters:
  ///   - damage: the problem with the compressed data.
  ///   - isChecksum: whether that is a wrong checksum after complete data.
  mutating func finish(damage: String?, isChecksum: Bool = false) -> ImportedBatch {
    var batch = ImportedBatch()
    batch.progress = 1
    batch.pixelFormat = table.format
    if outcome.read == 0, names.isEmpty { batch.newCategories = knownCategories() }
    if let damage, isChecksum {
      batch.issues.append(
        Issue(
          .badChecksum, .error, at: IssueLocation(file: table.file),
          "\(damage): the checksum does not match the rows, so any of them may be wrong; fetch or copy "
            + "the file again"))
    } else if let damage {
      batch.issues.append(
        Issue(
          .truncated, .error, at: IssueLocation(file: table.file, line: lines + 1),
          "\(damage); the rest after this line is missing; fetch or copy the file again"))
    }
    batch.issues += cap.remainder(in: table.file)
    outcome.ordinals = ordinals()
    return batch
  }

  /// The indices of a block's discovered classes among all classes.
  private mutating func introduce(
    _ discovered: [String], _ batch: inout ImportedBatch
  ) throws(FormatError) -> [Int] {
    var categories: [Int] = []
    categories.reserveCapacity(discovered.count)
    for name in discovered {
      if let place = places[name] {
        categories.append(place)
        continue
      }
      guard names.count < Self.classLimit else {
        throw .tooManyClasses(table.file, limit: Self.classLimit)
      }
      places[name] = names.count
      categories.append(names.count)
      names.append(name)
      batch.newCategories.append(
        Category(name: name, sourceID: Int64(name).map { .integer($0) } ?? .text(name)))
    }
    return categories
  }

  private mutating func issues(of block: ParsedBlock) -> [Issue] {
    var issues: [Issue] = []
    var unlisted = block.findingCounts
    for finding in block.findings {
      unlisted[finding.kind, default: 0] -= 1
      guard cap.admits(finding.kind) else { continue }
      issues.append(
        Issue(
          finding.kind, finding.severity,
          at: IssueLocation(file: table.file, line: lines + finding.line + 1),
          sampleKey: finding.row.map { String(outcome.read + $0) }, finding.message))
    }
    for (kind, count) in unlisted { cap.count(count, of: kind) }
    return issues
  }

  /// The final index of each class in order of introduction.
  private func ordinals() -> [Int] {
    guard case .discovered = table.labels else { return Array(names.indices) }
    var ordinals = Array(repeating: 0, count: names.count)
    for (ordinal, place) in ClassOrder.sorted(names).enumerated() { ordinals[place] = ordinal }
    return ordinals
  }
}
