import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

/// The built program in a folder with a catalog of two datasets: `faces` with labels and embedded
/// pixels, and `street` with regions and image files, some with keys that need escaping.
struct CorrectedProgram {
  let program: Program
  static let size = ImageSize(width: 6, height: 4)
  static let keys = ["a.png", "sub dir/b:c.png", "d.png"]

  var folder: TemporaryFolder { program.folder }

  init() throws {
    program = try Program()
    let catalog = try Catalog.open(program.folder.path + "/assay.db", .create)
    try Self.addFaces(to: catalog)
    try Self.addStreet(to: catalog, program.folder)
  }

  private static func addFaces(to catalog: Catalog) throws {
    var batch = ImportedBatch()
    batch.newCategories = ["happy", "neutral", "sad"].map { Category(name: $0) }
    for index in 0..<5 {
      batch.pixels += [UInt8(index), 255, 0, UInt8(10 * index)]
      batch.samples.append(
        ImportedSample(
          key: "\(index)", split: index < 3 ? "train" : "validation",
          size: ImageSize(width: 2, height: 2), category: index % 3,
          pixels: 4 * index..<4 * index + 4))
    }
    let draft = ImportDraft(name: "faces", format: .fer, root: "/faces.csv", isSingleFile: true)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (5, 5, [0, 1, 2])
      return (outcome, nil)
    }
  }

  private static func addStreet(to catalog: Catalog, _ folder: TemporaryFolder) throws {
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "car"), Category(name: "road")]
    for (index, key) in keys.enumerated() {
      let raster = Raster<UInt8>(repeating: UInt8(80 + index), width: 6, height: 4)
      try folder.write("street/" + key, try ImageCodec.encodePNG(raster))
      batch.samples.append(ImportedSample(key: key, location: key, size: size))
      let mask = Mask(box: Box(x: 0, y: 0, width: 2, height: 2), size: size)
      let start = batch.geometry.count
      batch.geometry += mask.compressed
      batch.annotations.append(
        ImportedAnnotation(
          sample: index, category: 0, ordinal: 0, shape: .mask, area: 4, box: mask.boundingBox,
          sourceID: .integer(Int64(100 + index)), geometry: start..<batch.geometry.count))
    }
    let draft = ImportDraft(
      name: "street", format: .coco, root: folder.path + "/street", isSingleFile: false)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (3, 3, [0, 1])
      return (outcome, nil)
    }
  }

  /// Writes a mask as a PNG from rows of characters; `#` is 255.
  func mask(_ name: String, _ rows: String..., inside: UInt8 = 255) throws {
    let pixels = rows.flatMap { $0.map { $0 == "#" ? inside : 0 } }
    let raster = try #require(
      Raster(width: rows[0].count, height: rows.count, elements: pixels))
    try folder.write(name, try ImageCodec.encodePNG(raster))
  }

  /// Runs `assay corrections` as anna.
  @discardableResult
  func corrections(
    _ arguments: String..., author: String = "anna"
  ) throws -> Program.Outcome {
    try program.run(
      ["corrections"] + arguments, environment: ["ASSAY_AUTHOR": author, "USER": "somebody"])
  }

  /// Its JSON, if it succeeds.
  func json(_ arguments: String...) throws -> JSONValue {
    let outcome = try program.run(
      ["corrections"] + arguments + ["--json"], environment: ["ASSAY_AUTHOR": "anna"])
    #expect(outcome.status == 0, "\(outcome.stdout)")
    return try outcome.json()
  }
}
