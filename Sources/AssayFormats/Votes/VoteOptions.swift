package import AssayCore

/// The votes that replace the labels of FER-2013's CSV, and the rule that makes labels of them.
package struct VoteOptions: Sendable {
  package var table: VoteTable
  package var rule: VoteRule

  package init(table: VoteTable, rule: VoteRule) {
    self.table = table
    self.rule = rule
  }
}

/// The numbers of an import with votes.
package struct VoteCounts: Hashable, Sendable {
  package var rule: VoteRule
  /// The number of rows that have a label by the rule.
  package var kept = 0
  /// The number of kept rows with a share or label for several emotions.
  package var several = 0
  /// The numbers of rows that the rule leaves out.
  package var leftOut: [VoteRule.Reason: Int] = [:]
  /// The number of rows that are left out because the table names no image.
  package var unnamed = 0
  /// The number of rows of the table with fewer votes than people.
  package var incomplete = 0
  /// The number of rows whose emotion in the CSV was compared with a majority of votes, and those
  /// that agree.
  package var compared = 0
  package var agreeing = 0

  package init(rule: VoteRule) { self.rule = rule }

  /// The numbers as `assay import --json` prints them.
  package var json: JSONValue {
    let reasons = VoteRule.Reason.allCases.map {
      JSONValue.Member($0.rawValue, JSONValue(leftOut[$0, default: 0]))
    }
    return [
      "rule": .string(rule.rawValue), "kept": JSONValue(kept), "several": JSONValue(several),
      "left_out": .object(reasons + [.init("no_image_name", JSONValue(unnamed))]),
      "incomplete": JSONValue(incomplete), "compared": JSONValue(compared),
      "agreeing": JSONValue(agreeing),
    ]
  }

  /// One sentence each, without a period.
  var notes: [String] {
    let reasons: [(Int, String)] = [
      (leftOut[.disagreement, default: 0], "with votes for too many emotions"),
      (leftOut[.unknown, default: 0], "with most votes for unknown"),
      (leftOut[.noFace, default: 0], "with most votes for no face"),
      (unnamed, "without an image name in the table of votes"),
    ]
    let total = reasons.map(\.0).reduce(0, +)
    var notes: [String] = []
    if total > 0 {
      let parts = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      notes.append(
        "FER+'s rule \(rule.rawValue) leaves out \(total == 1 ? "1 row" : "\(total) rows"): "
          + parts.joined(separator: ", "))
    }
    if several > 0 {
      notes.append("\(several == 1 ? "1 sample has" : "\(several) samples have") several emotions")
    }
    if incomplete > 0 {
      notes.append(
        "\(incomplete == 1 ? "1 row has" : "\(incomplete) rows have") "
          + "\(VoteTable.voters - 1) votes instead of \(VoteTable.voters)")
    }
    if compared < VoteJoin.leastCompared {
      notes.append(
        "the order of rows was compared by usage only: too few rows (\(compared)) have an emotion "
          + "and a majority of votes")
    }
    return notes
  }
}
