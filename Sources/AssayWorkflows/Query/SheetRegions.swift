import AssayCore
import AssayStore

/// The classes of the annotations on a sheet, and their colors.
struct SheetRegions: Sendable {
  /// The classes' taxonomy ordinals, sorted by the number of samples, largest first; the index is
  /// the position in the legend.
  let classes: [Int]
  /// The class names.
  let legend: [String]
  /// The caption of each sample, with labels of the image: `person×2, dog`; empty for none.
  let captions: [String]

  /// The ordinals of classes whose regions are ignored: they are gray and not in the legend.
  let voids: Set<Int>

  /// True if no annotation is drawn.
  var isEmpty: Bool { classes.isEmpty }

  /// The index of a class in the legend.
  func place(of category: Int) -> Int? { classes.firstIndex(of: category) }

  /// - Throws: `StoreError`.
  init(catalog: Catalog, found: FoundSamples, samples: [SampleRecord]) throws {
    let categories = try catalog.taxonomy(of: found.selection.dataset.id).categories
    let voids = Set(categories.indices.filter { categories[$0].isVoid })
    var counts: [[(category: Int, count: Int)]] = samples.map { _ in [] }
    var samplesOf: [Int: Int] = [:]
    try catalog.forEachAnnotations(
      of: samples.map(\.id), geometry: false, regionsOnly: false
    ) { index, annotations in
      let drawn = annotations.filter { $0.shape != .tag && !voids.contains($0.category) }
      for category in Set(drawn.map(\.category)) { samplesOf[category, default: 0] += 1 }
      for annotation in annotations where !voids.contains(annotation.category) {
        // The label of the image is in the caption without it.
        if annotation.shape == .tag, annotation.category == samples[index].category { continue }
        if let place = counts[index].firstIndex(where: { $0.category == annotation.category }) {
          counts[index][place].count += 1
        } else {
          counts[index].append((annotation.category, 1))
        }
      }
    }
    func name(_ category: Int) -> String {
      found.classes.indices.contains(category) ? found.classes[category] : "?"
    }
    self.voids = voids
    classes = samplesOf.keys.sorted {
      (-(samplesOf[$0] ?? 0), $0) < (-(samplesOf[$1] ?? 0), $1)
    }
    legend = classes.map(name)
    captions = counts.map { list in
      list.sorted { (-$0.count, $0.category) < (-$1.count, $1.category) }
        .map { $0.count == 1 ? name($0.category) : "\(name($0.category))×\($0.count)" }
        .joined(separator: ", ")
    }
  }
}
