import AssayCore

/// An issue with a sample's corrections, and the reason.
package struct CorrectionIssue: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The image differs from the one that was corrected; not applied.
    case imageChanged
    /// The image now has another key; applied.
    case moved
    /// The sample no longer exists; not applied.
    case orphaned
    /// The image cannot be read to check that it is the same; not applied.
    case unreadable
    /// The dataset no longer has such a class; parts that refer to it are omitted.
    case unknownClass
    /// Entries that state one label for a sample that has a set of labels now, or vice versa; not applied.
    case otherTask

    /// True if the corrections take effect despite the issue.
    package var isApplied: Bool { self == .moved }
  }

  package var kind: Kind
  /// As the entries name them.
  package var dataset: String
  package var key: String
  /// The sample's row id; `nil` if there is none.
  package var sample: Int64?
  /// The number of entries that it affects.
  package var entries: Int
  /// The problem, and the next step.
  package var message: String

  package init(
    kind: Kind, dataset: String, key: String, sample: Int64?, entries: Int, message: String
  ) {
    self.kind = kind
    self.dataset = dataset
    self.key = key
    self.sample = sample
    self.entries = entries
    self.message = message
  }
}

extension CorrectionIssue {
  /// The issue of a sample that the catalog no longer has.
  ///
  /// - Parameter found: the current location of its image.
  init(
    gone place: CorrectedSampleName, entries: Int, hasDataset: Bool,
    found: [EntrySampleLookup.Found]
  ) {
    self.init(
      kind: found.count == 1 ? .moved : .orphaned, dataset: place.dataset, key: place.key,
      sample: found.count == 1 ? found[0].id : nil, entries: entries, message: "")
    let adopt = "`assay corrections adopt \(place.dataset) NAME` assigns them to a renamed one"
    message =
      switch (hasDataset, found.count) {
      case (false, _): "there is no dataset “\(place.dataset)”; import it again, or \(adopt)"
      case (true, 0): "“\(place.dataset)” no longer has this sample or its image"
      case (true, 1): "the image is now at \(found[0].key); its corrections apply there"
      default:
        "the image is now at \(found.count) places (\(found.prefix(3).map(\.key).joined(separator: ", "))"
          + "\(found.count > 3 ? ", …" : "")), so it is unknown which of them was corrected"
      }
  }

  /// The issues of a replayed sample.
  static func issues(of sample: MirroredSample, _ identity: SampleIdentity) -> [CorrectionIssue] {
    var issues: [CorrectionIssue] = []
    func add(_ kind: Kind, _ entries: Int, _ message: String) {
      issues.append(
        CorrectionIssue(
          kind: kind, dataset: identity.dataset, key: identity.key, sample: sample.sample,
          entries: entries, message: message))
    }
    if sample.foreign > 0, identity.contentHash.isEmpty {
      add(
        .unreadable, sample.foreign,
        "the image cannot be read, so it is unknown whether it is the one that was corrected; "
          + "`assay relink \(identity.dataset) DIR` where the files have moved")
    } else if sample.foreign > 0 {
      add(
        .imageChanged, sample.foreign,
        "the image has changed since it was corrected; review it again, or restore the old "
          + "one back")
    }
    if !sample.unknownClasses.isEmpty {
      let names = sample.unknownClasses.sorted().map { "“\($0)”" }.joined(separator: ", ")
      let isOne = sample.unknownClasses.count == 1
      add(
        .unknownClass, sample.entries,
        "“\(identity.dataset)” no longer has the \(isOne ? "class" : "classes") \(names): labels and objects "
          + "of \(isOne ? "it" : "them") are left out; imported again with \(isOne ? "that class" : "those classes") "
          + "(--classes, --replace) it uses them")
    }
    if sample.otherTask > 0 {
      add(
        .otherTask, sample.otherTask,
        sample.isMultiLabel
          ? "“\(identity.dataset)” has sets of labels now, and the entries state one label; imported again with "
            + "--task classification --replace it uses them"
          : "“\(identity.dataset)” has no sets of labels now, and the entries are about sets; imported again with "
            + "--task multilabel --replace it uses them")
    }
    return issues
  }
}
