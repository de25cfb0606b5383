import AssayCore
import AssayFormats
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Converting datasets")
struct ConversionTests {
  /// A format with its variant, as a target of the property tests.
  struct Target: Hashable, CustomTestStringConvertible, Sendable {
    var format: ExportFormat
    var variant: ExportVariant?

    var testDescription: String {
      format.rawValue + (variant.map { " " + $0.rawValue } ?? "")
    }

    /// Every format that this version can read back, and every variant of it.
    static var all: [Target] {
      ExportFormat.allCases.flatMap { format -> [Target] in
        guard format.importFormat(nil) != nil else { return [] }
        return [Target(format: format)]
          + format.variants.map { Target(format: format, variant: $0) }
      }
    }
  }

  private static var seeds: ClosedRange<UInt64> { LongTests.areOn ? 1...40 : 1...3 }

  /// Converts a source into a folder, verified.
  private func convert(
    _ source: ImportRequest, to target: Target, _ folder: String, images: ImageTransfer = .copy
  ) throws -> ConversionSummary {
    var export = DatasetExportRequest(target.format)
    export.variant = target.variant
    export.images = images
    var request = ConversionRequest(sources: [source], export: export, folder: folder)
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func source(_ target: Target, _ folder: String) throws -> ImportRequest {
    var path = folder
    if target.format == .multiLabelCSV { path += "/labels.csv" }
    if target.format == .csv { path += "/annotations.csv" }
    var request = ImportRequest(path)
    request.format = target.format.importFormat(target.variant)
    if target.format == .csv {
      try request.setColumns(ExportCheck.columns)
      _ = request.setCoordinates("pixels")
    }
    return request
  }

  @Test(
    "Nothing is lost that is not announced, and the second time nothing more can be lost",
    arguments: Target.all)
  func identity(target: Target) throws {
    for seed in Self.seeds {
      let folder = try TemporaryFolder()
      var dataset = RandomDataset(seed: seed, folder: folder.url.appending(path: "source"))
      try dataset.write(keypoints: target.variant == .pose || seed % 2 == 1)
      let first = try convert(
        ImportRequest(folder.path("source:coco")), to: target, folder.path("first"))
      #expect(
        first.lost == 0,
        "seed \(seed): \(first.export.verification?.differences.prefix(5) ?? [])")
      // What was read is what the format holds, so writing it again changes nothing.
      guard first.export.survey.expected.annotations > 0 || target.format == .multiLabelCSV else {
        continue
      }
      let again = try convert(
        source(target, folder.path("first")), to: target, folder.path("again"))
      #expect(
        again.lost == 0,
        "seed \(seed): \(again.export.verification?.differences.prefix(5) ?? [])")
      let certificate = again.certificate
      // Its importer adds the number of the annotation to each object.
      guard target.format != .labelStudio else { continue }
      #expect(
        certificate["source"]?["sha256"] == certificate["result"]?["sha256"],
        "seed \(seed): \(certificate["announced"]?.text() ?? "") \(certificate["announced_attributes"]?.text() ?? "")"
      )
    }
  }

  @Test("So it is for every pair of formats", arguments: Target.all)
  func pairs(target: Target) throws {
    let folder = try TemporaryFolder()
    var dataset = RandomDataset(seed: 11, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: target.variant == .pose)
    _ = try convert(ImportRequest(folder.path("source:coco")), to: target, folder.path("first"))
    for other in Target.all {
      // Class folders of objects have no classes, and the table needs some.
      if other.format == .multiLabelCSV, target.format.importFormat(target.variant) == .imageFolder
      {
        continue
      }
      let summary = try convert(
        source(target, folder.path("first")), to: other, folder.path("to-\(other.testDescription)"))
      #expect(
        summary.lost == 0,
        "\(other.testDescription): \(summary.export.verification?.differences.prefix(5) ?? [])")
    }
  }

  @Test("Labels of whole images, sets of them, and pixels of the catalog", arguments: Target.all)
  func labels(target: Target) throws {
    let folder = try TemporaryFolder()
    let picture = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: 3, height: 2, channels: 1))
    for path in ["train/cat/a.png", "train/dog/A.png", "test/cat/a.png"] {
      try folder.write("folders/\(path)", picture)
    }
    for name in ["a", "b", "c"] { try folder.write("sets/\(name).png", picture) }
    try folder.write("sets/labels.csv", "image,cat,dog\na.png,1,1\nb.png,0,0\nc.png,0,1\n")
    try folder.write(
      "faces.csv", "emotion,pixels,Usage\n3,1 2 3 4,Training\n4,5 6 7 8,PublicTest\n")
    for source in ["folders", "sets/labels.csv", "faces.csv"] {
      let name = source.prefix { $0.isLetter }
      let out = folder.path("out-\(name)")
      let summary = try convert(
        ImportRequest(folder.path(source) + (name == "faces" ? ":pixel-csv" : "")), to: target, out)
      #expect(
        summary.lost == 0,
        "\(source): \(summary.export.verification?.differences.prefix(5) ?? [])")
      let kinds = summary.export.survey.losses.list.map(\.kind)
      if target.format == .imageFolder, name != "sets" {
        #expect(!kinds.contains(.wholeImageLabels) && !kinds.contains(.splits), "\(kinds)")
        #expect(summary.export.survey.expected.labels == (name == "faces" ? 2 : 3))
      }
      if target.format == .multiLabelCSV {
        #expect(!kinds.contains(.labelSets), "\(kinds)")
        #expect(summary.export.survey.source == summary.export.survey.expected)
      }
    }
  }

  @Test("Labels beside regions", arguments: Target.all)
  func tags(target: Target) throws {
    let folder = try TemporaryFolder()
    let picture = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: 9, height: 8, channels: 1))
    for name in ["a", "b", "c", "d"] { try folder.write("source/images/\(name).png", picture) }
    func image(_ name: String, _ elements: String) -> String {
      #"<image id="0" name="\#(name).png" width="9" height="8">\#(elements)</image>"#
    }
    let box = #"<box label="car" xtl="1" ytl="1" xbr="4" ybr="3" occluded="0"></box>"#
    let sure = #"<tag label="wet" source="manual"><attribute name="sure">true</attribute></tag>"#
    try folder.write(
      "source/annotations.xml",
      "<annotations><version>1.1</version><meta></meta>"
        + image("a", box + #"<tag label="sunny" source="manual"></tag>"#)
        + image("b", box + #"<tag label="sunny"></tag><tag label="dry"></tag>"#)
        + image("c", sure) + image("d", sure + #"<tag label="dry"></tag><tag label="dry"></tag>"#)
        + "</annotations>")
    let first = try convert(
      ImportRequest(folder.path("source:cvat")), to: target, folder.path("first"))
    #expect(first.lost == 0, "\(first.export.verification?.differences.prefix(5) ?? [])")
    let survey = first.export.survey
    #expect(survey.source.annotations == 9)
    let can = DatasetExporters.capabilities(of: target.format, target.variant)
    let losses = Set(survey.losses.list.map(\.kind))
    let isTagged = can.shapes.contains(.tag)
    #expect(isTagged == [.cvat, .datumaro, .webDataset].contains(target.format))
    if isTagged {
      #expect(survey.expected.annotations == 9)
      #expect(losses.isDisjoint(with: [.tags, .duplicates, .wholeImageLabels, .labelSets]))
    } else {
      #expect(!losses.isDisjoint(with: [.tags, .duplicates]), "\(losses)")
    }
    let again = try convert(
      source(target, folder.path("first")), to: target, folder.path("again"))
    #expect(again.lost == 0, "\(again.export.verification?.differences.prefix(5) ?? [])")
  }

  @Test("COCO to COCO keeps everything: nothing is announced, and the three hashes are equal")
  func coco() throws {
    let folder = try TemporaryFolder()
    var dataset = RandomDataset(seed: 5, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: true)
    let summary = try convert(
      ImportRequest(folder.path("source:coco")), to: Target(format: .coco), folder.path("out"),
      images: .link)
    let kinds = summary.export.survey.losses.list.map(\.kind)
    #expect(kinds.allSatisfy { $0 == .imageNames }, "\(kinds)")
    #expect(summary.lost == 0, "\(summary.export.verification?.differences.prefix(5) ?? [])")
    #expect(summary.export.survey.source == summary.export.survey.expected)
    let text = try folder.read("out/certificate.json")
    #expect(try JSONValue(parsing: text) == JSONValue(parsing: summary.certificate.text()))
  }

  @Test("Images without a file are announced, and their annotations are written")
  func missing() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "source.json",
      """
      {"images":[{"id":1,"file_name":"a/x.png","width":8,"height":6}],"annotations":[
      {"id":1,"image_id":1,"category_id":1,"iscrowd":0,"area":4,"bbox":[1,1,2,2],
      "nested":{"b":1,"a":[{"d":1,"c":2}]}}],"categories":[{"id":1,"name":"cat"}]}
      """)
    for target in Target.all where target.format != .multiLabelCSV {
      let request = ImportRequest(folder.path("source.json:coco"))
      let out = folder.path(target.testDescription)
      guard !DatasetExporters.capabilities(of: target.format, target.variant).needsFiles else {
        #expect(throws: ExportError.self) { try convert(request, to: target, out) }
        continue
      }
      let summary = try convert(request, to: target, out)
      #expect(
        summary.lost == 0,
        "\(target): \(summary.export.verification?.differences.prefix(5) ?? [])")
      #expect(summary.export.survey.losses.counts[.missingFiles] == 1)
    }
  }

  @Test("Classes are merged, renamed and left out")
  func classes() throws {
    let folder = try TemporaryFolder()
    var dataset = RandomDataset(seed: 6, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: false)
    var export = DatasetExportRequest(.yolo)
    let isMerge = export.changes.addMerge("zebra, traffic light = things", isRename: false)
    let isRename = export.changes.addMerge("Straße=road", isRename: true)
    let isDrop = export.changes.addDropped("person")
    let isOther = export.changes.addMerge("zebra", isRename: false)
    #expect(isMerge && isRename && isDrop && !isOther)
    var request = ConversionRequest(
      sources: [ImportRequest(folder.path("source:coco"))], export: export,
      folder: folder.path("out"))
    request.verifies = true
    let summary = try DatasetConversion(request, version: "test").run(progress: NoProgress())
    #expect(summary.lost == 0)
    #expect(
      summary.export.classes == [
        "things", "road", "say \"hi\" & <b>", "a,b; c: 'd' #e", "=1+1",
        " blank\u{A0}", "background", "masks",
      ])
    request.export.changes = ClassChanges()
    _ = request.export.changes.addDropped("zebr")
    #expect(throws: ExportError.self) {
      try DatasetConversion(request, version: "test").run(progress: NoProgress())
    }
  }

  @Test("--drop crowd leaves out the regions of crowds, as no class is called so")
  func crowds() throws {
    let folder = try TemporaryFolder()
    var export = DatasetExportRequest(.coco)
    let isDrop = export.changes.addDropped("crowd, b")
    #expect(isDrop)
    var request = ConversionRequest(
      sources: [ImportRequest(PackageFolder.fixture("detect/shapes").path)], export: export,
      folder: folder.path("out"))
    request.verifies = true
    let catalog = try Catalog.open(folder.path("assay.db"), .create)
    var source = ImportRequest(PackageFolder.fixture("detect/shapes").path)
    source.name = "shapes"
    _ = try DatasetImport(source).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    var left = 0
    let samples = try catalog.samples(in: catalog.resolve("shapes"))
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { _, annotations in
      left += annotations.count { $0.category != 1 && !$0.isCrowd }
    }
    let summary = try DatasetConversion(request, version: "test").run(progress: NoProgress())
    #expect(summary.lost == 0 && summary.export.classes == ["a", "c"])
    #expect(summary.export.survey.expected.objects == left)
  }
}
