package import AssayCore

/// BDD100K's labels: Scalabel's JSON lists of images, or one JSON per image; without JSON, bitmasks of
/// instance and panoptic segmentation.
///
/// Key and location of a sample: its image's path.
package struct BDD100KImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .bdd100k }

  package var summary: String {
    "BDD100K and Scalabel JSON: boxes, polygons, lanes, masks and tracks of street scenes; bitmasks"
  }

  package var recognizedBy: String {
    "a JSON list of images with 'name' and 'labels' with 'category' and 'box2d', 'poly2d' or 'rle', "
      + "or an object with that list as 'frames'; or one JSON per image with 'name' and 'frames' with "
      + "'objects'; alone (--images DIR), beside the images, or in labels/ beside images/100k/train/; or "
      + "PNGs of red, green, blue and alpha in bitmasks/ that are made like BDD100K's"
  }

  func images() -> BDD100KJSON { BDD100KJSON() }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let json = try JSONImageFiles.probe(images(), tree)
    guard !json.isMatch else { return json }
    let files = try BDD100KBitmaskLayout.files(tree)
    guard let example = BDD100KBitmaskLayout.example(files, in: tree) else { return json }
    return .match(
      "\(example.path) is made like BDD100K's bitmasks: \(files.count) "
        + (files.count == 1 ? "mask" : "masks"))
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    guard try JSONImageFiles.probe(images(), tree).isMatch else {
      return try BDD100KLayout.bitmaskCompanions(in: tree)
    }
    return try JSONImageFiles.companions(
      images(), tree, signs: BDD100KLayout.findings(images(), in: tree))
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let files = try BDD100KBitmaskLayout.files(tree)
    guard !files.isEmpty, try !JSONImageFiles.probe(images(), tree).isMatch else {
      return try runJSON(tree, options, deliver: deliver)
    }
    try options.refuse([.size, .classes], for: format)
    var layout = try BDD100KBitmaskLayout(tree, images: options.images)
    try layout.findClasses(in: tree, workers: options.workers)
    var pass = try RegionImport(tree, BDD100KBitmaskSource(tree, layout), options)
    var finished = try pass.run(deliver)
    finished.notes += layout.notes
    return finished
  }
}
