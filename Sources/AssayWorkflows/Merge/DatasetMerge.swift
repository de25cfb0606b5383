import AssayCore
package import AssayStore
import Foundation

/// A request to merge datasets of a catalog.
package struct MergeRequest: Hashable, Sendable {
  /// The treatment of images that two of the datasets have.
  package enum Duplicates: String, CaseIterable, Sendable {
    /// All samples are kept.
    case keep
    /// Each image is taken from the first dataset that has it.
    case first
    /// As ``first``, with the annotations and labels that the other datasets have of the image.
    case union
    /// Nothing is merged.
    case refuse
  }

  /// The views in the order of the merged samples.
  package var views: [String]
  package var name: String
  package var changes = ClassChanges()
  package var duplicates = Duplicates.keep
  /// True to put the name of the dataset before each key.
  package var prefixesKeys = false
  /// True to replace a dataset of this name.
  package var replace = false

  package init(_ views: [String], name: String) {
    self.views = views
    self.name = name
  }
}

/// The result of a merge.
package struct MergeSummary: Sendable {
  /// The part of one dataset.
  package struct Source: Hashable, Sendable {
    package var dataset: String
    /// Its views, as typed.
    package var views: [String]
    /// The number of merged samples.
    package var samples: Int
    /// The number of samples that users excluded, with a corrected ground truth.
    package var leftOut: Int
    /// The number of samples whose image an earlier dataset has, and which are left out for it or united
    /// with it.
    package var duplicates: Int
  }

  package var dataset: DatasetRecord
  package var sources: [Source]
  package var classes: [String]
  /// The numbers of new samples, of samples whose key existed, and of samples whose key no longer
  /// exists.
  package var added: Int
  package var kept: Int
  package var retired: Int
  /// The number of samples whose image an earlier dataset has, too.
  package var sameImages: Int
  package var duplicates: MergeRequest.Duplicates
  package var united: UnitedAnnotations
  package var splits: [SplitCount]
  /// One sentence each, without a period.
  package var notes: [String]
}

