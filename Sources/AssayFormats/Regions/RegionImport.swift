import AssayCore

/// Imports the images of a ``RegionSource``: reads headers and annotations in parallel, and delivers
/// samples, classes, labels, regions and issues in order.
///
/// Classes keep the source's order; classes that it does not declare follow, sorted by name.
struct RegionImport<Source: RegionSource> {
  /// The tree of the images.
  private let tree: any SourceTree
  private let source: Source
  private let options: ImportOptions
  /// All files below the root.
  private let files: SortedFiles
  private var categories: [Category] = []
  private var places: [String: Int] = [:]
  /// The number of classes that the source declares; a repeated name is one class.
  private var declared = 0
  private var introduced = 0
  private var missing: [String] = []
  private var limit = IssueLimit()
  private var outcome = ImportOutcome()
  private var lists = ImportedLists()
  private var kept = UnevaluatedCounts()

  /// The people whose annotations are beside the labels, in order of first occurrence.
  private var annotators: [String] = []
  private var annotatorPlaces: [String: Int] = [:]
  private var introducedAnnotators = 0
  /// The number of images with annotations of several people, and of annotations that are not the
  /// labels.
  private var shared = (images: 0, annotations: 0)

  /// The number of people whose annotations are kept.
  private static var annotatorLimit: Int { 10_000 }
  /// The number of images per batch.
  private static var batchSize: Int { 64 }

