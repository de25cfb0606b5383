package import AssayCore
package import AssayStore
import Foundation

/// Makes one ground truth of the independent versions of shared samples.
///
/// Equal versions, and those of more than half of the people, are taken; samples where people differ go
/// to a review in which somebody decides. Sets of labels are decided class by class.
package struct ReviewConsensus: Sendable {
  /// A sample that somebody has to decide.
  package struct Open: Sendable {
    package var sample: SampleRecord
    package var score: Double?
    /// Each person's version in a few words.
    package var reason: String
  }

  package struct Plan: Sendable {
    /// The entries to save.
    var saves: [(rule: Agreed.Rule, agreed: Agreed, sample: SampleRecord)] = []
    package var open: [Open] = []
    /// The number of shared samples that not all of their people have finished.
    package var waiting = 0
    /// The number of shared samples that are decided already.
    package var decided = 0
    package var shared = 0

    package var equal: Int { saves.count { $0.rule == .equal } }
    package var majority: Int { saves.count { $0.rule == .majority } }
  }

  /// The smallest IoU of two objects that are taken as equal.
  package static let usualIoU = 0.9

  private let queue: ReviewQueue
  private let desk: CorrectionService
  private let iou: Double

  /// - Parameter iou: the smallest IoU of objects that are taken as equal.
  package init(_ queue: ReviewQueue, _ desk: CorrectionService, iou: Double = usualIoU) {
    self.queue = queue
    self.desk = desk
    self.iou = iou
  }

  /// The decisions of the rules at this time; nothing is saved.
  ///
  /// - Throws: ``AgreementError/noShared(review:)``; ``CorrectionError``; ``Interrupted``.
  package func plan(progress: any ProgressSink = NoProgress()) throws -> Plan {
    let items = queue.items(from: 0, limit: .max).filter(\.isShared)
    guard !items.isEmpty else { throw AgreementError.noShared(review: queue.review.name) }
    var plan = Plan(shared: items.count)
    for (place, item) in items.enumerated() {
      try Interruption.check("nothing was saved")
      try decide(item, &plan)
      progress.report(Double(place + 1) / Double(items.count), "comparing versions")
    }
    return plan
  }

  private func decide(_ item: ReviewQueue.Item, _ plan: inout Plan) throws {
    let status = try desk.truth(of: item.sample).status
    guard status != .done, status != .leftOut else {
      plan.decided += 1
      return
    }
    let versions = try queue.versions(of: item, desk)
    guard versions.allSatisfy(\.isAnswered), versions.count >= 2 else {
      plan.waiting += 1
      return
    }
    let decided = versions.filter(\.isDecided)
    let compared = decided.map { ComparedVersion(content: $0.truth.content) }
    let rests = decided.compactMap { version in
      version.entry.map { Agreed.Version(author: version.author, entry: $0) }
    }
    guard rests.count == decided.count else { return plan.open.append(open(item, versions)) }
    // How many versions, each one included, are equal to each.
    let equal = compared.map { one in compared.count { one.isEqual(to: $0, iou: iou) } }
    if let most = equal.max(), 2 * most > versions.count,
      let taken = equal.firstIndex(of: most)
    {
      let rule: Agreed.Rule = most == versions.count ? .equal : .majority
      let agreed = Agreed(
        review: queue.review.name, rule: rule, versions: rests, taken: taken)
      return plan.saves.append((rule, agreed, item.sample))
    }
    if let labels = majority(compared, of: versions.count) {
      let agreed = Agreed(
        review: queue.review.name, rule: .majority, versions: rests, taken: nil, labels: labels)
      return plan.saves.append((.majority, agreed, item.sample))
    }
    plan.open.append(open(item, versions))
  }

  /// The labels that more than half of the people gave, of a dataset with sets of labels; `nil` if there
  /// is a class that exactly half of them gave, or anybody excluded the sample.
  private func majority(_ versions: [ComparedVersion], of people: Int) -> Set<String>? {
    guard queue.review.dataset.isMultiLabel, versions.count == people, people > 2,
      versions.allSatisfy({ $0.content.leftOut == nil })
    else { return nil }
    var counts: [String: Int] = [:]
    for version in versions {
      for label in version.content.labels ?? [] { counts[label, default: 0] += 1 }
    }
    guard !counts.values.contains(where: { 2 * $0 == people }) else { return nil }
    return Set(counts.filter { 2 * $0.value > people }.keys)
  }

  private func open(_ item: ReviewQueue.Item, _ versions: [PersonVersion]) -> Open {
    let words = versions.map { version in
      let words =
        version.isDecided
        ? ComparedVersion(content: version.truth.content).words : version.truth.status.rawValue
      return "\(version.author): \(words)"
    }
    return Open(sample: item.sample, score: item.score, reason: words.joined(separator: " · "))
  }

  /// Saves what the rules decided, all of it or nothing, and makes the review of the rest.
  ///
  /// - Returns: the review of the samples that somebody has to decide; `nil` if there are none.
  /// - Throws: ``CorrectionError``, `StoreError`, ``Interrupted``.
  package func record(
    _ plan: Plan, author: String, progress: any ProgressSink = NoProgress()
  ) throws -> ReviewRecord? {
    let name = queue.review.name + "-adjudication"
    if let known = try desk.catalog.findReview(named: name),
      known.adjudicated != queue.review.name
    {
      throw ReviewError.nameTaken(known.name, subject: known.subject, order: known.order)
    }
    if !plan.saves.isEmpty {
      let visit = UUID().uuidString.lowercased()
      _ = try desk.save(
        all: plan.saves.map { save in
          CorrectionSave(
            uuid: UUID().uuidString.lowercased(), visit: visit, sample: save.sample,
            author: author, tool: "consensus", done: true, change: .agree(save.agreed))
        }, progress: progress)
    }
    guard !plan.open.isEmpty else { return nil }
    let review = queue.review
    let settings = (try? JSONValue(parsing: review.settings)) ?? .object([])
    var meant = settings["meant"]?.members ?? []
    meant.removeAll { $0.name == "sharing" || $0.name == "limit" }
    return try desk.catalog.saveReview(
      ReviewDraft(
        name: name, dataset: review.dataset.id, subject: review.subject, order: review.order,
        expression: review.expression,
        settings: JSONValue.object([
          .init("adjudicates", .string(review.name)), .init("meant", .object(meant)),
        ]).text(), seed: review.seed,
        entries: plan.open.map {
          ReviewDraft.Entry(sample: $0.sample.id, score: $0.score, reason: $0.reason)
        }), replaces: true)
  }
}
