package import AssayCore
package import AssayStore

/// The number of corrections, and whether the ground truth in use includes them: every output
/// states it.
package struct CorrectionStatus: Hashable, Sendable {
  /// The status without a ledger: no remark.
  package static let none = CorrectionStatus()

  /// By dataset, as the ledger names it.
  package var datasets: [String: CorrectionCounts] = [:]
  /// True if there is a ledger.
  package var hasLedger = false
  /// True if they are in the truth that was read.
  package var used = false
  /// The last entry that the truth goes by; `nil` for the imported truth.
  package var sequence: Int64?
  /// True if what people left out is not in the result. A search finds it all the same.
  package var leavesOut = true
  private var says = Says.usage
  /// A further remark, one sentence: the ledger cannot be read.
  package var problem: String?

  /// The statement of a remark about the corrections.
  private enum Says: Hashable, Sendable {
    case usage, existence, nothing
  }

  package init() {}

  /// All datasets together.
  package var counts: CorrectionCounts {
    datasets.values.reduce(CorrectionCounts()) { $0 + $1 }
  }

  /// Visits with a net change.
  package var exist: Int { counts.corrections }
  /// The samples that have such visits.
  package var samples: Int { counts.samples }
  package var conflicts: Int { counts.conflicts }
  package var leftOut: Int { counts.leftOut }
  /// Places whose corrections do not apply as they stand.
  package var issues: Int { counts.issues }

  /// The same about one dataset alone.
  package func of(_ dataset: String) -> CorrectionStatus {
    var use = self
    use.datasets = datasets.filter { $0.key == dataset }
    return use
  }

  /// The same with these counts, of some samples of a dataset.
  package func of(_ dataset: String, counts: CorrectionCounts) -> CorrectionStatus {
    var use = self
    use.datasets = [dataset: counts]
    return use
  }

  /// The same without saying whether they are used, for results that no truth is in.
  package var withoutUsage: CorrectionStatus {
    var use = self
    use.says = .nothing
    return use
  }

  /// The same saying only that there are some.
  package var asExistence: CorrectionStatus {
    var use = self
    use.says = .existence
    return use
  }

  /// One line for a person; `nil` where there is nothing to say.
  package var remark: String? {
    let counts = counts
    var parts: [String] = []
    let number = Self.count(counts.corrections, "correction", "corrections")
    let samples = Self.count(counts.samples, "sample", "samples")
    switch says {
    case .nothing: break
    case .existence where counts.corrections > 0:
      parts.append("\(number) to \(samples) \(counts.corrections == 1 ? "applies" : "apply")")
    case .existence: break
    case .usage where used:
      parts.append(
        number + (counts.corrections > 0 ? " to \(samples)" : "") + " used"
          + (sequence.map { " (entry \($0))" } ?? ""))
      if counts.leftOut > 0 {
        parts.append(
          Self.count(counts.leftOut, "sample", "samples")
            + (leavesOut ? " left out" : " left out of evaluation and export (left_out = true)"))
      }
    case .usage where counts.corrections > 0:
      parts.append(
        counts.corrections == 1
          ? "1 correction exists, not used (--corrected uses it)"
          : "\(number) exist, not used (--corrected uses them)")
    case .usage: break
    }
    if counts.conflicts > 0 {
      parts.append(
        Self.count(counts.conflicts, "conflict", "conflicts") + " to resolve (assay corrections ls)"
      )
    }
    if counts.issues > 0 {
      parts.append(
        Self.count(counts.issues, "sample", "samples")
          + " whose corrections no longer apply (assay corrections ls)")
    }
    if let problem { parts.append(problem) }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// ``remark`` as a list, for results that have several.
  package var remarks: [String] { remark.map { [$0] } ?? [] }

  /// The value of the member `corrections`; `null` where there is no ledger.
  package var json: JSONValue {
    guard hasLedger || used || problem != nil else { return .null }
    let counts = counts
    return [
      "exist": JSONValue(counts.corrections), "samples": JSONValue(counts.samples),
      "used": .bool(used), "entry": sequence.map { .integer($0) } ?? .null,
      "left_out": JSONValue(counts.leftOut), "conflicts": JSONValue(counts.conflicts),
      "issues": JSONValue(counts.issues), "problem": JSONValue(problem),
    ]
  }

  /// The member `corrections` of a command's JSON; none where there is no ledger.
  package var members: [JSONValue.Member] {
    json == .null ? [] : [.init("corrections", json)]
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }
}
