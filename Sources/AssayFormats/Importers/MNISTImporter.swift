package import AssayCore

/// MNIST's IDX files and those of its successors (Fashion-MNIST, KMNIST, EMNIST): gray images in one
/// file and their labels in another, plain or gzip.
///
/// Key of a sample: its split and its number in the file, from 0: `train/17`. Source: Y. LeCun,
/// C. Cortes, C. Burges, "The MNIST database of handwritten digits"; G. Cohen et al., "EMNIST: an
/// extension of MNIST to handwritten letters" (2017), arXiv:1702.05373.
package struct MNISTImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .mnist }

  package var summary: String { "IDX files: MNIST, Fashion-MNIST, EMNIST (gzip or not)" }

  package var recognizedBy: String {
    "a folder with IDX files such as train-images-idx3-ubyte and train-labels-idx1-ubyte (.gz), and no "
      + "image files"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try tree.files()
    if !tree.isSingleFile, files.contains(where: { PairPath.isImageName($0.path) }) {
      return .noMatch("it has image files; IDX files hold the images themselves")
    }
    for file in files.lazy.filter({ IDXName.isLikely($0.path) }).prefix(16) {
      if let header = try? MNISTLayout.header(tree, file) {
        return .match("\(file.path) is an IDX file (\(header.words))")
      }
    }
    return .noMatch("it has no IDX file (train-images-idx3-ubyte, …)")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try MNISTLayout(tree)
    let unread = Companions.candidates(try tree.files()).filter { !layout.known.contains($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "images and labels are two files; import the folder that contains them")
    }
    try options.refuse([.size], for: format)
    let layout = try MNISTLayout(tree)
    guard !layout.pairs.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: try layout.issues.first?.message ?? probe(tree).reason)
    }
    var pass = try MNISTPass(tree, layout, options)
    return try pass.run(deliver)
  }
}
