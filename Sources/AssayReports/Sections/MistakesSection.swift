/// The section with the most confident wrong predictions.
struct MistakesSection: ReportSection {
  let report: ClassificationReport
  let id = "mistakes"
  var title: String { report.hasScores ? "Most confident errors" : "Errors" }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let confusion = report.scores.confusion
    let wrong =
      report.scores.count - report.classes.indices.reduce(0) { $0 + confusion[$1, $1] }
    guard wrong > 0, !report.mistakes.isEmpty else { return nil }
    let shown = report.mistakes.prefix(PictureLimits.mistakes)
    let pictures = try builder.pictures(
      shown.map { PictureRequest($0, classes: report.classes) }
    ).compactMap(\.self)
    return [
      "pictures": pictures, "query": report.queries[id].values,
      "sentence": sentence(shown: pictures.count, wrong: wrong),
    ]
  }

  private func sentence(shown: Int, wrong: Int) -> String {
    let which =
      switch (shown, wrong) {
      case _ where !report.hasScores && shown > 1:
        "\(NumberText.count(shown)) of \(NumberText.count(wrong)) wrong predictions, in the run's order."
      case (1, 1): "The only wrong prediction."
      case (wrong, _): "All \(NumberText.count(wrong)) wrong predictions, the most confident first."
      default:
        "The \(NumberText.count(shown)) most confident of \(NumberText.count(wrong)) wrong "
          + "predictions."
      }
    return which + " Some of them may be label errors."
  }
}
