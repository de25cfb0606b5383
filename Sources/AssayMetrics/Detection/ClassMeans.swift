/// The precisions and recalls of all classes, and means over parts of them in the reference's order
/// of additions: threshold, recall, class.
struct ClassMeans: Sendable {
  let classes: [ClassPrecision]
  private let thresholds: Int

  init(_ tally: DetectionTally, most: Int, _ plan: ScorePlan?, workers: Int) throws {
    let parts = ClassParts(tally)
    thresholds = tally.settings.iouThresholds.count
    let limits = plan?.limits ?? []
    classes = try IndexedWork.map(tally.classCount, workers: workers) { category in
      ClassPrecision(tally, parts[category], most: most, limits: limits)
    }
  }

  /// The number of detections whose score equals that of another detection of their class.
  var tied: Int { classes.reduce(0) { $0 + $1.tied } }

  /// The mean over all classes with a defined value.
  func score(_ part: ScorePlan.Part?) -> Score {
    switch part {
    case nil: Score(nil, defined: 0, total: classes.count)
    case .precision(let area, let range): precision(area: area, range)
    case .recall(let area): recall(area: area, 0..<thresholds)
    case .recallAt(let threshold): recall(area: 0, threshold..<threshold + 1)
    case .limitedRecall(let limit):
      mean(of: classes.filter { $0.truths[0] > 0 }, rows: thresholds) { defined, threshold, sums in
        for category in defined {
          sums.append(category.limitedRecall[limit * thresholds + threshold])
        }
      }
    }
  }

  /// The mean precision at some thresholds.
  func precision(area: Int, _ range: Range<Int>) -> Score {
    let rows = classes.filter { $0.truths[area] > 0 }.map { $0.rows(area: area, range) }
    return mean(of: rows, rows: range.count * ClassPrecision.recalls) { rows, place, sums in
      for row in rows { sums.append(row[row.startIndex + place]) }
    }
  }

  /// The mean recall at some thresholds.
  func recall(area: Int, _ range: Range<Int>) -> Score {
    mean(of: classes.filter { $0.truths[area] > 0 }, rows: range.count) { defined, row, sums in
      let threshold = range.lowerBound + row
      for category in defined { sums.append(category.recall[area * thresholds + threshold]) }
    }
  }

  /// One value per class.
  func perClass(_ part: ScorePlan.Part?) -> [Score] {
    guard case .precision(let area, let range) = part else {
      return classes.map { _ in Score.undefined }
    }
    return classes.map { Score($0.averagePrecision(area: area, range)) }
  }

  /// The mean of VOC's average precision over the classes.
  var vocAP: Score {
    let values = classes.compactMap(\.vocAP)
    return Score(values.mean(), defined: values.count, total: classes.count)
  }

  private func mean<Item>(
    of defined: [Item], rows: Int, _ append: ([Item], Int, inout [Double]) -> Void
  ) -> Score {
    guard !defined.isEmpty, rows > 0 else { return Score(nil, defined: 0, total: classes.count) }
    var values: [Double] = []
    values.reserveCapacity(rows * defined.count)
    for row in 0..<rows { append(defined, row, &values) }
    let sum = values.withUnsafeBufferPointer { RowSum.of($0) }
    return Score(sum / Double(values.count), defined: defined.count, total: classes.count)
  }
}
