package import AssayCore

/// CVAT's XML 1.1: the shapes of images, or tracks of a video, in `annotations.xml` beside the
/// images, in one or several files.
///
/// Key and location of a sample: its image's path.
package struct CVATImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .cvat }

  package var summary: String {
    "CVAT for images and for video 1.1: boxes, polygons, masks, points and tracks in XML"
  }

  package var recognizedBy: String {
    "an XML file whose root is annotations with meta, image or track, such as annotations.xml beside "
      + "images/"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import a CVAT dataset, name its folder")
    }
    let source = try CVATFiles(tree)
    guard let first = source.indices.first else {
      return .noMatch(
        source.other.map { other in
          let path = source.files[other]
          return XMLAnnotationKind.problem(of: path, in: tree).map { "\(path): \($0)" }
            ?? "\(path) is XML, but not CVAT's"
        } ?? "it has no .xml file")
    }
    return .match(
      "\(source.files[first]) holds CVAT annotations"
        + (source.indices.count > 1 ? ", and \(source.indices.count - 1) more do" : ""))
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let source = try CVATFiles(tree)
    guard !source.indices.isEmpty else { return nil }
    let read = Set(source.indices)
    let unread = source.files.files.indices.filter {
      !read.contains($0) && FileNameKind(source.files[$0]) == .unknown
    }.map { source.files.files[$0] }
    let datasets = try source.datasets()
    let examples = datasets.count > 1 ? datasets.map { $0[0] } : Array(datasets.joined().prefix(1))
    return try Companions(
      unread, in: tree, isKnownOnly: true,
      datasets: examples.map { (source.files[$0], "CVAT annotations") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size, .classes], for: format)
    let files = try CVATFiles(tree)
    guard !files.indices.isEmpty else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    let layout = try CVATLayout(files)
    guard !layout.items.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "\(layout.indexes[0].file) lists no image and no track with a frame")
    }
    let source = CVATSource(layout, in: tree)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    var last = ImportedBatch()
    last.issues = source.tally.counts.issues
    last.progress = 1
    if !last.issues.isEmpty { try deliver(last) }
    finished.lists?.annotationsRead += layout.lost
    finished.notes += layout.notes
    return finished
  }
}
