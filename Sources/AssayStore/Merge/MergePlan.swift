package import AssayCore

/// The samples that a merge takes from one dataset.
package struct MergeSource: Hashable, Sendable {
  package var dataset: DatasetRecord
  /// The samples' ids, ascending, each once.
  package var samples: [Int64]
  /// For each class of the dataset, its ordinal in the merged dataset; `nil` if its labels and
  /// annotations are left out.
  package var classes: [Int?]

  package init(dataset: DatasetRecord, samples: [Int64], classes: [Int?]) {
    self.dataset = dataset
    self.samples = samples
    self.classes = classes
  }
}

/// The annotations of samples with the same image as an earlier one.
package struct UnitedAnnotations: Hashable, Sendable {
  /// The number that was added to the earlier samples.
  package var added = 0
  /// The number that these have already.
  package var identical = 0

  package init(added: Int = 0, identical: Int = 0) {
    self.added = added
    self.identical = identical
  }
}

/// A sample whose annotations are added to those of a sample with the same image.
package struct UnitedSample: Hashable, Sendable {
  package var id: Int64
  /// The number of its source.
  package var source: Int

  package init(id: Int64, source: Int) {
    self.id = id
    self.source = source
  }
}

/// A merged dataset before it is written.
package struct MergePlan: Hashable, Sendable {
  package var draft: ImportDraft
  package var classes: [Category]
  /// The sources in the order of the merged samples; their names differ.
  package var sources: [MergeSource]
  /// True if keys start with the name of the source: `a/1.png`.
  package var prefixesKeys: Bool
  /// For the samples of the sources whose image later sources have, the samples of those, in the order of
  /// the sources.
  package var united: [Int64: [UnitedSample]] = [:]

  package init(
    _ draft: ImportDraft, classes: [Category], sources: [MergeSource], prefixesKeys: Bool
  ) {
    self.draft = draft
    self.classes = classes
    self.sources = sources
    self.prefixesKeys = prefixesKeys
  }
}

/// The result of a merge in the catalog.
package struct MergedDataset: Hashable, Sendable {
  package var summary: ImportSummary
  /// False if ids of images are in two sources, so that none is kept.
  package var keepsImageIDs: Bool
  /// False if ids of annotations are in two sources, so that none is kept.
  package var keepsAnnotationIDs: Bool
  /// The number of annotations of classes that are left out.
  package var dropped: Int
  package var united: UnitedAnnotations
}

/// The reasons why the catalog does not merge datasets.
package enum MergeConflict: Error, Hashable, CustomStringConvertible {
  /// Keys that two sources have.
  case sharedKeys(count: Int, example: String, sources: [String])

  package var description: String {
    switch self {
    case .sharedKeys(let count, let example, let sources):
      "\(count) \(count == 1 ? "key is" : "keys are") in more than one dataset, for example "
        + "“\(example)” in \(sources.joined(separator: " and ")); --prefix-keys keeps all samples, "
        + "with the dataset's name before each key (\(sources.first ?? "")/\(example))"
    }
  }
}
