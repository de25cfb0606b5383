/// The section with the number of samples of each class in the ground truth and in the predictions.
struct CountsSection: ReportSection {
  let report: ClassificationReport
  let id = "counts"
  let title = "Ground-truth and predicted counts"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let totals = report.scores.confusion.totals
    let bars = GroupedBars(
      name: "counts", title: "Ground-truth and predicted counts: \(report.model) on \(report.view)",
      summary: "Number of samples of each class in the ground truth and in the predictions",
      classes: report.classes, truth: totals.truth, predicted: totals.predicted)
    return ["chart": builder.html(of: bars), "sentence": sentence(totals.truth, totals.predicted)]
  }

  private func sentence(_ truth: [Int], _ predicted: [Int]) -> String {
    let gaps = report.classes.indices.map { predicted[$0] - truth[$0] }
    guard let most = gaps.indices.max(by: { gaps[$0] < gaps[$1] }), gaps[most] > 0,
      let least = gaps.indices.max(by: { gaps[$0] > gaps[$1] }), gaps[least] < 0
    else { return "Every class is predicted exactly as often as it occurs." }
    func named(_ index: Int) -> String {
      "“\(report.classes[index])” (predicted \(NumberText.count(predicted[index])), ground truth "
        + "\(NumberText.count(truth[index])))"
    }
    return "Most overpredicted: \(named(most)). Most underpredicted: \(named(least))."
  }
}
