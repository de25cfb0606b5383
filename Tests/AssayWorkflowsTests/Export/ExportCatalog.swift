import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation

import AssayWorkflows

/// A folder with a source and a catalog that has imported it; removed with the value.
final class ExportCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  var path: String { folder.path }

  /// - Parameter texts: JSON files of the source, by path.
  init(
    photos: [String: (width: Int, height: Int)], texts: [String: String], format: String,
    ignoresCompanions: Bool = false
  ) throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    let source = folder.appending(path: "source")
    for (name, size) in photos {
      let elements = (0..<3 * size.width * size.height).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let raster = Raster(width: size.width, height: size.height, channels: 3, elements: elements)
      try Self.write(
        ImageCodec.encodePNG(raster ?? Raster(repeating: 0, width: 1, height: 1)),
        to: source.appending(path: name))
    }
    for (name, text) in texts { try Self.write(Array(text.utf8), to: source.appending(path: name)) }
    let database = folder.appending(path: "assay.db").path
    _ = try Self.add(
      source.path + ":" + format, named: "set", to: database, ignoresCompanions: ignoresCompanions)
    catalog = try Catalog.open(database, .readWrite)
  }

  /// Imports a source into the same catalog.
  func add(_ source: String, named name: String) throws -> DatasetImport.Summary {
    try Self.add(source, named: name, to: folder.appending(path: "assay.db").path)
  }

  private static func add(
    _ source: String, named name: String, to database: String, ignoresCompanions: Bool = false
  ) throws -> DatasetImport.Summary {
    var request = ImportRequest(source)
    request.name = name
    request.ignoresCompanions = ignoresCompanions
    return try DatasetImport(request, workers: 2).run(
      catalogPath: database, progress: NoProgress())
  }

  private static func write(_ bytes: [UInt8], to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// The bytes of a file in the folder.
  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// All files below a folder, sorted.
  func files(_ name: String) throws -> [String] {
    try DirectoryTree(path + "/" + name).files().map(\.path)
  }

  /// Two splits with ids of all kinds: 0, large, text; two polygons, a hole as run lengths, crowds
  /// in both forms, a box without a mask, keypoints, and an image without annotations.
  static func odd() throws -> ExportCatalog {
    let categories = """
      [{"id":0,"name":"person","supercategory":"human","keypoints":["nose"]},
      {"id":90,"name":"traffic \\"light\\""}]
      """
    let train = """
      {"images":[{"id":0,"file_name":"a.png","width":8,"height":6,"subject":"s1","license":2},
      {"id":9007199254740993,"file_name":"sub/b.png","width":5,"height":5}],
      "annotations":[
      {"id":0,"image_id":0,"category_id":0,"iscrowd":0,"area":7.123456789012345,"bbox":[1,1,4.1,3.3],
      "segmentation":[[1,1,5.05,1,5,4.3],[0,0,2,0,2,2,0,2]],"keypoints":[1,2,2],"num_keypoints":1},
      {"id":"x\\\\1","image_id":0,"category_id":90,"iscrowd":1,"area":12,"bbox":[0,0,2,6],
      "segmentation":{"size":[6,8],"counts":[0,12,36]}},
      {"id":9223372036854775807,"image_id":9007199254740993,"category_id":0,"iscrowd":1,"area":9,
      "bbox":[1,1,3,3],"segmentation":{"size":[5,5],"counts":[6,3,2,1,1,1,2,3,6]}}],
      "categories":\(categories)}
      """
    let val = """
      {"images":[{"id":0,"file_name":"c.png","width":4,"height":4},
      {"id":1,"file_name":"empty.png","width":3,"height":3}],
      "annotations":[{"id":0,"image_id":0,"category_id":90,"iscrowd":0,"area":4,"bbox":[1,1,2,2]}],
      "categories":\(categories)}
      """
    return try ExportCatalog(
      photos: [
        "train/a.png": (8, 6), "train/sub/b.png": (5, 5), "val/c.png": (4, 4),
        "val/empty.png": (3, 3),
      ],
      texts: [
        "annotations/instances_train.json": train, "annotations/instances_val.json": val,
      ], format: "coco")
  }
}
