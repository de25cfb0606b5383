package import AssayCore

/// The binary files of CIFAR-10 and CIFAR-100 (32×32 colors) and of STL-10 (96×96).
///
/// Key of a sample: its file and its number in it, from 0: `data_batch_1/17`. Sources: A.
/// Krizhevsky, "Learning Multiple Layers of Features from Tiny Images" (2009); A. Coates, H. Lee, A.
/// Ng, "An Analysis of Single Layer Networks in Unsupervised Feature Learning" (2011).
package struct CIFARImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .cifar }

  package var summary: String { "binary files of CIFAR-10, CIFAR-100 and STL-10 (.bin)" }

  package var recognizedBy: String {
    "data_batch_1.bin, test_batch.bin; or train.bin, test.bin with records of 3,074 bytes; or "
      + "train_X.bin, train_y.bin of STL-10; and no image files"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try tree.files()
    if !tree.isSingleFile, files.contains(where: { PairPath.isImageName($0.path) }) {
      return .noMatch("it has image files; CIFAR's files hold the images themselves")
    }
    let layout: CIFARLayout
    do {
      layout = try CIFARLayout(tree)
    } catch is FormatError {
      return .match("it has files of CIFAR or STL-10")
    }
    if let images = layout.images.first {
      return .match("\(images.file.path) is a file of \(layout.kind.title)")
    }
    if let pickle = layout.pickles.first {
      return .match("\(pickle) is a Python pickle of CIFAR")
    }
    return .noMatch("it has no file of CIFAR-10 or CIFAR-100 (data_batch_1.bin, train.bin, …)")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try CIFARLayout(tree)
    guard !layout.images.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: try refusal(layout, tree))
    }
    let unread = Companions.candidates(try tree.files()).filter { !layout.known.contains($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let layout = try CIFARLayout(tree)
    guard !layout.images.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: try refusal(layout, tree))
    }
    var pass = try CIFARPass(tree, layout, options)
    return try pass.run(deliver)
  }

  private func refusal(_ layout: CIFARLayout, _ tree: any SourceTree) throws -> String {
    guard let pickle = layout.pickles.first else { return try probe(tree).reason }
    return """
      \(pickle) is a Python pickle, and assay does not read pickles, because reading one can run any \
      program; get the binary version (cifar-10-binary.tar.gz, cifar-100-binary.tar.gz), or write the \
      images into one folder per class and import these
      """
  }
}
