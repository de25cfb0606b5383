import AssayCore
package import AssayStore

/// The samples that several people annotated independently, each with what they made of it.
package struct AgreementSource: Sendable {
  /// The kind of annotations that are compared.
  package enum Kind: String, Sendable {
    case labels
    case labelSets = "label_sets"
    case regions
  }

  struct Sample: Sendable {
    var key: String
    /// The finished versions, by person.
    var versions: [String: ComparedVersion]
  }

  package var kind: Kind
  package var dataset: String
  /// The classes in the dataset's order.
  package var classes: [String]
  /// The people, sorted.
  package var people: [String]
  /// The samples that at least two people finished.
  var samples: [Sample]
  /// The number of shared samples that fewer than two people have finished.
  package var waiting: Int

  /// The versions of the shared samples of a review.
  ///
  /// - Throws: ``AgreementError``; `LedgerError`, ``CorrectionError``; ``Interrupted``.
  package init(
    of queue: ReviewQueue, _ desk: CorrectionService, progress: any ProgressSink = NoProgress()
  ) throws {
    let items = queue.items(from: 0, limit: .max).filter(\.isShared)
    guard !items.isEmpty else { throw AgreementError.noShared(review: queue.review.name) }
    var samples: [Sample] = []
    var people = Set(items.flatMap(\.people))
    var waiting = 0
    for (place, item) in items.enumerated() {
      try Interruption.check("nothing was changed")
      var versions: [String: ComparedVersion] = [:]
      for version in try queue.versions(of: item, desk) where version.isDecided {
        versions[version.author] = ComparedVersion(content: version.truth.content)
        people.insert(version.author)
      }
      if versions.count >= 2 {
        samples.append(Sample(key: item.sample.key, versions: versions))
      } else {
        waiting += 1
      }
      progress.report(Double(place + 1) / Double(items.count), "reading versions")
    }
    let dataset = queue.review.dataset
    self.init(
      dataset: dataset, classes: try desk.catalog.taxonomy(of: dataset.id).names,
      people: people.sorted(), samples: samples, waiting: waiting)
  }

  /// The annotations that a dataset has of several people.
  ///
  /// - Parameter sets: the people to compare, and `labels` for the ground truth; empty for all.
  /// - Throws: ``AgreementError``; `StoreError`; ``Interrupted``.
  package init(of selection: Selection, sets: [String], in catalog: Catalog) throws {
    let dataset = selection.dataset
    let known = try catalog.annotators(of: dataset.id).map(\.name)
    guard !known.isEmpty else { throw AgreementError.noSets(dataset: dataset.name) }
    let all = [AnnotationSet.labels] + known
    if let unknown = sets.first(where: { !all.contains($0) }) {
      throw AgreementError.unknownSet(
        unknown, suggestion: NearMiss.suggestion(for: unknown, among: all), known: all)
    }
    let chosen = Set(sets.isEmpty ? all : sets)
    let classes = try catalog.taxonomy(of: dataset.id).names
    let records = try catalog.samples(in: selection).sorted { $0.id < $1.id }
    var samples: [Sample] = []
    var waiting = 0
    for start in stride(from: 0, to: records.count, by: 1_024) {
      try Interruption.check("nothing was changed")
      let part = Array(records[start..<min(start + 1_024, records.count)])
      var truths: [Int: ReplayedContent] = [:]
      if chosen.contains(AnnotationSet.labels) {
        for (place, truth) in try catalog.importedTruths(of: part.map(\.id)).enumerated() {
          truths[place] = truth.content
        }
      }
      var found: [(place: Int, people: [String: [AnnotationRecord]])] = []
      try catalog.forEachOtherAnnotations(of: part.map(\.id), geometry: true) {
        found.append(($0, $1))
      }
      for (place, people) in found {
        var versions: [String: ComparedVersion] = [:]
        if let truth = truths[place] {
          versions[AnnotationSet.labels] = ComparedVersion(content: truth)
        }
        for (name, records) in people where chosen.contains(name) {
          versions[name] = ComparedVersion(
            content: Self.content(
              records, classes: classes, size: part[place].size, of: dataset))
        }
        if versions.count >= 2 {
          samples.append(Sample(key: part[place].key, versions: versions))
        } else {
          waiting += 1
        }
      }
    }
    self.init(
      dataset: dataset, classes: classes, people: all.filter(chosen.contains), samples: samples,
      waiting: waiting)
  }

  private init(
    dataset: DatasetRecord, classes: [String], people: [String], samples: [Sample], waiting: Int
  ) {
    self.dataset = dataset.name
    self.classes = classes
    self.people = people
    self.waiting = waiting
    let hasRegions = samples.contains { sample in
      sample.versions.values.contains { !$0.objects.isEmpty }
    }
    let hasObjects = dataset.regions > 0 || hasRegions
    // Several choices for an image, as in Label Studio, are compared as sets.
    let hasSets =
      !hasObjects
      && samples.contains { $0.versions.values.contains { $0.imageLabels.count > 1 } }
    if hasSets, !dataset.isMultiLabel {
      self.samples = samples.map { sample in
        Sample(key: sample.key, versions: sample.versions.mapValues(\.withLabelSet))
      }
    } else {
      self.samples = samples
    }
    kind = dataset.isMultiLabel || hasSets ? .labelSets : hasObjects ? .regions : .labels
  }

  private static func content(
    _ records: [AnnotationRecord], classes: [String], size: ImageSize?, of dataset: DatasetRecord
  ) -> ReplayedContent {
    func name(_ record: AnnotationRecord) -> String {
      classes.indices.contains(record.category) ? classes[record.category] : "?"
    }
    let labels = records.filter { $0.shape == .label }.map(name)
    return ReplayedContent(
      label: dataset.isMultiLabel ? nil : labels.first,
      labels: dataset.isMultiLabel ? Set(labels) : nil,
      objects: records.filter { $0.shape != .label }.enumerated().map { place, record in
        AnnotatedObject(
          target: .annotation(
            set: AnnotationSet.labels, sourceID: record.sourceID, occurrence: place),
          category: name(record), shape: record.shape, isCrowd: record.isCrowd, area: record.area,
          box: record.box, sourceID: record.sourceID, attributes: record.attributes,
          geometry: record.geometry)
      }, leftOut: nil, size: size)
  }
}

extension AgreementSource {
  /// The name of the set of annotations that is the ground truth.
  private enum AnnotationSet { static let labels = "labels" }
}

/// The reasons why there is no agreement to compute.
package enum AgreementError: Error, Hashable, CustomStringConvertible {
  case noShared(review: String)
  case noSets(dataset: String)
  case unknownSet(String, suggestion: String?, known: [String])
  case fewSets([String])

  package var description: String {
    switch self {
    case .noShared(let review):
      "the review “\(review)” has no samples that several people correct independently; make one with "
        + "`assay review SUBJECT --overlap 0.1 --annotators NAME,NAME`"
    case .noSets(let dataset):
      "the dataset “\(dataset)” has the annotations of one person only; give the name of a review with shared "
        + "samples (assay review … --overlap), or import a source with several annotators"
    case .unknownSet(let name, let suggestion, let known):
      "unknown annotator “\(name)”" + (suggestion.map { "; did you mean “\($0)”?" } ?? ";")
        + " There are \(known.joined(separator: ", ")) (labels: the ground truth)"
    case .fewSets(let names):
      "--sets needs two names or more, found \(names.count)"
    }
  }
}
