package import AssayCore

/// BDD100K's labels: Scalabel's JSON lists of images, or one JSON per image; without JSON, bitmasks of
/// instance and panoptic segmentation; without these, masks of semantic segmentation.
///
/// Key and location of a sample: its image's path.
package struct BDD100KImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .bdd100k }

  package var summary: String {
    "BDD100K and Scalabel JSON: boxes, polygons, lanes, masks and tracks of street scenes; bitmasks; "
      + "masks of classes"
  }

  package var recognizedBy: String {
    "a JSON list of images with 'name' and 'labels' with 'category' and 'box2d', 'poly2d' or 'rle', "
      + "or an object with that list as 'frames'; or one JSON per image with 'name' and 'frames' with "
      + "'objects'; alone (--images DIR), beside the images, or in labels/ beside images/100k/train/; or "
      + "PNGs of red, green, blue and alpha in bitmasks/ that are made like BDD100K's; or masks of "
      + "training ids in sem_seg/masks/"
  }

  func images() -> BDD100KJSON { BDD100KJSON() }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let json = try JSONImageFiles.probe(images(), tree)
    guard !json.isMatch else { return json }
    let files = try BDD100KBitmaskLayout.files(tree)
    guard let example = BDD100KBitmaskLayout.example(files, in: tree) else {
      let masks = try BDD100KMasks.files(tree)
      guard let first = masks.first else { return json }
      return .match(
        "\(first.path) is in a folder of BDD100K's masks of semantic segmentation: \(masks.count) "
          + (masks.count == 1 ? "mask" : "masks"))
    }
    return .match(
      "\(example.path) is made like BDD100K's bitmasks: \(files.count) "
        + (files.count == 1 ? "mask" : "masks"))
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    guard try JSONImageFiles.probe(images(), tree).isMatch else {
      return try BDD100KLayout.bitmaskCompanions(in: tree)
        ?? BDD100KLayout.maskCompanions(in: tree)
    }
    return try JSONImageFiles.companions(
      images(), tree, signs: BDD100KLayout.findings(images(), in: tree))
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let files = try BDD100KBitmaskLayout.files(tree)
    let isJSON = try JSONImageFiles.probe(images(), tree).isMatch
    if !isJSON, BDD100KBitmaskLayout.example(files, in: tree) == nil {
      let masks = try BDD100KMasks.files(tree, isStated: true)
      if !masks.isEmpty {
        try options.refuse([.size, .classes], for: format)
        return try BDD100KMasks(tree, masks, images: options.images)
          .run(tree, options, deliver: deliver)
      }
    }
    guard !files.isEmpty, !isJSON else {
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