  /// - Parameter tree: the source; the images are in it, or in ``ImportOptions/images``.
  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree, _ source: Source, _ options: ImportOptions) throws {
    self.tree = options.images ?? tree
    self.source = source
    self.options = options
    files = SortedFiles(try self.tree.files())
    for category in source.classes { _ = place(of: category) }
    declared = categories.count
  }

  /// Runs the import.
  ///
  /// - Throws: any error that the tree or `deliver` throws.
  mutating func run(_ deliver: (ImportedBatch) throws -> Void) throws -> FinishedImport {
    var batch = ImportedBatch()
    batch.issues = source.issues.filter { limit.admits($0.kind) }
    introduce(&batch)
    try deliver(batch)
    let (tree, source, files, known) = (self.tree, self.source, self.files, options.known)
    var start = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> ArraySlice<Source.Item>? in
        guard start < source.items.count else { return nil }
        defer { start += Self.batchSize }
        return source.items[start..<min(source.items.count, start + Self.batchSize)]
      },
      transform: { _, items in
        items.map { item in
          let path = source.path(of: item)
          let file =
            source.file(of: item, at: path) ?? files.index(of: path).map { files.files[$0] }
          let probe = file.map { ImageProbe(tree, $0, known: known) }
          return PackedImage(
            source.read(item, image: probe), path: path, split: source.split(of: item), probe: probe
          )
        }
      },
      deliver: { images in try deliver(add(images)) })
    try deliver(finish())
    var finished = FinishedImport(outcome: outcome, contentHash: nil, lists: lists)
    finished.imagesLeftOut = source.imagesLeftOut
    if source.imagesLeftOut > 0 {
      finished.notes.append(
        source.imagesLeftOut == 1
          ? "1 image without annotations is left out"
          : "\(source.imagesLeftOut) images without annotations are left out")
    }
    finished.notes += kept.notes
    if shared.images > 0 {
      let names = annotators.prefix(3).joined(separator: ", ") + (annotators.count > 3 ? ", …" : "")
      finished.notes.append(
        (shared.images == 1 ? "1 image has" : "\(shared.images) images have")
          + " several annotations: "
          + (options.annotator.map { "those of \($0) are the labels where there are any" }
            ?? "those submitted last are the labels") + ", and "
          + "\(shared.annotations) label\(shared.annotations == 1 ? " or region is" : "s and regions are") kept in sets "
          + "of their own (of annotator \(names)); `assay check --only annotatorDisagreement` compares them"
      )
    }
    return finished
  }

  /// Adds the annotations of other people of an image.
  private mutating func add(_ image: PackedImage, base: Int, to batch: inout ImportedBatch) {
    guard !image.others.isEmpty else { return }
    shared.images += 1
    let sample = outcome.accepted + batch.samples.count - 1
    for other in image.others {
      guard let annotator = place(ofAnnotator: other.name) else {
        if limit.admits(.unsupportedField) {
          batch.issues.append(
            Issue(
              .unsupportedField, .error, at: IssueLocation(file: image.path),
              sampleKey: image.path,
              "there are more than \(Self.annotatorLimit) annotators; the annotations of "
                + "\(other.name) are left out"))
        }
        continue
      }
      let hasRow = other.regions.contains { $0.kind == .label }
      if let label = other.label, !hasRow {
        batch.annotations.append(
          ImportedAnnotation(
            sample: sample, category: place(of: label), ordinal: 0, shape: .label,
            set: annotator))
      }
      for (ordinal, region) in other.regions.enumerated() {
        let place = region.kind == .label ? 0 : ordinal + 1
        batch.annotations.append(
          annotation(region, sample, ordinal: place, base: base, set: annotator))
      }
      let count = other.regions.count + (other.label == nil || hasRow ? 0 : 1)
      shared.annotations += count
      lists.annotationsKept += count
    }
  }

  private mutating func place(ofAnnotator name: String) -> Int? {
    if let place = annotatorPlaces[name] { return place }
    guard annotators.count < Self.annotatorLimit else { return nil }
    annotatorPlaces[name] = annotators.count
    annotators.append(name)
    return annotators.count - 1
  }

  private mutating func annotation(
    _ region: PackedImage.Region, _ sample: Int, ordinal: Int, base: Int, set: Int? = nil
  ) -> ImportedAnnotation {
    ImportedAnnotation(
      sample: sample, category: place(of: region.category), ordinal: ordinal,
      shape: region.kind, isCrowd: region.isCrowd, area: region.area, box: region.box,
      sourceID: region.sourceID,
      geometry: region.geometry.map { base + $0.lowerBound..<base + $0.upperBound },
      attributes: region.attributes, set: set)
  }

  private mutating func add(_ images: [PackedImage]) -> ImportedBatch {
    var batch = ImportedBatch()
    for image in images {
      batch.issues += image.issues.filter { limit.admits($0.kind) }
      lists.annotationsRead += image.annotationsRead
      guard !image.isRejected else {
        batch.rejected += 1
        continue
      }
      let sample = outcome.accepted + batch.samples.count
      batch.samples.append(
        ImportedSample(
          key: image.path, location: image.path, split: image.split ?? options.split,
          size: image.size, category: image.label.map { place(of: $0) },
          categories: image.labels.map { place(of: $0) }, stamp: image.stamp,
          attributes: image.attributes))
      lists.images += 1
      if image.isThere { lists.imagesFound += 1 } else { missing.append(image.path) }
      lists.annotationsKept += image.regions.count + image.labelCount
      for region in image.regions { kept.add(region.kind) }
      // The catalog stores the label of an image with the ordinal 0.
      let first = image.label == nil ? 0 : 1
      let base = batch.geometry.count
      batch.geometry += image.geometry
      for (ordinal, region) in image.regions.enumerated() {
        let place = region.kind == .label ? 0 : first + ordinal
        batch.annotations.append(annotation(region, sample, ordinal: place, base: base))
      }
      add(image, base: base, to: &batch)
    }
    introduce(&batch)
    batch.read = images.count
    outcome.read += batch.read
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    batch.progress = Double(outcome.read) / Double(max(1, source.items.count))
    return batch
  }

  /// The last batch: images without a file, and the number of issues that were not listed.
  private mutating func finish() -> ImportedBatch {
    var batch = ImportedBatch()
    if let first = missing.first, lists.imagesFound == 0 {
      batch.issues.append(
        Issue(
          .missingImage, .warning, at: IssueLocation(file: source.name),
          lists.images == 1
            ? "its only image does not exist (looked for \(first)); it is kept without a file: run `assay "
              + "relink` once it exists"
            : "none of its \(lists.images) images exists (looked for \(first), …); all are kept without "
              + "a file: run `assay relink` once they exist"))
    } else {
      for path in missing where limit.admits(.missingImage) {
        batch.issues.append(
          Issue(
            .missingImage, .warning, at: IssueLocation(file: path), sampleKey: path,
            "\(path) does not exist; kept without a file"))
      }
    }
    batch.issues += limit.remainder(in: source.name)
    batch.progress = 1
    let names = categories.dropFirst(declared).map(\.name)
    let order = Array(0..<declared) + ClassOrder.sorted(names).map { declared + $0 }
    outcome.ordinals = Array(repeating: 0, count: categories.count)
    for (ordinal, place) in order.enumerated() { outcome.ordinals[place] = ordinal }
    return batch
  }

  private mutating func introduce(_ batch: inout ImportedBatch) {
    batch.newCategories = Array(categories[introduced...])
    introduced = categories.count
    batch.newSets = annotators[introducedAnnotators...].map { .annotator($0) }
    introducedAnnotators = annotators.count
  }

  private mutating func place(of category: Category) -> Int {
    if let place = places[category.name] { return place }
    places[category.name] = categories.count
    categories.append(category)
    return categories.count - 1
  }
}
