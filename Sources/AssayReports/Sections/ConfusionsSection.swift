/// The section on the three most frequent confusions, with a sentence and images.
struct ConfusionsSection: ReportSection {
  let report: ClassificationReport
  let id = "confusions"
  let title = "Main errors"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let all = Confusion.all(in: report.scores.confusion)
    guard !all.isEmpty else {
      return [
        "sentence": report.scores.count == 0
          ? "No sample was evaluated." : "No errors: every sample is classified correctly.",
        "confusions": [Any](),
      ]
    }
    let worst = all.prefix(PictureLimits.confusions)
    let mistakes = all.reduce(0) { $0 + $1.count }
    let covered = worst.reduce(0) { $0 + $1.count }
    var blocks: [[String: Any]] = []
    for confusion in worst {
      let cell = report.cells.first {
        $0.truth == confusion.truth && $0.predicted == confusion.predicted
      }
      let shown = (cell?.pictures ?? []).prefix(PictureLimits.perConfusion)
      let pictures = try builder.pictures(
        shown.map { PictureRequest($0, classes: report.classes) }
      ).compactMap(\.self)
      let anchor = ClassificationReport.anchor(confusion.truth, confusion.predicted)
      blocks.append([
        "truth": report.classes[confusion.truth], "predicted": report.classes[confusion.predicted],
        "count": NumberText.count(confusion.count), "total": NumberText.count(confusion.total),
        "share": NumberText.fixed(confusion.share), "pictures": pictures,
        "more": (cell?.pictures.count ?? 0) > pictures.count,
        "cell": anchor, "query": report.queries[anchor].values,
      ])
    }
    return [
      "sentence": sentence(Array(worst), covered: covered, mistakes: mistakes),
      "confusions": blocks,
    ]
  }

  private func sentence(_ worst: [Confusion], covered: Int, mistakes: Int) -> String {
    let parts = worst.map { confusion in
      "\(report.classes[confusion.truth]) is predicted as \(report.classes[confusion.predicted]) "
        + "(\(NumberText.count(confusion.count)) of \(NumberText.count(confusion.total)))"
    }
    let list =
      switch parts.count {
      case 1: parts[0]
      case 2: parts[0] + ", and " + parts[1]
      default: parts.dropLast().joined(separator: ", ") + ", and " + (parts.last ?? "")
      }
    let end =
      covered == mistakes
      ? "These are all errors."
      : "Together they are \(NumberText.count(covered)) of \(NumberText.count(mistakes)) errors."
    return "Most frequently, \(list). \(end)"
  }
}
