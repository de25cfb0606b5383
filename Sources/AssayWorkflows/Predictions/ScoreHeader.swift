import AssayFormats
import AssayMetrics

/// Explains from the table's header why a row is not probabilities: keys, labels or anything else
/// in a column that is read as a class.
struct ScoreHeader {
  private let classes: [String]
  private let known: Set<String>
  private let place: String
  private let hasKeys: Bool

  /// - Parameters:
  ///   - classes: the columns that are read as classes, in the file's order.
  ///   - known: the names of the known classes.
  ///   - place: the source of the known classes: “the dataset faces”.
  ///   - hasKeys: true if the file has a column of keys.
  init(classes: [String], known: [String], place: String, hasKeys: Bool) {
    self.classes = classes
    self.known = Set(known)
    self.place = place
    self.hasKeys = hasKeys
  }

  /// Returns the column that is not a class and the fix; `nil` if the header does not explain the
  /// row.
  ///
  /// - Parameter row: the scores, one per class.
  func problem(_ row: [Double]) -> String? {
    let unknown = classes.indices.filter { !known.contains(classes[$0]) }
    let isShifted = unknown.contains { PredictionsCSV.namesKeys(classes[$0]) }
    guard !unknown.isEmpty, let odd = oddColumns(row, unknown: unknown) else { return nil }
    let name = odd.map { "“\(classes[$0])”" }.joined(separator: ", ")
    let columns = odd.count == 1 ? "column \(number(of: odd[0])), \(name)," : "the columns \(name)"
    let found =
      odd.count == 1 ? " contains \(ProbabilityRow.text(row[odd[0]]))" : " contain other numbers"
    let rest = "; the other columns of the row sum to 1"
    if isShifted, !hasKeys {
      let key = unknown.first { PredictionsCSV.namesKeys(classes[$0]) } ?? 0
      return """
        \(columns)\(found)\(rest). The header is shifted or reordered: “\(classes[key])” is column \
        \(number(of: key)), and keys must be in the first column; each name must be above its own column
        """
    }
    let isUnknown = odd.allSatisfy { !known.contains(classes[$0]) }
    if odd == [0], !hasKeys {
      return """
        \(columns)\(found)\(rest). \
        \(isUnknown ? "It is not a class of \(place)" : "The header looks shifted"): if the column holds the \
        samples' keys, call it sample, else remove it
        """
    }
    if isUnknown {
      return """
        \(columns)\(found)\(rest). \(odd.count == 1 ? "It is" : "They are") not a class of \(place): \
        correct the header or remove the column
        """
    }
    return """
      \(columns)\(found)\(rest), and “\(classes[unknown[0]])” is not a class of \(place): the header does not \
      fit its columns; correct it
      """
  }

  private func number(of place: Int) -> Int { place + (hasKeys ? 2 : 1) }

  /// The columns without which the row is probabilities: all columns of unknown classes, or a
  /// single column.
  ///
  /// Each of them contains an integer, like keys, labels and splits; 0.8 is more likely a sigmoid
  /// score.
  private func oddColumns(_ row: [Double], unknown: [Int]) -> [Int]? {
    func isRight(without left: [Int]) -> Bool {
      let rest = row.indices.filter { !left.contains($0) }.map { row[$0] }
      guard !rest.isEmpty, left.allSatisfy({ row[$0] == row[$0].rounded() }),
        rest.allSatisfy({ $0 >= 0 })
      else { return false }
      return abs(ProbabilityRow.sum(rest) - 1) <= ProbabilityRow.tolerance
    }
    let single = unknown + row.indices.filter { !unknown.contains($0) }
    if let one = single.first(where: { isRight(without: [$0]) }) { return [one] }
    return unknown.count > 1 && isRight(without: unknown) ? unknown : nil
  }
}
