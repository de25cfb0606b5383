import AssayCore

/// The content of one block of lines. Lines, rows and discovered classes count from the start of
/// the block.
struct ParsedBlock: Sendable {
  /// An accepted row.
  struct Row: Sendable {
    /// The row's number among all rows of the block, including rejected ones.
    var number: Int32
    /// The class, or −1 for none.
    var category: Int32
    /// The index in ``ParsedBlock/splits``.
    var split: Int32
  }

  /// An issue with its line and row within the block.
  struct Finding: Sendable {
    var kind: IssueKind
    var severity: Issue.Severity
    var line: Int
    /// The row if it was kept despite the issue; `nil` for a rejected one.
    var row: Int?
    var message: String
  }

  /// The accepted rows, and their concatenated pixels.
  var accepted: [Row] = []
  var pixels: [UInt8] = []
  /// The different splits of the rows; `nil` means none.
  var splits: [String?] = []
  /// The classes found, if classes are discovered.
  var discovered: [String] = []
  var findings: [Finding] = []
  /// The number of findings of each kind, including those that were not kept.
  var findingCounts: [IssueKind: Int] = [:]
  /// The numbers of lines and rows; blank lines and the header are not rows.
  var lines = 0
  var rows = 0
  var progress = 0.0

  /// The number of rejected rows.
  var rejected: Int { rows - accepted.count }

  /// Keeps a finding, unless there are very many of its kind.
  mutating func note(_ finding: Finding) {
    let count = findingCounts[finding.kind, default: 0]
    findingCounts[finding.kind] = count + 1
    if count < IssueLimit.limit { findings.append(finding) }
  }
}
