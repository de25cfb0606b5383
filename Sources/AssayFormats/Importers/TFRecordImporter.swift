package import AssayCore

/// TensorFlow's record files with images in them, as the Object Detection API, TensorFlow's image models
/// and TensorFlow Datasets write them: labels, boxes, masks of objects, or index masks.
///
/// Key and location of a sample: the file, the feature and the number of its record, with the name that
/// the record states (``EmbeddedImagePlace``). Images are read in place. Sources: TensorFlow's
/// documentation of TFRecord and `tf.train.Example`; the Object Detection API's `tf_example_decoder`.
package struct TFRecordImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .tfRecord }

  package var summary: String {
    "TensorFlow's record files with images: labels, boxes, masks"
  }

  package var recognizedBy: String {
    ".tfrecord, .tfrec or .record files, or shards as train-00000-of-00128, whose records hold encoded "
      + "images, and no image files beside them"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let sources = try TFRecordLayout.files(tree)
    guard let first = sources.first(where: { $0.size > 0 }) ?? sources.first else {
      return .noMatch("it has no record file of TensorFlow")
    }
    guard try TFRecordFile.isRecordFile(tree, first.path) else {
      return .noMatch(try TFRecordFile.reason(tree, first))
    }
    guard TFRecordFile.isNamed(first.path) else {
      return .noMatch(
        "it is a record file of TensorFlow without a suffix; rename it to \(first.path).tfrecord")
    }
    let hasImages =
      try !tree.isSingleFile && tree.files().contains { FileNameKind($0.path) == .image }
    guard !hasImages else { return .noMatch("it has image files beside its record files") }
    do {
      let shown = TFRecordTree(tree, listsRows: false)
      let tables = try sources.prefix(8).compactMap { try shown.file($0.path) }
      guard let census = try TFRecordLayout.census(tables) else {
        return .noMatch("its record files have no records")
      }
      guard let image = census.images.first else {
        return .noMatch(
          "none of the features of \(first.path) holds images: "
            + census.keys.prefix(12).joined(separator: ", "))
      }
      // Several readings are a match, too: the import lists them.
      let features = try? TFFeatures(census, ImportOptions())
      return .match("\(first.path) has images in its feature \(features?.image ?? image)")
    } catch let error as TFRecordError {
      return .noMatch(error.description)
    } catch let problem as TFRecordProblem {
      return .noMatch("\(first.path): \(problem)")
    }
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let unread = Companions.candidates(try tree.files()).filter { file in
      !TFRecordFile.isNamed(file.path) && !TFNameFiles.isNamed(file.path)
    }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    guard options.labelSeparator == nil else {
      throw FormatError.unusedOption("--label-separator", format: format)
    }
    let sources = try TFRecordLayout.files(tree)
    guard !sources.isEmpty, sources.allSatisfy({ TFRecordFile.isNamed($0.path) }) else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: try probe(tree).reason)
    }
    let shown = TFRecordTree(tree, listsRows: false)
    let layout = try TFRecordLayout(shown, sources, options)
    if let mask = layout.features.mask {
      var finished = try layout.plan(mask, options, in: shown)
        .run(shown, options, deliver: deliver)
      finished.notes += layout.notes
      return finished
    }
    var pass = try RegionImport(shown, TFRecordSource(layout), options)
    var finished = try pass.run(deliver)
    if layout.features.objects == nil { finished.lists = nil }
    finished.notes += layout.notes
    return finished
  }
}
