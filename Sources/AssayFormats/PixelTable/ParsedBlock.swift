import AssayCore

/// The content of one block of lines. Lines, rows and discovered classes count from the start of
/// the block.
struct ParsedBlock: Sendable {
  /// An accepted row.
  struct Row: Sendable {
    /// The row's number among all rows of the block, rejected ones counted.
    var number: Int32
    /// The class, or −1 for none.
    var category: Int32
    /// The place in ``ParsedBlock/splits``.
    var split: Int32
  }

  /// An issue whose line and row are those of the block.
  struct Finding: Sendable {
    var kind: IssueKind
    var severity: Issue.Severity
    var line: Int
    /// The row that was kept all the same; `nil` for a rejected one.
    var row: Int?
    var message: String
  }

  /// The accepted rows, and their pixels one after another.
  var accepted: [Row] = []
  var pixels: [UInt8] = []
  /// The different splits of the rows; `nil` is none.
  var splits: [String?] = []
  /// The classes found, where classes are discovered.
  var discovered: [String] = []
  var findings: [Finding] = []
  /// The findings of each kind, those that were not kept too.
  var findingCounts: [IssueKind: Int] = [:]
  /// Lines and rows, blank lines and the header being no rows.
  var lines = 0
  var rows = 0
  var progress = 0.0

  /// Rows that were rejected.
  var rejected: Int { rows - accepted.count }

  /// Keeps a finding, unless there are very many of its kind.
  mutating func note(_ finding: Finding) {
    let count = findingCounts[finding.kind, default: 0]
    findingCounts[finding.kind] = count + 1
    if count < IssueLimit.limit { findings.append(finding) }
  }
}
