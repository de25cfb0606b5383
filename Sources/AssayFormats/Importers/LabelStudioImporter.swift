package import AssayCore

/// Label Studio's JSON export, complete or minimal (JSON_MIN).
///
/// Key and location of a sample: its image's path.
package struct LabelStudioImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .labelStudio }

  package var summary: String {
    "Label Studio JSON: boxes, polygons, ellipses, brush masks, keypoints, choices"
  }

  package var recognizedBy: String {
    "a JSON list of tasks with 'data' and 'annotations', or of JSON_MIN with 'annotation_id' and "
      + "'annotator', alone (--images DIR) or in a folder with the images"
  }

  func images() -> LabelStudioJSON { LabelStudioJSON() }

  func images(_ options: ImportOptions) -> LabelStudioJSON {
    LabelStudioJSON(annotator: options.annotator)
  }
}
