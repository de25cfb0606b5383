import AssayCore

/// Corrections that do not apply as they stand, and why.
package struct CorrectionIssue: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The image is another one than the one that was corrected; not applied.
    case imageChanged
    /// The image is found under another key now; applied.
    case moved
    /// There is no such sample any more; not applied.
    case orphaned
    /// The image cannot be read to tell whether it is the same; not applied.
    case unreadable
    /// The dataset has no such class any more; what names it is left out.
    case unknownClass

    /// True if the corrections take effect all the same.
    package var isApplied: Bool { self == .moved }
  }

  package var kind: Kind
  /// As the entries name them.
  package var dataset: String
  package var key: String
  /// The sample's row id; `nil` where there is none.
  package var sample: Int64?
  /// The entries that it is about.
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
  /// A place that the catalog does not have any more.
  ///
  /// - Parameter found: where its image is now.
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
      add(
        .unknownClass, sample.entries,
        "“\(identity.dataset)” no longer has the class \(names); corrections with it are ignored")
    }
    return issues
  }
}
