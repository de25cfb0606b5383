package import AssayCore

/// VoTT's JSON: one export file, or one file for each asset.
///
/// Key and location of a sample: its image's path.
package struct VoTTImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .voTT }

  package var summary: String { "VoTT JSON: boxes, polygons, lines and points" }

  package var recognizedBy: String {
    "a JSON export with 'assets' and 'tags', alone (--images DIR) or in a folder with the images, or "
      + "one x-asset.json per image with 'asset' and 'regions'"
  }

  func images() -> VoTTJSON { VoTTJSON() }
}
