import AssayCore

/// Limits the list of issues: the first ones of each kind are kept, the others are counted.
struct IssueLimit {
  private var counts: [IssueKind: Int] = [:]

  /// The maximum number of issues of one kind that an import keeps.
  static let limit = 10_000

  /// Returns whether to keep another issue of a kind; it is counted in any case.
  mutating func admits(_ kind: IssueKind) -> Bool {
    counts[kind, default: 0] += 1
    return counts[kind, default: 0] <= Self.limit
  }

  /// Counts issues of which only some were listed.
  mutating func count(_ unlisted: Int, of kind: IssueKind) { counts[kind, default: 0] += unlisted }

  /// One issue for each kind with issues that were not kept.
  func remainder(in file: String) -> [Issue] {
    IssueKind.allCases.compactMap { kind in
      let count = counts[kind, default: 0] - Self.limit
      guard count > 0 else { return nil }
      return Issue(
        kind, .warning, at: IssueLocation(file: file),
        "\(count) more of this kind are counted but not listed")
    }
  }
}
