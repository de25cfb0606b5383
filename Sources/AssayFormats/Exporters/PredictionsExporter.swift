/// The first column of exported predictions.
package enum PredictionsLayout: String, CaseIterable, Sendable {
  /// `sample,<class>…`: read back by ``PredictionsCSV``.
  case assay
  /// `truth,<class>…`: for scripts that judge predictions without knowing the samples. Scores are written
  /// as the float64 they widen to: a reader that takes decimals for float64 then has the very number that
  /// an evaluation computes with.
  case oracle
}

/// Writes predictions as CSV, every score in the fewest digits that give it back to the bit (under
/// ``PredictionsLayout/oracle`` as a float64).
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

  /// Appends the header.
  package func writeHeader(to bytes: inout [UInt8]) { bytes.append(contentsOf: header.utf8) }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - first: the sample's key, or its true class under ``PredictionsLayout/oracle``.
  ///   - scores: finite numbers, one a class.
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
