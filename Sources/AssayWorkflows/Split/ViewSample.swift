import AssayCore
package import AssayStore

/// A request to draw a sample of a view.
package struct SampleRequest: Hashable, Sendable {
  /// The rule by which samples are drawn.
  package enum Rule: Hashable, Sendable {
    case amount(SampleAmount)
    /// At least this many samples of each class.
    case perClass(Int)
  }

  package var view: String
  package var rule: Rule
  /// The name of the saved view.
  package var name: String
  package var seed: UInt64 = 42
  /// True to keep the proportions of the classes.
  package var stratify = false
  /// The groups that are drawn as a whole; `nil` for none.
  package var grouping: SampleGrouping?

  package init(_ view: String, _ rule: Rule, name: String) {
    self.view = view
    self.rule = rule
    self.name = name
  }
}

/// Draws a random sample of a view and saves it as a view.
///
/// The sample is a fixed list. Which samples it has depends only on the seed, the samples' keys and,
/// for stratified samples, their classes: not on the order of the import or the machine. Without strata
/// and groups, a larger sample with the same seed contains the smaller one.
///
/// A stratified sample keeps the shares of the strata. The stratum of a sample is its label; of several
/// labels, and of the classes of its annotations, the one that the fewest samples of the view have.
package struct ViewSample {
  /// The sample that was drawn.
  package struct Summary: Sendable {
    package var request: SampleRequest
    package var saved: ViewRecord
    /// The number of samples drawn, and of those in the view.
    package var samples: Int
    package var total: Int
    /// The numbers of groups drawn and in the view; `nil` without a grouping.
    package var groups: (drawn: Int, total: Int)?
    package var classes: [String]
    /// True if a sample can have several classes: then strata are the rarest ones.
    package var hasSets: Bool
    /// The number of samples of each class in the view and in the sample; the last one counts samples
    /// without a class.
    package var before: [Int]
    package var after: [Int]
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Draws and saves the sample.
  ///
  /// - Throws: ``SampleError``, ``SplitError`` for a grouping, `StoreError`, ``Interrupted``.
  package func run(_ request: SampleRequest, progress: any ProgressSink) throws -> Summary {
    try Name.checked(request.name)
    let selection = try catalog.resolve(request.view)
    let classes = try catalog.taxonomy(of: selection.dataset.id).names
    let candidates = try SampleCandidates(
      selection, seed: request.seed, in: catalog, reportingTo: progress)
    guard !candidates.ids.isEmpty else { throw SampleError.noSamples(view: request.view) }
    let (drawn, groups) = try draw(request, candidates, selection, classes)
    let saved = try catalog.addSample(
      named: request.name, of: selection, seed: request.seed, rule: rule(request),
      samples: drawn.map { candidates.ids[$0] }.sorted())
    let hasSets = candidates.ids.indices.contains { candidates.classes(of: $0).count > 1 }
    return Summary(
      request: request, saved: saved, samples: drawn.count, total: candidates.ids.count,
      groups: groups, classes: classes, hasSets: hasSets,
      before: candidates.counts(of: candidates.ids.indices), after: candidates.counts(of: drawn))
  }

  private func draw(
    _ request: SampleRequest, _ candidates: SampleCandidates, _ selection: Selection,
    _ classes: [String]
  ) throws -> (drawn: [Int], groups: (Int, Int)?) {
    let total = candidates.ids.count
    switch request.rule {
    case .perClass(let count):
      return (
        try candidates.draw(perClass: count, names: classes, view: request.view), nil
      )
    case .amount(let amount):
      let count = try amount.count(of: total, view: request.view)
      guard let grouping = request.grouping else {
        let drawn =
          request.stratify ? candidates.drawStratified(count) : candidates.draw(count)
        return (drawn, nil)
      }
      return try draw(count, grouping, request, candidates, selection)
    }
  }

  /// Draws whole groups with the rule of `assay split --group-by`, for the sample and the rest.
  private func draw(
    _ count: Int, _ grouping: SampleGrouping, _ request: SampleRequest,
    _ candidates: SampleCandidates, _ selection: Selection
  ) throws -> (drawn: [Int], groups: (Int, Int)?) {
    let total = candidates.ids.count
    let groups = try SampleGroups(
      catalog.samples(in: selection), by: grouping, in: catalog, view: request.view)
    guard count < total else {
      return (Array(candidates.ids.indices), (groups.names.count, groups.names.count))
    }
    let strata =
      request.stratify ? candidates.strata() : Array(repeating: 0, count: total)
    let sizes = groups.members.map { members in
      var counts: [Int: Int] = [:]
      for member in members { counts[strata[member], default: 0] += 1 }
      return counts.sorted { $0.key < $1.key }.map { (stratum: $0.key, count: $0.value) }
    }
    let parts = GroupAssignment.assign(
      sizes, strata: candidates.classCount + 1, names: groups.names,
      weights: [count, total - count], seed: request.seed)
    let drawn = groups.members.indices.filter { parts[$0] == 0 }
    guard !drawn.isEmpty else {
      throw SplitError.emptyPart(request.name, groups: groups.names.count)
    }
    return (drawn.flatMap { groups.members[$0] }, (drawn.count, groups.names.count))
  }

  private func rule(_ request: SampleRequest) -> String {
    let size: JSONValue.Member =
      switch request.rule {
      case .amount(.count(let count)): .init("count", JSONValue(count))
      case .amount(.share(let share)):
        .init("share", .number(Double(share) / Double(PartShare.scale)))
      case .perClass(let count): .init("perClass", JSONValue(count))
      }
    let value: JSONValue = [
      Catalog.sampleMember: .object([.init("of", .string(request.view)), size]),
      "stratify": .bool(request.stratify), "groupBy": JSONValue(request.grouping?.text),
      "order": request.grouping == nil
        ? "sha256(seed as 8 bytes little-endian, key)"
        : "groups by size, then sha256(seed as 8 bytes little-endian, group)",
    ]
    return value.text()
  }
}
