package import AssayCore

/// BDD100K's labels: Scalabel's JSON lists of images, or one JSON per image.
///
/// Key and location of a sample: its image's path.
package struct BDD100KImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .bdd100k }

  package var summary: String {
    "BDD100K and Scalabel JSON: boxes, polygons, lanes, masks and tracks of street scenes"
  }

  package var recognizedBy: String {
    "a JSON list of images with 'name' and 'labels' with 'category' and 'box2d', 'poly2d' or 'rle', "
      + "or an object with that list as 'frames'; or one JSON per image with 'name' and 'frames' with "
      + "'objects'; alone (--images DIR), beside the images, or in labels/ beside images/100k/train/"
  }

  func images() -> BDD100KJSON { BDD100KJSON() }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    return try JSONImageFiles.companions(
      images(), tree, signs: BDD100KLayout.findings(images(), in: tree))
  }
}
