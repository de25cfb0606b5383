import AssayCore
import AssayStore

/// The corrections of some samples of a dataset, read from the catalog's imported and corrected
/// ground truth.
struct SampleCorrections {
  private let before: Catalog
  private let after: Catalog
  private let names: [String]

  /// - Parameters:
  ///   - before: the catalog that reads the first ground truth.
  ///   - after: the catalog that reads the second ground truth.
  ///   - categories: the names of the dataset's classes, by ordinal.
  init(from before: Catalog, to after: Catalog, categories: [String]) {
    self.before = before
    self.after = after
    names = categories
  }

  /// The differences between the two ground truths, in the order of `ids`; an empty correction for
  /// a sample whose ground truths are equal.
  ///
  /// - Parameter ids: the samples' row ids, ascending.
  /// - Throws: `StoreError`, `MaskError`.
  func changes(of ids: [Int64]) throws -> [SampleCorrection] {
    var corrections = ids.map { _ in SampleCorrection() }
    var sizes = Array<ImageSize?>(repeating: nil, count: ids.count)
    var sets = ids.map { _ in [Int]() }
    for (catalog, isAfter) in [(before, false), (after, true)] {
      var labels: [Int64: SampleRecord] = [:]
      for sample in try catalog.samples(ids: ids) { labels[sample.id] = sample }
      for (place, id) in ids.enumerated() {
        guard let sample = labels[id] else { continue }
        sizes[place] = sample.size
        let label = sample.category.map(name)
        if isAfter {
          corrections[place].labelAfter = label
          let (old, new) = (sets[place], sample.categories)
          corrections[place].labelsAdded = new.filter { !old.contains($0) }.map(name)
          corrections[place].labelsRemoved = old.filter { !new.contains($0) }.map(name)
        } else {
          corrections[place].labelBefore = label
          sets[place] = sample.categories
        }
      }
    }
    var old: [Int: [AnnotationRecord]] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.chunk) {
      let part = Array(ids[start..<min(start + Self.chunk, ids.count)])
      old.removeAll(keepingCapacity: true)
      try before.forEachAnnotations(of: part) { old[$0] = $1 }
      try after.forEachAnnotations(of: part) { place, annotations in
        corrections[start + place].objects = try ObjectTruthChange(
          from: old[place] ?? [], to: annotations, size: sizes[start + place], categories: names)
      }
    }
    return corrections
  }

  private func name(_ ordinal: Int) -> String {
    names.indices.contains(ordinal) ? names[ordinal] : "\(ordinal)"
  }

  /// The number of samples processed at a time.
  private static let chunk = 64
}
