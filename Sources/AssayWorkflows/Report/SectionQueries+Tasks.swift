import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension SectionQueries {
  /// The maximum number of cells of a confusion matrix that have a query each.
  private static let cellLimit = 200

  /// The queries of a classification report.
  static func classification(
    _ evaluated: EvaluatedRun<ImageClassification>, _ chosen: ReportChoice, in catalog: Catalog
  ) throws -> [String: SectionQuery] {
    let queries = try SectionQueries(evaluated, in: catalog)
    let (samples, tally) = (evaluated.samples, evaluated.tally)
    let classes = evaluated.content.evaluatedClasses
    let subject = evaluated.subject
    let wrong = (0..<tally.count).filter { !tally[$0].isCorrect }
    var found: [String: SectionQuery] = [:]
    found["mistakes"] = try queries.query(
      ["\(subject).correct = false"], counted: wrong.map { samples[$0].id },
      shown: chosen.mistakes.map { samples[$0] })
    let worst = Confusion.all(in: tally.confusion).prefix(PictureLimits.confusions)
    let isSmall = chosen.cells.count <= cellLimit
    let cells = chosen.cells.filter { cell in
      isSmall || worst.contains { $0.truth == cell.truth && $0.predicted == cell.predicted }
    }
    let parts = cells.map { cell in
      (
        key: ClassificationReport.anchor(cell.truth, cell.predicted),
        expression: "label = \(QueryWords.spelled(classes[cell.truth])) and "
          + "\(subject).label = \(QueryWords.spelled(classes[cell.predicted]))",
        count: tally.confusion[cell.truth, cell.predicted]
      )
    }
    // Samples without a label have predictions, too, and are not evaluated.
    found.merge(
      try queries.parts(
        parts, of: "(\(subject).correct = true or \(subject).correct = false)",
        counted: samples.map(\.id))
    ) { first, _ in first }
    for cell in worst {
      let key = ClassificationReport.anchor(cell.truth, cell.predicted)
      guard found[key] == nil,
        let shown = chosen.cells.first(where: {
          $0.truth == cell.truth && $0.predicted == cell.predicted
        })
      else { continue }
      found[key] = try queries.query(
        listing: shown.samples.prefix(PictureLimits.perConfusion).map { samples[$0] })
    }
    found["inputs"] = try queries.query(listing: chosen.first.map { samples[$0] })
    return found
  }

  /// The queries of a multi-label report.
  ///
  /// - Parameter seen: the indices of the samples whose inputs are shown.
  static func multiLabel(
    _ evaluated: EvaluatedRun<MultiLabelClassification>, _ mistakes: LabelMistakes, seen: [Int],
    in catalog: Catalog
  ) throws -> [String: SectionQuery] {
    let queries = try SectionQueries(evaluated, in: catalog)
    let samples = evaluated.samples
    var found: [String: SectionQuery] = [:]
    found["samples"] = try queries.query(
      ["\(evaluated.evaluationSubject).wrong_labels > 0"],
      counted: mistakes.wrong.map { samples[$0].id },
      shown: mistakes.worst.map { samples[$0.index] })
    found["inputs"] = try queries.query(listing: seen.map { samples[$0] })
    return found
  }

  /// The queries of a segmentation report.
  static func segmentation(
    _ evaluated: EvaluatedRun<SemanticSegmentation>, _ chosen: MaskChoice,
    _ scores: [SampleMaskScores], in catalog: Catalog
  ) throws -> [String: SectionQuery] {
    let queries = try SectionQueries(evaluated, in: catalog)
    let samples = evaluated.samples
    let field = "\(evaluated.evaluationSubject).iou"
    /// A group of samples at one end of all scores.
    func end(_ indices: [Int], isLow: Bool) throws -> SectionQuery? {
      let inside = indices.compactMap { scores[$0].iou }
      guard let bound = isLow ? inside.max() : inside.min() else {
        return try queries.query(listing: indices.map { samples[$0] })
      }
      let texts = Set([2, 3, 4, 6].map { bounded(bound, decimals: $0, isUp: isLow) } + [bound])
      let sign = isLow ? "<=" : ">="
      return try queries.query(
        texts.sorted { "\($0)".count < "\($1)".count }.map { "\(field) \(sign) \($0)" },
        counted: indices.map { samples[$0].id }, shown: indices.map { samples[$0] })
    }
    let few = Array(chosen.all.prefix(PictureLimits.fewWorst))
    var found: [String: SectionQuery] = [:]
    found["worst"] = try end(chosen.worst.isEmpty ? few : chosen.worst, isLow: true)
    found["best"] = try end(chosen.best, isLow: false)
    found["random"] = try queries.query(listing: chosen.random.map { samples[$0] })
    found["median"] = try queries.query(listing: chosen.median.map { samples[$0] })
    found["all"] = try queries.query(
      listing: chosen.all.dropFirst(PictureLimits.fewWorst).map { samples[$0] })
    return found
  }

  /// A number rounded up or down to some decimals.
  private static func bounded(_ value: Double, decimals: Int, isUp: Bool) -> Double {
    var unit = 1.0
    for _ in 0..<decimals { unit *= 10 }
    return (value * unit).rounded(isUp ? .up : .down) / unit
  }

  /// The queries of a detector's report, by type of error: all images with such an error.
  static func detection(
    _ evaluated: EvaluatedRun<ObjectDetection>, _ report: DetectionReport, in catalog: Catalog
  ) throws -> [String: SectionQuery] {
    let queries = try SectionQueries(evaluated, in: catalog)
    let keys = Dictionary(evaluated.samples.map { ($0.key, $0) }) { first, _ in first }
    // Errors of any score count, as in the report.
    let subject = evaluated.evaluationSubject
    let anyScore = subject.dropLast() + ", score: 0)"
    var found: [String: SectionQuery] = [:]
    for kind in DetectionErrorKind.allCases {
      let expression =
        switch kind {
        case .class: "\(anyScore).classification_errors > 0"
        case .place: "\(anyScore).localization_errors > 0"
        case .both: "\(anyScore).both_errors > 0"
        case .duplicate: "\(anyScore).duplicates > 0"
        case .background: "\(anyScore).background_errors > 0"
        case .missed: "\(subject).missed > 0"
        }
      let images = evaluated.errors.images(with: kind)
      guard !images.isEmpty else { continue }
      // Several mistakes can be in one image.
      var seen: Set<String> = []
      let shown = report.shown(of: kind).filter { seen.insert($0.key).inserted }
      found[kind.rawValue] = try queries.query(
        [expression], counted: images.map { evaluated.samples[$0].id },
        shown: shown.compactMap { keys[$0.key] })
    }
    return found
  }
}

extension Comparison {
  /// The query for the samples with regressions or improvements; those with images if no expression selects all.
  ///
  /// - Parameter shown: the keys of the samples whose images are shown.
  func query(lost: Bool, shown: [String], in catalog: Catalog) throws -> SectionQuery? {
    let runs = [first, second].map {
      $0.split(separator: "@", maxSplits: 1).first.map(String.init) ?? $0
    }
    let queries = try SectionQueries(dataset, runs: runs, in: catalog)
    func expression(_ names: [String]) -> String {
      let subjects = names.map { "run(\(QueryWords.spelled($0)))" }
      let changes = details.own.changes(from: subjects[0], to: subjects[1])
      return lost ? changes.worse : changes.better
    }
    let keys = Dictionary(samples.map { ($0.key, $0) }) { first, _ in first }
    var seen: Set<String> = []
    return try queries.query(
      [expression([first, second]), expression(runs)],
      counted: details.own.changed(lost: lost).map { samples[$0].id },
      shown: shown.filter { seen.insert($0).inserted }.compactMap { keys[$0] })
  }
}
