import AssayCore

extension CorrectionIssue {
  /// A place that the catalog does not have any more.
  ///
  /// - Parameter found: where its image is now.
  init(gone place: CorrectedSampleName, entries: Int, hasDataset: Bool, found: [EntrySampleLookup.Found]) {
    self.init(
      kind: found.count == 1 ? .moved : .orphaned, dataset: place.dataset, key: place.key,
      sample: found.count == 1 ? found[0].id : nil, entries: entries, message: "")
    let adopt = "`assay corrections adopt \(place.dataset) NAME` gives them to a renamed one"
    message =
      switch (hasDataset, found.count) {
      case (false, _): "there is no dataset “\(place.dataset)”; import it again, or \(adopt)"
      case (true, 0): "“\(place.dataset)” has neither this sample nor its image any more"
      case (true, 1): "the image is at \(found[0].key) now, where its corrections are applied"
      default:
        "the image is at \(found.count) places now (\(found.prefix(3).map(\.key).joined(separator: ", "))"
          + "\(found.count > 3 ? ", …" : "")), and nobody can tell which of them was corrected"
      }
  }

  /// What a sample that was replayed gives rise to.
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
        "the image cannot be read, so that nobody can tell whether it is the one that was corrected; "
          + "`assay relink \(identity.dataset) DIR` where the files have moved")
    } else if sample.foreign > 0 {
      add(
        .imageChanged, sample.foreign,
        "the image is another one than the one that was corrected; look at it again, or bring the old "
          + "one back")
    }
    if !sample.unknownClasses.isEmpty {
      let names = sample.unknownClasses.sorted().map { "“\($0)”" }.joined(separator: ", ")
      add(
        .unknownClass, sample.entries,
        "“\(identity.dataset)” has no class \(names) any more; what is of it is left out")
    }
    return issues
  }
}
