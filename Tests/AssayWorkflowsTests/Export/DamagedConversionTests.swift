import AssayCore
import AssayFormats
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

/// The proof of a conversion finds what was changed between writing and reading back.
@Suite("Proof of a conversion")
struct DamagedConversionTests {
  private static let source = """
    {"images":[{"id":1,"file_name":"a.png","width":8,"height":6},
    {"id":2,"file_name":"b.png","width":8,"height":6}],"annotations":[
    {"id":11,"image_id":1,"category_id":1,"iscrowd":0,"area":12,"bbox":[1,1,4,3],"color":"red"},
    {"id":12,"image_id":1,"category_id":2,"iscrowd":0,"area":2,"bbox":[1,1,2,2],
    "segmentation":[[1,1,3,1,3,3]]},
    {"id":13,"image_id":2,"category_id":2,"iscrowd":1,"area":12,"bbox":[0,0,2,6],
    "segmentation":{"size":[6,8],"counts":[0,12,36]}}],
    "categories":[{"id":1,"name":"cat"},{"id":2,"name":"dog"}]}
    """

  /// The differences that a change of the written JSON makes.
  private func differences(_ change: (String) -> String) throws -> ExportVerification {
    let folder = try TemporaryFolder()
    let image = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 90, width: 8, height: 6, channels: 3))
    for name in ["a", "b"] { try folder.write("set/images/\(name).png", image) }
    try folder.write("set/annotations/instances.json", Self.source)
    let database = folder.path("assay.db")
    _ = try DatasetImport(ImportRequest(folder.path("set"))).run(
      catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    let summary = try DatasetExport(
      ExportScope("set", in: catalog), catalog: catalog, DatasetExportRequest(.coco)
    ).run(into: ExportFolder(folder.path("out"), force: false))
    let path = folder.path("out/annotations/instances.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(change(text).utf8).write(to: URL(fileURLWithPath: path))
    return try ExportCheck(of: summary, catalog: catalog).run(database: folder.path("result.db"))
  }

  @Test("Nothing is lost of files that are as they were written")
  func same() throws {
    let found = try differences { $0 }
    #expect(found.lost == 0 && found.read.objects == 3, "\(found.differences)")
  }

  @Test(
    "Every change of an annotation is counted",
    arguments: [
      (#""bbox":[1,1,4,3]"#, #""bbox":[1,1,4,3.5]"#, ExportDifference.coordinates),
      ("[1,1,3,1,3,3]", "[1,1,3,1,3,3.01]", .coordinates),
      (#""image_id":1,"category_id":1"#, #""image_id":1,"category_id":2"#, .objects),
      (#""id":11,"image_id":1"#, #""id":11,"image_id":2"#, .objects),
      (#""id":11,"#, #""id":14,"#, .objectIDs),
      (#""iscrowd":1"#, #""iscrowd":0"#, .crowds),
      (#""area":2,"#, #""area":3,"#, .areas),
      (#""color":"red""#, #""color":"blue""#, .attributes),
      (#""file_name":"b.png","width":8"#, #""file_name":"b.png","width":9"#, .sizes),
      (#""id":2,"file_name":"b.png""#, #""id":3,"file_name":"b.png""#, .imageIDs),
    ])
  func changed(from: String, to: String, kind: ExportDifference) throws {
    var isThere = false
    let found = try differences { text in
      isThere = text.contains(from)
      return text.replacing(from, with: to)
    }
    #expect(isThere, "not in the file: \(from)")
    #expect(found.lost > 0 && found.counts[kind] ?? 0 > 0, "\(found.counts) \(found.differences)")
  }
}
