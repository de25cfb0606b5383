package import AssayCore

/// The result of a COCO export.
package struct COCOExportSummary: Sendable {
  package var view: String
  package var dataset: String
  /// The folder that the file names are relative to.
  package var root: String
  package var folder: String
  /// The number of image files copied into the folder; `nil` if copying was not requested.
  package var copied: Int?
  /// Images that could not be copied.
  package var leftOut: [LeftOutSample] = []
  /// The result of reading it back; `nil` if that was not requested.
  package var verification: COCOVerification?
  /// The exported samples; `nil` before the export.
  package var scope: ExportScope?
  let plan: COCOExportPlan

  init(view: String, dataset: String, root: String, folder: String, plan: COCOExportPlan) {
    self.view = view
    self.dataset = dataset
    self.root = root
    self.folder = folder
    self.plan = plan
  }

  package var images: Int { plan.samples.count }
  package var annotations: Int { plan.annotations }
  /// The number of annotations by shape that COCO's instances cannot hold: lines, points, labels of
  /// whole images.
  package var leftOutAnnotations: [ShapeKind: Int] { plan.leftOut }
  /// The number of images with further fields that readers of COCO take for others, such as LVIS's lists of
  /// classes, which are left out.
  package var leftOutFields: Int { plan.leftOutFields }
  /// The number of fields of annotations that are called like COCO's own (`area`, `id`), which are left
  /// out.
  package var leftOutAttributes: Int { plan.leftOutAttributes }
  package var categories: Int { plan.taxonomy.categories.count }
  /// The files, relative to the folder.
  package var files: [String] { plan.parts.map(\.file) }
  /// The number of images and classes whose id differs from the source's.
  package var renumbered: Int { plan.renumbered }
}

/// The result of comparing an export with the catalog.
package struct COCOVerification: Hashable, Sendable {
  /// The number of images that were read back.
  package var images = 0
  package var annotations = 0
  /// The number of annotations that are crowds.
  package var crowds = 0
  /// The first differences.
  package var differences: [String] = []
  /// The number of differences.
  package var differenceCount = 0

  /// The maximum number of differences that are listed.
  package static let listed = 1000

  package var isIdentical: Bool { differenceCount == 0 }

  mutating func note(_ difference: String) {
    differenceCount += 1
    if differences.count < Self.listed { differences.append(difference) }
  }
}
