import AssayCore
import AssayReports
package import AssayStore
import Foundation

/// Checks the images and annotations of a view, and stores what it finds.
package struct CheckWorkflow: Sendable {
  let catalog: Catalog
  let workers: Int
  let progress: any ProgressSink

  /// - Parameters:
  ///   - catalog: a catalog opened for writing, with the ground truth to use.
  ///   - workers: the number of threads; the result does not depend on it.
  package init(
    catalog: Catalog, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
    progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.workers = max(1, workers)
    self.progress = progress
  }

  /// The rules, in the order of the table of kinds.
  private static let rules: [any CheckRule] =
    [
      UnreadableRule(), MissingEndRule(), SizeMismatchRule(), ExactDuplicateRule(),
      NearDuplicateRule(),
      LeakageRule(), LabelConflictRule(), AnnotationRule(), AbsentClassRule(), BlankRule(),
    ] + AppearanceRule.kinds.map { AppearanceRule(kind: $0) } + [
      OddSizeRule(), LabelErrorRule(), AnnotatorRule(), OutlierRule(),
    ]

  /// Checks a view without storing anything.
  ///
  /// - Parameter parts: the parts with what the images of the view are; `nil` to read the images.
  /// - Throws: ``CheckError``, ``Interrupted``, `StoreError`; ``PartError`` with parts; with a run, the
  ///   errors of evaluating it.
  package func find(
    _ request: CheckRequest, parts: RecordParts? = nil
  ) throws -> CheckOutcome {
    let selection = try catalog.resolve(request.view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw CheckError.noSamples(view: request.view) }
    let members = try request.partition.map {
      try catalog.members(ofPartition: $0, in: selection.dataset.id)
    }
    if let run = request.run { _ = try RunReference(run, in: catalog) }
    var view = CheckedView(
      catalog: catalog, request: request, selection: selection, samples: samples,
      classes: try catalog.taxonomy(of: selection.dataset.id).names,
      splits: samples.map { sample in members.map { $0[sample.id] } ?? sample.split },
      progress: progress, workers: workers)
    if request.kinds.contains(where: \.needsImages) {
      let scanned =
        try parts.map {
          try ScannedImages($0, of: samples, selection.dataset, in: catalog)
        }
        ?? ImageScan(
          catalog: catalog, dataset: selection.dataset, samples: samples, workers: workers
        ).run(progress)
      view.scanned = scanned
      if request.kinds.contains(where: \.needsDuplicates) {
        view.duplicates = try DuplicateSearch(
          images: SampleImages(catalog: catalog, dataset: selection.dataset), samples: samples,
          scanned: scanned, workers: workers,
          needsImages: parts != nil,
          findsSimilar: request.kinds.contains { $0.needsDuplicates && $0 != .exactDuplicate }
        ).run(progress)
      }
    }
    return try outcome(view)
  }

  private func outcome(_ view: CheckedView) throws -> CheckOutcome {
    let request = view.request
    var outcome = CheckOutcome(
      request: request, dataset: view.selection.dataset.name, count: view.samples.count,
      kinds: request.kinds.filter {
        ($0 != .labelError || request.run != nil) && ($0 != .outlier || request.features != nil)
      }, findings: [],
      samples: [:], splits: [:], labels: [:], leakage: nil, notes: [])
    for rule in Self.rules {
      let kinds = (rule as? AppearanceRule).map { [$0.kind] } ?? type(of: rule).kinds
      guard kinds.contains(where: { request.kinds.contains($0) }) else { continue }
      let result = try rule.run(view)
      outcome.findings += result.findings
      outcome.evidence.merge(result.evidence) { $1 }
      outcome.notes += result.notes
    }
    let unread = view.scanned?.images.count { $0.problem != nil } ?? 0
    if unread > 0, !request.kinds.contains(.unreadable) {
      outcome.notes.append(
        "\(NumberText.count(unread)) \(unread == 1 ? "image" : "images") could not be read and "
          + "\(unread == 1 ? "was" : "were") left out (--only unreadable)")
    }
    if request.kinds.contains(.leakage), !view.splitNames.isEmpty {
      outcome.leakage = LeakageMatrix(view)
    }
    let neighbors = outcome.evidence.values.flatMap { $0.values.flatMap(\.neighbors) }
    let named = Set(outcome.findings.flatMap(\.samples)).union(neighbors)
    for (place, sample) in view.samples.enumerated() where named.contains(sample.id) {
      outcome.samples[sample.id] = sample
      outcome.splits[sample.id] = view.splits[place]
      outcome.labels[sample.id] = view.labelText(of: place)
    }
    return outcome
  }

  /// Stores the findings in place of those of the same kinds of the last checks of the view.
  package func store(_ outcome: CheckOutcome) throws {
    try catalog.replaceFindings(
      of: try catalog.dataset(named: outcome.dataset).id, view: outcome.request.view,
      kinds: outcome.kinds, settings: outcome.request.settings.canonicalText, with: outcome.findings
    )
  }
}
