import AssayCore
import AssayStore

/// Counts the fields of a dataset's samples.
struct FacetCounter {
  /// Reads the ground truth that is counted, that of the table.
  let catalog: Catalog
  /// Runs over the dataset.
  let runs: [RunRecord]

  /// - Parameters:
  ///   - places: the samples that are counted, as places in the table.
  ///   - only: the field that is counted, of those of which samples have one value; `nil` for all.
  /// - Throws: `StoreError`.
  func facets(
    _ table: inout BrowseTable, _ places: [Int], only field: String? = nil
  ) throws -> [SampleFacet] {
    let facets = try field.map { try single($0, &table, places) } ?? all(&table, places)
    return facets.compactMap(\.self)
  }

  /// The facets of fields of which a sample has one value, that have this field's name.
  private func single(
    _ field: String, _ table: inout BrowseTable, _ places: [Int]
  ) throws -> [SampleFacet?] {
    var facets: [SampleFacet?] = []
    if field == "label" {
      facets = try classes(&table, places)
    } else if field == "split" {
      facets = [splits(table, places)]
    } else if field.hasPrefix("part(") {
      for partition in try catalog.partitions(of: table.dataset.id) {
        facets.append(try part(partition, &table, places))
      }
    } else if let run = runs.first(where: { field.hasPrefix(prefix(of: $0)) }) {
      facets = try self.run(run, &table, places)
    } else {
      for column in try table.fields(in: catalog) { facets += custom(column, table, places) }
    }
    return facets.filter { $0?.field == field && $0?.selection != .all }
  }

  private func all(_ table: inout BrowseTable, _ places: [Int]) throws -> [SampleFacet?] {
    var facets: [SampleFacet?] = []
    facets += try classes(&table, places)
    facets.append(splits(table, places))
    for partition in try catalog.partitions(of: table.dataset.id) {
      facets.append(try part(partition, &table, places))
    }
    facets.append(try tags(&table, places))
    facets.append(try issues(&table, places))
    for column in try table.fields(in: catalog) { facets += custom(column, table, places) }
    facets.append(try marks(&table, places))
    let sizes = [("width", "Width"), ("height", "Height"), ("aspect", "Aspect (width / height)")]
    let hasObjects = try catalog.holdsObjects(in: table.dataset)
    for (field, title) in (hasObjects ? [("objects()", "Objects")] : []) + sizes {
      if let column = try table.numbers(field, in: catalog) {
        facets.append(histogram(field, title, column, places))
      }
    }
    for run in runs { facets += try self.run(run, &table, places) }
    return facets
  }

  private func splits(_ table: BrowseTable, _ places: [Int]) -> SampleFacet? {
    values(
      "split", "Split", .any, table.columns.splits,
      table.counts(table.columns.splits, table.columns.split, places))
  }

  private func classes(
    _ table: inout BrowseTable, _ places: [Int]
  ) throws -> [SampleFacet?] {
    let dataset = table.dataset
    let names = table.classes
    if !table.hasSeveralClasses {
      return [
        values("label", "Class", .any, names, table.counts(names, table.columns.label, places))
      ]
    }
    let catalog = catalog
    let counted = try table.traitCounts("class", places) {
      (names, try catalog.classTraits(of: dataset))
    }
    let isMultiLabel = dataset.isMultiLabel
    return [
      values("class", "Class", .all, counted.names, counted.counts, samples: counted.samples) {
        name in
        isMultiLabel
          ? "label = \(QueryWords.spelled(name))" : "count(\(QueryWords.spelled(name))) > 0"
      }
    ]
  }

