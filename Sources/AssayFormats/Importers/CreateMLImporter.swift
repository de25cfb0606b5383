package import AssayCore

/// Create ML's JSON: lists of images with boxes, or with one label each, beside the images.
///
/// Key and location of a sample: its image's path.
package struct CreateMLImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .createML }

  package var summary: String { "Create ML JSON: boxes, or one label per image" }

  package var recognizedBy: String {
    "a JSON list whose elements have 'image' (or 'imagefilename') and 'annotations' with 'label' and "
      + "'coordinates', alone (--images DIR) or beside its images, as in "
      + "train/_annotations.createml.json"
  }

  func images() -> CreateMLJSON { CreateMLJSON() }
}
