package import AssayCore
package import AssayStore

/// The number of corrections, and whether the ground truth in use includes them; every output
/// states both.
package struct CorrectionStatus: Hashable, Sendable {
  /// The status without a ledger: there is no remark.
  package static let none = CorrectionStatus()

  /// The counts by dataset, as named in the ledger.
  package var datasets: [String: CorrectionCounts] = [:]
  /// True if there is a ledger.
  package var hasLedger = false
  /// True if the ground truth that was read includes the corrections.
  package var used = false
  /// The last entry that the ground truth includes; `nil` for the imported ground truth.
  package var sequence: Int64?
  /// True if samples that users excluded are not in the result. A search still finds them.
  package var leavesOut = true
  private var says = Says.usage
  /// An additional remark, one sentence: the ledger cannot be read.
  package var problem: String?

  /// The statement of a remark about the corrections.
  private enum Says: Hashable, Sendable {
    case usage, existence, nothing
  }

  package init() {}

  /// The counts of all datasets together.
  package var counts: CorrectionCounts {
    datasets.values.reduce(CorrectionCounts()) { $0 + $1 }
  }

  /// The number of visits with a net change.
  package var exist: Int { counts.corrections }
  /// The number of samples with such visits.
  package var samples: Int { counts.samples }
  package var conflicts: Int { counts.conflicts }
  package var leftOut: Int { counts.leftOut }
  /// The number of places whose corrections do not currently apply.
  package var issues: Int { counts.issues }

  /// The status of one dataset.
  package func of(_ dataset: String) -> CorrectionStatus { of(anyOf: [dataset]) }

  /// The status of some datasets.
  package func of(anyOf names: [String]) -> CorrectionStatus {
    var use = self
    use.datasets = datasets.filter { names.contains($0.key) }
    return use
  }

  /// The status with these counts, for some samples of a dataset.
  package func of(_ dataset: String, counts: CorrectionCounts) -> CorrectionStatus {
    var use = self
    use.datasets = [dataset: counts]
    return use
  }

  /// The status without the statement of whether corrections are used, for results without ground
  /// truth.
  package var withoutUsage: CorrectionStatus {
    var use = self
    use.says = .nothing
    return use
  }

  /// The status reduced to the statement that corrections exist.
  package var asExistence: CorrectionStatus {
    var use = self
    use.says = .existence
    return use
  }

  /// One line for the reader; `nil` if there is nothing to report.
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
        Self.count(counts.conflicts, "conflict", "conflicts") + " to resolve (" + conflictStep + ")"
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

  /// The commands that list conflicts and resolve one.
  private var conflictStep: String {
    guard says == .existence, datasets.count == 1, let name = datasets.keys.first else {
      return "assay corrections ls"
    }
    return
      "assay query 'conflict = true' --in \(name) lists the samples; assay corrections show \(name):KEY shows the "
      + "versions and the command: assay corrections add --sample \(name):KEY --conflict ENTRY --keep this|head|both"
  }

  /// ``remark`` as a list, for results with several remarks.
  package var remarks: [String] { remark.map { [$0] } ?? [] }

  /// The value of the member `corrections`; `null` if there is no ledger.
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

  /// The member `corrections` of a command's JSON; empty if there is no ledger.
  package var members: [JSONValue.Member] {
    json == .null ? [] : [.init("corrections", json)]
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }
}