/// Merges datasets of a catalog into a new one.
///
/// Samples are copied with their splits, labels, annotations and embedded pixels, in the order of the
/// datasets; image files stay where they are. The merged dataset is a copy of the ground truth at that
/// time: later corrections of the sources do not change it, and its own do not change them.
package struct DatasetMerge {
  private let request: MergeRequest
  private let catalog: Catalog
  private let corrections: CorrectionStatus

  /// - Parameter corrections: of the ground truth that `catalog` reads.
  package init(
    _ request: MergeRequest, in catalog: Catalog, corrections: CorrectionStatus = .none
  ) {
    self.request = request
    self.catalog = catalog
    self.corrections = corrections
  }

  /// Merges the datasets, all or nothing.
  ///
  /// - Throws: ``MergeError``, ``ExportError`` for changes of unknown classes, `MergeConflict`,
  ///   `StoreError`, ``Interrupted``.
  package func run(progress: some ProgressSink) throws -> MergeSummary {
    try Name.checked(request.name)
    // Before images are read.
    if !request.replace, try catalog.findDataset(named: request.name) != nil {
      throw StoreError.nameTaken(.dataset, request.name)
    }
    var parts = try parts()
    let hasObjects = try checkContents(parts)
    let taxonomies = try parts.map {
      (name: $0.source.dataset, classes: try catalog.taxonomy(of: $0.dataset.id).categories)
    }
    let classes = try MergedClasses(
      taxonomies, changes: request.changes,
      hasRegions: hasObjects || parts.contains { $0.dataset.isMultiLabel })
    var sources = zip(parts, classes.ordinals).map { part, ordinals in
      MergeSource(dataset: part.dataset, samples: part.samples, classes: ordinals)
    }
    let shared = try SharedImages(sources, in: catalog, reportingTo: progress)
    var union = ImageUnion()
    if !shared.later.isEmpty {
      switch request.duplicates {
      case .keep: break
      case .refuse: throw MergeError.sameImages(count: shared.later.count, example: shared.example)
      case .first, .union:
        if request.duplicates == .union {
          union = try ImageUnion(shared, sources, classes.classes, in: catalog)
        }
        for number in sources.indices {
          let before = sources[number].samples.count
          sources[number].samples.removeAll { shared.later.contains($0) }
          parts[number].source.duplicates = before - sources[number].samples.count
          parts[number].source.samples = sources[number].samples.count
        }
      }
    }
    let total = sources.reduce(0) { $0 + $1.samples.count }
    var plan = MergePlan(
      draft(parts), classes: classes.classes, sources: sources,
      prefixesKeys: request.prefixesKeys)
    plan.united = union.samples
    let merged = try catalog.merge(plan) { count in
      try Interruption.check("nothing was merged; run the same command to start again")
      progress.report(Double(count) / Double(max(1, total)), "merging into \(request.name)")
    }
    let dataset = merged.summary.dataset
    var notes = classes.notes
    notes += union.notes(merged)
    notes += try self.notes(merged, parts, shared, hasObjects: hasObjects)
    return MergeSummary(
      dataset: dataset, sources: parts.map(\.source), classes: classes.classes.map(\.name),
      added: merged.summary.added, kept: merged.summary.kept, retired: merged.summary.retired,
      sameImages: shared.later.count, duplicates: request.duplicates,
      united: merged.united, splits: try catalog.splitCounts(of: dataset.id), notes: notes)
  }

  /// The part of one dataset in the merge.
  private struct Part {
    var dataset: DatasetRecord
    var samples: [Int64]
    var source: MergeSummary.Source
    /// True if samples have labels of whole images, and true if they have annotations of objects.
    var contents: (labels: Bool, annotations: Bool)
  }

  /// The samples by dataset; a sample that is in two views of its dataset is taken once.
  private func parts() throws -> [Part] {
    var parts: [Part] = []
    for view in request.views {
      var selection: Selection
      do {
        selection = try catalog.resolve(view)
      } catch let error as StoreError {
        var status = stat()
        if case .unknownView = error, stat(view, &status) == 0 { throw MergeError.isPath(view) }
        throw error
      }
      let samples = try catalog.sampleIDs(in: selection)
      guard !samples.isEmpty else { throw MergeError.noSamples(view: view) }
      var leftOut = 0
      if corrections.used {
        selection.includesLeftOut = true
        leftOut = try catalog.count(in: selection) - samples.count
      }
      let dataset = selection.dataset
      guard dataset.name != request.name else { throw MergeError.nameOfSource(dataset.name) }
      if let place = parts.firstIndex(where: { $0.dataset.id == dataset.id }) {
        parts[place].samples = Array(Set(parts[place].samples).union(samples)).sorted()
        parts[place].source.samples = parts[place].samples.count
        parts[place].source.views.append(view)
        parts[place].source.leftOut += leftOut
        continue
      }
      parts.append(
        Part(
          dataset: dataset, samples: samples,
          source: .init(
            dataset: dataset.name, views: [view], samples: samples.count, leftOut: leftOut,
            duplicates: 0),
          contents: try catalog.contents(of: dataset.id)))
    }
    guard parts.count > 1 else { throw MergeError.oneDataset(parts.first?.dataset.name ?? "") }
    return parts
  }

  /// Checks that the datasets have annotations of one kind.
  ///
  /// - Returns: whether they are annotations of objects.
  private func checkContents(_ parts: [Part]) throws(MergeError) -> Bool {
    if let with = parts.first(where: \.dataset.isMultiLabel),
      let without = parts.first(where: { !$0.dataset.isMultiLabel })
    {
      throw .labelSets(with: with.dataset.name, without: without.dataset.name)
    }
    guard let objects = parts.first(where: \.contents.annotations) else { return false }
    if let labels = parts.first(where: { $0.contents.labels && !$0.contents.annotations }) {
      throw .tasks(objects: objects.dataset.name, labels: labels.dataset.name)
    }
    return true
  }

  private func draft(_ parts: [Part]) -> ImportDraft {
    let changes = request.changes
    let options: JSONValue = [
      DatasetRecord.sourcesMember: .array(parts.map(\.dataset.sourceEntry)),
      "views": .array(request.views.map { .string($0) }),
      "merged": .object(
        changes.merges.flatMap { merge in
          merge.sources.map { JSONValue.Member($0, .string(merge.target)) }
        }),
      "dropped": .array(changes.dropped.map { .string($0) }),
      "duplicates": .string(request.duplicates.rawValue),
      "correctedTo": corrections.used ? JSONValue(corrections.sequence.map(Int.init)) : .null,
    ]
    // The first with regions: masks and boxes can be drawn in such a dataset.
    let main = parts.first { $0.dataset.format.hasRegions } ?? parts[0]
    return ImportDraft(
      name: request.name, format: main.dataset.format, root: Self.commonRoot(parts),
      isSingleFile: false, options: options.text(), replace: request.replace,
      isMultiLabel: main.dataset.isMultiLabel)
  }

  /// The deepest folder that contains the roots of all datasets.
  private static func commonRoot(_ parts: [Part]) -> String {
    var common = parts[0].dataset.root.split(separator: "/")
    for part in parts.dropFirst() {
      let other = part.dataset.root.split(separator: "/")
      common = zip(common, other).prefix { $0 == $1 }.map(\.0)
    }
    // Of addresses: s3:, the bucket, and what follows.
    if let scheme = common.first, scheme.hasSuffix(":"), common.count > 1 {
      return "\(scheme)//" + common.dropFirst().joined(separator: "/")
    }
    return "/" + common.joined(separator: "/")
  }

  private func notes(
    _ merged: MergedDataset, _ parts: [Part], _ shared: SharedImages, hasObjects: Bool
  ) throws -> [String] {
    var notes: [String] = []
    if !shared.later.isEmpty {
      let count = Counted.text(shared.later.count, "image", "images")
      let isOne = shared.later.count == 1
      let done =
        switch request.duplicates {
        case .first: "left out with \(isOne ? "its" : "their") annotations"
        case .union: "united with the earlier \(isOne ? "one" : "ones")"
        case .keep, .refuse: "kept twice (--duplicates first takes each from the first dataset)"
        }
      notes.append(
        "\(count) \(isOne ? "is" : "are") in an earlier dataset, too (for example "
          + "\(shared.example.joined(separator: " and "))): \(done)")
    }
    if shared.unread > 0 {
      notes.append(
        "\(Counted.text(shared.unread, "image", "images")) could not be read, so whether another "
          + "dataset has \(shared.unread == 1 ? "it" : "them") is not known")
    }
    if !merged.keepsImageIDs {
      notes.append(
        "ids of images are in two datasets, so none is kept: join results by file name or key")
    }
    if !merged.keepsAnnotationIDs {
      notes.append("ids of annotations are in two datasets, so none is kept")
    }
    for part in parts where hasObjects && !part.contents.annotations {
      notes.append(
        "\(part.dataset.name) has no annotations: its \(Counted.text(part.source.samples, "image", "images")) "
          + "count as images without objects")
    }
    let leftOut = parts.reduce(0) { $0 + $1.source.leftOut }
    if leftOut > 0 {
      notes.append(
        "\(Counted.text(leftOut, "sample", "samples")) that users excluded "
          + "\(leftOut == 1 ? "is" : "are") not merged")
    }
    if merged.dropped > 0 {
      notes.append(
        "\(Counted.text(merged.dropped, "label or annotation", "labels and annotations")) of dropped "
          + "classes \(merged.dropped == 1 ? "is" : "are") left out")
    }
    for part in parts {
      let others = try catalog.annotators(of: part.dataset.id).reduce(0) { $0 + $1.annotations }
      if others > 0 {
        notes.append(
          "\(Counted.text(others, "annotation", "annotations")) of further annotators of "
            + "\(part.dataset.name) \(others == 1 ? "is" : "are") not merged")
      }
    }
    let partitions = try parts.flatMap { part in
      try catalog.partitions(of: part.dataset.id).map { "\(part.dataset.name)/\($0.name)" }
    }
    if !partitions.isEmpty {
      notes.append(
        "the parts of \(partitions.joined(separator: ", ")) are not copied; assay split divides "
          + "\(request.name)")
    }
    return notes
  }
}
