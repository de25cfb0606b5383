import AssayCore
import AssayMetrics

/// The section on confused classes, missed objects, and detections on background.
struct ObjectConfusionSection: ReportSection {
  let report: DetectionReport
  let id = "matrix"
  let template = "object-confusion"
  let title = "Confusion matrix"

  /// The maximum number of classes for which the whole matrix is shown directly.
  static let wholeLimit = 20
  /// The number of classes shown otherwise: those most confused with others.
  static let shownLimit = 12
  /// The maximum number of classes for which a whole matrix is included; a larger
  /// one is not useful.
  static let largestLimit = 200
  /// The maximum number of rows of the list of confusions.
  static let listLimit = 10

  static let background = "background"
  static let others = "other classes"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard let matrix = report.confusion, matrix.total > 0 else { return nil }
    let names = report.classes.map(\.name) + [Self.background]
    let isSmall = report.classes.count <= Self.wholeLimit
    let (classes, counts) =
      isSmall ? (names, matrix.rows) : excerpt(of: matrix, names)
    let hasWhole = !isSmall && report.classes.count <= Self.largestLimit
    let pairs = confusions(in: matrix)
    // Single cases say little; a few of them are listed only if there are not enough repeated ones.
    let repeated = pairs.prefix(Self.listLimit).filter { $0.count > 1 }
    let list = repeated.count < 3 ? Array(pairs.prefix(5)) : repeated
    return [
      "sentence": sentence(matrix), "basis": basis, "hasList": !list.isEmpty,
      "list": list.map { pair -> [String: Any] in
        [
          "truth": names[pair.truth], "predicted": names[pair.predicted],
          "count": NumberText.count(pair.count), "share": NumberText.fixed(pair.share),
          "total": NumberText.count(pair.total),
        ]
      },
      "map": builder.html(of: map("confusion", "Confusion matrix", classes, counts)),
      "excerpt": isSmall
        ? ""
        : "The \(classes.count - 2) classes most often confused with others; the rest are merged.",
      "hasWhole": hasWhole, "size": "\(names.count) × \(names.count)",
      "whole": hasWhole
        ? builder.html(
          of: map("confusion-all", "Confusion matrix", names, matrix.rows), fitting: false) : "",
    ]
  }

  private var basis: String {
    "At \(report.workingIoU) and \(report.workingScore): rows are the ground truth, columns the prediction. "
      + "Detections are matched with objects of their class as for precision and recall, so the diagonal contains "
      + "the true positives. Each unmatched detection is then matched with the unmatched object of another class "
      + "that it overlaps most. The last column contains the objects without a match, the last row the detections "
      + "without a match. A cell’s color is its share of the row, its number the count."
  }

  private func map(
    _ name: String, _ title: String, _ classes: [String], _ counts: [[Int]]
  ) -> HeatMap {
    HeatMap(
      name: name, title: "\(title): \(report.model) on \(report.view)",
      summary:
        "Confusion matrix of \(Counted.text(classes.count - 1, "class", "classes")) and the background, "
        + "rows ground truth, columns prediction",
      classes: classes, counts: counts, unit: .objects, anchor: { _, _ in nil })
  }

  /// Returns pairs of two different classes, without the background; the most frequent first.
  private func confusions(in matrix: ConfusionMatrix) -> [Confusion] {
    let background = report.classes.count
    return Confusion.all(in: matrix).filter {
      $0.truth != background && $0.predicted != background
    }
  }

  private func sentence(_ matrix: ConfusionMatrix) -> String {
    let background = report.classes.count
    var (right, other, lost, invented) = (0, 0, 0, 0)
    for truth in 0...background {
      for predicted in 0...background {
        let count = matrix[truth, predicted]
        if truth == background {
          invented += count
        } else if predicted == background {
          lost += count
        } else if truth == predicted {
          right += count
        } else {
          other += count
        }
      }
    }
    let objects = right + other + lost
    return
      "Of \(DetectionReport.counted(objects, "object")), \(NumberText.count(right)) are found with the "
      + "correct class, \(NumberText.count(other)) are found with another class and "
      + "\(NumberText.count(lost)) are not found; "
      + "\(DetectionReport.counted(invented, "detection is", "detections are")) on background."
  }

  /// Returns the matrix of the classes most involved in confusions, with the other classes merged
  /// into one row and column, and the background.
  private func excerpt(
    of matrix: ConfusionMatrix, _ names: [String]
  ) -> (classes: [String], counts: [[Int]]) {
    let background = report.classes.count
    var involved = Array(repeating: 0, count: background)
    for pair in confusions(in: matrix) {
      involved[pair.truth] += pair.count
      involved[pair.predicted] += pair.count
    }
    let order = involved.indices.sorted { first, second in
      let (a, b) = (report.classes[first].truths, report.classes[second].truths)
      return (-involved[first], -a, first) < (-involved[second], -b, second)
    }
    let shown = order.prefix(Self.shownLimit).sorted()
    var places = Array(repeating: shown.count, count: background + 1)
    for (place, index) in shown.enumerated() { places[index] = place }
    places[background] = shown.count + 1
    var counts = Array(
      repeating: Array(repeating: 0, count: shown.count + 2), count: shown.count + 2)
    for truth in 0...background {
      for predicted in 0...background {
        counts[places[truth]][places[predicted]] += matrix[truth, predicted]
      }
    }
    return (shown.map { names[$0] } + [Self.others, Self.background], counts)
  }
}
