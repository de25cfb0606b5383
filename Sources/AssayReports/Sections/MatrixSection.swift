import AssayCore
/// The section with the confusion matrix as a heat map whose cells link to their samples.
struct MatrixSection: ReportSection {
  let report: ClassificationReport
  let id = "matrix"
  let title = "Confusion matrix"
  let takesWhatIsLeft = true

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let cells = report.cells.filter {
      report.classes.indices.contains($0.truth) && report.classes.indices.contains($0.predicted)
        && !$0.pictures.isEmpty
    }
    let pictures = try shared(cells, builder)
    let anchors = Set(cells.map { ClassificationReport.anchor($0.truth, $0.predicted) })
    let map = HeatMap(
      name: "confusion", title: "Confusion matrix: \(report.model) on \(report.view)",
      summary:
        "Confusion matrix of \(Counted.text(report.classes.count, "class", "classes")), rows ground truth, columns prediction",
      classes: report.classes, counts: report.scores.confusion.rows,
      anchor: { truth, predicted in
        let anchor = ClassificationReport.anchor(truth, predicted)
        return anchors.contains(anchor) ? anchor : nil
      })
    let totals = report.scores.confusion.rows.map { $0.reduce(0, +) }
    let panels = zip(cells, pictures).map { cell, pictures -> [String: Any] in
      let count = report.scores.confusion[cell.truth, cell.predicted]
      let total = totals[cell.truth]
      let shown =
        pictures.count == count
        ? ""
        : pictures.isEmpty
          ? "No images are shown: the page has reached its size limit."
          : report.hasScores
            ? "The \(NumberText.count(pictures.count)) most confident are shown."
            : "The first \(NumberText.count(pictures.count)) are shown."
      let anchor = ClassificationReport.anchor(cell.truth, cell.predicted)
      return [
        "anchor": anchor, "query": report.queries[anchor].values,
        "truth": report.classes[cell.truth],
        "predicted": report.classes[cell.predicted], "count": NumberText.count(count),
        "total": NumberText.count(total), "shown": shown, "pictures": pictures,
        "share": NumberText.fixed(total == 0 ? nil : Double(count) / Double(total)),
      ]
    }
    let shown = pictures.reduce(0) { $0 + $1.count }
    return [
      "map": builder.html(of: map), "panels": panels, "hasPanels": !panels.isEmpty,
      // The samples fit next to a small matrix; a large matrix takes the full width.
      "layout": panels.isEmpty || map.figure(width: 720).keepsSize ? "whole" : "split",
      "limits": limits(shown: shown, wanted: cells.map(\.pictures.count)),
    ]
  }

  /// Returns the images of each cell: first one of every cell, then a second one of every cell and
  /// so on until the page is full, so that a large cell does not take the room of the others.
  private func shared(
    _ cells: [ClassificationReport.Cell], _ builder: PageBuilder
  ) throws(ReportError) -> [[[String: Any]]] {
    var requests: [PictureRequest] = []
    var owners: [Int] = []
    for rank in 0..<PictureLimits.perCell {
      for (index, cell) in cells.enumerated() where cell.pictures.count > rank {
        requests.append(PictureRequest(cell.pictures[rank], classes: report.classes))
        owners.append(index)
      }
    }
    var pictures: [[[String: Any]]] = Array(repeating: [], count: cells.count)
    for (owner, picture) in zip(owners, try builder.pictures(requests)) {
      if let picture { pictures[owner].append(picture) }
    }
    return pictures
  }

  private func limits(shown: Int, wanted: [Int]) -> String {
    let allowed = wanted.reduce(0) { $0 + min($1, PictureLimits.perCell) }
    let total = report.scores.count
    guard allowed > 0, shown < max(total, allowed) else { return "" }
    var text =
      "Images are limited to \(PictureLimits.perCell) per cell, "
      + "\(NumberText.count(PictureLimits.inCells)) in all cells and "
      + "\(PictureLimits.bytes / 1_000_000) MB on the page: "
      + "\(NumberText.count(shown)) of \(NumberText.count(total)) samples are shown here"
    if shown < allowed {
      text += ", \(NumberText.count(allowed - shown)) fewer than the limit per cell allows"
    }
    return text + "."
  }
}
