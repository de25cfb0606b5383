import AssayCore
import AssayFormats
import AssayMetrics
package import AssayStore

/// The votes of FER+ for samples, as shares of the emotions.
///
/// The shares of an import with the rule `probability` are the published targets of this rule, the
/// field `distribution`. Without this field, they are the votes for the eight emotions, less those that
/// only one person gave, which all rules of FER+ drop.
package struct SampleVotes: Sendable {
  /// The share of each emotion with votes, by name; `nil` for a sample without votes, empty if no sample
  /// has any.
  private var shares: [[String: Double]?] = []
  /// True if shares are those of `distribution`.
  private var areDistributions = false

  package init() {}

  /// True if no sample has votes.
  var isEmpty: Bool { shares.isEmpty }

  /// Reads the fields of samples.
  ///
  /// - Throws: `StoreError`.
  init(of samples: [SampleRecord], in dataset: DatasetRecord, _ catalog: Catalog) throws {
    guard try catalog.hasSampleFields(in: dataset.id) else { return }
    var found: [[String: Double]?] = Array(repeating: nil, count: samples.count)
    var (hasAny, distributions) = (false, false)
    try catalog.forEachFields(of: samples.map(\.id)) { index, fields in
      let fields = JSONValue.object(fields)
      guard let votes = Self.votes(fields["votes"]) else { return }
      if let given = Self.distribution(fields["distribution"]) {
        found[index] = given
        distributions = true
      } else {
        found[index] = votes
      }
      hasAny = hasAny || found[index] != nil
    }
    guard hasAny else { return }
    shares = found
    areDistributions = distributions
  }

  /// The shares of the emotions among the votes of FER+; empty if only single votes are for emotions,
  /// `nil` for another field of this name.
  private static func votes(_ value: JSONValue?) -> [String: Double]? {
    guard let members = value?.members, Set(members.map(\.name)) == Set(VoteRule.options) else {
      return nil
    }
    var counts: [String: Double] = [:]
    for member in members {
      guard let count = member.value.whole, count >= 0 else { return nil }
      if count > 1, VoteRule.emotions.contains(member.name) {
        counts[member.name] = Double(count)
      }
    }
    let sum = VoteRule.emotions.reduce(0) { $0 + counts[$1, default: 0] }
    return sum > 0 ? counts.mapValues { $0 / sum } : nil
  }

  private static func distribution(_ value: JSONValue?) -> [String: Double]? {
    guard let members = value?.members, !members.isEmpty else { return nil }
    var shares: [String: Double] = [:]
    var sum = 0.0
    for member in members {
      guard VoteRule.emotions.contains(member.name), let share = member.value.double, share > 0
      else { return nil }
      shares[member.name] = share
      sum += share
    }
    return abs(sum - 1) <= 1e-6 ? shares : nil
  }

  func selecting(_ indices: [Int]) -> SampleVotes {
    guard !shares.isEmpty else { return self }
    var part = self
    part.shares = indices.map { shares[$0] }
    return part
  }

  /// The shares by the order of classes.
  ///
  /// - Parameter scored: the classes that the run has scores for.
  func shares(of classes: [String], scored: Set<String>) -> [VoteShares?] {
    shares.map { shares in
      shares.map { shares in
        VoteShares(
          shares: classes.map { shares[$0, default: 0] },
          isScored: shares.keys.allSatisfy(scored.contains))
      }
    }
  }

  /// Notes on what the shares are, and on samples that have no cross-entropy.
  ///
  /// - Parameter classes: those of the run.
  func notes(classes: [String]) -> [String] {
    let known = shares.compactMap(\.self)
    guard !known.isEmpty else { return [] }
    let scored = Set(classes)
    var notes = [
      "votes of FER+ for \(known.count) of \(Counted.text(shares.count, "sample", "samples")): "
        + (areDistributions
          ? "the distribution of the rule probability"
          : "shares of the votes for the eight emotions, without votes that only one person gave")
    ]
    let missing = known.filter { !$0.keys.allSatisfy(scored.contains) }
    if !missing.isEmpty {
      let names = VoteRule.emotions.filter { name in
        !scored.contains(name) && missing.contains { $0[name] != nil }
      }
      notes.append(
        "\(MetricKind.voteCrossEntropy.rawValue) and \(MetricKind.voteDivergence.rawValue) leave out "
          + "\(Counted.text(missing.count, "sample", "samples")) with votes for classes that the run has no scores for: "
          + names.joined(separator: ", "))
    }
    return notes
  }
}
