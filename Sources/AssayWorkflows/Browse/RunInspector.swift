package import AssayCore
import AssayMetrics
import AssayStore
import Synchronization

/// The numbers of runs for the live page: those of `assay evaluate` and `assay compare`, and the searches for the
/// samples behind them. Results are kept until the catalog changes. Its methods can be called from any thread.
package final class RunInspector: Sendable {
  private let browser: SampleBrowser
  private let cache = Mutex(Cache())
  /// One run is read at a time: a second request for the same numbers waits for the first.
  private let reading = Mutex(())

  package init(_ browser: SampleBrowser) { self.browser = browser }

  private var catalog: Catalog { browser.catalog }

  /// An evaluation of a run that was read.
  private struct Entry: Sendable {
    var run: RunRecord
    /// The filter of the evaluation's samples; `nil` for all samples of the run.
    var filter: String?
    /// The last entry of the ledger that the ground truth of the evaluation includes; `nil` for the imported one.
    var sequence: Int64?
    var samples: [SampleRecord]
    var json: JSONValue
    var inspection: RunInspection
  }

  private struct Cache: Sendable {
    var state: CatalogState?
    /// By the name with the evaluation: `r1@strict`.
    var runs: [String: Entry] = [:]
    var comparisons: [[String]: JSONValue] = [:]
    /// The evaluations, last used last.
    var order: [String] = []

    /// The maximum numbers of runs and of comparisons that are kept.
    static let runLimit = 4
    static let comparisonLimit = 8
  }

  // MARK: One run

  /// The numbers of an evaluation, as `assay evaluate --json` prints them, in `evaluation`, and the names of all
  /// evaluations of the run; for a run without one, the reason and the next command.
  ///
  /// - Parameter name: `r1` for the evaluation `default`, or `r1@strict`.
  /// - Throws: ``EvaluationError``, ``InspectionError``, `MetricError`, `StoreError`.
  package func run(_ name: String) throws -> JSONValue {
    let reference = try reference(name)
    let names = try catalog.evaluations(of: reference.run).map(\.name)
    let known = JSONValue.Member("evaluations", .array(names.map { .string($0) }))
    let json =
      reference.evaluation == nil
      ? try unevaluated(reference.run, others: names) : try entry(reference).json
    guard case .object(let members) = json else { return json }
    return .object(members + [known])
  }

  /// The evaluation that a name refers to: that of `r1@strict`, or `default` of `r1`; without an evaluation if `r1`
  /// has no `default`.
  private func reference(_ name: String) throws -> RunReference {
    var reference = try RunReference(name, in: catalog)
    if reference.evaluation == nil {
      reference.evaluation = try catalog.evaluations(of: reference.run).first {
        $0.name == EvaluationRecord.defaultName
      }
    }
    return reference
  }

  /// - Parameter others: the names of the run's other evaluations.
  private func unevaluated(_ run: RunRecord, others: [String]) throws -> JSONValue {
    let (reason, next): (String, String)
    let dataset = run.dataset.name
    if run.done == 0 {
      reason = "The run \(run.name) has no predictions."
      next = "assay predict \(run.view) --model MODEL"
    } else if try !catalog.hasGroundTruth(for: run.task, in: run.dataset) {
      reason =
        "\(dataset) has no ground truth for \(run.task.rawValue), so there is nothing to compare the predictions with. "
        + "Import labels, then evaluate the run."
      next = "assay import FOLDER --name \(dataset) --replace"
    } else if !others.isEmpty {
      reason =
        "The run \(run.name) has no evaluation “\(EvaluationRecord.defaultName)”. It has: "
        + others.joined(separator: ", ") + "."
      next = "assay evaluate \(run.name)"
    } else {
      reason = "The run \(run.name) has not been evaluated yet."
      next = "assay evaluate \(run.name)"
    }
    return [
      "run": .string(run.name), "dataset": .string(dataset), "task": .string(run.task.rawValue),
      "samples": JSONValue(run.done), "evaluated": false, "reason": .string(reason),
      "next": .string(next),
    ]
  }

  /// - Throws: ``InspectionError/notEvaluated(run:)``; the errors of ``run(_:)``.
  private func entry(named name: String) throws -> Entry {
    let reference = try reference(name)
    guard reference.evaluation != nil else { throw InspectionError.notEvaluated(run: name) }
    return try entry(reference)
  }

  private func entry(_ reference: RunReference) throws -> Entry {
    let name = reference.name
    if let known = try held({ $0.runs[name] }) { return known }
    return try reading.withLock { _ in
      if let known = try held({ $0.runs[name] }) { return known }
      let state = try catalog.state()
      let entry = try read(Tasks.type(of: reference.run.task), reference)
      cache.withLock { cache in
        guard cache.state == state else { return }
        cache.order.removeAll { $0 == name }
        cache.order.append(name)
        cache.runs[name] = entry
        while cache.order.count > Cache.runLimit { cache.runs[cache.order.removeFirst()] = nil }
      }
      return entry
    }
  }

  /// A value read from the present state of the catalog; those read before it changed are removed.
  private func held<Value: Sendable>(_ read: @Sendable (Cache) -> Value?) throws -> Value? {
    let state = try catalog.state()
    return cache.withLock { cache in
      if cache.state != state {
        cache = Cache()
        cache.state = state
      }
      return read(cache)
    }
  }

  private func read<Task: InspectedTask>(
    _ task: Task.Type, _ reference: RunReference
  ) throws -> Entry {
    let evaluator = Evaluator<Task>(catalog: catalog)
    let run: EvaluatedRun<Task>
    if let stored = reference.evaluation, !Task.restoresCounts,
      stored.name == EvaluationRecord.defaultName, stored.ledgerSequence == nil
    {
      // Such an evaluation does not know why samples are left out.
      run = try evaluator.counted(
        RunReference(run: reference.run), EvaluationSettings(storedIn: stored))
    } else {
      run = try evaluator.counted(reference, EvaluationSettings())
    }
    var (evaluation, details) = try evaluator.reduced(run)
    evaluation.name = reference.evaluation?.name
    let inspection = try Task.inspection(of: run, details, in: catalog)
    return Entry(
      run: reference.run, filter: run.settings.filter,
      sequence: reference.evaluation?.ledgerSequence, samples: run.samples,
      json: .object(
        [
          .init("run", .string(reference.run.name)),
          .init("dataset", .string(reference.run.dataset.name)),
          .init("task", .string(reference.run.task.rawValue)),
          .init("samples", JSONValue(run.samples.count)), .init("evaluated", true),
          .init("made_at", .string(reference.evaluation?.createdAt ?? "")),
          .init("evaluation", evaluation.json()),
        ] + inspection.members), inspection: inspection)
  }

  /// The counts of a detector at an IoU and a minimum score, from its stored matches.
  ///
  /// - Throws: ``InspectionError``; the errors of ``run(_:)``.
  package func point(of name: String, iou: Double?, score: Double?) throws -> JSONValue {
    let entry = try entry(named: name)
    guard let point = entry.inspection.point else {
      throw InspectionError.noPoint(run: name, entry.run.task)
    }
    return try point(iou, score)
  }

  // MARK: Samples

  /// The maximum length of an expression that lists samples by their keys: it is part of an address.
  private static let keyListLimit = 900

  /// The search for the samples of a filter: `view`, `where`, `corrected` (made with the corrected ground truth) and
  /// `count`, where `where` selects exactly `count` samples. If no expression does, `where` is null and `reason` says why.
  ///
  /// - Throws: ``InspectionError``; the errors of ``run(_:)``.
  package func samples(of name: String, _ filter: RunFilter) throws -> JSONValue {
    let entry = try entry(named: name)
    let choice = try entry.inspection.choose(filter)
    let view = entry.run.dataset.name
    let wanted = choice.indices.map { $0.map { entry.samples[$0].id }.sorted() }
    // Some fields belong to the run and not to an evaluation of a part of its samples.
    let filtered = entry.filter.map { filter in choice.expressions.map { "(\(filter)) and (\($0))" }
    }
    // The grid shows the ground truth of the evaluation, if that finds the samples.
    let truths = entry.sequence != nil && browser.hasCorrected ? [true, false] : [false]
    for isCorrected in truths {
      for expression in choice.expressions + (filtered ?? []) {
        let asked = SampleBrowser.Search(
          view: view, expression: expression, isCorrected: isCorrected)
        let found = try browser.find(asked).ids
        if wanted == nil || found == wanted { return search(asked, found.count) }
      }
    }
    let keys = (choice.indices ?? []).map { QueryWords.spelled(entry.samples[$0].key) }
    let list =
      keys.count == 1 ? "key = \(keys[0])" : "key in (\(keys.joined(separator: ", ")))"
    let asked = SampleBrowser.Search(view: view, expression: list, isCorrected: truths[0])
    let found =
      keys.isEmpty || list.utf8.count > Self.keyListLimit ? nil : try browser.find(asked).ids
    if let found, found == wanted { return search(asked, found.count) }
    return [
      "view": .string(view), "where": nil, "count": JSONValue(keys.count),
      "reason": .string(
        keys.isEmpty
          ? "No sample has this result."
          : try isOutdated(entry)
            ? "No query selects exactly these \(keys.count) samples: the ground truth was corrected since this evaluation. Evaluate again: assay evaluate \(ShellWord.quoted(entry.run.name)) --corrected"
            : "No query selects exactly these \(keys.count) samples; choose a class or a type of error instead."
      ),
    ]
  }

  /// Returns whether an evaluation is of an earlier state of the corrected ground truth.
  private func isOutdated(_ entry: Entry) throws -> Bool {
    guard let sequence = entry.sequence else { return false }
    return try catalog.truthSequence() != sequence
  }

  private func search(_ search: SampleBrowser.Search, _ count: Int) -> JSONValue {
    [
      "view": .string(search.view), "where": .string(search.expression),
      "corrected": .bool(search.isCorrected), "count": JSONValue(count),
    ]
  }

  // MARK: Two runs

  /// The differences between the evaluations `default` of two runs, as `assay compare --json` prints them, in
  /// `comparison`, without the lists of samples; and the searches for regressions and improvements.
  ///
  /// - Throws: ``EvaluationError``, ``InspectionError``, `MetricError`, `StoreError`.
  package func comparison(of first: String, _ second: String) throws -> JSONValue {
    let names = [first, second]
    if let known = try held({ $0.comparisons[names] }) { return known }
    let records = try names.map { name in
      guard !name.contains("@") else { throw InspectionError.evaluation(name) }
      return try catalog.run(named: name)
    }
    try SamplePairs.checkRuns((first, records[0]), (second, records[1]))
    var references: [RunReference] = []
    for record in records {
      let reference = try reference(record.name)
      guard reference.evaluation != nil else {
        return try unevaluated(record, others: catalog.evaluations(of: record).map(\.name))
      }
      references.append(reference)
    }
    return try reading.withLock { _ in
      if let known = try held({ $0.comparisons[names] }) { return known }
      let state = try catalog.state()
      let json = try compare(Tasks.type(of: records[0].task), references[0], references[1])
      cache.withLock { cache in
        guard cache.state == state else { return }
        if cache.comparisons.count >= Cache.comparisonLimit { cache.comparisons = [:] }
        cache.comparisons[names] = json
      }
      return json
    }
  }

  private func compare<Task: InspectedTask>(
    _ task: Task.Type, _ first: RunReference, _ second: RunReference
  ) throws -> JSONValue {
    let (comparison, pairing) = try Comparer<Task>(catalog: catalog)
      .compare(first, second, EvaluationSettings())
    let lists = [pairing.listNames.lost, pairing.listNames.won]
    guard case .object(let members) = comparison.json else { return .null }
    let (one, two) = (
      "run(\(QueryWords.spelled(first.run.name)))", "run(\(QueryWords.spelled(second.run.name)))"
    )
    let changes = Task.changes(from: one, to: two)
    let view = first.run.dataset.name
    func grid(_ expression: String) throws -> JSONValue {
      let asked = SampleBrowser.Search(view: view, expression: expression)
      return search(asked, try browser.find(asked).ids.count)
    }
    let right = ("\(one).correct = true", "\(two).correct = true")
    let wrong = ("\(one).correct = false", "\(two).correct = false")
    return .object([
      .init("evaluated", true), .init("a", .string(first.run.name)),
      .init("b", .string(second.run.name)), .init("task", .string(Task.task.rawValue)),
      .init("dataset", .string(view)), .init("samples", JSONValue(comparison.samples.count)),
      .init("comparison", .object(members.filter { !lists.contains($0.name) })),
      .init("regressions", JSONValue(pairing.changes.lost)),
      .init("improvements", JSONValue(pairing.changes.won)),
      .init("worse", try grid(changes.worse)), .init("better", try grid(changes.better)),
      .init(
        "table",
        Task.scatterField == nil
          ? [
            "both": try grid("\(right.0) and \(right.1)"),
            "neither": try grid("\(wrong.0) and \(wrong.1)"),
          ] : .null),
      .init("scatter", try Task.scatterField.map { try scatter($0, one, two, view) } ?? .null),
    ])
  }

  /// The number of bins of each axis of a scatter chart.
  private static let bins = 20

  /// The samples that both runs have a number of, counted in bins: `edges`, and `cells` as `[a, b, count]`.
  private func scatter(
    _ field: String, _ one: String, _ two: String, _ view: String
  ) throws -> JSONValue {
    let all = Selection.all(of: try catalog.resolve(view).dataset)
    let (first, second) = (
      try catalog.numberColumn("\(one).\(field)", of: all),
      try catalog.numberColumn("\(two).\(field)", of: all)
    )
    let pairs = zip(first, second).filter { $0.isFinite && $1.isFinite }
    let largest = pairs.reduce(0) { max($0, $1.0, $1.1) }
    // Shares have bins over 0...1; counts have bins of whole numbers.
    let isShare = field == "iou" || field == "recall"
    let width =
      isShare
      ? 1 / Double(Self.bins) : ((largest + 1) / Double(Self.bins)).rounded(.up)
    let edges = (0...Self.bins).map {
      isShare ? Double($0) / Double(Self.bins) : Double($0) * width
    }
    func bin(_ value: Double) -> Int { (0..<Self.bins).last { value >= edges[$0] } ?? 0 }
    var counts: [Int: Int] = [:]
    for (a, b) in pairs { counts[bin(a) * Self.bins + bin(b), default: 0] += 1 }
    return [
      "field": .string(field), "fields": [.string("\(one).\(field)"), .string("\(two).\(field)")],
      "edges": .array(edges.map { .number($0) }),
      "cells": .array(
        counts.sorted { $0.key < $1.key }.map {
          [JSONValue($0.key / Self.bins), JSONValue($0.key % Self.bins), JSONValue($0.value)]
        }),
    ]
  }
}
