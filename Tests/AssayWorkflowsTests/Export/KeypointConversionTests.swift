import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Keypoints, points and lines on the way to a format")
struct KeypointConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(
    _ source: String, to format: ExportFormat, _ name: String
  ) throws -> ConversionSummary {
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: DatasetExportRequest(format),
      folder: folder.path(name))
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  /// Every annotation of a folder as `class shape fields`, sorted, and the fields of the classes.
  private func content(_ source: String) throws -> (objects: [String], classes: [String: String]) {
    let database = folder.path(UUID().uuidString + ".db")
    var request = ImportRequest(source)
    request.name = "set"
    _ = try DatasetImport(request).run(catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    let classes = try catalog.taxonomy(of: catalog.dataset(named: "set").id).categories
    var found: [String] = []
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { _, list in
      for item in list {
        found.append(
          "\(classes[item.category].name) \(item.shape.rawValue) \(item.attributes ?? "{}")")
      }
    }
    let fields = classes.compactMap { category in
      category.attributes.map { (category.name, $0) }
    }
    return (found.sorted(), Dictionary(uniqueKeysWithValues: fields))
  }

  private func write(_ files: [String: String]) throws {
    for (path, text) in files {
      let url = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  /// A task of CVAT with two skeletons, one of them of two points of which one is outside.
  private func writeSkeletons() throws {
    // The nodes are numbered in another order than the labels.
    let drawing = [
      #"<line x1="1" y1="1" x2="2" y2="2" data-type="edge" data-node-from="7" data-node-to="9"></line>"#,
      #"<line x1="1" y1="1" x2="2" y2="2" data-node-from="7" data-node-to="5"/>"#,
      #"<circle r="1" data-node-id="9" data-label-name="tail &amp; fin"></circle>"#,
      #"<circle r="1" data-node-id="7" data-label-name="nose"/>"#,
    ].joined().replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    try write([
      "cvat/annotations.xml": """
      <annotations><meta><task><labels>
      <label><name>cat</name><type>skeleton</type><svg>\(drawing)</svg></label>
      <label><name>nose</name><type>points</type><parent>cat</parent></label>
      <label><name>tail &amp; fin</name><type>points</type><parent>cat</parent></label>
      <label><name>dog</name></label></labels></task></meta>
      <image id="0" name="a.png" width="20" height="10">
      <skeleton label="cat" z_order="2"><points label="tail &amp; fin" outside="0" occluded="1"
        points="4,8.5"/><points label="nose" outside="0" occluded="0" points="1.25,2"/></skeleton>
      <skeleton label="cat"><points label="tail &amp; fin" outside="1" points="0,0"/>
        <points label="nose" outside="0" occluded="0" points="3,3"/></skeleton>
      <points label="dog" points="1,2;3,4"/><points label="dog" points="5,6"/>
      <polyline label="dog" points="0,0;5,5;9,0"/>
      </image></annotations>
      """
    ])
  }

  @Test("A class of CVAT's skeletons has the names of its points and the edges of the drawing")
  func classFields() throws {
    try writeSkeletons()
    let found = try content(folder.path("cvat:cvat"))
    #expect(
      found.classes == ["cat": #"{"keypoints":["nose","tail & fin"],"skeleton":[[1,2]]}"#])
    #expect(
      found.objects.contains { $0.contains(#""keypoints":[1.25,2.0,2,4.0,8.5,1]"#) },
      "\(found.objects)")
  }

  @Test("CVAT's skeletons stay skeletons, with everything that they had")
  func cvat() throws {
    try writeSkeletons()
    let before = try content(folder.path("cvat:cvat"))
    let summary = try convert(folder.path("cvat:cvat"), to: .cvat, "out")
    #expect(summary.lost == 0)
    #expect(summary.export.survey.losses.counts[.keypoints] == nil)
    #expect(summary.export.survey.losses.counts[.classFields] == nil)
    let text = try String(contentsOfFile: folder.path("out/annotations.xml"), encoding: .utf8)
    #expect(text.components(separatedBy: "<skeleton ").count == 3)
    #expect(text.contains("<name>cat</name><type>skeleton</type>"))
    #expect(text.contains("<name>dog</name><type>any</type>"))
    let after = try content(folder.path("out:cvat"))
    for object in before.objects where object.hasPrefix("cat") {
      let keypoints = try #require(object.firstMatch(of: /"keypoints":\[[^\]]*\]/)?.output)
      #expect(after.objects.contains { $0.hasPrefix("cat points") && $0.contains(keypoints) })
    }
    #expect(after.objects.count == before.objects.count)
    #expect(after.classes == before.classes)
    let again = try convert(folder.path("out:cvat"), to: .cvat, "again")
    #expect(again.lost == 0)
    #expect(try content(folder.path("again:cvat")).objects == after.objects)
  }

  @Test(
    "Keypoints of boxes are objects of their own: in CVAT of a class of skeletons, in the box's group"
  )
  func mixed() throws {
    try write([
      "coco/a.json": """
      {"images":[{"id":1,"file_name":"a.png","width":20,"height":10}],
       "categories":[{"id":1,"name":"person","keypoints":["l","r"],"skeleton":[[1,2]]}],
       "annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,5,5],"area":25,"iscrowd":0,
         "keypoints":[1,2,2,0,0,0],"num_keypoints":1},
        {"id":2,"image_id":1,"category_id":1,"bbox":[2,2,5,5],"area":25,"iscrowd":0,"group":4,
         "keypoints":[3,4,1,5,6,2],"num_keypoints":2},
        {"id":3,"image_id":1,"category_id":1,"bbox":[2,2,5,5],"area":25,"iscrowd":0,
         "keypoints":[0,0,0,0,0,0],"num_keypoints":0},
        {"id":4,"image_id":1,"category_id":1,"bbox":[2,2,5,5],"area":25,"iscrowd":0,"group":"x",
         "keypoints":[3,4,1,5,6,2],"num_keypoints":2}]}
      """
    ])
    let cvat = try convert(folder.path("coco:coco"), to: .cvat, "cvat")
    #expect(cvat.lost == 0)
    #expect(cvat.export.survey.losses.counts[.keypointsApart] == 3)
    #expect(cvat.export.survey.losses.counts[.keypoints] == 1)
    let text = try String(contentsOfFile: folder.path("cvat/annotations.xml"), encoding: .utf8)
    #expect(text.contains("<name>person</name><type>any</type>"))
    #expect(text.contains("<name>person (keypoints)</name><type>skeleton</type>"))
    #expect(text.components(separatedBy: "<skeleton label=\"person (keypoints)\"").count == 4)
    #expect(text.components(separatedBy: "<box label=\"person\"").count == 5)
    for group in 1...3 {
      #expect(text.components(separatedBy: "group_id=\"\(group)\"").count == 3)
    }
    let skeletons = try content(folder.path("cvat:cvat"))
    #expect(
      skeletons.classes == [
        "person (keypoints)": #"{"keypoints":["l","r"],"skeleton":[[1,2]]}"#
      ])
    #expect(
      skeletons.objects.count {
        $0.hasPrefix("person (keypoints) points")
          && $0.contains(#""keypoints":[3.0,4.0,1,5.0,6.0,2]"#)
      } == 2)
    let twice = try convert(folder.path("cvat:cvat"), to: .cvat, "twice")
    #expect(twice.lost == 0 && twice.export.survey.losses.counts[.keypointsApart] == nil)
    #expect(try content(folder.path("twice:cvat")).objects == skeletons.objects)

    let datumaro = try convert(folder.path("coco:coco"), to: .datumaro, "datumaro")
    #expect(datumaro.lost == 0)
    #expect(datumaro.export.survey.losses.counts[.keypointsApart] == 2)
    #expect(datumaro.export.survey.losses.counts[.keypoints] == 2)
    let found = try content(folder.path("datumaro:datumaro"))
    #expect(
      found.objects == [
        #"person box {"group":"x"}"#, #"person box {"group":4}"#, #"person box {"group":5}"#,
        "person box {}",
        #"person points {"group":4,"keypoints":[3.0,4.0,1,5.0,6.0,2],"num_keypoints":2}"#,
        #"person points {"group":5,"keypoints":[1.0,2.0,2,0.0,0.0,0],"num_keypoints":1}"#,
      ])
    #expect(found.classes == ["person": #"{"keypoints":["l","r"],"skeleton":[[1,2]]}"#])
    let again = try convert(folder.path("datumaro:datumaro"), to: .datumaro, "again")
    #expect(again.lost == 0 && again.export.survey.losses.counts[.keypointsApart] == nil)
    #expect(try content(folder.path("again:datumaro")).objects == found.objects)
  }

  @Test("Label Studio gets lines and single points; points of several are announced")
  func labelStudio() throws {
    try writeSkeletons()
    let summary = try convert(folder.path("cvat:cvat"), to: .labelStudio, "tasks")
    #expect(summary.lost == 0)
    #expect(summary.export.survey.losses.counts[.lines] == nil)
    // One of two points, and a skeleton of two; the other skeleton has one labeled point.
    #expect(summary.export.survey.losses.counts[.points] == 2)
    let found = try content(folder.path("tasks:label-studio"))
    #expect(
      found.objects == [
        #"cat points {"annotation_id":1,"width":0.5}"#,
        #"dog points {"annotation_id":1,"width":0.5}"#, #"dog polyline {"annotation_id":1}"#,
      ])
  }
}
