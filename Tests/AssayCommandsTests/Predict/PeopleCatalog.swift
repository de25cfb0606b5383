import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Images with regions and a model that finds them: the real ones, and a small counterpart.
struct PeopleInput {
  /// The dataset's folder.
  var images: String
  /// The class of the regions.
  var category: String
  var model: String
  var manifest: String
  /// The number of images that the book's rule keeps.
  var count: Int

  /// People on real photographs.
  static let real = PeopleInput(
    images: OutsideFiles.path("coco/mini"), category: "person",
    model: OutsideFiles.path("models/selfie_segmentation.xml"),
    manifest: PackageFolder.url("Datasets/models/selfie.yaml").path, count: 8)

  /// The gray images of `Tests/Fixtures/maps/make_small.py`.
  static let small = PeopleInput(
    images: PackageFolder.fixture("maps/small").path, category: "thing",
    model: PackageFolder.fixture("models/mask_nchw.onnx").path,
    manifest: PackageFolder.fixture("maps/small.yaml").path, count: 7)

  /// A catalog with the images as `coco`, the book's rule as the view `people`, and the model `selfie`.
  func program() throws -> Program {
    let program = try Program()
    for arguments in [
      ["import", images + ":coco", "--name", "coco"],
      [
        "view", "save", "people", "--in", "coco", "--where",
        "count(\(category)) in 1..2 and count(\(category), crowd) = 0 "
          + "and coverage(\(category)) in 0.2..0.7",
      ],
      ["model", "add", model, "--manifest", manifest, "--name", "selfie"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    return program
  }
}