  private func part(
    _ partition: PartitionRecord, _ table: inout BrowseTable, _ places: [Int]
  ) throws -> SampleFacet? {
    let field = "part(\(QueryWords.spelled(partition.name)))"
    let (catalog, columns, dataset) = (catalog, table.columns, table.dataset)
    let known = try table.codes(field) {
      let members = try catalog.members(ofPartition: partition.name, in: dataset.id)
      let names = partition.parts.map(\.part)
      let codes = Dictionary(
        names.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
      return (names, columns.ids.map { members[$0].flatMap { codes[$0] } ?? -1 })
    }
    return values(
      field, "Part of \(partition.name)", .any, known.names,
      table.counts(known.names, known.codes, places))
  }

  private func tags(_ table: inout BrowseTable, _ places: [Int]) throws -> SampleFacet? {
    let (catalog, dataset) = (catalog, table.dataset)
    let counted = try table.traitCounts("tag", places) { try catalog.tagTraits(of: dataset) }
    return values("tag", "Tag", .all, counted.names, counted.counts, samples: counted.samples)
  }

  /// The facets of a custom field, or of another field of the source: its texts and truth values, and its numbers.
  private func custom(
    _ column: BrowseTable.Field, _ table: BrowseTable, _ places: [Int]
  ) -> [SampleFacet?] {
    let isOwn = CustomField.reserved.contains(column.name)
    let field = isOwn ? column.name : "field(\(QueryWords.spelled(column.name)))"
    var facets = [
      values(
        field, column.name, .any, column.texts, table.counts(column.texts, column.codes, places)),
      column.numbers.isEmpty ? nil : histogram(field, column.name, column.numbers, places),
    ]
    for index in facets.indices where !isOwn { facets[index]?.custom = column.name }
    return facets
  }

  private func issues(_ table: inout BrowseTable, _ places: [Int]) throws -> SampleFacet? {
    let (catalog, dataset) = (catalog, table.dataset)
    let counted = try table.traitCounts("issue", places) { try catalog.issueTraits(of: dataset) }
    return values("issue", "Issue", .all, counted.names, counted.counts, samples: counted.samples)
  }

  /// The marks of a review: of each, the samples that have it.
  private func marks(_ table: inout BrowseTable, _ places: [Int]) throws -> SampleFacet? {
    guard catalog.truth.marks != nil else { return nil }
    var listed: [SampleFacet.Value] = []
    for mark in ViewExpression.ReviewMark.allCases.map(\.rawValue) {
      let count = try table.count(where: "\(mark) = true", places, in: catalog)
      if count > 0 {
        listed.append(
          SampleFacet.Value(
            value: mark.replacing("_", with: " "), count: count, term: "\(mark) = true"))
      }
    }
    guard !listed.isEmpty else { return nil }
    return SampleFacet(
      field: "review", title: "Review", content: .values(listed, more: 0),
      count: listed.map(\.count).max() ?? 0)
  }

  // MARK: Runs

  /// The beginning of a run's fields in expressions.
  private func prefix(of run: RunRecord) -> String { "run(\(QueryWords.spelled(run.name)))" }

  private func run(
    _ run: RunRecord, _ table: inout BrowseTable, _ places: [Int]
  ) throws -> [SampleFacet?] {
    let name = prefix(of: run)
    let fields: [(field: String, title: String)]
    switch run.task.output {
    case .label: return try answers(name, run, &table, places)
    case .labels:
      fields = [("wrong_labels", "wrong labels"), ("missed_labels", "missed labels")]
    case .masks:
      fields = [("iou", "IoU"), ("dice", "Dice"), ("uncertainty", "uncertainty")]
    case .objects:
      fields = [
        ("false_positives", "false positives"), ("false_negatives", "false negatives"),
        ("true_positives", "true positives"), ("detections", "detections"),
        ("classification_errors", "classification errors"),
        ("localization_errors", "localization errors"),
        ("both_errors", "classification and localization errors"), ("duplicates", "duplicates"),
        ("background_errors", "background errors"), ("missed", "missed objects"),
      ]
    }
    // Such numbers are stored with an evaluation, which can be one of other ground truth.
    let source = catalog.truth.isCorrected ? " (evaluation \(EvaluationRecord.defaultName))" : ""
    return try fields.map { field, title in
      let field = "\(name).\(field)"
      guard let column = try table.numbers(field, in: catalog) else { return nil }
      return histogram(field, "\(run.name): \(title)\(source)", column, places)
    }
  }

  /// The facets of a run of one label per image.
  private func answers(
    _ name: String, _ run: RunRecord, _ table: inout BrowseTable, _ places: [Int]
  ) throws -> [SampleFacet?] {
    let predicted = try table.predictions(of: run, in: catalog)
    var facets = [
      correctness(name, run, predicted.class, table, places),
      values(
        "\(name).label", "\(run.name): predicted class", .any, run.classes,
        table.counts(run.classes, predicted.class, places)),
    ]
    guard !run.isLabelsOnly else { return facets }
    for (field, column) in [("confidence", predicted.confidence), ("margin", predicted.margin)] {
      facets.append(histogram("\(name).\(field)", "\(run.name): \(field)", column, places))
    }
    return facets
  }

  /// The samples with a label that are predicted right, and wrong.
  private func correctness(
    _ name: String, _ run: RunRecord, _ predicted: [Int32], _ table: BrowseTable, _ places: [Int]
  ) -> SampleFacet? {
    // A class that the run does not have is never predicted.
    let own = table.classes.map { Int32(run.classes.firstIndex(of: $0) ?? -1) }
    var (right, wrong) = (0, 0)
    for place in places {
      let label = Int(table.columns.label[place])
      guard own.indices.contains(label), predicted[place] >= 0 else { continue }
      if predicted[place] == own[label] { right += 1 } else { wrong += 1 }
    }
    guard right + wrong > 0 else { return nil }
    return SampleFacet(
      field: "\(name).correct", title: "\(run.name): right or wrong",
      content: .values(
        [
          .init(value: "right", count: right, term: "\(name).correct = true"),
          .init(value: "wrong", count: wrong, term: "\(name).correct = false"),
        ], more: 0), count: right + wrong, selection: .one)
  }

  // MARK: Facets of counts

  /// The values that occur, most frequent first; `nil` if none does.
  private func values(
    _ field: String, _ title: String, _ selection: SampleFacet.Selection, _ names: [String],
    _ counts: [Int], samples: Int? = nil, term: ((String) -> String)? = nil
  ) -> SampleFacet? {
    let present = names.indices.filter { counts[$0] > 0 }.sorted {
      (-counts[$0], $0) < (-counts[$1], $1)
    }
    guard !present.isEmpty else { return nil }
    let listed = present.prefix(SampleFacet.valueLimit).map { index in
      SampleFacet.Value(
        value: names[index], count: counts[index],
        term: term?(names[index]) ?? "\(field) = \(QueryWords.spelled(names[index]))")
    }
    return SampleFacet(
      field: field, title: title,
      content: .values(Array(listed), more: present.count - listed.count),
      count: samples ?? counts.reduce(0, +), selection: selection)
  }

  /// The histogram of a number, with bins over the range of the whole dataset; `nil` if no sample has one, or all have
  /// the same.
  private func histogram(
    _ field: String, _ title: String, _ column: [Double], _ places: [Int]
  ) -> SampleFacet? {
    var (low, high) = (Double.infinity, -Double.infinity)
    var isWhole = true
    for value in column where value.isFinite {
      low = min(low, value)
      high = max(high, value)
      isWhole = isWhole && value == value.rounded()
    }
    guard low < high else { return nil }
    // Bins of whole numbers are as many numbers each, so that a bin is a term with both ends.
    let span = high - low
    let width =
      isWhole
      ? ((span + 1) / Double(SampleFacet.binCount)).rounded(.up)
      : span / Double(SampleFacet.binCount)
    let count = isWhole ? Int(span / width) + 1 : SampleFacet.binCount
    var bins = (0..<count).map { index in
      let start = low + Double(index) * width
      let end = index == count - 1 ? high : isWhole ? start + width - 1 : start + width
      return SampleFacet.Bin(low: start, high: end, count: 0)
    }
    var total = 0
    for place in places where column[place].isFinite {
      let value = column[place]
      var index = min(max(Int((value - low) / width), 0), count - 1)
      // The edges decide, not the rounding of the division.
      if value < bins[index].low { index -= 1 }
      if index + 1 < count, value >= bins[index + 1].low { index += 1 }
      bins[index].count += 1
      total += 1
    }
    return SampleFacet(field: field, title: title, content: .histogram(bins), count: total)
  }
}
