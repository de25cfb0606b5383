/// The first column of exported predictions.
package enum PredictionsLayout: String, CaseIterable, Sendable {
  /// `sample,<class>…`: read back by ``PredictionsCSV``.
  case assay
  /// `truth,<class>…`: for scripts that evaluate predictions without knowing the samples. Scores
  /// are widened to float64: a reader that parses decimals as float64 then gets exactly the number
  /// that an evaluation uses.
  case oracle
}

/// Writes predictions as CSV, every score with the fewest digits that read back bit-identically (as
/// float64 for ``PredictionsLayout/oracle``).
package struct PredictionsExporter: Sendable {
  private let layout: PredictionsLayout
  private let header: String

  /// - Parameter classes: the names of the columns, in the order of the scores.
  package init(layout: PredictionsLayout, classes: [String]) {
    self.layout = layout
    let names = classes.map { name in
      CSVText.field(name, alwaysQuoted: TableColumns.isReserved(name))
    }
    header = ([layout == .assay ? "sample" : "truth"] + names).joined(separator: ",") + "\n"
  }

  /// Appends a table of predicted classes, of a run without scores: `sample,prediction`.
  package static func writeLabels(
    _ rows: [(key: String, label: String)], to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: "sample,prediction\n".utf8)
    for (key, label) in rows {
      bytes.append(contentsOf: "\(CSVText.field(key)),\(CSVText.field(label))\n".utf8)
    }
  }

  /// Appends the header.
  package func writeHeader(to bytes: inout [UInt8]) { bytes.append(contentsOf: header.utf8) }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - first: the sample's key, or its true class under ``PredictionsLayout/oracle``.
  ///   - scores: finite numbers, one per class.
  package func writeRow(_ first: String, _ scores: some Sequence<Float>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: CSVText.field(first).utf8)
    for score in scores {
      bytes.append(UInt8(ascii: ","))
      let digits = layout == .oracle ? Double(score).description : score.description
      bytes.append(contentsOf: digits.utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
