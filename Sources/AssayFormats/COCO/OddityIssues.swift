import AssayCore

/// The issues of a part of an imported file: the first ones of each oddity individually, and the
/// counts of all.
struct OddityIssues: Sendable {
  private(set) var counts = OddityCounts()
  private(set) var listed: [(oddity: COCOOddity, issue: Issue)] = []
  private let file: String

  init(_ file: String) { self.file = file }

  /// Counts an oddity, and creates an issue for it while there are few of its kind.
  mutating func note(
    _ oddity: COCOOddity, _ pointer: @autoclosure () -> String?, key: String? = nil,
    _ message: @autoclosure () -> String
  ) {
    counts.count(oddity)
    guard counts[oddity] <= oddity.issueLimit else { return }
    listed.append(
      (
        oddity,
        Issue(
          oddity.kind, oddity.severity, at: IssueLocation(file: file, pointer: pointer()),
          sampleKey: key, message())
      ))
  }

  /// Counts more occurrences of an oddity without an issue for each.
  mutating func count(_ oddity: COCOOddity, _ more: Int) { counts.count(oddity, more) }
}

/// Limits the issues of one file, separately for each oddity.
struct OddityIssueList {
  private var counts = OddityCounts()
  private var kept = OddityCounts()
  private let file: String

  init(_ file: String) { self.file = file }

  /// Adds the issues of a part, and returns those that are kept.
  mutating func take(_ part: OddityIssues) -> [Issue] {
    counts.merge(part.counts)
    var issues: [Issue] = []
    for (oddity, issue) in part.listed where kept[oddity] < oddity.issueLimit {
      kept.count(oddity)
      issues.append(issue)
    }
    return issues
  }

  /// One issue for each oddity with occurrences that were not listed.
  func remainder() -> [Issue] {
    COCOOddity.allCases.compactMap { oddity in
      let more = counts[oddity] - kept[oddity]
      guard more > 0 else { return nil }
      return Issue(
        oddity.kind, oddity.severity, at: IssueLocation(file: file),
        "\(more) more \(oddity.plural) (\(counts[oddity]) in all) were counted and not listed")
    }
  }
}
